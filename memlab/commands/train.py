"""`python -m memlab train updater [model=fine_tuned|frozen_head] [key=value ...]`: a model of pairs, trained."""

import argparse
import asyncio

from hydra import compose, initialize_config_dir

from memlab.conf_files import conf_folder
from memlab.report.table import output
from memlab.train.setup import training
from memlab.train.updater import train

WHAT = ("updater",)
USES = {
    "fine_tuned": "updater=classifier updater.relation.checkpoint={folder}",
    "frozen_head": "updater=frozen_head updater.relation.weights={folder}/frozen_head.npz",
}


def main(arguments: list[str]) -> None:
    """Train what the arguments name, and say how it is used."""
    parser = argparse.ArgumentParser(
        prog="python -m memlab train",
        description=__doc__,
        epilog=epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=WHAT, help="what is trained: the model that updater=classifier uses")
    # The default keeps argparse from saying that keys are required, too.
    parser.add_argument("keys", nargs="*", default=[], metavar="key=value", help="settings, as listed below")
    chosen = parser.parse_args(arguments)
    # The models of a training are a group of their own, beside those of a run.
    keys = [f"train/{key}" if key.startswith("model=") else key for key in chosen.keys]
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        found = training(compose("train_updater", keys))
    console = output()
    if not asyncio.run(train(found, console)):
        console.print("done already: this very model is there", highlight=False)
    told = USES[found.learner.option].format(folder=found.output)
    console.print(f"model and card: {found.output}\nuse it: python -m memlab {told}", highlight=False, soft_wrap=True)


def epilog() -> str:
    """Return the files of settings, as they are."""
    files = ("train_updater.yaml", "train/model/fine_tuned.yaml", "train/model/frozen_head.yaml")
    texts = [f"{name}\n{(conf_folder() / name).read_text(encoding='utf-8')}" for name in files]
    return "\n".join(["settings and their defaults:", "", *texts])
