"""`python -m memlab train updater|judge ... [key=value ...]`: models that parts of memlab use, trained."""

import argparse
import asyncio
from pathlib import Path

from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from memlab.conf_files import conf_folder
from memlab.report.table import output
from memlab.settings import ConfigError
from memlab.train.judging.run import train_judge
from memlab.train.judging.setup import judge_training
from memlab.train.setup import training
from memlab.train.sources import Wanted
from memlab.train.updater import train

FILES = {
    "updater": ("train_updater.yaml", "train/model/fine_tuned.yaml", "train/model/frozen_head.yaml"),
    "judge": ("train_judge.yaml",),
}
USES = {
    "fine_tuned": "updater=classifier updater.relation.checkpoint={folder}",
    "frozen_head": "updater=frozen_head updater.relation.weights={folder}/frozen_head.npz",
    "local": "judge=local judge.weights={folder}",
    "overlap": "judge=overlap judge.threshold=... (the card's threshold)",
}


def main(arguments: list[str]) -> None:
    """Train what the arguments name, and say how it is used."""
    parser = argparse.ArgumentParser(
        prog="python -m memlab train",
        description=__doc__,
        epilog=epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "what", choices=FILES, help="updater: the model of updater=classifier; judge: that of judge=local, from FILE"
    )
    # The default keeps argparse from saying that keys are required, too.
    parser.add_argument("keys", nargs="*", default=[], metavar="key=value", help="settings, as listed below")
    chosen = parser.parse_args(arguments)
    console = output()
    if chosen.what == "judge":
        judge = judge_training(composed("train_judge", with_file(chosen.keys)))
        done, option, folder = train_judge(judge, console), str(judge.model), judge.output
    else:
        # The models of a training are a group of their own, beside those of a run.
        keys = [f"train/{key}" if key.startswith("model=") else key for key in chosen.keys]
        updater = training(composed("train_updater", keys))
        check_given(keys, updater.wanted)
        done, option, folder = asyncio.run(train(updater, console)), updater.learner.option, updater.output
    if not done:
        console.print("done already: this very model is there", highlight=False)
    told = " ".join([USES[option].format(folder=folder), *of_the_embedder(option, chosen.keys)])
    console.print(f"model and card: {folder}\nuse it: python -m memlab {told}", highlight=False, soft_wrap=True)


def check_given(keys: list[str], wanted: Wanted) -> None:
    """Raise ConfigError when a file that was asked for is not there; one that is a default may be absent."""
    given = {key.lstrip("+").partition("=")[0] for key in keys}
    paths = {"sick": wanted.sick, "halumem": wanted.halumem}
    faults = [
        f"{name}={path}: there is no such file; give its path, or {name}=null"
        for name, path in paths.items()
        if name in given and path is not None and not path.is_file()
    ]
    if faults:
        raise ConfigError(faults)


def of_the_embedder(option: str, keys: list[str]) -> list[str]:
    """Return the keys of the embedder as whoever uses the model must give them: it reads this embedder's vectors."""
    own = [key.lstrip("+") for key in keys if key.lstrip("+").startswith(("embedder=", "embedder."))]
    match option:
        case "frozen_head":
            return own
        case "local":
            return [f"embedder@judge.{key}" if key.startswith("embedder=") else f"judge.{key}" for key in own]
        case _:
            return []


def with_file(words: list[str]) -> list[str]:
    """Return keys; one word may be the file itself, without its key: it is what a judge is made from."""
    files = [word for word in words if "=" not in word or Path(word).is_file()]
    keys = [word for word in words if word not in files]
    given = [*files, *(key.removeprefix("file=") for key in keys if key.startswith("file="))]
    if len(given) > 1:
        raise ConfigError([f"train judge takes one file, not {len(given)} ({', '.join(given)}); join them into one"])
    quoted = [file.replace("'", "\\'") for file in files]
    return [*(f"file='{file}'" for file in quoted), *keys]


def composed(name: str, keys: list[str]) -> DictConfig:
    """Return the config of a training."""
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose(name, keys)


def epilog() -> str:
    """Return the files of settings, as they are."""
    files = [name for own in FILES.values() for name in own]
    texts = [f"{name}\n{(conf_folder() / name).read_text(encoding='utf-8')}" for name in files]
    return "\n".join(["settings and their defaults:", "", *texts])
