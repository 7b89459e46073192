"""What the dataset knows that a message states: extraction without a fault, to measure only what comes after."""

from collections.abc import Mapping
from functools import cached_property

from memlab.datasets.dataset import Dataset
from memlab.dialogue import Turn
from memlab.extract.extractor import Extractor, Window
from memlab.gold import Statement
from memlab.memory import Candidate, Fact
from memlab.part import PartFailed


class Gold(Extractor):
    """Proposes the statements that a dataset with gold knows of each new turn, in their own words."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    async def extract(self, window: Window) -> list[Candidate]:
        """Return one candidate per statement; raises PartFailed for a turn that the dataset does not have."""
        return [
            Candidate(Fact(statement.text), turn.speaker, (turn.id,), turn.said_at)
            for turn in window.new
            if window.owner in (None, turn.speaker)
            for statement in self._of(turn)
        ]

    def _of(self, turn: Turn) -> tuple[Statement, ...]:
        if turn not in self._stated:
            raise PartFailed(f"extractor=gold: {turn.id} ({turn.text[:40]!r}) is no turn of the run's dataset")
        return self._stated[turn]

    @cached_property
    def _stated(self) -> Mapping[Turn, tuple[Statement, ...]]:
        stated: dict[Turn, tuple[Statement, ...]] = {}
        for conversation in self._dataset.read().conversations:
            by_turn: dict[str, list[Statement]] = {turn.id: [] for turn in conversation.turns}
            for statement in conversation.gold:
                by_turn[statement.turn].append(statement)
            stated |= {turn: tuple(by_turn[turn.id]) for turn in conversation.turns}
        return stated
