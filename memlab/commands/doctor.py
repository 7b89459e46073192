"""`python -m memlab doctor [key=value ...]`: what can run here, and what the server of a chosen llm can do."""

import argparse
import asyncio
import os
import platform
import secrets
from collections.abc import Iterable
from typing import cast

from hydra import compose, initialize_config_dir
from hydra.utils import get_object
from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table
from rich.text import Text

from memlab.conf_files import conf_folder, options
from memlab.config import check, nodes
from memlab.embed.openai_embedder import OpenAIEmbedder
from memlab.llm.endpoint import Endpoint
from memlab.llm.openai_chat import HIDDEN_FROM_LENGTH, OpenAIChat
from memlab.llm.probe import CHAT, Finding, abilities, outlook, probe
from memlab.node_check import INTERFACES, Node
from memlab.part import PartFailed
from memlab.report.table import output
from memlab.run_key import PACKAGES, installed_version
from memlab.settings import ConfigError

EMBEDDINGS = "embeddings"
CAVEAT = "'works' is about the form of the replies; how good they are, only a run can tell"
NESTED = (
    "system=mem0g has two extractors and two updaters, so each setting of theirs stands a step deeper: "
    "extractor.facts.reply, extractor.triples.reply, updater.facts.ask, updater.triples.ask"
)

EPILOG = """\
Without settings: versions, and what each profile and option lacks here.
With settings that choose an llm, such as llm=server llm.base_url=http://127.0.0.1:8080/v1 llm.model=NAME: its server
is sent a dozen requests (tools, JSON, context length, speed; embeddings, where the embedder asks a server, too), and
the strategies that will work are listed. That costs about 10,000 tokens, 40,000 with --long.
The exit code is 0 when the default profile, or plain chat as set, works, else 2."""

INSIDE = ("entities", "graph", "relation")
"""Groups of parts that stand inside others: no config has them by default."""
BESIDE = (("store=hybrid",), ("extractor=triples_by_profile",), ("dataset=synthetic",))
"""Other parts that fit those which do not fit the defaults: those of graphs, and those that rest on gold."""

MISFIT = ("use store=", "use dataset=")
"""What faults of parts that do not fit together end with."""


