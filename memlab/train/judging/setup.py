"""From the config of a judge's training to its parts; all that is wrong with it is told at once."""

from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from omegaconf import DictConfig, OmegaConf

from memlab.config import build_node
from memlab.embed.embedder import Embedder
from memlab.settings import ConfigError
from memlab.signature import parameters, setting_faults
from memlab.train.judging.fits import HeadSettings
from memlab.train.judging.run import JudgeTraining
from memlab.train.ranges import range_faults
from memlab.train.setup import cached, node_faults

MODELS = ("local", "overlap")


class Keys:
    """The plain keys of a judge's training, as their types; conf/train_judge.yaml says what each one is."""

    def __init__(
        self,
        *,
        file: str,
        model: str,
        output: str,
        hidden: int,
        heads: int,
        epochs: int,
        batch: int,
        learning_rate: float,
        weight_decay: float,
        dropout: float,
        seed: int,
        threads: int,
    ) -> None:
        self.file, self.model, self.output = Path(file), model, Path(output)
        self.hidden, self.heads, self.epochs, self.batch = hidden, heads, epochs, batch
        self.learning_rate, self.weight_decay, self.dropout = learning_rate, weight_decay, dropout
        self.seed, self.threads = seed, threads


def judge_training(config: DictConfig) -> JudgeTraining:
    """Return the training that a config describes; raises ConfigError with all that is wrong with it."""
    plain = cast("dict[str, Any]", OmegaConf.to_container(config, resolve=True))
    node = plain.pop("embedder", None) or {}
    if plain.get("file") is None:
        raise ConfigError(["train judge needs a file of labelled answers: python -m memlab train judge FILE"])
    faults = [f"train judge {fault}" for fault in setting_faults(plain, parameters(Keys))]
    faults += [f"embedder {fault}" for fault in node_faults(node)]
    if not faults:
        faults += range_faults(plain)
        faults += [] if plain["hidden"] != 1 else ["hidden=1; it must be at least 2: the second layer has half"]
        faults += [] if plain["model"] in MODELS else [f"model={plain['model']}; it must be one of {', '.join(MODELS)}"]
    if faults:
        raise ConfigError(faults)
    keys = Keys(**plain)
    embedder = build_node(node, {}, wrap=cached)
    if missing := embedder.missing():
        raise ConfigError(missing)
    head = HeadSettings(**{field.name: getattr(keys, field.name) for field in fields(HeadSettings)})
    return JudgeTraining(keys.file, cast(Any, keys.model), cast(Embedder, embedder), head, keys.output)
