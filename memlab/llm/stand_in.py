"""What is answered where nothing may be asked: every reply is what its request calls typical."""

from dataclasses import dataclass, field

from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.meter import Spent, count
from memlab.llm.reply_json import request_key
from memlab.llm.scripted import reply_of

UNKNOWN_REPLY = " ".join(["words"] * 40)
"""Stands for the reply to a request that does not say what a typical one is."""


@dataclass(slots=True)
class Asked:
    """What several jobs ask of each model when no request is paid for twice, as the reply cache sees to."""

    spent: dict[str, Spent] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)

    def add(self, model: ChatModel, request: ChatRequest, reply: Reply) -> None:
        """Count a request and its reply, unless it was made before."""
        if (key := request_key(model.identity, request)) not in self.keys:
            self.keys.add(key)
            spent = self.spent.setdefault(model.model, Spent())
            spent.calls += 1
            count(spent, reply)


class StandIn(ChatModel):
    """Answers in place of another model, under its name: at once, for nothing, with tokens counted in cl100k_base."""

    def __init__(self, model: ChatModel, asked: Asked) -> None:
        self.model = model.model
        self.identity = model.identity
        self._asked = asked

    async def chat(self, request: ChatRequest) -> Reply:
        """Return what the request says a good model answers."""
        reply = typical_reply(request)
        self._asked.add(self, request, reply)
        return reply


def typical_reply(request: ChatRequest) -> Reply:
    """Return the reply that a request expects, with the tokens that both will take."""
    return reply_of(request, request.typical or UNKNOWN_REPLY)
