"""`python -m memlab rejudge RUN [key=value ...]`: the saved answers of a run, judged again."""

import argparse
import re
from pathlib import Path

from hydra import compose, initialize_config_dir

from memlab.commands.run import named
from memlab.conf_files import conf_folder
from memlab.config import check
from memlab.rejudge import judgeable, rejudged
from memlab.report.comparison import tables
from memlab.report.table import output
from memlab.settings import ConfigError

KEYS = ("judge", "llm", "budget", "cache", "concurrency", "prices")
"""The keys, or first words of keys, that concern a judge."""

EPILOG = """\
keys, for example:
  judge.rubrics=[generous,strict]  judge.repeats=10  judge.probes=50
  llm=openai llm.model=gpt-4o      another model than the run's own
The run stays as it is; the new one stands beside it, with the same answers.
"""


def main(arguments: list[str]) -> None:
    """Judge the answers of the run that the arguments name, and print its tables."""
    parser = argparse.ArgumentParser(
        prog="python -m memlab rejudge",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="the run's folder")
    # The default keeps argparse from saying that keys are required, too.
    parser.add_argument(
        "keys", nargs="*", default=[], metavar="key=value", help="settings of the judge, and of a model for it"
    )
    chosen = parser.parse_args(arguments)
    heads = {word: head_of(word) for word in chosen.keys}
    if foreign := [word for word, head in heads.items() if head not in KEYS]:
        faults = [f"'{word}' is no matter of a judge; rejudge takes keys of {', '.join(KEYS)}" for word in foreign]
        raise ConfigError(faults)
    own_llm = "llm" in heads.values()
    judge = [] if any(word.startswith("judge=") for word in chosen.keys) else ["judge=llm"]
    manifest, _ = judgeable(chosen.run)
    run_llm = [] if own_llm or not manifest["config"]["llm"] else ["llm=server"]
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [*judge, *run_llm, *chosen.keys], return_hydra_config=True)
    check(config)
    console = output()
    choices = named(config.hydra.runtime.choices, config.hydra.overrides.task)
    folder = rejudged(chosen.run, config, choices, console, own_llm=own_llm)
    for table in tables(list(dict.fromkeys([chosen.run.resolve(), folder.resolve()]))):
        table.show(console)
    console.print(f"records: {folder}", highlight=False)


def head_of(word: str) -> str:
    """Return the key that a setting belongs to; a part inside the judge, `embedder@judge.embedder=hash`, is its own."""
    first, _, where = word.lstrip("+~").partition("=")[0].partition("@")
    return re.split(r"[.@]", where or first)[0]
