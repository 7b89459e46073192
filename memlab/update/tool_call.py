"""One question to a model for each candidate, answered by tool calls: the update phase of arXiv 2504.19413."""

import json
from collections.abc import Sequence
from typing import Literal

from memlab.context import day
from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.understood import understood
from memlab.memory import Add, Candidate, Decision, Memory
from memlab.prompts import load, prompt_faults
from memlab.update.calls import SCHEMA, TOOLS, as_call, as_object, called, written
from memlab.update.choices import Chosen, noting, numbered, one_line, typical
from memlab.update.merge import recorded_in
from memlab.update.policy import Fallback, Information, OnDelete, Policy, UpdateText, given_up, one_of
from memlab.update.updater import Proposal, Updater

Ask = Literal["tools", "schema"]
"""How the model answers: by calling tools, or with one JSON object, for servers without tools."""
FIELDS = ("memories", "fact", "date")
NEEDED = ("memories", "fact")


class ToolCallUpdater(Updater):
    """Shows the model a candidate and its s neighbours; the model calls ADD, UPDATE, DELETE or NOOP (section 2.1).

    It may call several, as long as they do not contradict each other. The paper asks for every candidate; here none is
    asked for where only one answer is possible: ADD without any neighbour, NOOP for what a neighbour has recorded
    from the same turns. A call that cannot be carried out is sent back once with the reason; then `fallback` decides.
    """

    def __init__(
        self,
        llm: ChatModel,
        *,
        prompt: str,
        ask: Ask,
        on_delete: OnDelete,
        information: Information,
        update_text: UpdateText,
        fallback: Fallback,
    ) -> None:
        one_of("ask", ask, Ask)
        self._llm = llm
        self._prompt = prompt
        self._ask = ask
        self._policy = Policy(on_delete, information, update_text, fallback)

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order; raises ChatFailed when the model cannot answer."""
        return [await self._decision(one.candidate, [hit.memory for hit in one.related]) for one in proposals]

    def missing(self) -> list[str]:
        """Return what is wrong with the prompt."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    async def _decision(self, candidate: Candidate, memories: Sequence[Memory]) -> Decision:
        if known := recorded_in(candidate, memories):
            return Decision((known,))
        if not memories:
            return Decision((Add(candidate),))
        flaws: list[str] = []

        def read(reply: Reply) -> Chosen:
            return called(reply, len(memories)) if self._ask == "tools" else written(reply.text, len(memories))

        reply = await understood(self._llm, self._request(candidate, memories), noting(read, flaws))
        flaws += reply.flaws
        if reply.value is None:
            return given_up(candidate, self._policy.fallback, flaws)
        chosen = Chosen(reply.value.choices, (*flaws, *reply.value.flaws))
        return self._policy.decision(chosen, candidate, memories)

    def _request(self, candidate: Candidate, memories: Sequence[Memory]) -> ChatRequest:
        messages = load(self._prompt).messages(
            memories=numbered(memories), fact=one_line(candidate.content.text), date=day(candidate.said_at)
        )
        likely = typical(candidate, memories)
        if self._ask == "tools":
            return ChatRequest(messages, tools=TOOLS, typical=(as_call(likely),))
        return ChatRequest(messages, schema=SCHEMA, typical=json.dumps(as_object(likely), ensure_ascii=False))
