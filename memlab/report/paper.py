"""Runs beside the rows of the Mem0 paper's tables that they are runs of: paper, ours, difference, interval."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memlab.dialogue import CATEGORY_NAMES, SCORED_CATEGORIES
from memlab.paper.locomo import SAMPLE_IDS, SCORED
from memlab.paper.mem0 import Cell, System, mem0_paper
from memlab.records import Record
from memlab.report.cell import NOTHING, Number
from memlab.report.rows import Run, number
from memlab.report.table import Table

SYSTEMS = {
    "paper/mem0": "Mem0",
    "mem0_paper": "Mem0",
    "paper/mem0g": "Mem0g",
    "mem0g_paper": "Mem0g",
}
"""The systems that are set as the paper evaluates them, by choice; RAG and full context are known by their parts."""
CHUNKS = "memlab.extract.chunk.Chunk"
NEAREST = "memlab.retrieve.nearest.Nearest"
EVERYTHING = "memlab.retrieve.everything.Everything"
FULL_CONTEXT = "Full-context"
OVERLAP = {"F1": "f1", "BLEU-1": "bleu1"}
DIFFERENCE_NOTE = (
    "Difference: ours - paper, in points, with the 95 % interval of ours (conversations resampled, expanded "
    "percentiles), the paper's value taken as exact: an interval without 0 is necessary for a real difference, not "
    "enough."
)
STD_NOTE = (
    "The std beside the paper's J is over its 10 judge runs on the same answers: it says nothing of other questions or "
    "other answers."
)
COSTS_NOTE = (
    "Tokens: context alone, cl100k_base, mean per question; for RAG the paper's are at most k x chunk size. Seconds: "
    "the paper's over APIs, ours where these runs ran (replayed from a cache: as first measured)."
)


@dataclass(frozen=True, slots=True)
class Ours:
    """A value of a run in percent, with the 95 % interval over conversations where there is one."""

    n: int
    value: float
    interval: tuple[float, float] | None


def paper_tables(runs: Sequence[Run]) -> list[Table]:
    """Return the tables for the runs on LOCOMO that are of a row of the paper's; none when there are none."""
    found = [(row, run) for run in runs if (row := paper_row(run[0])) is not None]
    if not found:
        return []
    tables = [
        whole(found),
        costs(found),
        *(one for one in (categories(found, metric) for metric in metrics(found)) if one.rows),
    ]
    return [*tables, setup([run for _, run in found])]


def paper_row(manifest: Record) -> System | None:
    """Return the row of table 2 that a run is of, by its system, chunk size and k; None when it is of none."""
    if manifest["dataset"]["name"] != "locomo":
        return None
    config = manifest["config"]
    extractor, retriever = config.get("extractor") or {}, config.get("retriever") or {}
    method = SYSTEMS.get(str(manifest["choices"].get("system")))
    k = size = None
    if extractor.get("_target_") == CHUNKS and retriever.get("_target_") == NEAREST and not retriever.get("max_tokens"):
        method, k, size = "RAG", retriever.get("top_k"), extractor.get("size")
    elif retriever.get("_target_") == EVERYTHING and not retriever.get("max_tokens"):
        method = FULL_CONTEXT
    rows = mem0_paper().systems
    return next((row for row in rows if (row.method, row.k, row.chunk_size) == (method, k, size)), None)


def whole(found: Sequence[tuple[System, Run]]) -> Table:
    """Return the overall J of table 2 with ours beside it: a row for each run and judge."""
    rows = []
    for row, run in found:
        own_js: list[tuple[str, Ours | None]] = [*judged(run[1])]
        for judge, ours in own_js or [("-", None)]:
            rows.append((row.name, with_std(row.j, row.j_std), judge, *against(row.j, ours)))
    headings = ("row of table 2", "J, paper", "our judge", "J, ours", "difference [95 %]")
    caption = f"Beside the paper's table 2: overall J in percent, categories 1-4, paper n={SCORED:,}; {counted(found)}"
    return Table(caption, headings, tuple(rows), (DIFFERENCE_NOTE, STD_NOTE))


