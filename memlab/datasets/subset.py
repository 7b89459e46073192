"""A part of a dataset: some conversations by id, their first sessions, and at most so many questions."""

from collections.abc import Sequence
from dataclasses import replace

from memlab.datasets.dataset import DatasetError
from memlab.dialogue import Conversation
from memlab.spelling import did_you_mean


def check_subset(conversations: Sequence[str] | None, sessions: int | None, limit_questions: int | None) -> None:
    """Raise DatasetError for settings that no dataset could follow."""
    if sessions is not None and sessions < 1:
        raise DatasetError(f"sessions={sessions}: expected 1 or more, or null for all sessions")
    if isinstance(conversations, str):
        raise DatasetError(f"conversations={conversations}: expected a list, such as [{conversations}]")
    if limit_questions is not None and limit_questions < 1:
        raise DatasetError(f"limit_questions={limit_questions}: expected 1 or more, or null for all questions")


def check_known(conversations: Sequence[str], known: Sequence[str], where: str) -> None:
    """Raise DatasetError, with all that are unknown and all that are known, unless every id is known."""
    faults = [
        f"no conversation '{name}'{did_you_mean(name, known)}"
        for name in dict.fromkeys(map(str, conversations))
        if name not in known
    ]
    if faults:
        raise DatasetError(f"{where}: {'; '.join(faults)} (known: {', '.join(known)})")
    if not conversations:
        raise DatasetError(f"{where}: no conversations are named; use null for all (known: {', '.join(known)})")


def first_sessions(conversation: Conversation, sessions: int | None) -> Conversation:
    """Return the first sessions of a conversation, and the questions whose evidence lies in them, all of it.

    Questions without evidence go, unless all sessions stay: nobody can tell which sessions they need.
    """
    if sessions is None:
        return conversation
    turns = tuple(turn for turn in conversation.turns if turn.session <= sessions)
    said = {turn.id for turn in turns}
    asked = tuple(q for q in conversation.questions if q.evidence and said.issuperset(q.evidence))
    return replace(conversation, turns=turns, questions=asked)


def limited(conversations: Sequence[Conversation], limit_questions: int | None) -> tuple[Conversation, ...]:
    """Return so many questions in all, as evenly as can be; with a limit, conversations left without any go."""
    counts = even_shares([len(one.questions) for one in conversations], limit_questions)
    return tuple(
        replace(one, questions=tuple(one.questions[place] for place in spaced(len(one.questions), count)))
        for one, count in zip(conversations, counts, strict=True)
        if count or limit_questions is None
    )


def even_shares(available: Sequence[int], total: int | None) -> list[int]:
    """Return how many to take of each: `total` in all (None or too many: all), as evenly as can be, the first first."""
    shares = [0] * len(available)
    for _ in range(sum(available) if total is None else min(total, sum(available))):
        smallest = min((i for i, share in enumerate(shares) if share < available[i]), key=shares.__getitem__)
        shares[smallest] += 1
    return shares


def spaced(available: int, count: int) -> list[int]:
    """Return `count` places of so many, evenly spaced: the first ones of a list in order of category are no sample."""
    return [number * available // count for number in range(count)]
