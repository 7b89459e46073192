"""Conflicts between relations resolved by a model: the update resolver of arXiv 2504.19413 section 2.2."""

from collections.abc import Sequence
from typing import Literal, assert_never

from memlab.context import day
from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.understood import understood
from memlab.memory import Add, Candidate, Decision, Delete, Memory, Noop
from memlab.prompts import load, prompt_faults
from memlab.update.choices import noting, numbered, one_line
from memlab.update.conflicts import rivals, same_again
from memlab.update.policy import Fallback, given_up, one_of
from memlab.update.resolve_calls import SCHEMA, TOOLS, Resolution, as_call, as_json, called, typical, written
from memlab.update.updater import Proposal, Updater

Ask = Literal["tools", "schema"]
"""How the model answers: by calling tools, or with one JSON object, for servers without tools."""
FIELDS = ("relations", "relation", "date")
NEEDED = ("relations", "relation")


class ResolveConflict(Updater):
    """Shows the model a new relation and those of the same source that it may end; it says which are over.

    invalidate: they are retired as of the time the new one was said, and it is added; both keep their intervals.
    duplicate: NOOP, its turns are credited. no_conflict: ADD. Nothing is asked where one answer alone is possible: NOOP
    for what a related relation says, ADD where none can be in conflict. A call that cannot be carried out is sent back
    once with the reason; then `fallback` decides. A fact has no rivals: it is added unless a memory says it already.
    """

    needs_same_source = True

    def __init__(self, llm: ChatModel, *, prompt: str, ask: Ask, fallback: Fallback) -> None:
        one_of("ask", ask, Ask)
        one_of("fallback", fallback, Fallback)
        self._llm = llm
        self._prompt = prompt
        self._ask = ask
        self._fallback: Fallback = fallback

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order; raises ChatFailed when the model cannot answer."""
        return [await self._decision(proposal) for proposal in proposals]

    def missing(self) -> list[str]:
        """Return what is wrong with the prompt."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    async def _decision(self, proposal: Proposal) -> Decision:
        candidate, related = proposal.candidate, proposal.related
        if known := same_again(candidate, related):
            return Decision((known,))
        shown = rivals(candidate, related)
        if not shown:
            return Decision((Add(candidate),))
        flaws: list[str] = []

        def read(reply: Reply) -> Resolution:
            return called(reply, len(shown)) if self._ask == "tools" else written(reply.text, len(shown))

        reply = await understood(self._llm, self._request(candidate, shown), noting(read, flaws))
        flaws += reply.flaws
        if reply.value is None:
            return given_up(candidate, self._fallback, flaws)
        return resolved(reply.value, candidate, shown, flaws)

    def _request(self, candidate: Candidate, shown: Sequence[Memory]) -> ChatRequest:
        messages = load(self._prompt).messages(
            relations=numbered(shown), relation=one_line(candidate.content.text), date=day(candidate.said_at)
        )
        likely = typical(candidate)
        if self._ask == "tools":
            return ChatRequest(messages, tools=TOOLS, typical=(as_call(likely),))
        return ChatRequest(messages, schema=SCHEMA, typical=as_json(likely))


def resolved(found: Resolution, candidate: Candidate, shown: Sequence[Memory], flaws: Sequence[str]) -> Decision:
    """Return the operations of a resolution of a candidate with the relations shown."""
    named = [shown[number - 1] for number in found.numbers]
    told = (*flaws, *found.flaws)
    match found.outcome:
        case "invalidate":
            return Decision((*(Delete(one.id, candidate.said_at) for one in named), Add(candidate)), told)
        case "duplicate":
            return Decision((Noop(named[0].id, candidate.sources),), told)
        case "no_conflict":
            return Decision((Add(candidate),), told)
        case _:
            assert_never(found.outcome)