def costs(found: Sequence[tuple[System, Run]]) -> Table:
    """Return the tokens and latencies of table 2 with ours beside them."""
    rows = []
    for row, (_, summary) in found:
        tokens = summary["tokens"]["context_tokens"]
        cells = [Number(f"{paper_tokens(row)} | {number(tokens, 0)}", None, paper=most_tokens(row), ours=tokens)]
        for kind, theirs in (("search", row.search), ("total", row.total)):
            for place, share in enumerate((50, 95)):
                own = summary["latency"].get(f"{kind}_p{share}_seconds")
                paper = theirs[place] if theirs else None
                cells.append(Number(f"{number(paper)} | {number(own, 4)}", None, paper=paper, ours=own))
        rows.append((row.name, *cells))
    names = ("tokens", *(f"{kind} p{share} s" for kind in ("search", "total") for share in (50, 95)))
    headings = ("row of table 2", *(f"{name}\npaper | ours" for name in names))
    caption = f"Beside the paper's table 2: context tokens and seconds a question; {counted(found)}"
    return Table(caption, headings, tuple(rows), (COSTS_NOTE,))


def counted(found: Sequence[tuple[System, Run]]) -> str:
    """Return over how many questions and conversations ours are."""
    told = {
        f"n={run[1]['metrics'].get('f1', {}).get('overall', {}).get('n', 0):,} of {run[0]['dataset']['conversations']} "
        "conversations": None
        for _, run in found
    }
    return f"ours {' and '.join(told)}"


def paper_tokens(row: System) -> str:
    """Return the paper's context tokens of a row."""
    return f"{'' if row.k is None else '<= '}{number(most_tokens(row), 0)}"


def most_tokens(row: System) -> float | None:
    """Return the paper's context tokens of a row; for RAG the most that they can be."""
    return row.tokens if row.k is None or row.chunk_size is None else row.k * row.chunk_size


def metrics(found: Sequence[tuple[System, Run]]) -> list[str]:
    """Return what table 1 can be set beside: F1 and BLEU-1, and each judge's J."""
    judges = dict.fromkeys(judge for _, run in found for judge, _ in judged(run[1]))
    return [*OVERLAP, *(f"J {judge}" for judge in judges)]


def categories(found: Sequence[tuple[System, Run]], metric: str) -> Table:
    """Return a metric of table 1 with ours beside it: a row for each run and category, under both names."""
    rows = []
    for row, run in found:
        method = mem0_paper().method(row.method) if row.k is None else None
        for category in SCORED_CATEGORIES if method else ():
            assert method is not None
            theirs, std = printed(method.cells[category], metric)
            ours = of_category(run[1], metric, category)
            if theirs is None or ours is None:
                continue
            locomo, paper = (CATEGORY_NAMES[scheme][category - 1] for scheme in ("locomo", "paper"))
            name = f"{category} {locomo} ({paper})"
            rows.append((method.name, name, number(ours.n, 0), with_std(theirs, std), *against(theirs, ours)))
    headings = (
        "row of table 1",
        "category: LoCoMo's name (the paper's)",
        "n, ours",
        "paper",
        "ours",
        "difference [95 %]",
    )
    notes = (DIFFERENCE_NOTE, *((STD_NOTE,) if metric not in OVERLAP else ()))
    return Table(f"Beside the paper's table 1: {metric} in percent", headings, tuple(rows), notes)


def with_std(value: float, std: float | None) -> Number:
    """Return `66.88 ± 0.15`, or the value alone."""
    return Number(f"{value:.2f}", value) if std is None else Number(f"{value:.2f} ± {std:.2f}", value, std=std)


def printed(cell: Cell, metric: str) -> tuple[float | None, float | None]:
    """Return what the paper prints of a metric, and its std."""
    if metric in OVERLAP:
        return (cell.f1 if metric == "F1" else cell.bleu1), None
    return cell.j, cell.j_std


