"""A model that takes a moment, so that requests meet on their way."""

import asyncio

from memlab.llm.chat import ChatModel, ChatRequest, Reply, Usage

REPLY = Reply("Paris.", (), "stop", Usage(12, 3), seconds=1.25, retry_seconds=0.5, requests=2)


class Slow(ChatModel):
    """Takes a moment for the same reply; counts what it is asked, and fails as told."""

    def __init__(self, reply: Reply = REPLY, failure: Exception | None = None, seconds: float = 0.02) -> None:
        self.model = "slow"
        self.identity = {"model": "slow"}
        self.reply = reply
        self.failure = failure
        self.seconds = seconds
        self.asked = 0

    async def chat(self, request: ChatRequest) -> Reply:
        self.asked += 1
        await asyncio.sleep(self.seconds)
        if self.failure:
            raise self.failure
        return self.reply

    def missing(self) -> list[str]:
        return ["slow needs a key"]
