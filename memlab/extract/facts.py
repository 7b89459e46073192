"""Facts that a model takes from the messages: the extraction function of arXiv 2504.19413 section 2.1."""

import json
from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Literal, get_args

from memlab.context import Timestamps
from memlab.dialogue import Turn
from memlab.extract.extractor import Extractor, Window
from memlab.extract.facts_reply import candidate_of, candidates, facts_schema, read_facts
from memlab.extract.rewrite.pleasantries import is_pleasantry, without_opener
from memlab.extract.rewrite.sentences import is_question, sentences
from memlab.extract.transcript import telling
from memlab.extract.window_fields import FIELDS, NEEDED, window_fields
from memlab.llm.chat import ChatModel, ChatRequest
from memlab.llm.meter import note_flaw
from memlab.llm.understood import understood
from memlab.memory import Candidate
from memlab.prompts import load, prompt_faults

Form = Literal["schema", "text"]
RelativeDates = Literal["model", "code"]

TYPICAL_FACTS = 4
TYPICAL_WORDS = 5
"""What a good model is taken to make of messages: a fact of each statement that has so many words, up to so many."""


class Facts(Extractor):
    """Shows a model S, the recent turns and the new messages, and takes the facts that the new ones tell.

    The facts are self-contained, and each comes from one message, which tells its speaker and time. `reply`: as JSON
    that the server holds the model to (`schema`), or that words ask for (`text`). `timestamps` other than `metadata`
    put the day of the message into the fact. `relative_dates`: "yesterday" is counted out by the model alone, or what
    the model left of it by our rules (`code`). Of a reply with more than `most_facts` facts the rest is cut off.
    """

    reads_summary = True

    def __init__(
        self,
        llm: ChatModel,
        *,
        prompt: str,
        reply: Form,
        messages: int,
        captions: bool,
        timestamps: Timestamps,
        relative_dates: RelativeDates,
        most_facts: int,
    ) -> None:
        if reply not in get_args(Form):
            raise ValueError(f"reply={reply!r} is unknown; use {' or '.join(get_args(Form))}")
        if timestamps not in get_args(Timestamps):
            raise ValueError(f"timestamps={timestamps!r} is none of {', '.join(get_args(Timestamps))}")
        if relative_dates not in get_args(RelativeDates):
            raise ValueError(f"relative_dates={relative_dates!r} is none of {', '.join(get_args(RelativeDates))}")
        if messages < 1 or most_facts < 1:
            raise ValueError(f"messages={messages}, most_facts={most_facts}: both must be at least 1")
        self.messages_per_window = messages
        self._llm = llm
        self._prompt = prompt
        self._reply = reply
        self._captions = captions
        self._dated = timestamps != "metadata"
        self._absolute = relative_dates == "code"
        self._most_facts = most_facts

    async def extract(self, window: Window) -> list[Candidate]:
        """Return the facts of the new messages; none, without a call, when nobody whose memories are kept speaks."""
        new = telling(window.new, captions=self._captions)
        if all(window.owner not in (None, turn.speaker) for turn in new):
            return []
        reply = await understood(self._llm, self._request(window, new), read_facts)
        written = partial(candidate_of, dated=self._dated, absolutely=self._absolute)
        found, flaws = candidates(reply.value or (), new, window.owner, most=self._most_facts, make=written)
        for flaw in (*reply.flaws, *flaws):
            note_flaw(flaw)
        return found

    def missing(self) -> list[str]:
        """Return why the prompt cannot be used."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    def _request(self, window: Window, new: Sequence[Turn]) -> ChatRequest:
        messages = load(self._prompt).messages(**window_fields(window, new, captions=self._captions))
        schema = facts_schema(self._most_facts) if self._reply == "schema" else None
        return ChatRequest(messages, schema=schema, typical=typical(new, window.owner))


def typical(new: Sequence[Turn], owner: str | None) -> str:
    """Return about what a good model answers: a fact from each of the first statements."""
    statements = (
        {"message": number, "text": f"{turn.speaker} said that {sentence.rstrip('.!')}."}
        for number, turn in enumerate(new, start=1)
        if owner in (None, turn.speaker)
        for sentence in sentences(turn.text)
        if len(sentence.split()) >= TYPICAL_WORDS
        and not is_question(sentence)
        and not is_pleasantry(without_opener(sentence), frozenset())
    )
    return json.dumps({"facts": list(islice(statements, TYPICAL_FACTS))}, ensure_ascii=False)
