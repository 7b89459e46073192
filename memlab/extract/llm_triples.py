"""Triples that a model takes from the messages in two stages, entities and relations (arXiv 2504.19413 section 2.2)."""

import json
from collections.abc import Sequence
from itertools import islice
from typing import Literal, get_args

from memlab.dialogue import Turn
from memlab.extract.ends import Ends
from memlab.extract.entities import EntityFinder
from memlab.extract.extractor import Extractor, Window
from memlab.extract.names import is_named, vocabulary
from memlab.extract.relations_reply import Made, made_of, read_relations, relations_schema
from memlab.extract.transcript import speakers, spoken, telling
from memlab.extract.window_fields import FIELDS as OF_WINDOW
from memlab.extract.window_fields import window_fields
from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.meter import note_flaw
from memlab.llm.understood import UNREADABLE, Misunderstood, understood
from memlab.memory import Candidate, Entity, Triple
from memlab.prompts import load, prompt_faults

Form = Literal["schema", "listed", "text"]
RelativeDates = Literal["model", "code"]

FIELDS = (*OF_WINDOW, "entities")
NEEDED = ("new", "entities")
TYPICAL_RELATIONS = 4
"""What a good model is taken to make of messages: a relation to each entity that they name, up to so many."""


class Triples(Extractor):
    """Finds the entities of the new messages, then shows a model S, the recent turns and these, and takes relations.

    A speaker is an entity without being found. A relation is between two of the entities, and comes from one message,
    which tells its speaker and time; none are asked for where there are fewer than two entities. A reply with a
    relation to anything else is sent back once; then such relations are refused. `reply`: as JSON that the server holds
    the model to, be it by one schema (`schema`) or by one that lists the entities (`listed`), or that words ask for
    (`text`). `relative_dates`: "yesterday" is counted out by the model alone, or what the model left of it by our rules
    (`code`). Of a reply with more than `most_triples` relations the rest is cut off.
    """

    proposes = frozenset({Triple})
    reads_summary = True

    def __init__(
        self,
        llm: ChatModel,
        entities: EntityFinder,
        *,
        prompt: str,
        reply: Form,
        messages: int,
        captions: bool,
        relative_dates: RelativeDates,
        most_triples: int,
    ) -> None:
        if reply not in get_args(Form):
            raise ValueError(f"reply={reply!r} is unknown; use {', '.join(get_args(Form))}")
        if relative_dates not in get_args(RelativeDates):
            raise ValueError(f"relative_dates={relative_dates!r} is none of {', '.join(get_args(RelativeDates))}")
        if messages < 1 or most_triples < 1:
            raise ValueError(f"messages={messages}, most_triples={most_triples}: both must be at least 1")
        self.messages_per_window = messages
        self._llm = llm
        self._entities = entities
        self._prompt = prompt
        self._reply = reply
        self._captions = captions
        self._absolute = relative_dates == "code"
        self._most = most_triples

    async def extract(self, window: Window) -> list[Candidate]:
        """Return the triples of the new messages; none, without a call, when nobody whose memories are kept speaks."""
        new = telling(window.new, captions=self._captions)
        if all(window.owner not in (None, turn.speaker) for turn in new):
            return []
        recent = telling(window.recent, captions=self._captions)
        found = await self._entities.find(self._lines(new), self._lines(recent))
        ends = Ends((*recent, *new), found)
        if len(ends.entities) < 2:
            return []
        made, flaws = await self._made(window, new, ends)
        for flaw in flaws:
            note_flaw(flaw)
        return list(made.candidates)

    def missing(self) -> list[str]:
        """Return why the prompt cannot be used."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    async def _made(self, window: Window, new: Sequence[Turn], ends: Ends) -> tuple[Made, tuple[str, ...]]:
        """Return what the replies make, and all that was wrong; a repair often drops what was right, so it adds."""
        made = Made()

        def read(reply: Reply) -> Made:
            nonlocal made
            relations = read_relations(reply)
            made = made.and_of(made_of(relations, ends, new, window.owner, most=self._most, absolutely=self._absolute))
            if made.unknown:
                raise Misunderstood(stranger(made, ends))
            return made

        reply = await understood(self._llm, self._request(window, new, ends), read)
        # A reply that was read is not unreadable: its relations to what is no entity are refused one by one.
        refused = f"{UNREADABLE}: {stranger(made, ends)}"
        return made, (*made.flaws, *(flaw for flaw in reply.flaws if flaw != refused))

    def _lines(self, turns: Sequence[Turn]) -> str:
        return "\n".join(f"{turn.speaker}: {spoken(turn, captions=self._captions)}" for turn in turns)

    def _request(self, window: Window, new: Sequence[Turn], ends: Ends) -> ChatRequest:
        messages = load(self._prompt).messages(
            **window_fields(window, new, captions=self._captions),
            entities="\n".join(f"- {one_line(entity)}" for entity in ends.entities),
        )
        listed = ends.entities if self._reply == "listed" else None
        schema = None if self._reply == "text" else relations_schema(self._most, listed)
        own = {number: turn for number, turn in enumerate(new, start=1) if window.owner in (None, turn.speaker)}
        return ChatRequest(messages, schema=schema, typical=typical(own, ends))


def one_line(entity: Entity) -> str:
    """Return an entity on one line, so that it cannot pass for more of them than one."""
    return " ".join(f"{entity.name} ({entity.kind})".split())


def stranger(made: Made, ends: Ends) -> str:
    """Return what a model is told that related what is no entity."""
    names = ", ".join(map(repr, made.unknown))
    known = ", ".join(entity.name for entity in ends.entities)
    return f"{names} is none of the entities; write only of {known}, and leave out what is about anything else."


def typical(own: dict[int, Turn], ends: Ends) -> str:
    """Return about what a good model answers: who speaks is related to each entity that the message names."""
    people = set(speakers(own.values()))
    relations = (
        {"message": number, "source": turn.speaker, "relation": "tells_of", "destination": entity.name, "when": ""}
        for number, turn in own.items()
        for words in [vocabulary(turn.text)]
        for entity in ends.entities
        if entity.name not in people and is_named(entity.name, turn.text, words)
    )
    return json.dumps({"relations": list(islice(relations, TYPICAL_RELATIONS))}, ensure_ascii=False)
