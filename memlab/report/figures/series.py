"""Which runs a figure shows, and how each looks: the same in every figure of a report."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memlab.records import Record
from memlab.report.figures.figure import INK
from memlab.report.rows import Run, labels, value_of

# After Okabe and Ito: colour-blind readers tell them apart, and they show on white and on black (the last is the ink).
COLOURS = ("#006bb6", "#d08400", "#009a70", "#c63f1b", "#c46fae", "#2e98d6", INK)
GREY = "#8a8a8a"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*", "d", "8")
FILLS = ("full", "none", "left", "right", "top", "bottom")
"""Of the markers of runs that differ in numbers alone, the one with the largest first."""
HATCHES = ("", "////", "..", "xxx", "---", "|||")
"""Of the bars of such runs, and of those whose colour is another's, too."""
MOST = len(MARKERS)
"""Series that can still be told apart."""
SANITY = ("no_memory", "echo", "random_memory")
"""Systems that no memory should be worse than."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a series is drawn, and its place among the others."""

    order: int
    colour: str
    marker: str
    fill: str = "full"
    line: str = "-"
    hatch: str = ""

    @property
    def point(self) -> dict[str, Any]:
        """What matplotlib draws its points with."""
        return {
            "color": self.colour,
            "marker": self.marker,
            "fillstyle": self.fill,
            "markerfacecoloralt": "none",
            "markeredgewidth": 0.9,
        }


@dataclass(frozen=True, slots=True)
class Series:
    """One run: its values of what tells the runs apart, its look, its summary."""

    row: tuple[str, ...]
    label: str
    look: Look
    sanity: bool
    summary: Record

    @property
    def kind(self) -> tuple[str, ...]:
        """What tells it from others that differ in more than numbers."""
        return kind_of(self.row)


def named_series(runs: Sequence[Run]) -> tuple[list[str], list[Series]]:
    """Return the headings of what tells some runs apart, and each run as a series."""
    names, rows = labels([manifest for manifest, _ in runs])
    telling = [place for place in range(len(names)) if len({row[place] for row in rows}) > 1] or [0]
    if len({row[0] for row in rows}) == len(rows):
        telling = [0]  # the systems' names say it; tables have their settings
    sanity = [manifest["choices"].get("system") in SANITY for manifest, _ in runs]
    found = []
    for row, look, plain, (_, summary) in zip(rows, looks(rows, sanity), sanity, runs, strict=True):
        words = [
            row[place] if place == 0 or not number_like(row[place]) else said(names, row, place) for place in telling
        ]
        found.append(Series(tuple(row), ", ".join(dict.fromkeys(words)), look, plain, summary))
    return names, found


def looks(rows: Sequence[Sequence[str]], sanity: Sequence[bool]) -> list[Look]:
    """Return the look of each run: colour and marker by kind, fill or hatch by the numbers that differ in a kind.

    Where all runs are of one kind, or too many are, each has a colour and a marker of its own.
    """
    kinds: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        kinds[kind_of(row)].append(place)
    groups = [sorted(places, key=lambda place: sort_key(rows[place])) for places in kinds.values()]
    if len(groups) == 1 or max(map(len, groups)) > len(FILLS):
        groups = [[place] for places in groups for place in places]
    groups = sorted(groups, key=lambda places: sanity[places[0]])  # those for comparison only come last
    colours = sum(not sanity[places[0]] for places in groups)
    found: dict[int, Look] = {}
    for kind, places in enumerate(groups):
        again, colour = divmod(kind, len(COLOURS))
        for before_last, place in zip(range(len(places) - 1, -1, -1), places, strict=True):
            plain = kind >= colours
            found[place] = Look(
                order=len(found),
                colour=GREY if plain else COLOURS[colour],
                marker=MARKERS[kind % len(MARKERS)],
                fill=FILLS[(kind // len(MARKERS) + before_last) % len(FILLS)],
                line=":" if plain else ("-", "--")[again % 2],
                hatch=HATCHES[((kind - colours if plain else again) + before_last) % len(HATCHES)],
            )
    return [found[place] for place in range(len(rows))]


def kind_of(row: Sequence[str]) -> tuple[str, ...]:
    """Return the values of a row that are no numbers."""
    return tuple(value for value in row if not number_like(value))


def sort_key(row: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Return what puts rows in the order of their numbers."""
    return tuple(
        (float(value), "") if number_like(value) and value not in WORDS else (float("-inf"), value) for value in row
    )


WORDS = ("true", "false", "null")


def number_like(text: str) -> bool:
    """Return whether a value says little without the name of its setting."""
    try:
        float(text)
    except ValueError:
        return text in WORDS
    return True


def said(names: Sequence[str], row: Sequence[str], place: int) -> str:
    """Return a setting as `s=10`."""
    return f"{names[place].rpartition('.')[2]}={row[place]}"


def readable(series: Sequence[Series], metric: str) -> tuple[list[Series], str]:
    """Return the series that a figure can show, in their order, and in words which are left out.

    Of too many, the last of those that differ in numbers alone; then the best by a metric and those for comparison.
    """
    shown = sorted(series, key=lambda one: one.look.order)
    if len(shown) <= MOST:
        return shown, ""
    last = list({one.kind: one for one in shown}.values())
    if 1 < len(last) <= MOST:
        return last, f" {len(last)} of {len(series)} runs: of each system the one with the largest settings."
    ranked = sorted((one for one in shown if not one.sanity), key=lambda one: -(value_of(one.summary, metric) or 0.0))
    room = max(MOST - sum(one.sanity for one in shown), 1)
    best = {one.look.order for one in ranked[:room]}
    kept = [one for one in shown if one.sanity or one.look.order in best]
    return kept, f" The best {len(kept)} of {len(series)} runs by {metric}; the tables have all."


def cell(summary: Record, metric: str, group: str = "overall") -> tuple[float, float, float] | None:
    """Return value, low and high of a metric, or None; without an interval all three are the value."""
    found = summary["metrics"].get(metric, {}).get(group)
    if not found or found["value"] is None:
        return None
    low, high = found["interval"] or (found["value"], found["value"])
    return found["value"], low, high


def errors(cells: Sequence[tuple[float, float, float]]) -> list[list[float]]:
    """Return how far the intervals reach below and above the values, as matplotlib wants it."""
    # A bootstrap's interval need not hold the value itself.
    below = [max(0.0, value - low) for value, low, _ in cells]
    above = [max(0.0, high - value) for value, _, high in cells]
    return [below, above]


def counted(runs: Sequence[Run], metric: str, group: str = "overall") -> str:
    """Return over how many questions of how many conversations a metric is."""
    questions = max((s["metrics"].get(metric, {}).get(group, {}).get("n", 0) for _, s in runs), default=0)
    data = {(m["dataset"]["name"], m["dataset"]["conversations"]): None for m, _ in runs}
    told = " and ".join(f"{name}, {count} conversation{'s' * (count != 1)}" for name, count in data)
    return f"{told}, n={questions:,} questions"


def qualities(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Return the metrics of answers with their names: F1, and J by each rubric."""
    rubrics = dict.fromkeys(rubric for _, summary in runs for rubric in summary["judges"])
    return [("f1", "F1"), *((f"judge_{rubric}", f"J by {rubric} (share correct)") for rubric in rubrics)]
