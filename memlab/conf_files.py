"""Where the Hydra configs lie, and which options they offer."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from omegaconf import OmegaConf

PACKAGE = Path(__file__).parent


@cache
def conf_folder() -> Path:
    """Return the folder of Hydra configs: inside an installed wheel, else at the top level of the checkout."""
    shipped = PACKAGE / "conf"
    return shipped if shipped.is_dir() else PACKAGE.parent / "conf"


def groups() -> list[str]:
    """Return the config groups, by name."""
    return sorted({file.parent.name for file in conf_folder().glob("*/*.yaml")})


def options(group: str) -> list[str]:
    """Return the options of a config group, by name."""
    return sorted(path.stem for path in (conf_folder() / group).glob("*.yaml"))


@cache
def written_nodes(group: str) -> dict[str, dict[str, Any]]:
    """Return the node that each option of a group of parts is, as it is written."""
    files = {name: OmegaConf.load(conf_folder() / group / f"{name}.yaml") for name in options(group)}
    plain = {name: cast("dict[str, Any]", OmegaConf.to_container(file)) for name, file in files.items()}
    # A file of the global package has the part's node under the group's name.
    nodes = {name: content if "_target_" in content else content.get(group) for name, content in plain.items()}
    return {name: node for name, node in nodes.items() if isinstance(node, dict) and "_target_" in node}


def targets(group: str) -> dict[str, str]:
    """Return the class path that each option of a group of parts names."""
    return {name: str(node["_target_"]) for name, node in written_nodes(group).items()}


def option_of(group: str, node: Mapping[str, Any]) -> str | None:
    """Return the option that a node is: of those of its class, the one with most of its settings; None when none is."""
    found = {name: own for name, own in written_nodes(group).items() if own["_target_"] == node.get("_target_")}
    return max(found, key=lambda name: agreement(group, found[name], node), default=None)


def agreement(group: str, written: Mapping[str, Any], node: Mapping[str, Any]) -> int:
    """Return how much of what an option's file writes a node has: settings, and parts within it."""
    inner = sum(
        isinstance(own := node.get(key), Mapping) and option_of(kind, own) == name
        for entry in written.get("defaults", ())
        for kind, name, key in placed(group, entry)
    )
    return inner + sum(bool(node.get(key) == value) for key, value in written.items())


def placed(group: str, entry: object) -> Iterator[tuple[str, str, str]]:
    """Yield group, option and key of a part that an entry of a defaults list puts within: `nearest@first`."""
    if isinstance(entry, str) and "@" in entry:
        name, key = entry.split("@")
        yield group, name, key
    elif isinstance(entry, Mapping):
        for path, name in entry.items():
            kind, _, key = str(path).removeprefix("/").partition("@")
            if key:
                yield kind, str(name), key


def first_comment(group: str, option: str) -> str:
    """Return the first line of comment of an option's file: what it is."""
    for text in (conf_folder() / group / f"{option}.yaml").read_text(encoding="utf-8").splitlines():
        if text.startswith("#") and "@package" not in text:
            return text.lstrip("# ")
    return ""
