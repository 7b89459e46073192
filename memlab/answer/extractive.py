"""Answers without a language model: a span or a date out of the shown memories."""

import asyncio
from collections.abc import Sequence, Set

from memlab.answer.answerer import Answer, Answerer
from memlab.answer.dates import named_date
from memlab.answer.questions import Wanted, wanted
from memlab.answer.ranking import ranked
from memlab.answer.spans import FORMS, NEGATED, short_phrase
from memlab.answer.statements import Sentence, Statement, statements
from memlab.answer.words import content_stems
from memlab.context import day
from memlab.dialogue import Question
from memlab.memory import Hit

ABSTENTION = "No information available"
LOOKED_AT = 10
"""How many of the best statements are searched for a date, number, duration or title where one is asked for."""
FITS = 0.25
"""What having one is worth, next to sharing all words of the question (1)."""
NEARLY_BEST = 0.7
"""The share of the best score down to which a statement still adds an item to a list."""


class Extractive(Answerer):
    """Picks the sentence that shares most with the question, and of it the part that a question of its kind asks for.

    An answer has at most `most_words` words, or `most_items` times as many where several things are asked for.
    `rank_weight` is what the best hit's place in the ranking is worth, next to sharing all words of the question (1).
    It abstains when no sentence shares more than `least_overlap` (0 to 1) of the question.
    """

    def __init__(self, *, most_words: int, most_items: int, rank_weight: float, least_overlap: float) -> None:
        self.most_words = most_words
        self.most_items = most_items
        self.rank_weight = rank_weight
        self.least_overlap = least_overlap

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        """Return a span of the shown memories, a date in words, Yes, No, or that there is no information."""
        return await asyncio.to_thread(self._answer, question.text, hits)

    def _answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        kind, asked = wanted(question), content_stems(question)
        shown = statements(hits)
        found = ranked(shown, asked, rank_weight=self.rank_weight, least_overlap=self.least_overlap)
        if not found:
            return Answer(ABSTENTION)
        score, best = found[0]
        if kind is Wanted.VERDICT:
            agrees = bool(NEGATED.search(best.sentence.text)) == bool(NEGATED.search(question))
            return Answer("Yes" if agrees else "No", (best.memory_id,))
        if kind in FORMS or kind is Wanted.DATE:
            holders = [(score + FITS, holder, text) for score, holder in found[:LOOKED_AT] if (text := exact(holder.sentence, kind))]
            _, holder, text = max(holders, key=lambda h: h[0], default=(0, best, None))
            if holders and max(h[0] for h in holders) >= score:
                return Answer(text, (holder.memory_id,))
        if kind is Wanted.DATE:
            return Answer(day(best.sentence.said_at), (best.memory_id,))
        names = {name for statement in shown for name in statement.sentence.speaker_stems}
        several = [s for sc, s in found[: self.most_items] if sc >= NEARLY_BEST * score] if kind is Wanted.SEVERAL else [best]
        items = {}
        for s in several:
            p = short_phrase(s.sentence.text, asked, names, kind, self.most_words)
            if p: items.setdefault(p, s.memory_id)
        return Answer(", ".join(items) or best.sentence.text, tuple(dict.fromkeys(items.values())) or (best.memory_id,))


def exact(sentence: Sentence, kind: Wanted) -> str | None:
    """Return the first date, number, duration or title in a sentence, whichever a question of this kind asks for."""
    if kind is Wanted.DATE:
        return named_date(sentence.text, sentence.said_at)
    found = FORMS[kind].search(sentence.text)
    return found and (found[1] if kind is Wanted.TITLE else found[0])
