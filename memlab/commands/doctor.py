"""`python -m memlab doctor`: what is installed, what can run here, and the remedy for what cannot."""

import argparse
import platform

from hydra import compose, initialize_config_dir
from rich.console import Console
from rich.table import Table

from memlab.conf_files import conf_folder, options
from memlab.config import INTERFACES, ConfigError, check
from memlab.report.table import output
from memlab.run_key import PACKAGES, installed_version


def main(arguments: list[str]) -> int:
    """Print versions and what each profile and option lacks; return 0 when the default profile can run."""
    argparse.ArgumentParser(prog="python -m memlab doctor", description=__doc__).parse_args(arguments)
    console = output()
    versions = (f"{name} {installed_version(name) or 'missing'}" for name in (*PACKAGES, "wandb"))
    console.print(
        f"python {platform.python_version()} ({platform.system()} {platform.machine()}), {', '.join(versions)}",
        highlight=False,
    )
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        ready = show(console, ["profile"])
        show(console, list(INTERFACES))
    return 0 if ready["local"] else 2


def show(console: Console, groups: list[str]) -> dict[str, bool]:
    """Print a row for each option of some groups: ready, or what it lacks; return which are ready."""
    table = Table(title=" and ".join(groups) if len(groups) == 1 else "parts", title_justify="left")
    for heading in ("option", "here", "remedy"):
        table.add_column(heading, overflow="fold")
    ready = {}
    for group in groups:
        for option in options(group):
            faults = faults_of(f"{group}={option}")
            ready[option] = not faults
            table.add_row(f"{group}={option}", "no" if faults else "ready", "\n".join(faults))
    console.print(table)
    return ready


def faults_of(choice: str) -> list[str]:
    """Return what keeps the default config with one other choice from running here."""
    try:
        check(compose("config", [choice]))
    except ConfigError as error:
        return error.faults
    return []
