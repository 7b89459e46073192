"""The card of a trained model: what it is, what it learnt from, and how good it is, for programs and for people."""

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("memlab", "torch", "transformers", "numpy")


def versions() -> dict[str, str]:
    """Return the versions of what a training depends on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def as_json(card: Mapping[str, Any]) -> str:
    """Return a card as the text of card.json."""
    return json.dumps(card, indent=2, ensure_ascii=False) + "\n"


def readme(card: Mapping[str, Any]) -> str:
    """Return a card in words, as Markdown."""
    sizes = ", ".join(f"{name} {value}" for name, value in card["model"].items())
    lines = [
        f"# Relations between a memory and a candidate ({card['option']})",
        "",
        "Tells how likely a candidate is unrelated to a memory, equivalent to it, augments it or contradicts it.",
        f"Made by `python -m memlab train updater`, for `updater.relation` of option `{card['option']}`: {sizes}.",
        "English alone; texts as the sources below have them.",
        "",
        "## Learnt from",
        "",
        "| source | licence | pairs | unrelated | equivalent | augments | contradicts |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {source} | {card['data'][source]['licence']} | {sum(own['train'].values())} | "
            f"{' | '.join(str(number) for number in own['train'].values())} |"
            for source, own in card["pairs"].items()
        ),
        "",
        *limits(card),
        "## Held out",
        "",
        "| pairs | number | accuracy | macro-F1 | recall: unrelated | equivalent | augments | contradicts | ECE |",
        "|---|---|---|---|---|---|---|---|---|",
        *(pair_row(name, own) for name, own in card["pair_level"].items()),
        "",
        *decision_lines(card["decision_level"]),
        f"Probabilities are scaled by the temperature {card['temperature']:.3f}, chosen on the validation pairs, where "
        f"the expected calibration error is {card['expected_calibration_error']:.3f} "
        f"(unscaled: {card['expected_calibration_error_unscaled']:.3f}).",
        "",
        f"Seed {card['settings']['seed']}; "
        + ", ".join(f"{name} {one}" for name, one in card["versions"].items())
        + ".",
        "All settings, hashes of the data and the course of the training: card.json.",
        "",
    ]
    return "\n".join(lines)


def limits(card: Mapping[str, Any]) -> list[str]:
    """Return what the licences of the data ask for."""
    foreign = [source for source in card["pairs"] if source in ("sick", "halumem")]
    if not foreign:
        return []
    return [
        f"Do not pass on these weights beyond what the licences of {' and '.join(foreign)} allow (no commerce).",
        "",
    ]


def pair_row(name: str, own: Mapping[str, Any]) -> str:
    """Return the row of one held-out set of pairs."""
    recalls = " | ".join("-" if value is None else f"{value:.3f}" for value in own["recall"].values())
    figures = f"{own['accuracy']:.3f} | {own['macro_f1']:.3f} | {recalls} | {own['expected_calibration_error']:.3f}"
    return f"| {name} | {own['pairs']} | {figures} |"


def decision_lines(levels: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the table of decisions on the oracle's way; nothing when there are none."""
    if not levels:
        return []
    rows = [
        f"| {name} | {own['decisions']} | {own['macro_f1']:.3f} | "
        + " | ".join(
            "-" if value is None else f"{value:.3f}" for value in (*own["f1"].values(), own["target_accuracy"])
        )
        + " |"
        for name, own in levels.items()
    ]
    return [
        "Decisions of the updater with its default settings, each from a store without a wrong memory:",
        "",
        "| split | decisions | macro-F1 | F1: ADD | UPDATE | DELETE | NOOP | target accuracy |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]
