"""What runs would take, before anything is spent: the pipeline over the data, with a stand-in for every model."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf
from rich.console import Console

from memlab.config import build, check, missing, nodes, settings, stood_in
from memlab.job import Job, recorded
from memlab.llm.budget import Cost, Prices, price_setting
from memlab.llm.chat import ChatModel
from memlab.llm.stand_in import Asked
from memlab.progress import Stages
from memlab.records import LINES, RunFolder
from memlab.report.table import Table
from memlab.run import run_conversations
from memlab.settings import Settings
from memlab.signature import parameters, part_type
from memlab.study import models, work
from memlab.summary.phases import phases

METHOD = (
    "Estimated by running the pipeline over the data with stand-ins: every request is answered with a reply of the "
    "usual form and length, and memories are found by hashed words. Nothing was asked, paid for or recorded."
)
NOT_COUNTED = (
    "Not counted: retries, and requests repeated because a reply cannot be used. The reply cache was not looked into; "
    "what it holds costs nothing. Tokens are cl100k_base, not the model's own."
)
NO_MODEL = "no part of it asks a language model, so nothing is paid."
EMBEDDINGS = "Embeddings are not counted; embedder=minilm and embedder=hash make them on this machine, for nothing."
HEADINGS = ("stage", "calls", "tokens in", "tokens out", "USD")

Phases = Mapping[str, Mapping[str, Any]]
"""What a run would take by phase, and in `total`, as its summary has it."""


def show_previews(jobs: Sequence[tuple[str, DictConfig]], console: Console) -> None:
    """Show what each of some named jobs would take, and all of them together.

    Raises ConfigError for a config that can run nowhere, DatasetError when the data cannot be read.
    """
    asked = Asked()
    totals = []
    notes = [EMBEDDINGS]
    for name, config in jobs:
        check(config)
        if not asks_a_model(config):
            console.print(f"preview of {name}: {NO_MODEL}", highlight=False, markup=False)
            continue
        found = preview(config, asked, console)
        totals.append(found["total"])
        rows = tuple(row(phase, values) for phase, values in found.items())
        Table(f"preview of {name}", HEADINGS, rows, unread(found)).show(console)
    if totals:
        chosen = settings(jobs[0][1])
        if len(totals) > 1:
            Table("preview of all jobs", HEADINGS, together(totals, asked, chosen.prices)).show(console)
        notes = [METHOD, NOT_COUNTED, EMBEDDINGS, *cost_notes(asked, chosen)]
    lacks = dict.fromkeys(lack for _, config in jobs for lack in missing(real(config)))
    for note in (*notes, *(f"Lacking before it can run: {lack}" for lack in lacks)):
        console.print(note, highlight=False, markup=False)


def preview(config: DictConfig, asked: Asked, console: Console) -> Phases:
    """Return what one run of a checked config would take; its requests are added to `asked`."""
    parts = build(config, stood_in(asked))
    # Parts that a stand-in cannot serve may find no facts; that is told, and no reason to stop.
    chosen = replace(settings(config), stop_after_empty=None, on_failed_window="evaluate")
    corpus = parts.dataset.read()
    progress = console if console.is_terminal else Console(quiet=True)
    with TemporaryDirectory() as path:
        folder = RunFolder(Path(path))
        with folder.opened() as writer, Stages(progress, work(corpus, parts, chosen)) as stages:
            job = Job(parts, chosen, writer, stages, recorded(folder, writer))
            asyncio.run(run_conversations(corpus.conversations, job))
        found = {name: folder.read(name) for name in LINES}
    return phases(found, chosen.prices, models({"config": nodes(config)}))


def real(config: DictConfig) -> DictConfig:
    """Return the config without its wish for a preview."""
    return cast(DictConfig, OmegaConf.merge(config, {"preview": False}))


def asks_a_model(config: DictConfig) -> bool:
    """Return whether any part of a config, or a part inside one, takes a language model."""

    def takes_one(node: Mapping[str, Any]) -> bool:
        for name, parameter in parameters(get_object(node["_target_"])).items():
            if kind := part_type(parameter.annotation):
                nested = node.get(name)
                if issubclass(kind, ChatModel) or (nested and takes_one(nested)):
                    return True
        return False

    return any(takes_one(node) for node in nodes(config).values() if node)


def row(name: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a line of a table."""
    money = "no price" if values["usd"] is None else f"{values['usd']:,.4f}"
    return (name, *(f"{values[key]:,}" for key in ("calls", "prompt_tokens", "completion_tokens")), money)


def together(totals: Sequence[Mapping[str, Any]], asked: Asked, prices: Prices) -> tuple[tuple[str, ...], ...]:
    """Return the lines on all jobs: their sum, and what is paid when the reply cache answers equal requests."""
    names = ("calls", "prompt_tokens", "completion_tokens")
    money = [values["usd"] for values in totals]
    summed = {name: sum(values[name] for values in totals) for name in names}
    once = {name: sum(getattr(spent, name) for spent in asked.spent.values()) for name in names}
    return (
        row("sum", summed | {"usd": None if None in money else sum(money)}),
        row("equal requests once", once | {"usd": usd(asked, prices)}),
    )


def usd(asked: Asked, prices: Prices) -> float | None:
    """Return what all that was asked costs; None when a model has no price."""
    costs = [
        price.usd(spent.prompt_tokens, spent.completion_tokens) if (price := prices.models.get(model)) else None
        for model, spent in asked.spent.items()
    ]
    return None if None in costs else sum(cast("list[float]", costs))


def unread(found: Phases) -> tuple[str, ...]:
    """Return a note on replies of stand-ins that their part could not use."""
    count = sum(sum(values["flaws"].values()) for phase, values in found.items() if phase != "total")
    note = (
        f"{count:,} replies of the stand-in could not be used: a part does not say what a typical reply to its "
        "requests is. What would follow from them is not in these numbers."
    )
    return (note,) if count else ()


def cost_notes(asked: Asked, chosen: Settings) -> Iterator[str]:
    """Yield the prices that were used, and the limits that will not be enough."""
    words = []
    for model in sorted(asked.spent):
        price = chosen.prices.models.get(model)
        known = f"{model} {price.input:g} in, {price.output:g} out" if price else ""
        words.append(known or f"{model} has none, give it by {price_setting(model)}")
    yield f"Prices in USD for a million tokens, as of {chosen.prices.date}: {'; '.join(words)}."
    calls, tokens = (sum(getattr(spent, name) for spent in asked.spent.values()) for name in ("calls", "tokens"))
    for name in Cost(calls, tokens, usd(asked, chosen.prices) or 0.0).beyond(chosen.budget):
        yield f"budget.{name}={getattr(chosen.budget, name):g} would stop it before the end."
