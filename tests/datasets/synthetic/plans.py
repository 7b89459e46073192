"""Synthetic datasets as the tests want them."""

from functools import cache
from typing import Any

from memlab.datasets.synthetic import Synthetic
from memlab.datasets.synthetic.dataset import simulated
from memlab.datasets.synthetic.move import Move
from memlab.dialogue import Conversation

SHARES = {"ADD": 0.45, "UPDATE": 0.2, "DELETE": 0.15, "NOOP": 0.2}
SETTINGS: dict[str, Any] = {
    "seed": 5,
    "split": "test",
    "messages": 600,
    "messages_per_conversation": 300,
    "operations": SHARES,
    "chat": 0.3,
    "conversations": None,
    "sessions": None,
    "limit_questions": None,
}


def synthetic(**settings: Any) -> Synthetic:
    return Synthetic(**{**SETTINGS, **settings})


@cache
def told(split: str, messages: int, seed: int = 5) -> list[tuple[Conversation, list[Move]]]:
    """Conversations of 300 messages each, and one of all in one, with the moves behind them."""
    per = [300, messages]
    plans = [synthetic(split=split, messages=messages, messages_per_conversation=n, seed=seed).plan for n in per]
    return [(one, list(moves)) for plan in plans for one, moves in simulated(plan)]
