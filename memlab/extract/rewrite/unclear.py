"""Sentences in which it cannot be told who `you` or `we` is."""

import re

ANYONE = re.compile(
    r"\b(?:"
    # Several people, of whom the listener is one.
    r"you (?:guys|two|both|all|folks)|y'all|(?:both|all|one) of you|"
    r"thank you|(?:here|there) you (?:go|are)|"
    # Rules of life: if you work hard, it makes you happy.
    r"if you(?! (?:want|need|ever|like|get a chance|have time|have any))|when(?:ever)? you|the more you|"
    r"(?:where|who|what|so|before|until|once) you"
    r"(?! (?:said|did|were|had|told|mentioned|made|wrote|shared|sent)\b)|"
    r"(?:makes|takes|helps|gives|teaches|lets|keeps|getting|can (?:help|make|take|give|teach)) you(?! know)|"
    r"make sure you|how you can|things? you|"
    r"you (?:never|can|can't|gotta|could)|"
    r"you (?:just|need to|have to|should|must|always|get|don't|'ll)\b.*\byour|"
    r"(?<=\w )your (?:imagination|mind|body|dreams?|passions?|heart|own (?:pace|way)|true self|head|feet|hands?|knees?|"
    r"back|legs?|arms?|muscles|breath|style|comfort zone|goals)"
    r")\b",
    re.IGNORECASE,
)
SECOND = re.compile(r"\b(?:you|ya|u|ur|your|yours|yourself)\b", re.IGNORECASE)
YOURSELF = re.compile(r"\byourself\b", re.IGNORECASE)
NAMES_YOU = re.compile(r"\byou\b", re.IGNORECASE)
WE_IN_GENERAL = re.compile(
    r"\b(?:let's|ourselves|we got this|we've got this|(?:we|we've) got each other|we all|all of us)\b", re.IGNORECASE
)
TOGETHER = re.compile(
    r"\b(?:we(?:'ve|'re)? (?:both|each)|(?:we|us) (?:last|first) (?:spoke|talked|chatted|met|hung|caught)|since we|"
    r"you and (?:I|me)|we have (?:a lot )?in common|"
    r"catch up|meet up|hang out together|we (?:talked|spoke|chatted|met))\b",
    re.IGNORECASE,
)
MET_SOMEBODY = re.compile(r"\bwe met (?:\w|at|in|through)", re.IGNORECASE)


def is_unclear(text: str, listener: str | None) -> bool:
    """Tell whether `you` means anyone, several or an unknown listener, or `we` means people in general."""
    if WE_IN_GENERAL.search(text):
        return True
    if not SECOND.search(text):
        return False
    return listener is None or bool(ANYONE.search(text)) or bool(YOURSELF.search(text) and not NAMES_YOU.search(text))


def is_together(text: str) -> bool:
    """Tell whether `we` are the two who talk: `since we last spoke`, `we both love films`."""
    return bool(TOGETHER.search(text)) and not MET_SOMEBODY.search(text)
