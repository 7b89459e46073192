"""S written by a model: the summary so far and the messages since become the new summary."""

from collections.abc import Sequence

from memlab.dialogue import Turn
from memlab.extract.summary import Summariser
from memlab.extract.transcript import listed, speakers, telling, transcript
from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.meter import note_flaw
from memlab.llm.understood import Misunderstood, understood
from memlab.prompts import load, prompt_faults

FIELDS = ("speakers", "summary", "messages", "most_words")
NEEDED = ("messages",)
NONE_YET = "(none yet)"
TYPICAL_LENGTH = 0.8
"""Of the words that a good model is asked for at most, the part that it writes."""


class Rolling(Summariser):
    """Has a model write S anew every `every` windows, in about `most_words` words at most.

    S is about the conversation as a whole, both speakers in it; captions of images are not shown.
    """

    def __init__(self, llm: ChatModel, *, prompt: str, every: int, lag: int, most_words: int) -> None:
        if every < 1 or lag < 1 or most_words < 1:
            raise ValueError(f"every={every}, lag={lag}, most_words={most_words}: all must be at least 1")
        self.every = every
        self.lag = lag
        self._llm = llm
        self._prompt = prompt
        self._most_words = most_words

    async def summarise(self, previous: str, turns: Sequence[Turn]) -> str:
        """Return the new summary; the previous one when nothing was said, or when the model writes none."""
        said = telling(turns, captions=False)
        if not said:
            return previous
        messages = load(self._prompt).messages(
            speakers=listed(speakers(said)),
            summary=previous.strip() or NONE_YET,
            messages=transcript(said, captions=False),
            most_words=str(self._most_words),
        )
        request = ChatRequest(messages, typical=typical(previous, said, int(TYPICAL_LENGTH * self._most_words)))
        reply = await understood(self._llm, request, read_summary)
        for flaw in reply.flaws:
            note_flaw(flaw)
        return reply.value or previous

    def missing(self) -> list[str]:
        """Return why the prompt cannot be used."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)


def read_summary(reply: Reply) -> str:
    """Return the summary that a reply is; raises Misunderstood when it is empty."""
    if text := reply.text.strip():
        return text
    raise Misunderstood("it was empty; write the summary as plain text.")


def typical(previous: str, said: Sequence[Turn], words: int) -> str:
    """Return so many words of what is summarised, or all when there are fewer."""
    told = " ".join((previous, *(f"{turn.speaker} said: {turn.text}" for turn in said)))
    return " ".join(told.split()[: max(1, words)])
