"""What an endpoint can do, found by a few small requests, and which strategies will work with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memlab.llm.chat import ChatFailed, Reply
from memlab.llm.endpoint import Asked, Endpoint, adaptations
from memlab.llm.openai_chat import KeyRefused
from memlab.llm.probe_requests import (
    BY_SCHEMA,
    BY_WORDS,
    HELLO,
    NEEDLE,
    ONE_CALL,
    STORY,
    TWO_CALLS,
    call_fault,
    has_call,
    is_journey,
    long_request,
    quoted,
)
from memlab.spelling import did_you_mean

CHAT: Literal["chat"] = "chat"
Ability = Literal["chat", "tools", "required tools", "text calls", "schema", "text JSON"]

CALLS: dict[Ability, str] = {
    "tools": "",
    "required tools": "llm.tool_choice=required",
    "schema": "updater.ask=schema",
    "text calls": "",
}
STRATEGIES: dict[str, dict[Ability, str]] = {
    "extractor=facts": {"schema": "", "text JSON": "extractor.reply=text"},
    "extractor=triples": {"schema": "", "text JSON": "extractor.reply=text extractor.entities.reply=text"},
    "updater=tool_call": CALLS,
    "updater=resolve_conflict": CALLS,
    "updater=joint_json": {"schema": "", "text JSON": "updater.reply=text"},
    "updater=pairwise": {"schema": "", "chat": "updater.ask=word"},
    "summary=rolling": {"chat": ""},
    "entities@question_entities=llm": {"schema": "", "text JSON": "question_entities.reply=text"},
    "answerer=llm": {"chat": ""},
    "judge=llm": {"schema": "", "chat": "judge.reply=text"},
}
"""The abilities that each strategy can live on, the best first, with the setting that each asks for."""
LACKING: dict[Ability, str] = {
    "chat": "no plain chat",
    "tools": "no tool calls",
    "required tools": "no tool calls",
    "text calls": "no tool calls",
    "schema": "no JSON by schema",
    "text JSON": "no JSON as text",
}

CONTEXTS = (2_000, 7_000)
LONG_CONTEXT = 29_000
"""In cl100k_base, and somewhat under 8k and 32k: other tokenisers make more of it, and a reply needs room."""
PATIENCE_SECONDS = 20.0
"""No larger prompt is tried after one that took longer."""
READ_SHARE = 0.7
"""Tokenisers differ by less: a server that counts a smaller share of a prompt has not read all of it."""


LOST_WORD = "the word at its beginning was not found"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: is it as one would wish, the words for it, and what it enables."""

    about: str
    good: bool
    words: str
    abilities: tuple[Ability, ...] = ()


async def probe(endpoint: Endpoint, *, long: bool, salt: str) -> list[Finding]:
    """Return what an endpoint can do, in the order of looking; little where plain chat does not work.

    `salt` is new each time: a server that remembers the long prompts would seem to read them at a fabulous speed.
    """
    server = Finding("server", True, endpoint.settings["base_url"])
    names, unlisted = [], None
    try:
        names = await endpoint.models()
    except ChatFailed as failure:
        unlisted = failure  # some servers answer nothing but chats
    except KeyRefused as failure:
        return [server, Finding("key", False, str(failure))]
    found = [server, *await chat_findings(endpoint, names)]
    if not abilities(found):
        remedy = "start the server, or check llm.base_url (most end in /v1) and llm.timeout_seconds"
        return [Finding("server", False, f"{unlisted}; {remedy}")] if unlisted else found
    found += await tool_findings(endpoint)
    found += await json_findings(endpoint)
    context, first = await context_finding(endpoint, (*CONTEXTS, LONG_CONTEXT) if long else CONTEXTS, salt)
    return [*found, context, speed_finding(first, await endpoint.ask(STORY, most_tokens=64))]


def abilities(found: Sequence[Finding]) -> set[Ability]:
    """Return what some findings enable together."""
    return {ability for finding in found for ability in finding.abilities}


def outlook(able: set[Ability], overrides: str) -> Iterator[tuple[str, str]]:
    """Yield each strategy and whether it will work, with which settings or why not."""
    for strategy, ways in STRATEGIES.items():
        way = next((way for way in ways if way in able), None)
        if way is not None:
            needed = " ".join(filter(None, (overrides, ways[way])))
            yield strategy, f"works with {needed}" if needed else "works"
        else:
            lacking = dict.fromkeys(LACKING[way] for way in (ways if CHAT in able else (CHAT,)))
            yield strategy, f"will not work: {', '.join(lacking)}"


async def chat_findings(endpoint: Endpoint, names: Sequence[str]) -> list[Finding]:
    """Return whether plain chat works, as set or after changes, which then hold for the rest of the probe."""
    model, key = endpoint.settings["model"], endpoint.settings["api_key_env"]
    unknown = bool(names) and model not in names
    asked, refusal = await endpoint.ask(HELLO), ""
    if isinstance(asked, ChatFailed) and asked.reason == "rejected" and not unknown:
        refusal = str(asked)
        asked = await adapted(endpoint, asked)
    if isinstance(asked, KeyRefused):
        return [Finding("key", False, str(asked))]
    if not isinstance(asked, Reply):
        remedy = f"; it lists {listed(names)}{did_you_mean(model, names)}; set llm.model" if unknown else ""
        return [Finding(CHAT, False, f"{asked}{remedy}")]
    known = f"; not among those it lists, {listed(names)}" if unknown else "" if names else "; it lists none"
    sent = [f"{name}={value}" for name in ("temperature", "seed") if (value := endpoint.settings[name]) is not None]
    counted = "not reported; memlab's own counts are in cl100k_base" if asked.usage.estimated else "reported"
    without = f"works with {endpoint.overrides}; without: {refusal}; " if refusal else ""
    return [
        Finding("model", True, f"{model}{known}"),
        Finding("key", True, f"{key} is accepted" if key else "none is sent, none is asked for"),
        Finding(CHAT, not refusal, f"{without}it says {quoted(asked)}", ("chat",)),
        Finding("sampling", True, f"{' and '.join(sent)} accepted" if sent else "neither temperature nor seed is sent"),
        Finding("usage", not asked.usage.estimated, counted),
    ]


