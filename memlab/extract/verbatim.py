"""Turns as they were said: the extractor that changes nothing."""

from memlab.extract.extractor import Extractor, Window
from memlab.extract.spoken import spoken
from memlab.memory import Candidate, Fact


class Verbatim(Extractor):
    """Proposes every turn as it stands, with speaker and photo caption; one without words or caption is skipped."""

    async def extract(self, window: Window) -> list[Candidate]:
        """Return one candidate per turn that has words or a caption."""
        return [
            Candidate(Fact(spoken(turn)), turn.speaker, (turn.id,), turn.said_at)
            for turn in window.new
            if turn.text.strip() or (turn.caption or "").strip()
        ]
