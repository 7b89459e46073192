"""What the words of a kind have to be like: sections, how many texts, which fields."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from memlab.datasets.synthetic.kinds import Kind
from memlab.datasets.synthetic.template import FIELD

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
PRONOUNS = frozenset(("she", "She", "her", "him", "herself"))
SUBJECT = PRONOUNS | {"P"}
CHATTER: Mapping[str, tuple[tuple[int, int, int], tuple[int, int]]] = {
    "hello": ((20, 8, 12), (1, 1)),
    "reply": ((20, 8, 12), (1, 1)),
    "goodbye": ((12, 6, 8), (1, 1)),
    "bye": ((12, 6, 8), (1, 1)),
    "link": ((12, 6, 10), (1, 1)),
    "chat": ((40, 15, 25), (2, 4)),
    "doubt": ((8, 4, 6), (2, 2)),
}
"""What is said around the facts: how many texts at least, and of how many messages each."""
CHATTER_FIELDS = frozenset(("A", "B", "X"))


@dataclass(frozen=True, slots=True)
class Rule:
    """How many texts a section has at least (train, validation, test), the fields of each, and what else is allowed."""

    least: tuple[int, int, int]
    must: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()


def _rule(least: tuple[int, int, int], must: str = "", may: frozenset[str] | str = "") -> Rule:
    needed = frozenset(must.split())
    return Rule(least, needed, needed | (frozenset(may.split()) if isinstance(may, str) else may))


def rules(kind: Kind) -> dict[str, Rule]:
    """Return the rule of each section, by its dotted name."""
    when = " when" if kind.dated else ""
    of_value = " v" if kind.family == "item" else ""
    found = {
        "values": _rule((24, 10, 16)),
        "fact.new": _rule((5, 2, 4), f"P v{when}", PRONOUNS),
        "fact.less": _rule((2, 1, 2), "P", PRONOUNS),
        "say.new": _rule((5, 3, 5), f"v{when}"),
        "say.repeat": _rule((4, 2, 4), "v"),
        "say.less": _rule((1, 1, 1)),
        "talk.asked": _rule((3, 2, 3)),
        "talk.heard.new": _rule((3, 2, 3)),
        "talk.heard.more": _rule((2, 1, 2)),
    }
    if kind.dated:
        found["fact.repeat"] = _rule((4, 2, 3), "P v", PRONOUNS)
    if kind.changes:
        found["fact.change"] = _rule((5, 2, 4), "P v", PRONOUNS | {"old"})
        found["say.change"] = _rule((4, 2, 4), "v", "old")
        found["talk.heard.change"] = _rule((2, 1, 2))
    if kind.ends:
        found["fact.revoke"] = _rule((5, 2, 4), "P", SUBJECT | {"v"})
        found["say.revoke"] = _rule((4, 2, 4), "", "v")
        found["talk.heard.end"] = _rule((2, 1, 2))
    for aspect in kind.aspects:
        found[f"aspects.{aspect}"] = _rule((10, 5, 8))
        found[f"fact.aspects.{aspect}"] = _rule((4, 2, 4), f"P a{of_value}", PRONOUNS | {"v"})
        found[f"say.aspects.{aspect}"] = _rule((3, 2, 3), f"a{of_value}", "v")
    return found | _rules_of_others(kind, when, of_value) | _rules_of_questions(kind)


def _rules_of_others(kind: Kind, when: str, of_value: str) -> dict[str, Rule]:
    found = {"say_of.new": _rule((3, 2, 3), f"P v{when}", PRONOUNS)}
    if kind.changes:
        found["say_of.change"] = _rule((2, 1, 2), "P v", PRONOUNS | {"old"})
    if kind.ends:
        found["say_of.revoke"] = _rule((2, 1, 2), "P", SUBJECT | {"v"})
    for aspect in kind.aspects:
        found[f"say_of.aspects.{aspect}"] = _rule((1, 1, 1), f"P a{of_value}", PRONOUNS | {"v"})
    return found


def _rules_of_questions(kind: Kind) -> dict[str, Rule]:
    found = {}
    match kind.family:
        case "attribute":
            found["ask.now"] = _rule((2, 1, 2), "P", PRONOUNS)
            found["ask.before"] = _rule((2, 1, 2), "P", PRONOUNS | {"v"})
        case "item":
            found["ask.list"] = _rule((2, 1, 2), "P", PRONOUNS)
        case "event" | "plan":
            found["ask.when"] = _rule((2, 1, 2), "P v", PRONOUNS)
    if kind.family == "plan":
        found["ask.now"] = _rule((1, 1, 1), "P", PRONOUNS)
    named = " v" if kind.family in ("item", "event") else ""
    for aspect in kind.aspects:
        found[f"ask.aspects.{aspect}"] = _rule((1, 1, 1), f"P{named}", PRONOUNS | {"v"})
    return found


def blanked(text: str) -> str:
    """Return a text by which one tells whether it is another one in disguise: fields, case and signs left out."""
    return re.sub(r"\W+", " ", FIELD.sub("#", text).casefold()).strip()


def faults(kind: Kind, sections: Mapping[str, Sequence[object]], split: Split) -> Iterator[str]:
    """Yield what is wrong with the words of a kind, given as lists by their dotted section."""
    expected = rules(kind)
    for name, rule in expected.items():
        if name in sections:
            yield from _faults_of(name, sections[name], rule, rule.least[SPLITS.index(split)])
        elif kind.others or not name.startswith("say_of."):
            yield f"{name} is missing"
    for name in sections:
        if name == "ask.infer":
            yield from _faults_of_inference(sections[name])
        elif name not in expected:
            yield f"{name} is no section of a kind like this; it has {', '.join(expected)}"


def _faults_of(name: str, texts: Sequence[object], rule: Rule, least: int) -> Iterator[str]:
    if not all(isinstance(text, str) for text in texts):
        yield f"{name} is not a list of texts"
        return
    listed = [str(text) for text in texts]
    if len(listed) < least:
        yield f"{name} has {len(listed)} texts, needs {least}"
    if len({blanked(text) for text in listed}) < len(listed):
        yield f"{name} has the same text twice"
    for text in listed:
        fields = set(FIELD.findall(text))
        if fields - rule.may:
            yield f"{name}: {text!r} has the field {', '.join(sorted(fields - rule.may))}, which is not filled here"
        if rule.must - fields:
            yield f"{name}: {text!r} lacks the field {', '.join(sorted(rule.must - fields))}"
        if "{" in FIELD.sub("", text) or "}" in FIELD.sub("", text):
            yield f"{name}: {text!r} has a brace that is no field's"


def _faults_of_inference(asked: Sequence[object]) -> Iterator[str]:
    for one in asked:
        if not isinstance(one, Mapping) or set(one) != {"text", "gold"}:
            yield f"ask.infer: {one!r} is not like {{ text = ..., gold = ... }}"
        elif wrong := set(FIELD.findall(f"{one['text']} {one['gold']}")) - SUBJECT - {"v"}:
            yield f"ask.infer: {one['text']!r} has the field {', '.join(sorted(wrong))}, which is not filled here"


def chatter_faults(sections: Mapping[str, Sequence[object]], split: Split) -> Iterator[str]:
    """Yield what is wrong with the words around the facts."""
    for name, (least, (shortest, longest)) in CHATTER.items():
        texts = sections.get(name, ())
        if len(texts) < least[SPLITS.index(split)]:
            yield f"{name} has {len(texts)} texts, needs {least[SPLITS.index(split)]}"
        for text in texts:
            messages = [text] if isinstance(text, str) else text
            if not (isinstance(messages, list) and all(isinstance(message, str) for message in messages)):
                yield f"{name}: {text!r} is neither a text nor a list of texts"
            elif not shortest <= len(messages) <= longest:
                yield f"{name}: {text!r} has {len(messages)} messages, needs {shortest} to {longest}"
            elif wrong := set(FIELD.findall(" ".join(messages))) - CHATTER_FIELDS:
                yield f"{name}: {text!r} has the field {', '.join(sorted(wrong))}, which is not filled here"
    for name in sections:
        if name not in CHATTER:
            yield f"{name} is no section; there are {', '.join(CHATTER)}"
