"""How sure differences are, in words: the same for every table that shows some."""

from collections.abc import Sequence

from memlab.compare.cells import Cell
from memlab.report.cell import Number
from memlab.score.paired import LEVEL, MOST_EXACT, POWER, SPLITS

INTERVALS = (
    "Intervals: 95 %, the differences that the test does not reject, cell by cell; in simulations with seven and ten "
    "conversations they hold the true difference 95 times in 100 (percentiles of resampled ones: 87 and 90 times)."
)
JOINT = (
    "Joint: step-down max-T (Westfall and Young) over the same cells as Holm's; conversations change sign in all cells "
    "at once, so the smallest p stays that of one cell."
)
CANNOT = "cannot tell"
AFTER_HOLM, JOINTLY, ALONE, NOT = "holm", "joint", "alone", "not"
MARKS = {AFTER_HOLM: "**", JOINTLY: "*", ALONE: "(*)", NOT: ""}
MARKS_NOTE = "** holds after Holm's correction at 5 %, * after the joint one, (*) by itself only."
WORDS = {AFTER_HOLM: "", JOINTLY: " (joint)", ALONE: " (alone)"}


def holds(p: float, p_holm: float, p_joint: float) -> str:
    """Return after which correction, the most careful first, a difference holds at LEVEL."""
    if p_holm <= LEVEL:
        return AFTER_HOLM
    if p_joint <= LEVEL:
        return JOINTLY
    return ALONE if p <= LEVEL else NOT


def test_note(conversations: int) -> str:
    """Return what the test is, as it is done with so many conversations."""
    how = "every way" if conversations <= MOST_EXACT else f"{SPLITS:,} random ways"
    return (
        f"p: paired, two-sided permutation test of the mean over questions; {how} of changing the sign of whole "
        "conversations, as questions of one conversation are not independent; ties broken by the mean of the "
        "conversations' means."
    )


def family_note(smallest: float, conversations: int, cells: int, family: str) -> str:
    """Return over what p is corrected, and what can pass at all; `smallest` is the least p that any cell can have."""
    floor = f"{counted(conversations)}: the smallest p that this test can give is {p_value(smallest)}"
    if smallest > LEVEL:
        return f"{floor}: nothing can be told, and there are no intervals; it takes six conversations for one cell."
    if cells == 1:
        return f"{floor}. One cell: nothing to correct for."
    holm = f"Holm: over {cells} cells, {family}."
    if smallest * cells <= LEVEL:
        return f"{holm} {floor}."
    return (
        f"{holm} {floor}, {p_value(min(1, smallest * cells))} after Holm: no cell of this table can pass Holm, however "
        f"large its difference. Name beforehand up to {int(LEVEL / smallest)} cells that matter "
        "(`compare ONE OTHER --category overall`), or add conversations."
    )


def counted(conversations: int) -> str:
    """Return how many conversations there are."""
    return f"{conversations} conversation{'s' if conversations > 1 else ''}"


def p_value(p: float) -> Number:
    """Return a p-value with the digits that say something."""
    return Number(f"{p:.2f}" if p >= 0.1 else f"{p:.3f}" if p >= 0.001 else "< 0.001", p)


def signed(value: float, interval: Sequence[float] | None) -> Number:
    """Return `+0.018 [+0.012, +0.031]`; the value alone where there is no interval."""
    if not interval:
        return Number(f"{value:+.3f}", value)
    low, high = interval
    return Number(f"{value:+.3f} [{low:+.3f}, {high:+.3f}]", value, low=low, high=high)


def verdict(cell: Cell) -> str:
    """Return what can be said of a difference: which way it goes, and after which correction it still does."""
    held = holds(cell.difference.p, cell.p_holm, cell.p_joint)
    return CANNOT if held == NOT else ("higher" if cell.difference.value > 0 else "lower") + WORDS[held]


def sentence(metric: str, first: str, other: str, cell: Cell) -> str:
    """Return what one cell says, plainly."""
    own = cell.difference
    start = (
        f"{metric} ({cell.group}, n={own.n:,}): {other} minus {first} is {signed(own.value, own.interval)}, "
        f"p {p_value(own.p)}, after Holm {p_value(cell.p_holm)}, jointly {p_value(cell.p_joint)}"
    )
    held = holds(own.p, cell.p_holm, cell.p_joint)
    way = f"{other} is {'higher' if own.value > 0 else 'lower'}"
    if held == AFTER_HOLM:
        return f"{start}: {way}."
    if held == JOINTLY:
        return f"{start}: {way} by the joint correction; by Holm these data cannot tell."
    if own.wins == own.losses == 0:
        return f"{start}: no question differs."
    missed = f"{counted(own.conversations)} cannot show any difference"
    if own.detectable is not None:
        would = f"would show {100 * POWER:.0f} % of the time, a smaller one less"
        missed = f"a true difference of about {own.detectable:.3f} {would}"
    if held == ALONE:
        return f"{start}: {way} by itself, but these data cannot tell after correction; {missed}."
    return f"{start}: these data cannot tell; {missed}."
