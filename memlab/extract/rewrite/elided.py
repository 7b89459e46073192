"""Sentences that leave their `I` out: `Gonna try pottery`, `Just finished a painting`, `Excited to go`."""

import re

from memlab.extract.rewrite.verbs import is_past

ADVERB = (
    r"(?P<adverb>(?:just|also|recently|finally|still|already|really|even|actually|only|definitely|probably|always|so|"
    r"super|pretty|very|not) )?"
)
DEGREES = frozenset({"so", "super", "pretty", "very", "not"})
STARTS = tuple(
    (re.compile(rf"{ADVERB}(?P<verb>{verbs})\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL), subject)
    for subject, verbs in (
        ("I'm", r"gonna|going to|planning|looking (?:forward|to|for)|working on|thinking (?:of|about)|trying|hoping"),
        ("I'm", r"getting ready|dying to|finishing|heading|getting|doing|taking|training|preparing|learning|starting"),
        ("I'm", r"waiting|feeling|dealing|excited|stoked|thrilled|pumped|proud|grateful|thankful|psyched|hooked"),
        ("I'm", r"obsessed|blessed|honou?red|keen|determined|relieved|nervous|ready (?:to|for)"),
        ("I'm", r"happy (?:to|that|with|about)|glad (?:to|that|I|my|we)"),
        ("I've", r"been"),
        ("I", r"can't wait|can't believe|could use|would love|haven't|hadn't|hope|wish|love|guess|need to|want to"),
        ("I", r"wanna|gotta|got to|think|hate|prefer|miss|doubt|plan to|went|had|got|saw|made|took|did|found|met"),
        (
            "I",
            r"bought|started|finished|decided|tried|learned|loved|enjoyed|visited|won|lost|ran|gave|broke|left|spent",
        ),
        ("I", r"wrote|built|joined|moved|signed|applied|adopted|helped|watched|played|worked|attended|received|cooked"),
    )
)
HAS_VERB = re.compile(
    r"\b(?:is|are|was|were|isn't|wasn't|has|can|will|would|could|might|brings?|makes?|made|helps?|helped|gives?|takes?|"
    r"means?|feels?|keeps?|lets?|gets?|needs?|seems?|sounds?|works|always|never)\b|"
    r"\w's (?:a|an|the|so|been|not|my|like)\b",
    re.IGNORECASE,
)
OTHER_SUBJECT = re.compile(
    r"(?:\w+ )?made (?:me|us|my|our)\b|(?:just )?been (?:an?|so|too|quite|good|great|tough|rough|hard) |"
    r"(?:had|did|got) (?:you|any)\b|(?:love|hope|need) (?:is|was|and)\b",
    re.IGNORECASE,
)
"""Left out is `it`, or nothing is: `Really made me think`, `Been a busy week`, `Love is all`."""


def with_subject(sentence: str) -> str:
    """Return a statement with its dropped `I` put back; any other statement unchanged."""
    if OTHER_SUBJECT.match(sentence):
        return sentence
    for pattern, subject in STARTS:
        found = pattern.match(sentence)
        if found is None:
            continue
        adverb, verb = (found["adverb"] or "").lower(), found["verb"]
        if verb.lower().endswith("ing") and HAS_VERB.search(found["rest"]):
            # `Trying local food is a must`: the first word is the subject.
            return sentence
        if subject == "I" and adverb.strip() in DEGREES and is_past(verb.lower()):
            return sentence
        return f"{subject} {adverb}{verb[0].lower()}{verb[1:]}{found['rest']}"
    return sentence
