"""One question to a model for all facts of an exchange, answered with JSON: the way of Mem0's library of April 2025."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.understood import Misunderstood, understood
from memlab.memory import Add, Candidate, Decision, Memory, Noop
from memlab.prompts import load, prompt_faults
from memlab.update.calls import as_object
from memlab.update.choices import Chosen, dated, noting, numbered, typical
from memlab.update.joint_reply import SCHEMA, readings, settled
from memlab.update.merge import recorded_in
from memlab.update.policy import Fallback, OnDelete, Policy, one_of
from memlab.update.updater import Proposal, Updater

ReplyForm = Literal["schema", "text"]
"""How the JSON is asked for: by a JSON schema, or in words alone."""
FIELDS = ("memories", "facts", "count")
NEEDED = ("memories", "facts")
_FAULTS_TOLD = 5


class JointJson(Updater):
    """Shows the model all facts of an exchange and all memories that are close to any of them; it decides in one reply.

    Unlike that library, every decision names the number of its fact, so that a memory keeps the turns it came from. A
    fact said twice in an exchange is decided once. A fact without a usable decision is asked for once more, with the
    reason; then `fallback` decides. What one reply does to a memory that it has already deleted is not done. The model
    is not asked where nothing but ADD is possible, for want of memories.
    """

    joint: ClassVar[bool] = True

    def __init__(
        self, llm: ChatModel, *, prompt: str, reply: ReplyForm, on_delete: OnDelete, fallback: Fallback
    ) -> None:
        one_of("reply", reply, ReplyForm)
        self._llm = llm
        self._prompt = prompt
        self._schema = SCHEMA if reply == "schema" else None
        self._policy = Policy(on_delete, information="none", update_text="model", fallback=fallback)

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order; raises ChatFailed when the model cannot answer."""
        memories = list({hit.memory.id: hit.memory for one in proposals for hit in one.related}.values())
        decisions = {
            place: Decision((known,))
            for place, one in enumerate(proposals)
            if (known := recorded_in(one.candidate, memories))
        }
        new = said_once({place: one.candidate for place, one in enumerate(proposals) if place not in decisions})
        asked = [Proposal(candidate, proposals[place].related) for place, candidate in new.items()]
        decided = await self._decided(asked, memories) if asked else []
        decisions.update(zip(new, decided, strict=True))
        said_again = (Decision((Noop(sources=one.candidate.sources),)) for one in proposals)
        return [decisions.get(place, again) for place, again in enumerate(said_again)]

    def missing(self) -> list[str]:
        """Return what is wrong with the prompt."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    async def _decided(self, asked: Sequence[Proposal], memories: Sequence[Memory]) -> list[Decision]:
        candidates = [one.candidate for one in asked]
        if not memories:
            return [Decision((Add(candidate),)) for candidate in candidates]
        chosen: dict[int, Chosen] = {}
        flaws: list[str] = []

        def read(reply: Reply) -> None:
            """Take in what can be used; a second reply need not repeat what was right in the first."""
            found = readings(reply.text, facts=len(candidates), shown=len(memories))
            chosen.update(found.chosen)
            flaws.extend(found.flaws)
            still_open = [fact for fact in range(1, len(candidates) + 1) if fact not in chosen]
            if still_open:
                without = [f"fact {fact} has no usable decision." for fact in still_open if fact not in found.faulty]
                raise Misunderstood(" ".join((*found.faults, *without)[:_FAULTS_TOLD]))

        reply = await understood(self._llm, self._request(asked, memories), noting(read, flaws))
        first, *rest = settled(candidates, memories, chosen, self._policy)
        # What was wrong with the reply as a whole is counted once.
        return [Decision(first.operations, (*flaws, *reply.flaws, *first.flaws)), *rest]

    def _request(self, asked: Sequence[Proposal], memories: Sequence[Memory]) -> ChatRequest:
        facts = (dated(one.candidate.content.text, one.candidate.said_at) for one in asked)
        lines = "\n".join(f"{number}. {fact}" for number, fact in enumerate(facts, 1))
        messages = load(self._prompt).messages(memories=numbered(memories), facts=lines, count=str(len(asked)))
        return ChatRequest(messages, schema=self._schema, typical=typical_reply(asked, memories))


def said_once(candidates: Mapping[int, Candidate]) -> dict[int, Candidate]:
    """Return the candidates, those said again left out and their turns added to the first that said it."""
    places: dict[tuple[str, str], int] = {}
    once: dict[int, Candidate] = {}
    for place, candidate in candidates.items():
        first = places.setdefault((candidate.speaker, candidate.content.text), place)
        said = once.get(first, candidate)
        once[first] = replace(said, sources=tuple(dict.fromkeys((*said.sources, *candidate.sources))))
    return once


def typical_reply(asked: Sequence[Proposal], memories: Sequence[Memory]) -> str:
    """Return what a model typically answers."""
    numbers = {memory.id: number for number, memory in enumerate(memories, 1)}
    entries: list[dict[str, Any]] = []
    for fact, one in enumerate(asked, 1):
        related = [hit.memory for hit in one.related]
        likely = typical(one.candidate, related)
        shown = None if likely.number is None else numbers[related[likely.number - 1].id]
        entries.append({"fact": fact, **as_object(replace(likely, number=shown))})
    return json.dumps({"decisions": entries}, ensure_ascii=False)
