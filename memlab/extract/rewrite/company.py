"""Who `we` are, when a message says it."""

import re

KIN_AND_FRIENDS = (
    "family|fam|kids?|children|sons?|daughters?|husband|hubby|wife|partner|boyfriend|girlfriend|SO|fianc[eé]e?|friends?|buddy|"
    "buddies|pals?|team|teammates?|band|crew|colleagues?|co-?workers?|mom|mum|mother|dad|father|parents|brothers?|sisters?|"
    "siblings|cousins?|nieces?|nephews?|grandparents|grandma|grandpa|aunt|uncle|dogs?|pup|puppy|neighbou?rs?|classmates?|group"
)
COMPANY = re.compile(
    rf"\b(?:with|took|taking|brought|and|joined) my (?P<with>(?:[\w-]+ ){{0,2}}?(?:{KIN_AND_FRIENDS}))\b"
    rf"|\bmy (?P<and>(?:[\w-]+ ){{0,2}}?(?:{KIN_AND_FRIENDS})) and (?:I|me)\b",
    re.IGNORECASE,
)


def company(text: str) -> str:
    """Return the last companion of the speaker that a text names, `new partner` for `with my new partner`; else ""."""
    named = [found["with"] or found["and"] for found in COMPANY.finditer(text)]
    return named[-1] if named else ""
