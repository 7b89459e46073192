"""The plain top-level keys of a config, and what each one may be."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from omegaconf import DictConfig, OmegaConf

from memlab.context import Timestamps
from memlab.llm.budget import Budget, Price, Prices
from memlab.llm.cached import Mode
from memlab.perspective import Perspective
from memlab.signature import type_fault
from memlab.spelling import did_you_mean

OnFailedWindow = Literal["stop", "skip", "evaluate"]
"""When a window cannot be ingested: stop the run; skip the rest of its conversation, and its questions; go on with the
next window, and ask them all the same. Failed windows are tried again by the next run of the same command."""


class ConfigError(ValueError):
    """A config that cannot run; `faults` holds all that is wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(f"- {fault}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Settings:
    """The plain top-level keys; conf/config.yaml says what each one is."""

    m: int
    s: int
    max_tokens: int | None
    perspective: Perspective
    timestamps: Timestamps
    cache: Mode
    seed: int
    repeats: int
    concurrency: int
    look_ahead: int
    on_failed_window: OnFailedWindow
    stop_after_empty: int | None
    preview: bool
    budget: Budget
    prices: Prices
    runs: str


KEYS = tuple(field.name for field in fields(Settings))
REFERRED_TO = {"question_entities": "entities"}
"""Nodes that a profile chooses for parts to refer to, with their groups: a system's retriever cannot depend on the
profile otherwise."""
KEYS_OF = {
    "budget": ", ".join(f"budget.{field.name}=..." for field in fields(Budget)),
    "prices": "prices.date=..., prices.models={...}; or prices=list",
}
"""What to give instead of a plain value for a node of keys."""

LEAST = {
    "m": 0,
    "s": 0,
    "max_tokens": 1,
    "seed": 0,
    "repeats": 1,
    "concurrency": 1,
    "look_ahead": 1,
    "stop_after_empty": 1,
}


def settings(config: DictConfig, parts: Mapping[str, object]) -> Settings:
    """Return the plain top-level keys of a config with these groups of parts.

    Raises ConfigError with all that are unknown, of the wrong type or out of range.
    """
    types: dict[str, Any] = {field.name: field.type for field in fields(Settings)}
    values = {name: config.get(name) for name in types}
    if values["cache"] is False:
        values["cache"] = "off"  # which is what YAML takes an unquoted off for
    given = {name: values.pop(name) for name in ("budget", "prices")}
    budget, prices = plain(given["budget"]), plain(given["prices"])
    known = [*types, *parts, *REFERRED_TO]
    faults = [f"no key '{key}'{did_you_mean(key, known)}" for key in map(str, config) if key not in (*known, "hydra")]
    faults += [f"{name} {fault}" for name, value in values.items() if (fault := type_fault(value, types[name]))]
    faults += too_small(values)
    faults += [
        f"{name} is {value!r}, but a part is a node of its own; use {group}@{name}={value}"
        for name, group in REFERRED_TO.items()
        if not isinstance(value := config.get(name), DictConfig | None)
    ]
    flat = [name for name, node in given.items() if not isinstance(node, DictConfig)]
    faults += [f"{name} is {given[name]!r}, but has keys of its own: {KEYS_OF[name]}" for name in flat]
    faults += [] if "budget" in flat else budget_faults(budget)
    faults += [] if "prices" in flat else price_faults(prices)
    if faults:
        raise ConfigError(faults)
    priced = {model: Price(**price) for model, price in prices["models"].items()}
    return Settings(**values, budget=Budget(**budget), prices=Prices(prices["date"], priced))


def too_small(values: Mapping[str, object]) -> list[str]:
    """Return which numbers are out of range."""
    return [
        f"{name}={value} is too small; it must be at least {least}"
        for name, least in LEAST.items()
        if type(value := values[name]) is int and value < least
    ]


def plain(node: object) -> dict[str, Any]:
    """Return a node as plain data; empty when it is none."""
    content = OmegaConf.to_container(node, resolve=True) if isinstance(node, DictConfig) else None
    return {str(key): value for key, value in content.items()} if isinstance(content, dict) else {}


def node_faults(name: str, node: Mapping[str, object], types: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a node of plain keys."""
    faults = [f"{name} has no key '{key}'{did_you_mean(key, types)}" for key in node if key not in types]
    faults += [f"{name} needs the key '{key}'" for key in types if key not in node]
    return faults + [
        f"{name}.{key} {fault}"
        for key, value in node.items()
        if key in types and (fault := type_fault(value, types[key]))
    ]


def budget_faults(budget: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the budget."""
    return node_faults("budget", budget, {field.name: field.type for field in fields(Budget)}) + [
        f"budget.{name}={limit} allows nothing; give more than 0, or null for no limit"
        for name, limit in budget.items()
        if isinstance(limit, int | float) and not limit > 0  # nor is nan more than 0
    ]


def price_faults(prices: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the price list."""
    faults = node_faults("prices", prices, {"date": str, "models": dict[str, Any]})
    models = prices.get("models")
    for model, price in models.items() if isinstance(models, dict) else ():
        name = f"prices.models.{model}"
        if not isinstance(price, dict):
            faults.append(f"{name} is {price!r}; give it {{input: ..., output: ...}}")
            continue
        faults += node_faults(name, price, {field.name: field.type for field in fields(Price)})
        faults += [
            f"{name}.{key}={usd} is no price; give 0 or more"
            for key, usd in price.items()
            if isinstance(usd, int | float) and not usd >= 0  # nor is nan 0 or more
        ]
    return faults
