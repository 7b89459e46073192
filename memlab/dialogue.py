"""What goes in: conversations between two people, and questions about them."""

from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from memlab.gold import Statement

CATEGORIES = (1, 2, 3, 4, 5)
SCORED_CATEGORIES = (1, 2, 3, 4)
"""Category 5 (adversarial) has no gold answer; it is reported apart and in no overall value."""

CATEGORY_NAMES = MappingProxyType(
    {
        # Maharana et al. 2024 (LoCoMo), and the column headings of arXiv 2504.19413 tables 1 and 2.
        "locomo": ("multi-hop", "temporal", "open-domain", "single-hop", "adversarial"),
        "paper": ("single-hop", "temporal", "multi-hop", "open-domain", "adversarial"),
    }
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `said_at` is the time of its session (counted from 1); `caption` describes a shared image."""

    id: str
    speaker: str
    text: str
    said_at: datetime
    session: int
    caption: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answer (None: it cannot be answered) and the ids of the turns that hold the evidence."""

    id: str
    text: str
    gold: str | None
    category: int
    evidence: tuple[str, ...]

    def asked(self) -> "Question":
        """Return the question as those may see it who search and answer: gold, evidence and category left out."""
        return replace(self, gold=None, evidence=(), category=0)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A dialogue of two speakers over several sessions, turns in order of time.

    `gold`: what its turns state, in order, where the dataset knows it. No part but those that are gold may see it.
    """

    id: str
    speakers: tuple[str, str]
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    gold: tuple[Statement, ...] = ()
