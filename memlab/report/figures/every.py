"""All figures that say something of some runs."""

from collections.abc import Sequence

from memlab.report.figures.bars import quality_by_category
from memlab.report.figures.confusion import confusion_of_runs
from memlab.report.figures.curves import funnel, recall_by_budget
from memlab.report.figures.figure import Drawn
from memlab.report.figures.growth import memory_over_time
from memlab.report.figures.scatter import quality_by_latency, quality_by_tokens
from memlab.report.figures.sweep import sweeps
from memlab.report.rows import Run


def every_figure(runs: Sequence[Run]) -> list[Drawn]:
    """Return the figures of some runs, in the order that a reader looks for them; none that says nothing."""
    found = (
        recall_by_budget(runs),
        quality_by_tokens(runs),
        quality_by_latency(runs),
        *sweeps(runs),
        quality_by_category(runs),
        funnel(runs),
        memory_over_time(runs),
        confusion_of_runs(runs),
    )
    return [drawn for drawn in found if drawn is not None]
