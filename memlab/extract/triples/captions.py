"""What a shared image shows, as triples."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from memlab.extract.triples.kinds import kind_of
from memlab.extract.triples.phrases import counted, joined, telling
from memlab.memory import Entity, Triple

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

IMAGES = frozenset({"photo", "photography", "photograph", "picture", "image", "screenshot"})
SHORTEST_REST = 2
"""Words that have to be left over for a second triple."""


def shared(doc: "Doc", speaker: str, people: Collection[str], most_words: int) -> list[Triple]:
    """Return what the image with this caption shows; a long caption takes two triples."""
    tokens = [token for token in doc if not token.is_space]
    opens = next((token.i for token in tokens[:4] if token.lower_ in IMAGES), None)
    if opens is not None and len(doc) > opens + 2 and doc[opens + 1].lower_ == "of":
        tokens = tokens[opens + 2 :]
    first, left = _named(tokens, people, most_words)
    second, _ = _named(left, people, most_words)
    found = [first] if first else []
    if second and len(second.name.split()) >= SHORTEST_REST:
        found.append(second)
    return [Triple(Entity(speaker, "Person"), "shares_photo_of", entity) for entity in found]


def _named(
    tokens: "Sequence[Token]", people: Collection[str], most_words: int
) -> "tuple[Entity | None, Sequence[Token]]":
    """Return the first words as an entity, and those that are left."""
    while tokens and tokens[0].pos_ not in {"NOUN", "PROPN", "NUM", "ADJ", "VERB"} and tokens[0].dep_ != "compound":
        tokens = tokens[1:]
    kept = telling(tokens, most_words)
    name = joined(kept)
    if not any(map(str.isalnum, name)):
        return None, ()
    inside = {token.i for token in kept}
    heads = [token for token in kept if token.pos_ in {"NOUN", "PROPN"} and token.head.i not in inside]
    nouns = [token for token in kept if token.pos_ in {"NOUN", "PROPN"}]
    head = next(iter([*heads, *nouns, kept[0]]))
    return Entity(name, kind_of(counted(head), people)), [token for token in tokens if token.i > kept[-1].i]
