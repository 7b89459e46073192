"""First and second person as third person, by name."""

import re

from memlab.extract.rewrite.clause import Clause
from memlab.extract.rewrite.unclear import is_together, is_unclear
from memlab.extract.rewrite.verbs import PARTICIPLES, PLAIN_VERBS, agrees, is_past, singular
from memlab.extract.rewrite.words import words

HAS_PERSON = re.compile(
    r"\b(?:i|im|ive|me|my|mine|myself|you|u|ya|ur|your|youre|yours|yourself|y'all|we|our|us|ours|ourselves|let's)\b",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r"^for me, (?=i\b)|(?:^|(?<=,)|(?<=[-–] ))\s*(?:you know|ya know|i mean|i must say|i gotta say)\s*,\s*",
    re.IGNORECASE,
)
TAG = re.compile(
    r",\s*(?:you know|i mean)(?=[,.!])|"
    r",? (?:do|does|did|is|are|was|were|have|wo|ca|would)n't (?:you|it|they)(?=[.!]*$)",
    re.IGNORECASE,
)
SPELLINGS = {"im": "i'm", "ive": "i've", "u": "you", "ya": "you", "ur": "your", "youre": "you're"}
WE = frozenset({"we", "our", "us", "ours", "we're", "we've", "we'll", "we'd"})
CONTRACTED = {"ve": "has", "re": "is"}
THEY = {"we": "they", "our": "their", "us": "them", "ours": "theirs"}
WE_ENDINGS = {"we're": " are", "we've": " have", "we'll": " will", "we'd": " would", "our": "'s", "ours": "'s"}
ENDS_AGREEMENT = words("ends_agreement")
BEFORE_SUBJECT = words("before_subject")
BEFORE_OBJECT = words("before_object")
ONLY_AFTER_SUBJECT = words("only_after_subject")
NOT_A_VERB = words("not_a_verb")


def in_third_person(text: str, speaker: str, listener: str | None, company: str = "") -> str | None:
    """Return a sentence with `I` and `you` replaced by the speaker's and the listener's name, verbs made to agree.

    `company` is who `we` are besides the speaker (`new partner`), where that is known. None when it cannot be told who
    is meant.
    """
    text = TAG.sub("", ASIDE.sub(" ", text)).strip()
    if not HAS_PERSON.search(text):
        return text
    if is_unclear(text, listener):
        return None
    if company:
        # `we` will name them.
        text = re.sub(rf"(?<=\bwe\b)(.*?) with my {re.escape(company)}\b", r"\1", text, count=1, flags=re.IGNORECASE)
    return _Resolution(text, speaker, listener or "", company).run()


