"""What to know of runs and files before their differences: what only one has, what failed, whose verdicts they are."""

from collections import Counter
from collections.abc import Iterator, Sequence

from memlab.compare.answers import Answers, J, is_verdict
from memlab.compare.comparison import Comparison
from memlab.compare.matching import Matched


def notes(found: Comparison) -> Iterator[str]:
    """Yield what to know of the sources: what only one has, what failed, which judges."""
    for pair in found.pairs:
        yield from overlap(pair)
        if pair.other_golds:
            yield (
                f"Warning: {pair.other_golds} questions have another gold answer in {pair.other.name} than in "
                f"{pair.first.name}; each is scored by its own."
            )
    if len({source.data for source in found.sources if source.is_run}) > 1:
        yield "Warning: these runs are on different data; questions are matched by conversation and text."
    yield from dict.fromkeys(note for source in found.sources for note in source.notes)
    for source in found.sources:
        if source.failed:
            yield f"Warning: {source.failed} answers of {source.name} failed and are in no value."
    yield from not_beside(found.sources)
    if any(is_verdict(family.metric) for family in found.families):
        yield from judges(found.sources)


def overlap(pair: Matched) -> Iterator[str]:
    """Yield how many questions only one of a pair has, and where."""
    for source, other, keys in (
        (pair.first, pair.other, pair.only_first),
        (pair.other, pair.first, pair.only_other),
    ):
        if keys:
            homes = Counter(conversation or "no known conversation" for conversation, _, _ in keys)
            where = ", ".join(f"{home} ({count})" for home, count in homes.items())
            yield (
                f"WARNING: partial overlap: {len(keys):,} of {len(source.rows):,} questions of {source.name} are not "
                f"in {other.name}: {where}. Compared on the {len(pair.pairs):,} that both have."
            )


def not_beside(sources: Sequence[Answers]) -> Iterator[str]:
    """Yield which verdicts of runs are not compared with a file's J, as no language model gave them."""
    files = [source.name for source in sources if not source.is_run and J in source.metrics]
    runs = [source for source in sources if source.is_run and J not in source.metrics and source.judge]
    if files and runs:
        yield (
            f"J of {', '.join(files)} is compared with no verdicts of {', '.join(run.name for run in runs)}: those are "
            f"of {', '.join(dict.fromkeys(str(run.judge) for run in runs))}, not of a language model by the paper's "
            "rubric, and the difference would be one of judges, too."
        )


def judges(sources: Sequence[Answers]) -> Iterator[str]:
    """Yield whose verdicts are compared."""
    judged = [source for source in sources if any(map(is_verdict, source.metrics))]
    told = dict.fromkeys(source.judge or "?" for source in judged if source.is_run)
    files = [source.name for source in judged if not source.is_run]
    if files:
        yield (
            f"J may come from different judges: {' and '.join(files)} do{'es' if len(files) == 1 else ''} not name "
            f"{'its' if len(files) == 1 else 'theirs'}" + (f"; the runs': {' and '.join(told)}." if told else ".")
        )
    elif len(told) > 1:
        yield f"Warning: the verdicts are of different judges: {' and '.join(told)}."
