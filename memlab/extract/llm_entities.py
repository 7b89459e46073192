"""Entities that a model finds: the entity extractor of arXiv 2504.19413 section 2.2."""

import json
import re
from itertools import islice
from typing import Literal, get_args

from memlab.extract.entities import EntityFinder
from memlab.extract.entities_reply import entities_schema, kept_entities, read_entities
from memlab.llm.chat import ChatModel, ChatRequest
from memlab.llm.meter import note_flaw
from memlab.llm.understood import understood
from memlab.memory import ENTITY_KINDS, Entity
from memlab.prompts import load, prompt_faults

Form = Literal["schema", "text"]

FIELDS = ("kinds", "context", "text")
NEEDED = ("text",)
NONE_YET = "(none)"
NOTABLE = re.compile(r"^[^\s:]+(?=: )|(?<=[\w,] )[A-Z]\w+|\b[a-z]{7,}\b", re.MULTILINE)
"""What a good model is taken to find: who speaks, what has a capital within a sentence, and long words."""
TYPICAL_ENTITIES = 5


class LlmEntities(EntityFinder):
    """Shows a model a text and what was said before, and takes the entities that the text names, with their types.

    `reply`: as JSON that the server holds the model to (`schema`), or that words ask for (`text`). `grounded`: an
    entity that neither the text nor the context names is left out. Of a reply with more than `most_entities` the rest
    is cut off.
    """

    def __init__(self, llm: ChatModel, *, prompt: str, reply: Form, grounded: bool, most_entities: int) -> None:
        if reply not in get_args(Form):
            raise ValueError(f"reply={reply!r} is unknown; use {' or '.join(get_args(Form))}")
        if most_entities < 1:
            raise ValueError(f"most_entities={most_entities}; it must be at least 1")
        self._llm = llm
        self._prompt = prompt
        self._reply = reply
        self._grounded = grounded
        self._most = most_entities

    async def find(self, text: str, context: str = "") -> list[Entity]:
        """Return the entities of a text, none, without a call, of an empty one; raises ChatFailed as the model does."""
        if not text.strip():
            return []
        reply = await understood(self._llm, self._request(text, context), read_entities)
        found, flaws = kept_entities(reply.value or (), f"{context}\n{text}", most=self._most, grounded=self._grounded)
        for flaw in (*reply.flaws, *flaws):
            note_flaw(flaw)
        return found

    def missing(self) -> list[str]:
        """Return why the prompt cannot be used."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    def _request(self, text: str, context: str) -> ChatRequest:
        messages = load(self._prompt).messages(
            kinds=", ".join(ENTITY_KINDS), context=context.strip() or NONE_YET, text=text.strip()
        )
        schema = entities_schema(self._most) if self._reply == "schema" else None
        return ChatRequest(messages, schema=schema, typical=typical(text, min(self._most, TYPICAL_ENTITIES)))


def typical(text: str, most: int) -> str:
    """Return about what a good model answers: the first notable words as entities."""
    names = dict.fromkeys(NOTABLE.findall(text))
    entities = [{"name": name, "type": "Person" if name[0].isupper() else "Object"} for name in islice(names, most)]
    return json.dumps({"entities": entities}, ensure_ascii=False)
