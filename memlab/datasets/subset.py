"""A part of a dataset: some conversations by id, and at most so many questions."""

from collections.abc import Sequence

from memlab.datasets.dataset import DatasetError
from memlab.spelling import did_you_mean


def check_subset(conversations: Sequence[str] | None, limit_questions: int | None) -> None:
    """Raise DatasetError for settings that no dataset could follow."""
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
