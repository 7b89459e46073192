"""Several tests at once: p-values corrected so that the chance of a single wrong rejection among them stays LEVEL."""

from collections.abc import Sequence

import numpy as np

from memlab.score.paired import TIE, Numbers, by_conversation, nudged, splits


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's corrected p-values (1979) of a family, in its order; right however the tests depend on each other.

    None can be below the number of tests times the smallest p of one.
    """
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def joint(tests: Sequence[tuple[Sequence[float], Sequence[str]]], *, seed: int) -> list[float]:
    """Return the step-down max-T p-values (Westfall and Young 1993) of a family of differences with conversations.

    The same conversations change sign in all tests at once, so tests that go together cost little, and the smallest p
    is that of one test: few conversations can still pass in a large family, where Holm's cannot.
    """
    if not tests:
        return []
    names = sorted({name for _, conversations in tests for name in conversations})
    place = {name: number for number, name in enumerate(names)}
    sums: Numbers = np.zeros((len(tests), len(names)))
    for row, (values, conversations) in zip(sums, tests, strict=True):
        own, of_own, counts = by_conversation(np.asarray(values, dtype=np.float64), conversations)
        row[[place[name] for name in own]] = nudged(counts) * of_own
    scale = np.sqrt((sums**2).sum(axis=1))  # the same whatever changes sign
    flipped = np.abs((1 - 2 * splits(len(names), seed)) @ (sums / np.where(scale > TIE, scale, 1.0)[:, None]).T)
    order = np.argsort(-flipped[0], kind="stable")
    largest = np.maximum.accumulate(flipped[:, order[::-1]], axis=1)[:, ::-1]
    stepped = np.maximum.accumulate((largest >= flipped[0, order] - TIE).mean(axis=0))
    corrected = np.empty(len(tests))
    corrected[order] = stepped
    return corrected.tolist()