async def adapted(endpoint: Endpoint, refusal: ChatFailed) -> Asked:
    """Return the reply under the first changed settings that get one, and keep these; else the refusal."""
    for words, changes in adaptations(endpoint.settings):
        if isinstance(asked := await endpoint.ask(HELLO, **changes), Reply):
            endpoint.settings.update(changes)
            endpoint.overrides = words
            return asked
    return refusal


def listed(names: Sequence[str]) -> str:
    """Return some of the models that a server lists."""
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if names[10:] else "")


async def tool_findings(endpoint: Endpoint) -> list[Finding]:
    """Return whether the model calls tools, when it is free to or when it has to, and several at once."""
    choice = endpoint.settings["tool_choice"]
    asked = await endpoint.ask(ONE_CALL)
    if fault := fault_of(asked):
        written: tuple[Ability, ...] = ("text calls",) if isinstance(asked, Reply) and has_call(asked.text) else ()
        if choice == "required":
            return [Finding("tools", False, fault, written)]
        choice = "required"
        if fault_of(await endpoint.ask(ONE_CALL, tool_choice=choice)):
            return [Finding("tools", False, f"{fault}; no better with llm.tool_choice=required", written)]
        words = f"{fault}; called as asked with llm.tool_choice=required"
        found = Finding("tools", False, words, ("required tools", *written))
    else:
        found = Finding("tools", True, "called as asked", ("tools",))
    both = await endpoint.ask(TWO_CALLS, tool_choice=choice)
    calls = len(both.tool_calls) if isinstance(both, Reply) else 0
    words = f"{calls} in one reply where two were asked for; no strategy needs more than one"
    return [found, Finding("several calls", calls > 1, words)]


def fault_of(asked: Asked) -> str | None:
    """Return why no proper call came, or None when one came."""
    return call_fault(asked) if isinstance(asked, Reply) else f"refused: {asked}"


async def json_findings(endpoint: Endpoint) -> list[Finding]:
    """Return whether replies follow a JSON schema, and if not, whether they follow one in words."""
    asked = await endpoint.ask(BY_SCHEMA)
    if isinstance(asked, Reply) and is_journey(asked):
        return [Finding("JSON schema", True, "followed", ("schema",))]
    words = f"not followed: {quoted(asked)}" if isinstance(asked, Reply) else f"refused: {asked}"
    told = await endpoint.ask(BY_WORDS)
    able = isinstance(told, Reply) and is_journey(told)
    said = "written as asked" if able else quoted(told) if isinstance(told, Reply) else str(told)
    return [
        Finding("JSON schema", False, words),
        Finding("JSON as text", able, said, ("text JSON",) if able else ()),
    ]


async def context_finding(endpoint: Endpoint, sizes: Sequence[int], salt: str) -> tuple[Finding, Asked]:
    """Return the longest prompt that was read, and what came of the first one."""
    most, end, first = 0, "", None
    for size in sizes:
        asked = await endpoint.ask(long_request(size, salt), most_tokens=8)
        first = first or asked
        if not isinstance(asked, Reply):
            end = f"a prompt of about {size:,}: {asked}"
            break
        read, found = asked.usage.prompt_tokens, NEEDLE.lower() in asked.text.lower()
        if read < size * READ_SHARE:
            most = max(most, read)
            end = f"it read only so much of a prompt of about {size:,}, and did not say so; raise its context length"
            break
        if asked.usage.estimated and not found:
            end = f"a prompt of about {size:,} was answered {quoted(asked)}, without the word at its beginning"
            break
        most, end = read, "" if found else f"{LOST_WORD}: {quoted(asked)}"
        if asked.seconds > PATIENCE_SECONDS and size != sizes[-1]:
            end = f"{end}; larger ones were not tried, as it took {asked.seconds:.0f} s".removeprefix("; ")
            break
    assert first is not None
    words = f"at least {most:,} tokens" if most else "not known"
    whole = most > 0 and not end.startswith(LOST_WORD)
    return Finding("context", whole, f"{words}; {end}" if end else words), first


def speed_finding(read: Asked, wrote: Asked) -> Finding:
    """Return tokens a second, from a call that mostly reads and one that mostly writes."""
    if not (isinstance(read, Reply) and isinstance(wrote, Reply)):
        return Finding("speed", False, "not known, as one of the two calls failed")
    p1, c1, p2, c2 = (
        count for call in (read, wrote) for count in (call.usage.prompt_tokens, call.usage.completion_tokens)
    )
    # seconds = prompt tokens x a + completion tokens x b, of both calls
    both = p1 * c2 - p2 * c1
    a, b = read.seconds * c2 - wrote.seconds * c1, p1 * wrote.seconds - p2 * read.seconds
    if both > 0 and a > 0 and b > 0:
        words = f"about {rounded(both / a)} prompt and {rounded(both / b)} completion tokens/s"
    else:
        # Its load changed between the calls: what each gave on the whole bounds both from below.
        words = f"at least {rounded(p1 / read.seconds)} prompt and {rounded(c2 / wrote.seconds)} completion tokens/s"
    return Finding("speed", True, f"{words}, from one sample")


def rounded(rate: float) -> str:
    """Return a rate to two digits."""
    return f"{float(f'{rate:.2g}'):,.0f}" if rate >= 1 else f"{rate:.2g}"
