"""A triples extractor with a scripted model, and replies about the messages that facts are taken from."""

import json
from typing import Any

from memlab.dialogue import Turn
from memlab.extract.entities import EntityFinder
from memlab.extract.extractor import Window
from memlab.extract.llm_entities import LlmEntities
from memlab.extract.llm_triples import Triples
from memlab.llm.chat import ChatModel
from memlab.llm.meter import metered
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Candidate
from tests.extract.facts_asked import PAIR

FOUND = json.dumps(
    {
        "entities": [
            {"name": "Oslo", "type": "Location"},
            {"name": "Clara", "type": "Person"},
            {"name": "nurse", "type": "Concept"},
            {"name": "red bicycle", "type": "Object"},
        ]
    }
)
NO_RELATIONS = '{"relations": []}'


def finder(llm: ChatModel, **settings: Any) -> LlmEntities:
    usual = {"prompt": "entities", "reply": "schema", "grounded": True, "most_entities": 20}
    return LlmEntities(llm, **{**usual, **settings})


def triples(llm: ChatModel, *, entities: EntityFinder | None = None, **settings: Any) -> Triples:
    usual = {
        "prompt": "relations",
        "reply": "schema",
        "messages": 2,
        "captions": True,
        "relative_dates": "code",
        "most_triples": 20,
    }
    return Triples(llm, entities or finder(llm), **{**usual, **settings})


def drawn(source: Any, relation: Any, destination: Any, message: Any = 1, when: Any = "") -> dict[str, Any]:
    return {"message": message, "source": source, "relation": relation, "destination": destination, "when": when}


def written(*entries: object) -> str:
    return json.dumps({"relations": entries})


async def taken(
    *replies: Line, found: str = FOUND, owner: str | None = None, new: tuple[Turn, ...] = PAIR, **settings: Any
) -> tuple[list[Candidate], list[str]]:
    """Return the candidates of a window and its flaws, when the model finds these entities and then replies so."""
    with metered() as meter:
        made = await triples(Scripted([found, *replies]), **settings).extract(Window(new, owner=owner))
    return made, meter.flaws


def kinds(flaws: list[str]) -> list[str]:
    return [flaw.split(":")[0] for flaw in flaws]


def texts(made: list[Candidate]) -> list[str]:
    return [one.content.text for one in made]
