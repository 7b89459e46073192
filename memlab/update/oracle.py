"""The operation that is right by the dataset's gold: what any other way of choosing can reach at best."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Literal

from memlab.datasets.dataset import Dataset
from memlab.gold import Statement, Told
from memlab.memory import Add, Candidate, Decision, Memory, Noop
from memlab.part import PartFailed
from memlab.update.merge import Merge, merged, recorded_in
from memlab.update.policy import OnDelete, contradicted, one_of
from memlab.update.updater import Proposal, Updater

Shown = Literal["all", "related"]
"""Which memories it may choose from: all live ones, or the s related ones, as every other updater."""


class Oracle(Updater):
    """Does what the dataset knows to be right, to the shown memory that tells what the operation is about.

    What its candidate states is found by its turns and words, `Told.statement`: extractor=gold leaves no doubt. Where
    it states nothing that is known, or no shown memory tells what the operation is about, the candidate is added. With
    `shown: related` that is what s costs however well one chooses.
    """

    def __init__(self, dataset: Dataset, *, shown: Shown, merge: Merge, on_delete: OnDelete) -> None:
        one_of("shown", shown, Shown)
        one_of("merge", merge, Merge)
        one_of("on_delete", on_delete, OnDelete)
        self._dataset = dataset
        self._merge: Merge = merge
        self._on_delete: OnDelete = on_delete
        self.needs_all = shown == "all"

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order; raises PartFailed for a turn that the dataset does not have."""
        return [self._decision(proposal) for proposal in proposals]

    def _decision(self, proposal: Proposal) -> Decision:
        candidate, memories = proposal.candidate, [hit.memory for hit in proposal.related]
        told = self._told_of(candidate)
        if known := recorded_in(candidate, memories):
            return Decision((known,))
        statement = told.statement(candidate.content.text, candidate.sources)
        if statement is None or statement.target is None:
            return Decision((Add(candidate),))
        memory = next((one for one in memories if statement.target in told.tells(one.text, one.sources)), None)
        return Decision((Add(candidate),)) if memory is None else self._on(memory, candidate, statement)

    def _on(self, memory: Memory, candidate: Candidate, statement: Statement) -> Decision:
        match statement.operation:
            case "NOOP":
                return Decision((Noop(memory.id, candidate.sources),))
            case "UPDATE":
                return Decision((merged(candidate, memory, self._merge),))
            case "DELETE":
                return contradicted(candidate, memory, self._on_delete)
            case "ADD":
                return Decision((Add(candidate),))

    def _told_of(self, candidate: Candidate) -> Told:
        """Return what is told in the conversation of a candidate: the one that has its turn."""
        id_ = candidate.sources[0]
        found = self._told.get((id_, candidate.speaker, candidate.said_at))
        if not found:
            raise PartFailed(f"updater=oracle: {id_} of {candidate.said_at} is no turn of the run's dataset")
        text = candidate.content.text  # of two such conversations, the one with its very words
        return next((told for told in found if any(one.text == text for one in told.by_turn.get(id_, ()))), found[0])

    @cached_property
    def _told(self) -> Mapping[tuple[str, str, datetime], list[Told]]:
        found: dict[tuple[str, str, datetime], list[Told]] = defaultdict(list)
        for conversation in self._dataset.read().conversations:
            told = Told(conversation.gold)
            for turn in conversation.turns:
                found[turn.id, turn.speaker, turn.said_at].append(told)
        return found
