"""Answers by a language model that is shown the memories (arXiv 2504.19413 section 3)."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from memlab.answer.answerer import Answer, Answerer
from memlab.answer.extractive import ABSTENTION
from memlab.answer.words import WORD
from memlab.context import Grouping, Timestamps, render
from memlab.dialogue import Question
from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.json_text import found_json
from memlab.llm.meter import note_flaw
from memlab.llm.understood import Misunderstood, understood
from memlab.memory import Hit
from memlab.part import PartFailed
from memlab.prompts import load, prompt_faults

FIELDS = ("memories", "question")
NEEDED = FIELDS
NO_MEMORIES = "(none)\n"
TYPICAL_ANSWER, TYPICAL_THOUGHT = 5, 30
"""Words of what a good model answers, and of what it thinks before."""

THOUGHTS = ("<think>", "</think>")
"""What models that think in their replies put around their thoughts."""
FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
MARK = re.compile(r"^[ \t>*_#-]*(?:(?:the|my|final|short) )*answer(?: is)?[ \t*_]*:", re.IGNORECASE | re.MULTILINE)
BULLET = re.compile(r"^[-*•][ \t]+")
ITEM = re.compile(r"^(?:[-*•]|\d{1,2}[.)])[ \t]+")
QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("\u2018", "\u2019"), ("«", "»"))


class LLMAnswerer(Answerer):
    """Asks a model, which is shown the memories in order of time or by speaker, for a few words.

    Where `timestamps` keeps dates in the texts alone, days have no headings. If `reasoned`, the model thinks first, as
    its prompt has to say. `reply` is how the model is held to the form: by words alone, or by a JSON schema.
    """

    def __init__(
        self,
        llm: ChatModel,
        *,
        prompt: str,
        reasoned: bool,
        reply: Literal["text", "schema"],
        grouping: Grouping,
        timestamps: Timestamps,
    ) -> None:
        self._llm = llm
        self._prompt = prompt
        self._reasoned = reasoned
        self._reply = reply
        self._grouping = grouping
        self._timestamps = timestamps

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        """Return the model's answer, of any length; raises PartFailed when none can be read."""
        found = await understood(self._llm, self._request(question, hits), self._read)
        for flaw in found.flaws:
            note_flaw(flaw)
        if found.value is None:
            raise PartFailed(f"{self._llm.model} gave no answer, nor when asked again; {found.flaws[-1]}")
        return found.value

    def missing(self) -> list[str]:
        """Return what is wrong with the prompt."""
        return prompt_faults(self._prompt, FIELDS, needed=NEEDED)

    def _request(self, question: Question, hits: Sequence[Hit]) -> ChatRequest:
        memories = render(hits, grouping=self._grouping, dated=self._timestamps != "text")
        return ChatRequest(
            load(self._prompt).messages(memories=memories or NO_MEMORIES, question=" ".join(question.text.split())),
            schema=schema(self._reasoned) if self._reply == "schema" else None,
            typical=typical(hits, reasoned=self._reasoned, as_json=self._reply == "schema"),
        )

    def _read(self, reply: Reply) -> Answer:
        text = answer_in(reply.text, reasoned=self._reasoned)
        return Answer(text, reply=None if text == reply.text.strip() else reply.text)


def schema(reasoned: bool) -> Mapping[str, Any]:
    """Return the JSON schema of an answer; the reasoning comes first, so that the answer can follow from it."""
    names = ["reasoning", "answer"] if reasoned else ["answer"]
    return {
        "title": "answer",
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
        "additionalProperties": False,
    }


def typical(hits: Sequence[Hit], *, reasoned: bool, as_json: bool) -> str:
    """Return an answer of usual length from the words of the best hit, in the form that is asked for."""
    words = WORD.findall(hits[0].memory.text) if hits else []
    answer = " ".join(words[-TYPICAL_ANSWER:]) or ABSTENTION
    thought = " ".join((words * TYPICAL_THOUGHT)[:TYPICAL_THOUGHT]) or ABSTENTION
    if as_json:
        return json.dumps({"reasoning": thought, "answer": answer} if reasoned else {"answer": answer})
    return f"{thought}\nAnswer: {answer}" if reasoned else answer


def answer_in(reply: str, *, reasoned: bool) -> str:
    """Return the answer in what a model wrote: in JSON, else its first line, after `Answer:` if reasoned.

    Raises Misunderstood when there is none. An answer is one line, without quotes and Markdown around it.
    """
    text = FENCE.sub("", reply.rpartition(THOUGHTS[1])[2]).strip()
    if THOUGHTS[0] in text:
        raise Misunderstood("it ends amid the thoughts.")
    written = in_json(text)
    if written is None:
        if text.startswith("{") or '"answer"' in text:
            raise Misunderstood('it is no JSON object with the text "answer".')
        written = first_line(after_mark(text) if reasoned else text)
    answer = plain(written)
    if not WORD.search(answer):
        raise Misunderstood("there is no answer in it.")
    return answer


def after_mark(text: str) -> str:
    """Return what follows the last `Answer:` that opens a line; raises Misunderstood when none does."""
    marks = list(MARK.finditer(text))
    if not marks:
        raise Misunderstood('no line begins with "Answer:".')
    return text[marks[-1].end() :]


def in_json(text: str) -> str | None:
    """Return the answer of a JSON object amid a text, None when there is no such object."""
    try:
        value = found_json(text)
    except ValueError:
        return None
    answer = value.get("answer") if isinstance(value, dict) else None
    if isinstance(answer, list):
        return ", ".join(map(str, answer))
    if isinstance(answer, bool):
        return "Yes" if answer else "No"
    return str(answer) if isinstance(answer, str | int | float) else None


def first_line(text: str) -> str:
    """Return the first line that has a word and does not only announce the next; a list as one line."""
    lines = [line.strip() for line in text.splitlines() if WORD.search(line)]
    if len(lines) > 1 and lines[0].rstrip("*_").endswith(":"):
        lines = lines[1:]
    if len(lines) > 1 and all(ITEM.match(line) for line in lines):
        return ", ".join(plain(ITEM.sub("", line)) for line in lines)
    return lines[0] if lines else ""


def plain(line: str) -> str:
    """Return a line without a bullet or `Answer:` before it, and without quotes and Markdown around it."""
    text = " ".join(MARK.sub("", BULLET.sub("", line)).split()).strip("`* ")
    for opening, closing in QUOTES:
        inner = text[1:-1]
        if text[:1] == opening and text[-1:] == closing and closing not in inner:
            return inner.strip()
    return text
