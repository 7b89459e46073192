"""Which related edges a new triple repeats, and which of them it can make invalid (arXiv 2504.19413 section 2.2)."""

import re
from collections.abc import Sequence

from memlab.memory import Candidate, Content, Fact, Hit, Memory, Noop, Triple
from memlab.relations import canonical, lasting, may_conflict, opposed, passing, slot, synonyms
from memlab.update.event_time import days
from memlab.update.merge import recorded_in

ARTICLE = re.compile(r"^(?:an?|the) ")


def same_again(candidate: Candidate, related: Sequence[Hit], *, equivalent: float | None = None) -> Noop | None:
    """Return the NOOP that credits the related memory which says this already; None when none does.

    A triple is said already by an edge of the same meaning to an object of the same name, at the same time or at one
    that the candidate leaves open. `equivalent`: the score of a hit from which another wording of the object is none.
    """
    if isinstance(candidate.content, Fact) and (known := recorded_in(candidate, (hit.memory for hit in related))):
        return known
    for hit in related:
        versions = (hit.memory.content, *(revision.content for revision in hit.memory.history))
        recorded = set(candidate.sources) <= set(hit.memory.sources) and candidate.content in versions
        if recorded or repeats(candidate, hit, equivalent):
            return Noop(hit.memory.id, candidate.sources)
    return None


def rivals(candidate: Candidate, related: Sequence[Hit]) -> list[Memory]:
    """Return the related edges that a candidate can make invalid, for their labels may conflict; closest first."""
    new = candidate.content
    if not isinstance(new, Triple):
        return []
    return [
        hit.memory
        for hit in related
        if isinstance(old := hit.memory.content, Triple)
        and may_conflict(canonical(new.relation), canonical(old.relation))
    ]


def repeats(candidate: Candidate, hit: Hit, equivalent: float | None) -> bool:
    """Return whether the candidate of a proposal says no more than a related memory does now."""
    new: Content = candidate.content
    old: Content = hit.memory.content
    if isinstance(new, Fact) and isinstance(old, Fact):
        return candidate.speaker == hit.memory.speaker and plain(new.text) == plain(old.text)
    if not (isinstance(new, Triple) and isinstance(old, Triple)):
        return False
    return (
        synonyms(canonical(new.relation), canonical(old.relation))
        and (plain(new.object.name) == plain(old.object.name) or (equivalent is not None and hit.score >= equivalent))
        and (not new.when.strip() or same_time(new.when, old.when))
    )


def same_time(when: str, other: str) -> bool:
    """Return whether two times are the same, in words or in days: `7 May 2023` and `on May 7, 2023`."""
    return plain(when) == plain(other) or ((told := days(when)) is not None and told == days(other))


def plain(name: str) -> str:
    """Return a name without differences of case and white space, an article before it, or a stop after it."""
    words = " ".join(name.casefold().split())
    return ARTICLE.sub("", words, count=1).rstrip(".,!?") or words


def exclude(new: Triple, old: Triple) -> bool:
    """Return whether two triples of one source cannot both hold at a time, as far as the tables tell."""
    here, there = canonical(new.relation), canonical(old.relation)
    filled = slot(here)
    if filled is not None and filled.single and synonyms(here, there):
        named = not filled.names or (is_name(new.object.name) and is_name(old.object.name))
        return named and not says_less(new.object.name, old.object.name)
    if plain(new.object.name) != plain(old.object.name) or not (opposed(here, there) or opposed(there, here)):
        return False
    # On 3 May she did not go; that denies neither that she went on 1 May nor that she goes as a rule.
    once = passing(here) or (bool(new.when or old.when) and not lasting(here) and not lasting(there))
    return not (once and (here.startswith("not_") or there.startswith("not_")))


def is_name(words: str) -> bool:
    """Return whether words are a name, as far as spelling tells: they do not begin with a small letter."""
    return not re.sub(r"^(?:an?|the)\s+", "", words.strip(), count=1, flags=re.IGNORECASE)[:1].islower()


def says_less(name: str, other: str) -> bool:
    """Return whether one name has all words of the other: `Rome` and `Rome, Italy` are no two places."""
    words, others = (set(re.findall(r"\w+", plain(one))) for one in (name, other))
    return plain(name) == plain(other) or (bool(words and others) and (words <= others or others <= words))
