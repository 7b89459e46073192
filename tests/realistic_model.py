"""A model whose replies are like those of a good one, made from the data, and not as any part's `typical` is made."""

import json
import re
import zlib
from typing import ClassVar

from memlab.dialogue import Conversation, Turn
from memlab.extract.extractor import Window
from memlab.extract.rewrite import Rewrite
from memlab.extract.spacy_entities import SpacyEntities
from memlab.extract.transcript import spoken
from memlab.extract.triples_local import TriplesLocal
from memlab.llm.chat import ChatModel, ChatRequest, Reply, ToolCall
from memlab.llm.scripted import Line, reply_of
from memlab.memory import Triple

NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
WANTED = re.compile(r"messages? ([\d, and]+)")
LISTED = re.compile(r"^- (.+) \(\w+\)$", re.MULTILINE)
FIELD = r"^{name}: (.*)$"
SUMMARY_WORDS = 130


class Realistic(ChatModel):
    """Facts and triples are what rules find in the messages, answers are gold answers or nearly so."""

    conversations: ClassVar[tuple[Conversation, ...]] = ()
    """What it is asked about; set before it is."""

    def __init__(self) -> None:
        self.model = "realistic"
        self.identity = {"model": "realistic"}
        self._extractor = Rewrite(unit="statement", reply_words=25)
        self._triples = TriplesLocal(self._extractor, most_words=8)
        self._finder = SpacyEntities(most_words=8)

    async def chat(self, request: ChatRequest) -> Reply:
        return reply_of(request, await self._line(request))

    async def _line(self, request: ChatRequest) -> Line:
        told = request.messages[-1].content
        title = (request.schema or {}).get("title")
        if title == "facts":
            return await self._facts(told)
        if title == "entities":
            return await self._entities(told)
        if title == "relations":
            return await self._relations(told)
        if title == "verdict":
            return json.dumps({"label": "CORRECT" if draw(told) < 70 else "WRONG"})
        if request.tools:
            return resolution(told) if "Known relations:" in told else decision(told)
        if "Summary so far:" in told:
            return summary(told)
        return self._answer(told) if "Question: " in told else request.typical

    async def _facts(self, told: str) -> str:
        known = self._known()
        wanted = re.findall(r"\d+", WANTED.findall(told)[-1])
        turns: list[Turn] = []
        facts: list[dict[str, object]] = []
        for number, line in NUMBERED.findall(told):
            if number in wanted:
                window = Window(new=(known[line],), recent=tuple(turns))
                found = await self._extractor.extract(window)
                facts += ({"message": int(number), "text": candidate.content.text} for candidate in found)
            turns.append(known[line])
        return json.dumps({"facts": facts})

    def _known(self) -> dict[str, Turn]:
        """Every turn by the line that it is shown as."""
        return {f"{turn.speaker}: {spoken(turn, captions=True)}": turn for c in self.conversations for turn in c.turns}

    async def _entities(self, told: str) -> str:
        """What the triples of messages are between, or what a question names."""
        known, text = self._known(), told.rpartition("\nText:\n")[2]
        turns = [known[line] for line in text.splitlines() if line in known]
        found = [end for triple in await self._told(turns) for end in (triple.subject, triple.object)]
        named = {one.name: one for one in (found if turns else await self._finder.find(text))}
        return json.dumps({"entities": [{"name": one.name, "type": one.kind} for one in named.values()]})

    async def _relations(self, told: str) -> str:
        """The triples of messages that are between entities of the list."""
        known, listed = self._known(), set(LISTED.findall(told.rpartition("\nEntities:\n")[2]))
        new = told.rpartition("New messages:")[2].partition("\nEntities:")[0]
        drawn = []
        for number, line in NUMBERED.findall(new):
            for triple in await self._told([known[line]]):
                ends = {"source": triple.subject.name, "relation": triple.relation, "destination": triple.object.name}
                if {ends["source"], ends["destination"]} <= listed:
                    drawn.append({"message": int(number), **ends, "when": triple.when})
        return json.dumps({"relations": drawn})

    async def _told(self, turns: list[Turn]) -> list[Triple]:
        found = [one.content for turn in turns for one in await self._triples.extract(Window(new=(turn,)))]
        return [content for content in found if isinstance(content, Triple)]

    def _answer(self, told: str) -> str:
        question = field("Question", told)
        golds = {" ".join(q.text.split()): q.gold for c in self.conversations for q in c.questions}
        return golds[question] or "No information available" if draw(question) < 80 else "No information available"


def decision(told: str) -> tuple[ToolCall, ...]:
    """Return ADD for 80 of 100 facts, UPDATE for 12, NOOP for 8."""
    fact = re.findall(r"^New fact \(.*?\): (.*)$", told, re.MULTILINE)[-1]
    first = NUMBERED.findall(told)[0][1].split(") ", 1)[1]
    share = draw(fact)
    if share < 80:
        return (called("add_memory", {}),)
    return (
        (called("update_memory", {"id": 1, "text": f"{first.rstrip('.')}, and {fact}"}),)
        if share < 92
        else (called("no_change", {"id": 1}),)
    )


def resolution(told: str) -> tuple[ToolCall, ...]:
    """Return no_conflict for 80 of 100 relations, the end of the first known one for 12, duplicate for 8."""
    share = draw(re.findall(r"^New relation .*?: (.*)$", told, re.MULTILINE)[-1])
    if share < 80:
        return (called("no_conflict", {}),)
    return (called("invalidate", {"ids": [1]}) if share < 92 else called("duplicate", {"id": 1}),)


def summary(told: str) -> str:
    """Return the end of what is known: the summary so far, then the first sentence of each message."""
    said = [line.split(": ", 1)[1] for line in told.splitlines() if ": " in line and not line.startswith("Summary")]
    words = f"{field('Summary so far', told)} {' '.join(re.split('[.!?]', text)[0] + '.' for text in said)}".split()
    return " ".join(words[-SUMMARY_WORDS:])


def field(name: str, told: str) -> str:
    return re.findall(FIELD.format(name=name), told, re.MULTILINE)[-1]


def called(name: str, arguments: dict[str, object]) -> ToolCall:
    return ToolCall(name, arguments, json.dumps(arguments))


def draw(text: str) -> int:
    """Return a number below 100 that a text always gets."""
    return zlib.crc32(text.encode()) % 100
