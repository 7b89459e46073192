"""The memory beside the truth, session by session, where the dataset knows it."""

from collections.abc import Sequence
from typing import Any

from memlab.report.figures.axes import legend, plots
from memlab.report.figures.figure import INK, Drawn, styled
from memlab.report.figures.series import Series, named_series, readable
from memlab.report.rows import Run

PANELS = {
    "memories": "live memories per store",
    "precision": "precision of what they tell",
    "recall": "recall of what is true",
}
TRUE = "true facts"


def memory_over_time(runs: Sequence[Run]) -> Drawn | None:
    """Return how memories grow, and how precise and complete they are, after each session; None without the truth."""
    name, title = "memory_over_time", "Memory against the truth"
    series = [one for one in named_series(runs)[1] if len(sessions(one)) > 1]
    series, left_out = readable(series, "f1")
    if not series:
        return None
    data = " and ".join(dict.fromkeys(manifest["dataset"]["name"] for manifest, _ in runs))
    stores = max(first["stores"] for first, *_ in map(sessions, series))
    with styled(name):
        figure, every_axes = plots(len(PANELS), f"{title}\n{data}, {stores} stores", width=3.2)
        handles: dict[str, Any] = {}
        for axes, (measure, words) in zip(every_axes, PANELS.items(), strict=True):
            for one in series:
                handles[one.label] = curve(axes, one, measure)
            axes.set_xlabel("sessions so far")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_ylabel(words)
            axes.set_ylim(0, 1.02 if measure != "memories" else None)
        true = [(state["session"], state["true"] / state["stores"]) for state in sessions(series[0])]
        [handles[TRUE]] = every_axes[0].plot(*zip(*true, strict=True), color=INK, linestyle=":", linewidth=1.2)
        legend(figure, handles)
    words = "Over all stores that have so many sessions; dotted: how many facts are true then."
    return Drawn(name, title, f"{words}{left_out}", figure)


def sessions(one: Series) -> list[dict[str, Any]]:
    """Return the memory's state after each session of a run; none without gold."""
    found: list[dict[str, Any]] = ((one.summary.get("operations") or {}).get("state") or {}).get("sessions", [])
    return found


def curve(axes: Any, one: Series, measure: str) -> Any:
    """Draw one measure of a run; where it has no value, as the precision of an empty memory, there is a gap."""
    states = sessions(one)
    values = [state[measure] for state in states]
    if measure == "memories":
        values = [state["memories"] / state["stores"] for state in states]
    [line] = axes.plot(
        [state["session"] for state in states],
        [float("nan") if value is None else value for value in values],
        linestyle=one.look.line,
        markersize=4.5,
        linewidth=1.2,
        **one.look.point,
    )
    return line
