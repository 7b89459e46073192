"""A person in a generated text, and the words that refer to them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A person, and the words that refer to them: `{sis.she}`, `{sis.her} bike`, `{sis.him}`."""

    name: str
    woman: bool

    def __str__(self) -> str:
        return self.name

    @property
    def she(self) -> str:
        """`she` or `he`."""
        return "she" if self.woman else "he"

    @property
    def She(self) -> str:
        """`She` or `He`, at the start of a sentence."""
        return self.she.capitalize()

    @property
    def her(self) -> str:
        """`her` or `his`."""
        return "her" if self.woman else "his"

    @property
    def him(self) -> str:
        """`her` or `him`."""
        return "her" if self.woman else "him"

    @property
    def self(self) -> str:
        """`herself` or `himself`."""
        return "herself" if self.woman else "himself"
