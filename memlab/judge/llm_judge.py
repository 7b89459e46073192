"""A language model as the judge of answers (arXiv 2504.19413 section 3.2: J), by rubrics that are prompt files."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from memlab.dialogue import Question
from memlab.judge.judge import Judge, Verdict, rubric_name, rubric_prompt
from memlab.llm.chat import ChatModel, ChatRequest, Reply
from memlab.llm.meter import note_flaw
from memlab.llm.understood import Misunderstood, understood
from memlab.prompts import load, prompt_faults

FIELDS = ("question", "gold", "answer")
NEEDED = ("gold", "answer")
LABELS = MappingProxyType({"CORRECT": True, "WRONG": False, "INCORRECT": False})
SCHEMA: Mapping[str, Any] = {
    "title": "verdict",
    "type": "object",
    "properties": {"label": {"type": "string", "enum": ["CORRECT", "WRONG"]}},
    "required": ["label"],
    "additionalProperties": False,
}
TYPICAL = '{"label": "CORRECT"}'

THOUGHTS_END = "</think>"
JSON_LABEL = re.compile(r"""["']label["']\s*:\s*["']([^"'\n]*)["']""", re.IGNORECASE)
ALONE = re.compile(
    r"[\W_]*(?:(?:the |final |my )*(?:label|verdict|grade)(?: is)?[\W_]+)?(correct|wrong|incorrect)[\W_]*",
    re.IGNORECASE,
)
AMID = re.compile(r"\b(CORRECT|WRONG|INCORRECT)\b")
BEFORE = re.compile(
    r"(?:\b(?:not|cannot|never|neither|nor|or|if|whether|would|could|might|may|either)|n't)"
    r"\b(?: [\w']+){0,3}[ \"'*“]*$",
    re.IGNORECASE,
)
AFTER = re.compile(r"[ \"'*”]*(?:if|or|unless|except)\b", re.IGNORECASE)
"""Words close to a label that turn it round, or make it one of two."""
NEAR = 80
"""Characters before a label in which they are looked for."""
SHOWN = 60
"""Characters of an unreadable reply that are kept in the reason."""


class LLMJudge(Judge):
    """Asks a model for CORRECT or WRONG. A reply that says neither, also when asked again, leaves an answer unscored.

    A rubric is the name of a prompt, `strict` for judge_strict.txt, or the path of a file of one's own. `reply` is how
    the model is held to the form: by words alone, or by a JSON schema.
    """

    def __init__(
        self,
        llm: ChatModel,
        *,
        rubrics: list[str],
        repeats: int,
        probes: int,
        reply: Literal["text", "schema"],
    ) -> None:
        if not rubrics or len(set(map(rubric_name, rubrics))) < len(rubrics):
            raise ValueError(f"rubrics is {list(rubrics)}; name one or more, each once, or use judge=none")
        if repeats < 1:
            raise ValueError(f"repeats is {repeats}; it must be at least 1 (judge=none judges nothing)")
        if probes < 0:
            raise ValueError(f"probes is {probes}; it must be at least 0")
        self.rubrics = tuple(rubrics)
        self.repeats = repeats
        self.probes = probes
        self._llm = llm
        self._reply = reply

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        """Return one verdict on an answer to a question that has a gold answer; raises ChatFailed without a reply."""
        found = await understood(self._llm, self._request(question, answer, rubric, sample), read_verdict)
        for flaw in found.flaws:
            note_flaw(flaw)
        return found.value or Verdict(None, found.flaws[-1])

    def missing(self) -> list[str]:
        """Return what is wrong with the rubrics' prompts."""
        prompts = map(rubric_prompt, self.rubrics)
        return [fault for prompt in prompts for fault in prompt_faults(prompt, FIELDS, needed=NEEDED)]

    def _request(self, question: Question, answer: str, rubric: str, sample: int) -> ChatRequest:
        if question.gold is None:
            raise ValueError(f"question {question.id} has no gold answer to judge by")
        texts = {"question": question.text, "gold": question.gold, "answer": answer}
        return ChatRequest(
            # One line each: an answer must not look like the next example.
            load(rubric_prompt(rubric)).messages(**{name: " ".join(text.split()) for name, text in texts.items()}),
            schema=SCHEMA if self._reply == "schema" else None,
            sample=sample,
            typical=TYPICAL,
        )


def read_verdict(reply: Reply) -> Verdict:
    """Return the verdict that a reply holds; raises Misunderstood."""
    return Verdict(label_of(reply.text), reply=reply.text)


def label_of(reply: str) -> bool:
    """Return True for CORRECT and False for WRONG (or INCORRECT); raises Misunderstood when a text is no such label.

    JSON says it by its `label`. Else the last line that is nothing but a label counts; else the one label amid other
    words, in capitals and not in doubt ("not CORRECT", "CORRECT if").
    """
    text = reply.rpartition(THOUGHTS_END)[2]
    in_json = {word.strip().upper() for word in JSON_LABEL.findall(text)}
    if len(in_json) == 1 and (label := in_json.pop()) in LABELS:
        return LABELS[label]
    alone = [found[1] for line in text.splitlines() if (found := ALONE.fullmatch(line))]
    if alone:
        return LABELS[alone[-1].upper()]
    amid = list(AMID.finditer(text))
    verdicts = {LABELS[found[1]] for found in amid}
    if len(verdicts) == 1 and not any(in_doubt(text, found) for found in amid):
        return verdicts.pop()
    shown = " ".join(reply.split())
    raise Misunderstood(f'it must say "CORRECT" or "WRONG" as the label, but is {shown[:SHOWN]!r}.')


def in_doubt(text: str, label: re.Match[str]) -> bool:
    """Tell whether the words around a label take it back, like `not CORRECT` or `CORRECT if`."""
    before = text[max(0, label.start() - NEAR) : label.start()]
    return bool(BEFORE.search(before) or AFTER.match(text, label.end()))
