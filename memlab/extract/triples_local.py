"""Triples without an LLM: statements that stand on their own, parsed."""

from memlab.extract.extractor import Extractor, Window
from memlab.extract.spacy_model import missing_packages, parsed
from memlab.extract.triples.captions import shared
from memlab.extract.triples.speech import heard
from memlab.extract.triples.times import without_times
from memlab.extract.triples.triples import Statement
from memlab.memory import Candidate, Fact, Triple


class TriplesLocal(Extractor):
    """Parses the statements that another extractor proposes into triples (arXiv 2504.19413 section 2.2).

    `statements` has to give facts that name whom they speak of and have absolute dates, as `rewrite` does. The name of
    an entity has at most `most_words` words. A statement that no pattern fits becomes what its speaker says.
    """

    proposes = frozenset({Triple})

    def __init__(self, statements: Extractor, *, most_words: int) -> None:
        if most_words < 1:
            raise ValueError(f"most_words={most_words} is below 1; 8 is usual")
        if not statements.tells_speakers or statements.proposes != frozenset({Fact}):
            raise ValueError(f"{type(statements).__name__} proposes no statements of one speaker; use rewrite or facts")
        self._statements = statements
        self._most_words = most_words
        self.messages_per_window = statements.messages_per_window

    @property
    def reads_summary(self) -> bool:  # type: ignore[override]
        """Whether the extractor of the statements reads it."""
        return self._statements.reads_summary

    async def extract(self, window: Window) -> list[Candidate]:
        """Return the triples of each statement in turn; they carry its sources, speaker and time."""
        stated = await self._statements.extract(window)
        people = frozenset(turn.speaker for turn in (*window.recent, *window.new))
        heards = [heard(one.content.text, one.speaker) for one in stated]
        told = [f"{one.asked} {one.text}" if one.asked else one.text for one in heards]
        timed = [without_times(text) for text in told]
        docs = await parsed([text for text, _ in timed])
        captions = await parsed([one.caption for one in heards])
        candidates: list[Candidate] = []
        for one, said, (_, marks), doc, caption in zip(stated, heards, timed, docs, captions, strict=True):
            start = len(without_times(said.asked)[0]) if said.asked else 0
            statement = Statement(
                doc, told=start, marks=marks, speaker=one.speaker, people=people, most_words=self._most_words
            )
            shown = shared(caption, one.speaker, people, self._most_words)
            triples = [*statement.triples(), *shown] or statement.as_words()
            candidates += [Candidate(triple, one.speaker, one.sources, one.said_at) for triple in triples]
        return candidates

    def missing(self) -> list[str]:
        """Return the packages that are not installed."""
        return missing_packages("extractor=triples_local")
