"""Turns as they were said: the extractor that changes nothing."""

from memlab.extract.extractor import Extractor, Window
from memlab.extract.spoken import words
from memlab.memory import Candidate, Fact


class Verbatim(Extractor):
    """Proposes every turn as `Ada says: words [shares caption]`; one without words or caption is skipped.

    With a verb instead of a bare colon, sentence embedders place a turn closer to a question about its speaker.
    """

    async def extract(self, window: Window) -> list[Candidate]:
        """Return one candidate per turn, of the owner where there is one, that has words or a caption."""
        return [
            Candidate(
                Fact(f"{turn.speaker} says: {words(turn, captions=True)}"), turn.speaker, (turn.id,), turn.said_at
            )
            for turn in window.new
            if window.owner in (None, turn.speaker) and (turn.text.strip() or (turn.caption or "").strip())
        ]
