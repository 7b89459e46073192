"""Answers that are put off, and the words with which one comes back to them."""

import re
from collections.abc import Sequence

from memlab.dialogue import Turn
from memlab.extract.rewrite.sentences import is_question, sentences

LEAD = (
    r"(?:(?:oh|ooh|ah|ha|hm+|um|uh|ok|okay|right|alright|so|well|now|there|but|and|anyways?|sorry|yes|yeah)\b[,.!]* )*"
)
INSTANT = r"(?:secs?|seconds?|moments?|minutes?|mins?|tick|mo|bit)"
FIRST = (
    r"hold (?:on|that thought|the line)\b",
    r"hang on\b",
    r"wait(?:,| a\b|!|\.|$)",
    r"bear with me|brb\b|be right back",
    rf"(?:(?:just )?(?:give me|gimme) )?(?:just )?(?:one|a|two|half a|a few) {INSTANT}\b(?! (?:ago|later|of))",
    r"(?:just )?let me (?:just |quickly |first )?(?!know|say|tell|guess|see\b|help|clarify|explain|share|start)\w+",
    r"before (?:i|we) (?:get|go|come|answer|say|tell)\b",
    r"first(?:,| let me| i (?:need|have|must))",
    rf"i(?:'ll| will| can) (?:tell|answer|explain|get|come)\b.*\b(?:in a {INSTANT}|later|soon|first|after)\b",
    r"(?:can|could|may|let) (?:i|me) (?:just |quickly |first )?ask\b.*\bfirst\b",
    r"sorry, (?:i(?:'ve| have)? (?:got|need|have) to|i must|my|the|there's|some(?:one|body)(?:'s)?) ",
)
PUT_OFF = re.compile(rf"{LEAD}(?:{'|'.join(FIRST[:-1])})|{FIRST[-1]}", re.IGNORECASE)
TO_QUESTION = (
    r"where (?:was i|were we)",
    r"(?:like|as|what) i was (?:just )?(?:saying|going to say|about to say|about to tell you)",
    r"(?:let's (?:get|go|come) )?back to (?:your|the|that) (?:question|story|topic|subject)",
    r"back to (?:what|where|it|you|us|business)\b.{0,25}",
    r"(?:to |let me |i'll )?(?:answer|get back to|come back to|return to) (?:you|it|that|your (?:\w+ )?question)"
    r"(?: now| properly)?",
    r"(?:in )?(?:answer|reply|response) to (?:you|your question|what you asked)",
    r"(?:as (?:for|to)|about|regarding|concerning) (?:your question|what you asked)",
    r"you(?: had| were|'d)? ask(?:ed|ing)(?: me)?",
)
BACK_AGAIN = (
    r"(?:i'm|i am) (?:back|here|all yours|done|with you|all set|free)(?: again| now)?",
    r"sorry (?:about|for) (?:that|this|the (?:wait|interruption|delay|noise|pause)|keeping you(?: waiting)?)",
    r"thank(?:s| you) for (?:waiting|your patience|holding|bearing with me)",
    r"(?:that's |it's )?(?:all )?(?:sorted|settled|fixed|done)",
    r"oh yes|anyways?|anyhow",
)
BACK = re.compile(
    rf"{LEAD}(?:(?P<question>{'|'.join(TO_QUESTION)})|{'|'.join(BACK_AGAIN)})"
    r"(?:[.!?:;…]+\s*|[,\u2013\u2014-]+\s+|$)",
    re.IGNORECASE,
)
GO_ON = (
    r"(?:so|and|well)(?=\?)",
    r"go (?:on|ahead)|carry on|continue|do tell|tell me",
    r"i'm (?:listening|all ears)",
    r"where (?:were we|was i)",
    r"what were you (?:saying|telling me|(?:going|about) to (?:say|tell me))",
    r"you were (?:saying|(?:going|about) to (?:say|tell me|answer))",
    r"(?:back to )?my question",
)
CALLED_BACK = re.compile(rf"{LEAD}(?:{'|'.join(GO_ON)})\W*", re.IGNORECASE)


def puts_off(turn: Turn) -> bool:
    """Tell whether a turn says that something else comes first: `Hold on, there's somebody at the door.`"""
    return any(PUT_OFF.match(sentence) for sentence in sentences(turn.text))


def calls_back(sentence: str) -> bool:
    """Tell whether a sentence only asks the other to go on: `So what were you going to say?`"""
    return bool(CALLED_BACK.fullmatch(sentence))


def after_coming_back(sentence: str) -> str:
    """Return a sentence without the words that come back to what was left open: `To answer your question, ...`."""
    openings = _openings(sentence)
    return sentence[openings[-1].end() :] if openings else sentence


def only_comes_back(sentence: str) -> bool:
    """Tell whether a sentence says no more than that one comes back, or asks to: `Now, where were we?`"""
    return not after_coming_back(sentence) or calls_back(sentence)


def put_off_at(turn: Turn, earlier: Sequence[Turn]) -> int | None:
    """Return the place of the turn in which the speaker put off an answer that this turn comes back to.

    None when nothing was put off, when this turn does not come back to it, or when another one already has.
    """
    session = [past for past in earlier if past.session == turn.session]
    if not _returns(turn, session):
        return None
    skipped = len(earlier) - len(session)
    own = [place for place, past in enumerate(session) if past.speaker == turn.speaker]
    for place in reversed(own):
        past = session[place]
        if puts_off(past):
            return skipped + place
        if BACK.match(past.text) and after_coming_back(past.text):
            break
    # Without such words, a question of one's own that was answered first put it off as well.
    asked_back = len(session) - 2 in own and is_question(session[-2].text) and BACK.match(turn.text)
    return len(earlier) - 2 if asked_back else None


def returns_to_question(turn: Turn) -> bool:
    """Tell whether a turn opens with words that can only mean a question left open: `Back to your question.`"""
    return any(found["question"] for found in _openings(turn.text))


def _returns(turn: Turn, session: Sequence[Turn]) -> bool:
    """Tell whether a turn opens by coming back to what was left open, or is called back to it."""
    before = sentences(session[-1].text) if session and session[-1].speaker != turn.speaker else []
    if any(is_question(sentence) and not calls_back(sentence) for sentence in before):
        # `Sorry about that` may answer the new question, `back to your question` does not.
        return returns_to_question(turn)
    return bool(BACK.match(turn.text)) or bool(before and calls_back(before[-1]))


def _openings(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    while opening := BACK.match(text, found[-1].end() if found else 0):
        if opening.end() == opening.start():
            break
        found.append(opening)
    return found
