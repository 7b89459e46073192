"""Answers without a language model: a span or a date out of the shown memories."""

import asyncio
from collections.abc import Sequence, Set

from memlab.answer.answerer import Answer, Answerer
from memlab.answer.dates import named_date
from memlab.answer.questions import Wanted, wanted
from memlab.answer.ranking import Scored, names_of_speakers, ranked
from memlab.answer.spans import exact_part, negated, short_phrase
from memlab.answer.statements import Statement, statements
from memlab.answer.words import content_stems
from memlab.context import day
from memlab.dialogue import Question
from memlab.memory import Hit

ABSTENTION = "No information available"
HOLDS_ONE = 0.25
"""What it is worth that a sentence holds a date, number, ... where one is asked for, next to sharing all words (1)."""
NEARLY_BEST = 0.7
"""The share of the best score down to which a statement still adds an item to a list."""


class Extractive(Answerer):
    """Picks the sentence that shares most with the question, and of it the part that a question of its kind asks for.

    A phrase has at most `most_words` words; where several things are asked for, up to `most_items` phrases answer.
    `rank_weight` is what the best hit's place in the ranking is worth, next to sharing all words of the question (1).
    It abstains when no sentence shares more than `least_overlap` (0 to 1) of the question.
    """

    def __init__(self, *, most_words: int, most_items: int, rank_weight: float, least_overlap: float) -> None:
        if most_words < 1 or most_items < 1:
            raise ValueError(f"an answer has 1 word and 1 item or more, but {most_words=}, {most_items=}")
        self.most_words = most_words
        self.most_items = most_items
        self.rank_weight = rank_weight
        self.least_overlap = least_overlap

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        """Return a span of the shown memories, a date, Yes, No, or that there is no information."""
        return await asyncio.to_thread(self._answer, question.text, hits)

    def _answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        kind, asked = wanted(question), content_stems(question)
        shown = statements(hits)
        found = ranked(shown, asked, rank_weight=self.rank_weight, least_overlap=self.least_overlap)
        if not found:
            return Answer(ABSTENTION, used=())
        best = found[0].statement
        if kind is Wanted.VERDICT:
            return Answer("No" if negated(best.sentence.text) else "Yes", (best.memory_id,))
        if exact := exact_answer(found, kind):
            return exact
        if kind is Wanted.DATE:
            return Answer(day(best.sentence.said_at), (best.memory_id,))
        if kind is Wanted.SEVERAL:
            nearly_best = [one.statement for one in found if one.score >= NEARLY_BEST * found[0].score]
            return self._phrases(nearly_best[: self.most_items], kind, asked, names_of_speakers(shown))
        return self._phrases([best], kind, asked, names_of_speakers(shown))

    def _phrases(self, chosen: Sequence[Statement], kind: Wanted, asked: Set[str], speakers: Set[str]) -> Answer:
        """Return the best run of words of each statement, or their first words when no run is worth anything."""
        items: dict[str, str] = {}
        for statement in chosen:
            text = statement.sentence.text
            if phrase := short_phrase(
                text, asked, speakers, name_wanted=kind is Wanted.NAME, most_words=self.most_words
            ):
                items.setdefault(phrase, statement.memory_id)
        if not items:
            first = chosen[0]
            items = {" ".join(first.sentence.text.split()[: self.most_words]): first.memory_id}
        return Answer(", ".join(items), tuple(dict.fromkeys(items.values())))


def exact_answer(found: Sequence[Scored], kind: Wanted) -> Answer | None:
    """Return the date, number, duration or title that a question of this kind asks for, if a good statement has one."""
    for one in found:
        if one.score + HOLDS_ONE < found[0].score:
            break
        text, said_at = one.statement.sentence.text, one.statement.sentence.said_at
        part = named_date(text, said_at) if kind is Wanted.DATE else exact_part(text, kind)
        if part:
            return Answer(part, (one.statement.memory_id,))
    return None
