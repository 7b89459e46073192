"""One word from a model for each close memory, behind a similarity gate: a form that small models can do."""

import json
import re
from collections.abc import Sequence
from typing import Literal, get_args

from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.understood import Misunderstood, understood
from memlab.memory import Add, Candidate, Decision, Memory, Noop
from memlab.prompts import load, prompt_faults
from memlab.update.calls import parameters
from memlab.update.choices import one_line, typical
from memlab.update.merge import Merge, merged, recorded_in
from memlab.update.policy import Fallback, OnDelete, contradicted, given_up, one_of
from memlab.update.updater import Proposal, Updater

Relation = Literal["same", "more", "changed", "other"]
"""What a fact is to a memory: said there already, a detail more, its contradiction, or nothing."""
Ask = Literal["schema", "word"]
"""How the word is asked for: by a JSON schema, or as plain text."""
FIELDS = ("memory", "fact")
NEEDED = FIELDS
SCHEMA = {"title": "relation", **parameters(relation={"type": "string", "enum": list(get_args(Relation))})}
WORD = re.compile(rf"\b({'|'.join(get_args(Relation))})\b", re.IGNORECASE)


class Pairwise(Updater):
    """Compares a candidate with the memories of its speaker whose score is at least `gate`, closest first.

    same: NOOP, its turns are credited. more: UPDATE by `merge`. changed: DELETE by `on_delete`. other: the next one,
    `neighbours` at most; ADD when all are other. A word that cannot be made out, even after one repair, ends it: then
    `fallback` decides.
    """

    def __init__(
        self,
        llm: ChatModel,
        *,
        prompt: str,
        ask: Ask,
        gate: float,
        neighbours: int,
        merge: Merge,
        on_delete: OnDelete,
        fallback: Fallback,
    ) -> None:
        if not -1.0 <= gate <= 1.0:
            raise ValueError(f"gate={gate} is no cosine; it must be within -1 and 1")
        if neighbours < 1:
            raise ValueError(f"neighbours={neighbours}; it must be at least 1 (updater=append compares with none)")
        one_of("ask", ask, Ask)
        one_of("merge", merge, Merge)
        one_of("on_delete", on_delete, OnDelete)
        one_of("fallback", fallback, Fallback)
        self._llm = llm
        self._prompt = prompt
        self._schema = SCHEMA if ask == "schema" else None
        self._gate = gate
        self._neighbours = neighbours
        self._merge: Merge = merge
        self._on_delete: OnDelete = on_delete
        self._fallback: Fallback = fallback

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order; raises ChatFailed when the model cannot answer."""
        return [await self._decision(proposal) for proposal in proposals]

    def missing(self) -> list[str]:
        """Return what is wrong with the prompt."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    async def _decision(self, proposal: Proposal) -> Decision:
        candidate = proposal.candidate
        own = [hit for hit in proposal.related if hit.memory.speaker == candidate.speaker]
        if known := recorded_in(candidate, (hit.memory for hit in own)):
            return Decision((known,))
        flaws: list[str] = []
        for memory in [hit.memory for hit in own if hit.score >= self._gate][: self._neighbours]:
            found = await understood(self._llm, self._request(candidate, memory), relation)
            flaws += found.flaws
            if found.value is None:
                return given_up(candidate, self._fallback, flaws)
            if found.value != "other":
                decision = self._related(found.value, candidate, memory)
                return Decision(decision.operations, (*flaws, *decision.flaws))
        return Decision((Add(candidate),), tuple(flaws))

    def _related(self, found: Literal["same", "more", "changed"], candidate: Candidate, memory: Memory) -> Decision:
        if found == "same":
            return Decision((Noop(memory.id, candidate.sources),))
        if found == "more":
            return Decision((merged(candidate, memory, self._merge),))
        return contradicted(candidate, memory, self._on_delete)

    def _request(self, candidate: Candidate, memory: Memory) -> ChatRequest:
        messages = load(self._prompt).messages(memory=one_line(memory.text), fact=one_line(candidate.content.text))
        word = {"NOOP": "same", "UPDATE": "more"}.get(typical(candidate, [memory]).verb, "other")
        likely = word if self._schema is None else json.dumps({"relation": word})
        return ChatRequest(messages, schema=self._schema, typical=likely)


def relation(reply: Reply) -> Relation:
    """Return the first of the four words in a reply, in JSON or not; raises Misunderstood when there is none."""
    found = WORD.search(reply.text)
    if found is None:
        raise Misunderstood(f"it has none of the words {', '.join(get_args(Relation))}.")
    word: Relation = found[1].lower()  # type: ignore[assignment]
    return word
