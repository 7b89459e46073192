"""Statements in the third person, without an LLM."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from memlab.dialogue import Turn
from memlab.extract.extractor import Extractor, Window
from memlab.extract.rewrite.antecedents import Said, by_name, with_antecedent
from memlab.extract.rewrite.company import company
from memlab.extract.rewrite.names import calls, without_vocative
from memlab.extract.rewrite.pending import after_coming_back, only_comes_back
from memlab.extract.rewrite.pleasantries import is_pleasantry, without_opener
from memlab.extract.rewrite.replies import YES_NO, Asked, answers, completed, question_before
from memlab.extract.rewrite.sentences import is_question, sentences, told_and_asked
from memlab.extract.rewrite.statements import Statement, asking, grouped, shared, stated, together
from memlab.memory import Candidate, Fact

Unit = Literal["statement", "turn"]


class Rewrite(Extractor):
    """Splits messages into statements that stand on their own, persons and relative dates resolved by rule.

    `unit`: one candidate per turn, or per statement (sentences that lean on one another stay together). A reply of at
    most `reply_words` words is completed from the question it answers, also one that was put off, and an opening `she`
    or `he` is named; both may lie in the recent turns.
    """

    def __init__(self, *, unit: Unit, reply_words: int) -> None:
        if unit not in get_args(Unit):
            raise ValueError(f"unit={unit!r} is unknown; use {' or '.join(get_args(Unit))}")
        if reply_words < 0:
            raise ValueError(f"reply_words={reply_words} is below 0; 0 leaves all replies as they are")
        self.unit = unit
        self.reply_words = reply_words

    async def extract(self, window: Window) -> list[Candidate]:
        """Return the candidates of the new turns, of the owner's where there is one, in the order they were said."""
        candidates: list[Candidate] = []
        for index, turn in enumerate(window.new):
            if window.owner not in (None, turn.speaker):
                continue
            earlier = (*window.recent, *window.new[:index])
            listener = _listener(turn, earlier, window.new[index + 1 :])
            statements = self._statements(turn, listener, earlier)
            groups = grouped(statements) if self.unit == "statement" else [statements] if statements else []
            candidates += [_candidate(group, turn) for group in groups]
        return candidates

    def _statements(self, turn: Turn, listener: str | None, earlier: Sequence[Turn]) -> list[Statement]:
        names = calls(turn.speaker) | calls(listener or "")
        asked = question_before(turn, earlier) if self.reply_words else None
        statements: list[Statement] = []
        before, so_far, question, affirmed = "", "", "", False

        def say(sentence: str) -> Statement:
            statement = stated(sentence, turn, listener, company(so_far))
            if statements or listener is None:
                return statement
            return with_antecedent(statement, Said(turn, listener, before, earlier))

        for sentence in sentences(turn.text):
            before, so_far = so_far, f"{so_far} {sentence}"
            said = without_vocative(sentence, listener) if listener else sentence
            if only_comes_back(said):
                continue
            if asked and asked.put_off and not statements:
                said = after_coming_back(said)
            told, own_question = told_and_asked(said) if is_question(said) else (said, "")
            bare = without_opener(told)
            if asked and not statements and not question and self._completes(told, asked, names):
                reply = told if YES_NO.match(told) else bare
                affirmed = not bare or is_pleasantry(bare, names)
                statements.append(completed(say(reply), by_name(asked, turn.speaker, earlier), turn.speaker))
            elif bare and not is_pleasantry(bare, names):
                statement = say(bare)
                if affirmed:
                    statement = replace(statement, leans=True)
                elif question and statement.leans:
                    statement = asking(question, statement, turn.speaker, listener)
                statements.append(statement)
                affirmed = False
            question = without_opener(own_question) if not is_pleasantry(own_question, names) else ""
        if turn.caption and turn.caption.strip():
            statements.append(shared(turn))
        return statements

    def _completes(self, told: str, asked: Asked, names: frozenset[str]) -> bool:
        return len(told.split()) <= self.reply_words and answers(told, asked, names)


def _listener(turn: Turn, earlier: Sequence[Turn], later: Sequence[Turn]) -> str | None:
    """Return whom a turn speaks to: who spoke last before it, else who speaks next; None when nobody else does."""
    others = [other.speaker for other in (*reversed(earlier), *later) if other.speaker != turn.speaker]
    return others[0] if others else None


def _candidate(group: Sequence[Statement], turn: Turn) -> Candidate:
    asked = dict.fromkeys(source for statement in group for source in statement.sources if source != turn.id)
    return Candidate(Fact(together(group, turn.speaker)), turn.speaker, (turn.id, *asked), turn.said_at)