def main(arguments: list[str]) -> int:
    """Say what can run here, or probe the server of the chosen llm; return 0 when the default or that llm can work."""
    parser = argparse.ArgumentParser(
        prog="python -m memlab doctor",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("settings", nargs="*", metavar="key=value", help="settings as for a run, an llm among them")
    parser.add_argument("--long", action="store_true", help="try a prompt of 32k tokens, too")
    chosen = parser.parse_intermixed_args(arguments)
    console = output()
    versions = (f"{name} {installed_version(name) or 'missing'}" for name in (*PACKAGES, "wandb"))
    console.print(
        f"python {platform.python_version()} ({platform.system()} {platform.machine()}), {', '.join(versions)}",
        highlight=False,
    )
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        if not chosen.settings:
            ready = show(console, ["profile"])
            show(console, list(INTERFACES))
            return 0 if ready["local"] else 2
        config = compose("config", chosen.settings)
    return show_endpoint(console, config, long=chosen.long)


def show(console: Console, groups: list[str]) -> dict[str, bool]:
    """Print a row for each option of some groups: ready, or what it lacks; return which are ready."""
    title = " and ".join(groups) if len(groups) == 1 else "parts"
    ready, rows = {}, []
    for group in groups:
        for option in options(group):
            faults = faults_here(group, option)
            ready[option] = not faults
            rows.append((f"{group}={option}", "no" if faults else "ready", "\n".join(faults)))
    console.print(table(title, ("option", "here", "remedy"), rows))
    return ready


def faults_here(group: str, option: str) -> list[str]:
    """Return what keeps an option from running here, beside the default parts or others that fit it."""
    chosen = f"+{group}={option}" if group in INSIDE else f"{group}={option}"
    faults = faults_of(compose("config", [chosen]))
    for others in BESIDE if misfits(faults)[0] else ():
        besides = [other for other in others if not other.startswith(f"{group}=")]
        faults = min(faults, faults_of(compose("config", [chosen, *besides])), key=misfits)
    return faults


def misfits(faults: list[str]) -> tuple[int, int]:
    """Return how many faults there are of parts that do not fit together, and how many in all: fewer tell more."""
    return sum(any(use in fault for use in MISFIT) for fault in faults), len(faults)


def faults_of(config: DictConfig) -> list[str]:
    """Return what keeps a config from running here."""
    try:
        check(config)
    except ConfigError as error:
        return error.faults
    return []


def table(title: str, headings: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Return a table of plain words."""
    made = Table(title=title, title_justify="left")
    for heading in headings:
        made.add_column(heading, overflow="fold")
    for row in rows:
        made.add_row(*map(Text, row))  # as text, since the words of a server may look like markup
    return made


def show_endpoint(console: Console, config: DictConfig, *, long: bool) -> int:
    """Ask the server of a config's llm, print what was found; return 0 when plain chat works as set, else 2."""
    chosen, faults = nodes(config), faults_of(config)
    llm, embedder = chosen["llm"], chosen["embedder"]
    if not llm:
        raise ConfigError(["no llm is chosen, so no server to ask; add llm=server llm.base_url=http://HOST:PORT/v1"])
    if wrong := llm_faults(llm, faults):
        raise ConfigError(list(dict.fromkeys([*faults, *wrong])))
    endpoint = Endpoint(llm, lambda settings: cast(OpenAIChat, made(settings)))
    found = asyncio.run(findings(endpoint, embedder, long=long))
    rows = [("config", "no", fault) for fault in faults]
    rows += [(finding.about, "yes" if finding.good else "no", finding.words) for finding in found]
    hidden = [[without_keys(word, (llm, embedder)) for word in row] for row in rows]
    console.print(table("endpoint", ("about", "good", "found"), hidden))
    console.print(
        table("strategies", ("strategy", "with this endpoint"), outlook(abilities(found), endpoint.overrides))
    )
    console.print(f"{CAVEAT}\n{NESTED}", highlight=False)
    console.print(
        f"asked: {endpoint.requests} chat requests of {endpoint.prompt_tokens:,} tokens in and "
        f"{endpoint.completion_tokens:,} out, the list of models"
        + (", 1 request for embeddings" if found[-1].about == EMBEDDINGS else ""),
        highlight=False,
    )
    return 0 if any(finding.about == CHAT and finding.good for finding in found) else 2


def llm_faults(node: Node, faults: list[str]) -> list[str]:
    """Return why the llm of a config with some faults cannot be asked."""
    if wrong := [fault for fault in faults if fault.startswith("llm")]:
        return wrong
    try:
        llm = made(node)
    except Exception as error:
        # A constructor may be anyone's code and raise anything; the fault carries its words.
        return [f"llm: {error}"]
    if not isinstance(llm, OpenAIChat):
        return [f"llm is a {type(llm).__name__}, and only the server of an OpenAIChat can be probed; use llm=server"]
    return llm.missing()


def made(node: Node) -> object:
    """Return the part that a node without collaborators names, neither cached nor metered."""
    return get_object(node["_target_"])(**{name: value for name, value in node.items() if name != "_target_"})


async def findings(endpoint: Endpoint, embedder: Node, *, long: bool) -> list[Finding]:
    """Return what an endpoint can do, and what the embedder gives when it asks a server, too."""
    found = await probe(endpoint, long=long, salt=secrets.token_hex(4))
    asked = await embedding_finding(embedder)
    return [*found, asked] if asked else found


async def embedding_finding(node: Node) -> Finding | None:
    """Return what an OpenAIEmbedder gives for two texts; None for any other, and for one that cannot be built."""
    try:
        embedder = made(node)
    except Exception:
        # A constructor may be anyone's code and raise anything; the config's faults tell it already.
        return None
    if not isinstance(embedder, OpenAIEmbedder):
        return None
    try:
        vectors = await embedder.embed(["Maria has a cat.", "Tom plays chess."])
    except (PartFailed, ValueError) as error:
        return Finding(EMBEDDINGS, False, str(error))
    except (TypeError, AttributeError) as error:
        # What the SDK makes of a body that is no list of embeddings, it does not check.
        return Finding(EMBEDDINGS, False, f"{embedder.name} gave no embeddings ({error}); check embedder.base_url")
    return Finding(EMBEDDINGS, True, f"{embedder.name}: {vectors.shape[1]} dimensions, as set")


def without_keys(text: str, parts: Iterable[Node]) -> str:
    """Return words without the keys of some parts, which servers may repeat."""
    for part in parts:
        key = os.environ.get(part.get("api_key_env") or "", "")
        if len(key) >= HIDDEN_FROM_LENGTH:
            text = text.replace(key, "***")
    return text