class _Resolution:
    """One pass over the words of a sentence."""

    def __init__(self, text: str, speaker: str, listener: str, company: str) -> None:
        self.clause = Clause(text)
        self.speaker = speaker
        self.listener = listener
        self.others = f"{speaker}'s {company}" if company else "others"
        self.together = is_together(text)
        self.out: list[str] = []
        self.named = False
        # Once `we` was spelt out, `they` can stand for it.
        self.grouped = False
        # A verb after `and` has to agree when the one before did: `I run and swim`.
        self.agreeing = False

    def run(self) -> str | None:
        """Return the resolved sentence, or None when a `we` cannot be told."""
        quoted = False
        for index, piece in enumerate(self.clause.pieces):
            quoted ^= piece == '"'
            word = SPELLINGS.get(self.clause.lower[index], self.clause.lower[index])
            stem, _, ending = word.partition("'")
            if quoted or not piece[0].isalnum():
                self.out.append(piece)
            elif stem in {"i", "you"}:
                self._subject(index, ending, own=stem == "i")
            elif word in WE:
                if not self._group(index, word):
                    return None
            else:
                self.out.append(self._other(index, word))
        return "".join(self.out)

    def _other(self, index: int, word: str) -> str:
        match word:
            case "me":
                self.named = True
                return self.speaker
            case "my" | "mine":
                self.named = True
                return f"{self.speaker}'s"
            case "your" | "yours":
                return f"{self.listener}'s"
            case "myself":
                return "themself" if self.named else self.speaker
            case "yourself":
                return "themself"
            case "gonna":
                return "going to"
        if word in ENDS_AGREEMENT:
            self.agreeing = False
        if self.agreeing and word in PLAIN_VERBS and self.clause.joined(index):
            return agrees(word) if word in {"have", "do", "go"} else singular(word)
        return self.clause.pieces[index]

    def _subject(self, index: int, ending: str, *, own: bool) -> None:
        """Write a name for `I` or `you`, contractions included, and make its verb agree."""
        name = self.speaker if own else self.listener
        several = own and self.clause.ends_compound(index)
        verb = self.clause.verb(index)
        self.named = self.named or own
        self.agreeing = ending in {"m", "re"}
        self.out.append(f"{name} {self._contracted(ending, verb, several)}" if ending else name)
        auxiliary = self.clause.auxiliary(index)
        if ending or verb is None:
            if auxiliary is not None and not ending:
                self._invert(index, auxiliary)
        elif auxiliary is not None:
            self._invert(index, auxiliary)
        elif several:
            self._put(verb, {"am": "are", "was": "were"}.get(self.clause.lower[verb], self.clause.pieces[verb]))
        elif self._takes_verb(index, verb, own=own):
            changed = agrees(self.clause.pieces[verb])
            self.agreeing = changed != self.clause.pieces[verb]
            self._put(verb, changed)

    def _contracted(self, ending: str, verb: int | None, several: bool) -> str:
        match ending:
            case "m" | "re":
                return "are" if several else "is"
            case "ve":
                return "have" if several else "has"
            case "ll":
                return "will"
            case "d":
                word = "" if verb is None else self.clause.lower[verb]
                had = word == "better" or word in PARTICIPLES or (word.endswith("ed") and is_past(word))
                return "had" if had else "would"
        return f"'{ending}"

    def _invert(self, index: int, auxiliary: int) -> None:
        """Make the auxiliary that was written before its subject agree with the name."""
        word = self.clause.lower[auxiliary]
        stem, _, ending = word.partition("'")
        changed = f"{stem} {CONTRACTED[ending]}" if ending in CONTRACTED else agrees(word)
        place = len(self.out) - 1 - (index - auxiliary)
        self.out[place] = changed.capitalize() if self.clause.pieces[auxiliary][0].isupper() else changed

    def _takes_verb(self, index: int, verb: int, *, own: bool) -> bool:
        """Tell whether the word is the subject of the verb, which then has to agree."""
        word, before = self.clause.lower[verb], self.clause.word_before(index)
        if word == "were" and before in {"if", "wish", "wishes", "though"}:
            return False
        if own:
            return True
        if word in NOT_A_VERB:
            return False
        starts = not before or before in BEFORE_SUBJECT or word in ONLY_AFTER_SUBJECT
        return starts or (word in PLAIN_VERBS and before not in BEFORE_OBJECT)

    def _group(self, index: int, word: str) -> bool:
        """Write who `we` are; False when it cannot be told."""
        if self.grouped or (self.named and not self.together):
            self.grouped = True
            again = THEY.get(word) or word.replace("we'", "they'")
            self.out.append(again if "".join(self.out).strip() else again.capitalize())
            return True
        if self.together and self.listener:
            who = f"{self.speaker} and {self.listener}"
        elif self._is_event(index, word):
            who = f"{self.speaker} and {self.others}"
        else:
            return False
        self.grouped = self.named = True
        self.out.append(who + WE_ENDINGS.get(word, ""))
        return True

    def _is_event(self, index: int, word: str) -> bool:
        """Tell whether `we` did or are doing something, so that particular people are meant."""
        verb = self.clause.verb(index)
        following = "" if verb is None else self.clause.lower[verb]
        if word == "we're":
            return following.endswith("ing")
        return word in {"we", "we've", "we'd"} and (
            is_past(following) or following in PARTICIPLES or following in {"were", "weren't", "didn't", "hadn't"}
        )

    def _put(self, index: int, word: str) -> None:
        self.clause.pieces[index], self.clause.lower[index] = word, word.lower()