def of_category(summary: Record, metric: str, category: int) -> Ours | None:
    """Return a run's value of a metric in a category."""
    if metric in OVERLAP:
        return in_percent(summary["metrics"].get(OVERLAP[metric], {}).get(str(category)))
    return dict(judged(summary, str(category))).get(metric.removeprefix("J "))


def judged(summary: Record, group: str = "overall") -> Iterator[tuple[str, Ours]]:
    """Yield J by each judge of a run, and as corrected for the judge's errors where they are known."""
    for rubric, row in summary["judges"].items():
        if (ours := in_percent(summary["metrics"].get(f"judge_{rubric}", {}).get(group))) is not None:
            yield rubric, ours
            corrected = row.get("corrected", {}).get(group)
            if corrected and corrected["value"] is not None:
                interval = corrected["interval"]
                yield f"{rubric}, corrected", Ours(ours.n, corrected["value"], tuple(interval) if interval else None)


def in_percent(cell: Record | None) -> Ours | None:
    """Return a cell of a summary in percent."""
    if not cell or cell["value"] is None:
        return None
    interval = cell["interval"]
    return Ours(cell["n"], 100 * cell["value"], (100 * interval[0], 100 * interval[1]) if interval else None)


def against(paper: float, ours: Ours | None) -> tuple[Number, Number]:
    """Return ours, and the difference from the paper with its interval."""
    if ours is None:
        return Number(NOTHING), Number(NOTHING)
    own, gap = Number(f"{ours.value:.2f}", ours.value), ours.value - paper
    if ours.interval is None:
        return own, Number(f"{gap:+.2f}", gap)
    low, high = (end - paper for end in ours.interval)
    return own, Number(f"{gap:+.2f} [{low:+.1f}, {high:+.1f}]", gap, low=low, high=high)


def setup(runs: Sequence[Run]) -> Table:
    """Return what differs between the paper's set-up and that of the runs."""
    paper = mem0_paper()
    theirs: Mapping[str, str] = {
        "reader": paper.reader,
        "judge": f"{paper.judge}, {paper.judge_runs} runs",
        "embedder": paper.embedder,
        "prompts": "the paper's",
        "attempts at every question": "1",
        "conversations": str(len(SAMPLE_IDS)),
        "questions in categories 1-4": f"{SCORED:,}",
    }
    rows = []
    for what, value in theirs.items():
        own = list(dict.fromkeys(dict(of_run(run))[what] for run in runs))
        rows.append((what, value, "; ".join(own), "same" if own == [value] else "differs"))
    note = "What differs here may explain any difference above; a part named without a model works by rules."
    return Table("Set-up: the paper's and ours", ("what", "paper", "ours", ""), tuple(rows), (note,))


def of_run(run: Run) -> Iterator[tuple[str, str]]:
    """Yield the set-up of a run, in the words that the paper's is told in."""
    manifest, summary = run
    choices, config, phases = manifest["choices"], manifest["config"], summary["phases"]

    def part(group: str, phase: str) -> str:
        option = str(choices.get(group) or "none")
        return str(phases.get(phase, {}).get("model") or option)

    judgings = (config.get("judge") or {}).get("repeats")
    yield "reader", part("answerer", "answer")
    yield "judge", part("judge", "judge") + (f", {judgings} run{'s' if judgings > 1 else ''}" if judgings else "")
    yield "embedder", str((config.get("embedder") or {}).get("model") or choices.get("embedder"))
    yield "prompts", f"memlab's own: {', '.join(manifest['prompts'])}" if manifest.get("prompts") else "none"
    yield "attempts at every question", str(config.get("repeats", 1))
    yield "conversations", str(manifest["dataset"]["conversations"])
    yield "questions in categories 1-4", f"{summary['metrics'].get('f1', {}).get('overall', {}).get('n', 0):,}"
