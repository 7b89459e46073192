"""A server's model that answers well by simple rules, or lies in a way that a hash of the request chooses.

It keeps the books of what it did, so that a test can compare a run's own numbers with them.
"""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from tests.graph_lies import GRAPH_LIES
from tests.lies import LIES as OTHER_LIES
from tests.lies import SURROGATE, Lie, Told, wire
from tests.llm.lying_server import Answer, failing, quick
from tests.small_llm import number_of

LIES = OTHER_LIES | GRAPH_LIES
NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
LISTED = re.compile(r"^- (.+) \(\w+\)$", re.MULTILINE)
OF_WINDOW = ("facts", "relations")
"""The forms whose request ends in which messages it is about."""
TASKS = {"facts": "extract", "entities": "answer", "verdict": "judge", "summary": "summary", "answer": "answer"}
"""By form; entities of messages are of the extraction."""
REPAIR = "That reply cannot be used"
RETRIES = 2
"""That the client makes, beside the first attempt."""
TIMEOUT = 2.0
"""That the client has."""
PASSING = ("busy", "error", "cut", "timeout", "page")
"""Failures of the first attempt at a request; the next is answered."""
LASTING = ("filtered", "filtered_400", "down")
"""Failures of every attempt."""
CONTENT = tuple(dict.fromkeys(name for lies in LIES.values() for name in lies))


@dataclass(frozen=True, slots=True)
class Reply:
    """One call as it ended, or was to end, on the server."""

    task: str
    key: int
    """Of what was asked, the same for a first request and its repair."""
    repair: bool
    lie: Lie | None
    """None: there is no reply that could be read."""
    tokens: tuple[int, int]
    told: Told


