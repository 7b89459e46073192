"""Facts and triples from the same window: for a store that holds both, as the paper's Mem0g does."""

from functools import partial
from typing import ClassVar

from memlab.extract.extractor import Extractor, Window
from memlab.llm.meter import side_by_side
from memlab.memory import Candidate, Content, Fact, Triple
from memlab.part import PartFailed


class FactsAndTriples(Extractor):
    """Proposes what two extractors find in a window, which they read at the same time: facts first, then triples."""

    proposes: ClassVar[frozenset[type[Content]]] = frozenset({Fact, Triple})

    def __init__(self, *, facts: Extractor, triples: Extractor) -> None:
        for name, part, kind in (("facts", facts, Fact), ("triples", triples, Triple)):
            if part.proposes != {kind}:
                proposed = " and ".join(sorted(one.__name__ for one in part.proposes)) or "nothing"
                raise ValueError(
                    f"{name}: {type(part).__name__} proposes {proposed}; choose one of {kind.__name__}s only"
                )
            if not part.tells_speakers:
                raise ValueError(
                    f"{name}: {type(part).__name__} mixes what both speakers said; choose one that tells them apart"
                )
        if facts.messages_per_window != triples.messages_per_window:
            raise ValueError(
                f"facts reads {facts.messages_per_window} messages per window, triples "
                f"{triples.messages_per_window}; give both the same"
            )
        self.messages_per_window = facts.messages_per_window
        self._facts = facts
        self._triples = triples

    @property
    def reads_summary(self) -> bool:  # type: ignore[override]
        """Whether one of the two reads it."""
        return self._facts.reads_summary or self._triples.reads_summary

    async def extract(self, window: Window) -> list[Candidate]:
        """Return the facts of `window.new`, then its triples; raises what the extractors raise, once both are done.

        When one fails the other still finishes: its replies are paid for, and the next attempt finds them in the cache.
        """
        found = await side_by_side(partial(self._facts.extract, window), partial(self._triples.extract, window))
        failures = [one for one in found if isinstance(one, BaseException)]
        if failures:
            # A failure of this window alone must not hide one that stops the run.
            raise next((one for one in failures if not isinstance(one, PartFailed)), failures[0])
        return [candidate for one in found if isinstance(one, list) for candidate in one]
