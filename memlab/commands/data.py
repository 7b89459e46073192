"""`python -m memlab data NAME`: download a dataset with its hash checked, or show what a generated one contains."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

from omegaconf import DictConfig, OmegaConf
from yaml import YAMLError  # type: ignore[import-untyped]

from memlab.conf_files import written_nodes
from memlab.datasets.dataset import DatasetError
from memlab.datasets.download import download_locomo
from memlab.datasets.synthetic import Synthetic
from memlab.datasets.synthetic.show import shown
from memlab.report.table import output
from memlab.signature import parameters, setting_faults


def main(arguments: list[str]) -> None:
    """Download or show what the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m memlab data", description=__doc__)
    parser.add_argument("name", choices=["locomo", "synthetic"])
    parser.add_argument("--folder", type=Path, default=Path("data"), help="where locomo goes (default: data)")
    parser.add_argument("--show", action="store_true", help="print figures and ten samples of synthetic")
    parser.add_argument("settings", nargs="*", metavar="key=value", help="of synthetic: messages=3000 split=train ...")
    chosen = parser.parse_intermixed_args(arguments)
    if chosen.name == "synthetic":
        synthetic(chosen.settings, show=chosen.show)
        return
    if chosen.show or chosen.settings:
        parser.error("locomo is downloaded; --show and key=value are for synthetic")
    path = download_locomo(chosen.folder, announce=print)
    print(
        f"ready: {path}; run it with dataset=locomo"
        + ("" if chosen.folder == Path("data") else f" dataset.path={path}")
    )


def synthetic(settings: Sequence[str], *, show: bool) -> None:
    """Print what is generated with these settings, or how to have it printed, and how to run it."""
    for text in settings:
        if "=" not in text:
            raise DatasetError(f"{text!r} is no setting; give it as key=value, such as messages=3000")
    given = [text.removeprefix("dataset.") for text in settings]
    merged = OmegaConf.merge(written_nodes("dataset")["synthetic"], *map(parsed, given))
    values = {str(key): value for key, value in plain(merged).items() if key != "_target_"}
    if faults := setting_faults(values, parameters(Synthetic)):
        raise DatasetError("; ".join(f"dataset=synthetic {fault}" for fault in faults))
    dataset = Synthetic(**values)
    # Rich, unlike print, ends without a traceback when nobody reads on, as `head` does.
    told = partial(output().out, highlight=False)
    if show:
        for line in (*shown(dataset.plan), ""):
            told(line)
    else:
        told("nothing to download: dataset=synthetic is generated as it is read; --show prints figures and samples")
    told(" ".join(["run it: python -m memlab dataset=synthetic", *(quote(f"dataset.{text}") for text in given)]))
    told("add extractor=gold updater=oracle for what is right by its gold")


def parsed(text: str) -> DictConfig:
    """Return a setting as a config; raises DatasetError when its value is no YAML."""
    try:
        return OmegaConf.from_dotlist([text])
    except YAMLError as error:
        why = getattr(error, "problem", None) or error
        raise DatasetError(
            f"{text!r} cannot be read ({why}); give values as 'operations={{ADD: 0.5, NOOP: 0.5}}', quoted in a shell"
        ) from error


def plain(node: object) -> dict[Any, Any]:
    """Return a config node as a dict."""
    content = OmegaConf.to_container(node) if OmegaConf.is_config(node) else None
    assert isinstance(content, dict)
    return content
