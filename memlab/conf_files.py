"""Where the Hydra configs lie, and which options they offer."""

from functools import cache
from pathlib import Path

from omegaconf import OmegaConf

PACKAGE = Path(__file__).parent


@cache
def conf_folder() -> Path:
    """Return the folder of Hydra configs: inside an installed wheel, else at the top level of the checkout."""
    shipped = PACKAGE / "conf"
    return shipped if shipped.is_dir() else PACKAGE.parent / "conf"


def groups() -> list[str]:
    """Return the config groups, by name."""
    return sorted(path.name for path in conf_folder().iterdir() if path.is_dir())


def options(group: str) -> list[str]:
    """Return the options of a config group, by name."""
    return sorted(path.stem for path in (conf_folder() / group).glob("*.yaml"))


@cache
def targets(group: str) -> dict[str, str]:
    """Return the class path that each option of a group of parts names."""
    nodes = {name: OmegaConf.load(conf_folder() / group / f"{name}.yaml") for name in options(group)}
    # A file of the global package has the part's node under the group's name.
    places = ("_target_", f"{group}._target_")
    return {
        name: path
        for name, node in nodes.items()
        if (path := next((found for place in places if (found := OmegaConf.select(node, place))), None))
    }


def first_comment(group: str, option: str) -> str:
    """Return the first line of comment of an option's file: what it is."""
    for text in (conf_folder() / group / f"{option}.yaml").read_text(encoding="utf-8").splitlines():
        if text.startswith("#") and "@package" not in text:
            return text.lstrip("# ")
    return ""