@dataclass
class Model:
    """`share` of 100 requests are lied to, in the ways of `ways`; for the same salt the same ones."""

    salt: str
    ways: Collection[str]
    share: int = 50
    tasks: Collection[str] = ("summary", "extract", "update", "answer", "judge")
    requests: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    replies: list[Reply] = field(default_factory=list)
    _attempts: Counter[int] = field(default_factory=Counter)

    def __call__(self, body: dict[str, Any]) -> Answer:
        told = told_in(body)
        number = number_of([self.salt, body])
        self._attempts[number] += 1
        self.requests[told.task] += 1
        way = self._way(told, number)
        if way in PASSING and self._attempts[number] % 2 == 1:
            self.told[way] += 1
            return passing(way)
        if way in LASTING:
            return self._failed(way, told, number)
        lie = LIES[told.form].get(way, LIES[told.form]["honest"])
        self.told[way if lie.name == way else "honest"] += 1
        answer = wire(lie, told, tokens_of(number))
        self.replies.append(Reply(told.task, told.key, told.repair, lie, tokens_of(number), told))
        return answer

    def _way(self, told: Told, number: int) -> str:
        if told.task not in self.tasks or number % 100 >= self.share:
            return "honest"
        own = [way for way in self.ways if way in (*PASSING, *LASTING) or way in LIES[told.form]]
        return own[number // 100 % len(own)] if own else "honest"

    def _failed(self, way: str, told: Told, number: int) -> Answer:
        self.told[way] += 1
        tokens = tokens_of(number) if way == "filtered" else (0, 0)
        if way != "down" or self._attempts[number] % (RETRIES + 1) == 0:
            self.replies.append(Reply(told.task, told.key, told.repair, None, tokens, told))
        if way == "filtered":
            return wire(LIES[told.form]["honest"], told, tokens, finish="content_filter")
        return failing(400, f"not nice {SURROGATE}", "content_filter") if way == "filtered_400" else quick(500)


def passing(way: str) -> Answer:
    """A failure that the next attempt is free of."""
    return {
        "busy": failing(429, "slowly", retry_after="0.02"),
        "error": failing(500, "oh"),
        "cut": Answer({"choices": [{"message": {"content": "It is cut in the mid"}}]}, cut=30),
        "timeout": Answer({}, delay=TIMEOUT * 1.25),
        "page": Answer(b"<html>Under maintenance</html>"),
    }[way]


def tokens_of(number: int) -> tuple[int, int]:
    """Prompt and completion tokens that the server says it took."""
    return 10 + number % 491, 1 + number % 37


def told_in(body: dict[str, Any]) -> Told:
    """What a request is about."""
    asked = [*body["messages"]]
    repair = asked[-1]["content"].startswith(REPAIR)
    if repair:
        del asked[-1]
        if asked[-1]["role"] == "assistant":
            del asked[-1]
    words = asked[-1]["content"]
    form = form_of(body, words)
    lines = words.rpartition("New messages:")[2].partition("\nEntities:")[0] if form in OF_WINDOW else words
    numbered = dict(NUMBERED.findall(lines.partition("New facts:")[0]))
    last = re.findall(r"\d+", words.splitlines()[-1].partition(" in ")[2]) if form in OF_WINDOW else []
    wanted = [number for number in last if number in numbered]
    fact = re.findall(r"^New (?:fact|relation).*?: (.*)$", words, re.MULTILINE)
    facts = [fact for _, fact in NUMBERED.findall(words.partition("New facts:")[2])] or fact
    listed = words.rpartition("\nEntities:\n")[2] if form == "relations" else ""
    window = "\n".join(numbered[number] for number in wanted) or spoken_in(words)
    task = "extract" if window else TASKS.get(form, "update")
    key = number_of({**body, "messages": asked})
    return Told(form, task, repair, key, words, numbered, wanted, facts, tuple(LISTED.findall(listed)), window)


def spoken_in(words: str) -> str:
    """The messages whose entities are asked for; none of a question."""
    said = words.rpartition("\nText:\n")[2] if words.startswith("Said before:") else ""
    return said if re.match(r"\w+: ", said) else ""


def form_of(body: dict[str, Any], words: str) -> str:
    """The form that a reply is to have."""
    if "tools" in body:
        return "resolution" if "Known relations:" in words else "tools"
    schema = body.get("response_format", {}).get("json_schema", {}).get("name")
    if schema in ("facts", "verdict", "decisions", "entities", "relations"):
        return str(schema)
    return "word" if words.startswith("Memory: ") else "summary" if "Summary so far:" in words else "answer"


def expected(model: Model) -> dict[str, dict[str, Any]]:
    """By phase, what a run's own books have to say of calls, failed ones and tokens, of flaws and of failed units."""
    found: dict[str, dict[str, Any]] = {}
    for task in sorted({reply.task for reply in model.replies}):
        own = [reply for reply in model.replies if reply.task == task]
        flaws, failed, unread = outcome(own)
        found[task] = {
            "requests": model.requests[task],
            "calls": len(own),
            "failed": sum(reply.lie is None or reply.lie.finish == "length" for reply in own),
            "prompt_tokens": sum(reply.tokens[0] for reply in own),
            "completion_tokens": sum(reply.tokens[1] for reply in own),
            "flaws": dict(sorted((kind, count) for kind, count in flaws.items() if count)),
            "failed_units": failed,
            "unread_units": unread,
        }
    return found


def outcome(replies: list[Reply]) -> tuple[Counter[str], int, int]:
    """The flaws that replies of one task make, how many units failed, and in how many nothing could be read."""
    firsts, repairs = ([reply for reply in replies if reply.repair is repair] for repair in (False, True))
    second = {reply.key: reply for reply in repairs}
    spoilt = [reply for reply in firsts if reply.lie is not None and reply.lie.spoilt]
    assert Counter(r.key for r in spoilt) == Counter(r.key for r in repairs), "one repair for each spoilt reply"
    flaws: Counter[str] = Counter()
    broken: list[str] = []
    unread = 0
    for first in firsts:
        last = second[first.key] if first in spoilt else first
        if last.lie is None:
            broken.append(first.told.window)
            continue
        told_again = last.lie.partly and first.lie is last.lie
        for reply in (first, last) if first in spoilt and not told_again else (first,):
            assert reply.lie is not None
            flaws.update(reply.lie.flaws(reply.told))
        if last.lie.spoilt:
            unread += first.told.form not in ("entities", "relations")
            flaws["unreadable"] += not last.lie.partly
            flaws["fallback"] += len(first.told.facts)
        elif first in spoilt:
            flaws["repaired"] += 1
    # A window fails once, whatever of it does.
    return flaws, len(set(broken) - {""}) + broken.count(""), unread
