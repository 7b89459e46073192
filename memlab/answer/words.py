"""Texts as words that can be compared: `went hiking` and `go on a hike` share both."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.stem.snowball import EnglishStemmer

WORD = re.compile(r"[^\W_]+(?:['&-][^\W_]+)*\+?")
FUNCTION = """
    a an the this that these those there here some any each every all both no not and or but nor so if then than as
    because 'cause since while when where who whom whose which what why how whether
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves one ones someone something anything everyone everything
    am is are was were be been being do does did done doing have has had having can could will would shall should may
    might must isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't
    shouldn't i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've we'd we'll they're they've
    they'd they'll that's there's here's what's who's how's where's let's
    of in on at to for from by with about into onto over after before during through between up down out off
    just also too very really even still yet already again ever never always much more most such own other another
    many lot well oh yeah yep yes wow hey hi thanks thank please
"""
FUNCTION_WORDS = frozenset(FUNCTION.split())
IRREGULAR = """
    go goes went gone; buy bought; bring brought; build built; come came; choose chose chosen; draw drew drawn;
    drive drove driven; eat ate eaten; fall fell fallen; feel felt; find found; give gave given; get got gotten;
    grow grew grown; hold held; keep kept; know knew known; learn learnt; leave left; lose lost; make made; meet met;
    run ran; say said; see saw seen; send sent; sell sold; spend spent; speak spoke spoken; take took taken;
    teach taught; think thought; tell told; win won; wear wore worn; write wrote written; begin began begun;
    break broke broken; sing sang sung; swim swam swum; hide hid hidden; child children kid kids
"""
PLAIN_FORM = {form: plain for plain, *forms in map(str.split, IRREGULAR.split(";")) for form in forms}


@cache
def _stemmer() -> "EnglishStemmer":
    from nltk.stem.snowball import EnglishStemmer  # takes a second, so not before the first question

    return EnglishStemmer()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what all forms of a word share: `adopt` for adopted, `go` for went, `carolin` for Caroline's."""
    lower = word.lower().removesuffix("'s")
    return str(_stemmer().stem(PLAIN_FORM.get(lower, lower)))


def is_content(word: str) -> bool:
    """Tell whether a word says what a sentence is about."""
    return word.lower() not in FUNCTION_WORDS


@lru_cache(maxsize=1 << 16)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that say what a text is about."""
    return frozenset(stem(word) for word in WORD.findall(text.replace("’", "'")) if is_content(word))
