"""Short replies, completed from the question that they answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memlab.dialogue import Turn
from memlab.extract.rewrite.elided import with_subject
from memlab.extract.rewrite.names import calls, without_vocative
from memlab.extract.rewrite.pending import after_coming_back, calls_back, put_off_at, puts_off, returns_to_question
from memlab.extract.rewrite.persons import in_third_person
from memlab.extract.rewrite.pleasantries import is_pleasantry, without_opener
from memlab.extract.rewrite.sentences import is_question, sentences, told_and_asked
from memlab.extract.rewrite.statements import ANSWERING, Statement, leans
from memlab.extract.rewrite.verbs import agrees, is_past
from memlab.extract.rewrite.words import words

YES_NO = re.compile(r"(?:yes|yeah|yea|yep|yup|no|nope|nah|not (?:yet|really|at all))\b", re.IGNORECASE)
ASKS_YES_NO = re.compile(
    r"(?:(?:and|so|but) )?(?:do|does|did|are|is|was|were|have|has|had|can|could|will|would|should|got|ever|any|don't|"
    r"aren't|isn't|haven't)\b",
    re.IGNORECASE,
)
HOW_MANY = re.compile(r"how many (?P<what>[\w' ]+?) do you have\?", re.IGNORECASE)
WHAT_IS = re.compile(r"what(?:'s| is) your (?P<what>[\w' ]+?)\?", re.IGNORECASE)
WHERE_DO = re.compile(r"where do you (?P<verb>live|work|study|train|volunteer)\?", re.IGNORECASE)
COUNT = re.compile(r"(?P<number>\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b(?! of)", re.IGNORECASE)
HOW_ARE_YOU = re.compile(
    r"(?:^|[.!?] )(?:(?:how(?: are| have) you|how(?:'s| is| are) (?:it|life|things)|what(?:'s| is) (?:up|new))"
    r"\b.{0,25}|"
    r"(?:really|right|seriously|huh|eh|you|what|(?:you )?(?:know|guess) what)\W*)$",
    re.IGNORECASE,
)
EXCLAIMS = re.compile(r"(?:what an?|such an?|how) ", re.IGNORECASE)
PLACE = re.compile(r"(?:in|at|near|with|for|on|just|close|around) ", re.IGNORECASE)
FINITE = words("finite")
CLAUSE_END = re.compile(r";|\s[-–—]+\s")
NO_ANSWER = frozenset({"check", "look", "see", "that", "this", "those", "these"})
MOST_ASIDES = 1
"""Turns of small talk that a speaker may have between putting an answer off and giving it."""
SHORT_ANSWER = 10
"""Words up to which a statement that comes back to a question is read together with it: `I make sandwiches.`"""
SHORTEST_QUESTION = 4
"""Words below which a question (`And you?`) is read together with the sentence before it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its own words and the turn that asked it.

    `late`: other turns came between. `put_off`: its answer was put off, and is now come back to. `named_in` is the turn
    that says whom it asks about, if another.
    """

    question: str
    turn: Turn
    late: bool = False
    put_off: bool = False
    named_in: str = ""


def question_before(turn: Turn, earlier: Sequence[Turn]) -> Asked | None:
    """Return the question that a turn may answer: the latest one of somebody else that the speaker has left open.

    It stays open while the speaker only marks time or puts the answer off, and no longer than a session.
    """
    place = put_off_at(turn, earlier)
    speakers = {other.speaker for other in earlier}
    names = frozenset().union(*map(calls, speakers))
    if place is not None:
        asides = sum(past.speaker == turn.speaker and _tells(past, names) for past in earlier[place + 1 :])
        asked = _open_question(turn, earlier[:place], names)
        if asked and (asides <= MOST_ASIDES or returns_to_question(turn)):
            return replace(asked, put_off=True)
    return _open_question(turn, earlier, names)


def _open_question(turn: Turn, earlier: Sequence[Turn], names: frozenset[str]) -> Asked | None:
    for past in reversed(earlier):
        if past.session != turn.session:
            return None
        if past.speaker == turn.speaker:
            if _tells(past, names) and not puts_off(past):
                return None
        elif question := _last_question(past, turn.speaker):
            return Asked(question, past, late=past != earlier[-1])
        elif _tells(past, names):
            # What was told last is what a reply speaks of.
            return None
    return None


def _tells(turn: Turn, names: frozenset[str]) -> bool:
    said = (after_coming_back(sentence) for sentence in sentences(turn.text) if not calls_back(sentence))
    return any(not is_pleasantry(sentence, names) and not is_question(sentence) for sentence in said)


def _last_question(turn: Turn, listener: str) -> str:
    said = [without_vocative(sentence, listener) for sentence in sentences(turn.text)]
    asked = [index for index, sentence in enumerate(said) if is_question(sentence) and not calls_back(sentence)]
    if not asked:
        return ""
    last = asked[-1]
    question = without_opener(told_and_asked(said[last])[1])
    if len(question.split()) < SHORTEST_QUESTION and last > 0:
        question = f"{without_opener(said[last - 1])} {question}".strip()
    return question


def is_fragment(sentence: str) -> bool:
    """Tell whether a sentence shows no verb of its own: `Two, both girls.`"""
    clause = CLAUSE_END.split(with_subject(sentence).lower(), maxsplit=1)[0]
    words = re.findall(r"[\w']+", clause)
    return words[:1] != [] and words[0] not in NO_ANSWER and not any(word in FINITE or is_past(word) for word in words)


def answers(said: str, asked: Asked, names: frozenset[str]) -> bool:
    """Tell whether a sentence makes full sense only as the answer to a question."""
    if is_pleasantry(asked.question, names) and not (asked.put_off or ASKS_YES_NO.match(asked.question)):
        return False
    if (asked.put_off or asked.late) and HOW_ARE_YOU.search(asked.question):
        return False
    bare = without_opener(said)
    tells = bool(bare) and not is_pleasantry(bare, names) and not EXCLAIMS.match(bare)
    if YES_NO.match(said) and ASKS_YES_NO.match(asked.question):
        return not tells or is_fragment(bare) or leans(bare)
    if is_fragment(bare) or asked.late:
        return tells and is_fragment(bare)
    if asked.put_off:
        return tells and (leans(bare) or len(bare.split()) <= SHORT_ANSWER)
    return tells and leans(bare) and bool(ANSWERING.match(bare))


def completed(reply: Statement, asked: Asked, speaker: str) -> Statement:
    """Return a reply as a statement of its own: `Melanie has two kids, both girls.`

    Only questions of the simplest forms are turned into a statement; others are quoted, in the third person.
    """
    text = _declared(reply.text, asked.question, speaker)
    if text is None:
        question = in_third_person(asked.question, asked.turn.speaker, speaker) or asked.question
        words = f'"{reply.text}"' if reply.quoted else reply.text
        text = f'Asked by {asked.turn.speaker} "{question[:1].upper()}{question[1:]}", {speaker} said: {words}'
    return Statement(text, leans=False, sources=(asked.turn.id, *filter(None, [asked.named_in]), *reply.sources))


def _declared(reply: str, question: str, speaker: str) -> str | None:
    answer = reply[0].lower() + reply[1:]
    if (how_many := HOW_MANY.search(question)) and (count := COUNT.match(answer)):
        return f"{speaker} has {count['number']} {how_many['what']}{answer[count.end() :]}"
    if not is_fragment(answer) or YES_NO.match(answer):
        return None
    if what := WHAT_IS.search(question):
        return f"{speaker}'s {what['what']} is {reply}"
    if (where := WHERE_DO.search(question)) and PLACE.match(answer):
        return f"{speaker} {agrees(where['verb'])} {answer}"
    return None
