"""Which messages a model's finding comes from, and so whose it is and when it was said."""

import re
from collections.abc import Sequence

from memlab.dialogue import Turn
from memlab.memory import Candidate, Content

QUOTED = 60
"""Characters of a finding that a flaw repeats."""


def number_in(value: object) -> int | None:
    """Return a whole number, also one that is written as a text or with a point; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,6}\s*", value):
        return int(value)
    return int(value) if isinstance(value, int | float) and value == int(value) else None


def sources_of(
    text: str, message: int | None, turns: Sequence[Turn], owner: str | None
) -> tuple[list[Turn], list[str]]:
    """Return the turns that a finding comes from, none when they are not the owner's, and what was wrong.

    `turns` are the messages in the order of their numbers, and at least one is the owner's. A finding without a usable
    number comes from the one message it can come from, else from all of them.
    """
    own = [turn for turn in turns if owner in (None, turn.speaker)]
    if message is not None and 1 <= message <= len(turns):
        turn = turns[message - 1]
        if turn not in own:
            return [], [f"wrong_speaker: {text[:QUOTED]!r} is from a message of {turn.speaker}"]
        return [turn], []
    if len(own) > 1:
        return own, [f"wrong_type: {text[:QUOTED]!r} is from message {message}, of {len(turns)}"]
    return own, []


def proposed(content: Content, sources: Sequence[Turn]) -> Candidate:
    """Return a content that comes from these turns; it has no one speaker where they have several."""
    speaker = sources[0].speaker if len({turn.speaker for turn in sources}) == 1 else ""
    return Candidate(content, speaker, tuple(turn.id for turn in sources), sources[-1].said_at)
