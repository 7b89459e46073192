"""One relation for each close memory from a model of pairs, and the operation that follows from all of them."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from memlab.memory import Add, Candidate, Decision, Hit, Memory, Noop
from memlab.part import PartFailed
from memlab.update.merge import Merge, merged, recorded_in
from memlab.update.plain import Compares, is_one_statement, is_plain, unsaid
from memlab.update.policy import OnDelete, contradicted, one_of
from memlab.update.relation import OPERATION_OF, RELATIONS, Pair, PairModel, Probabilities, Relation
from memlab.update.updater import Proposal, Updater

_REMEMBERED = 4096


class Classifier(Updater):
    """Compares a candidate with its related memories by a model, no language model, all in one batch.

    Of the `neighbours` closest memories with a score of at least `gate`, the one that is most probably not unrelated
    decides: by its likeliest relation, equivalent: NOOP, its turns are credited; augments: UPDATE by `merge`;
    contradicts: DELETE by `on_delete`. ADD when the chance of being unrelated is at least `unrelated` for all of them,
    and where the relation's own chance is below `equivalent` or `contradicts`: NOOP drops what the candidate says, and
    DELETE the memory, while UPDATE by joining and ADD lose nothing. ADD, too, for a repetition when the memory lacks
    more than `unsaid` of its words. With `compares` plain, a candidate that is talk rather than one plain statement is
    added, and nothing is compared with a memory that holds talk: remarks on one topic look like repetitions and
    contradictions, and are neither.
    (arXiv 2504.19413 algorithm 1 asks the same of a language model.)
    """

    foresees: ClassVar[bool] = True

    def __init__(
        self,
        relation: PairModel,
        *,
        gate: float,
        neighbours: int,
        compares: Compares,
        unrelated: float,
        equivalent: float,
        contradicts: float,
        unsaid: float,
        merge: Merge,
        on_delete: OnDelete,
    ) -> None:
        if not -1.0 <= gate <= 1.0:
            raise ValueError(f"gate={gate} is no cosine; it must be within -1 and 1")
        if neighbours < 1:
            raise ValueError(f"neighbours={neighbours}; it must be at least 1 (updater=append compares with none)")
        if not 0.0 < unrelated <= 1.0:
            raise ValueError(f"unrelated={unrelated} is no probability; it must be above 0 and at most 1")
        for name, bar in (("equivalent", equivalent), ("contradicts", contradicts)):
            if not 0.0 <= bar <= 1.0:
                raise ValueError(f"{name}={bar} is no probability; it must be at least 0 and at most 1")
        if not 0.0 <= unsaid <= 1.0:
            raise ValueError(f"unsaid={unsaid} is no share; it must be at least 0 and at most 1")
        one_of("compares", compares, Compares)
        one_of("merge", merge, Merge)
        one_of("on_delete", on_delete, OnDelete)
        self._model = relation
        self._gate = gate
        self._neighbours = neighbours
        self._compares: Compares = compares
        self._unrelated = unrelated
        self._bars: dict[Relation, float] = {"equivalent": equivalent, "contradicts": contradicts}
        self._unsaid = unsaid
        self._merge: Merge = merge
        self._on_delete: OnDelete = on_delete
        self._known: dict[Pair, Probabilities] = {}

    async def foresee(self, proposals: Sequence[Proposal]) -> None:
        """Compute the relations of all pairs of a window in one batch."""
        await self._relations(pair for proposal in proposals for pair in self._pairs(proposal))

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        pairs = [self._pairs(proposal) for proposal in proposals]
        await self._relations(pair for of_proposal in pairs for pair in of_proposal)
        return [self._decision(one, of_one) for one, of_one in zip(proposals, pairs, strict=True)]

    def _close(self, proposal: Proposal) -> list[Hit]:
        close = [hit for hit in proposal.related if hit.score >= self._gate]
        if self._compares == "plain":
            plain = is_one_statement(proposal.candidate.content.text)
            close = [hit for hit in close if is_plain(hit.memory.text)] if plain else []
        return close[: self._neighbours]

    def _pairs(self, proposal: Proposal) -> list[Pair]:
        text = proposal.candidate.content.text
        return [Pair(hit.memory.text, text) for hit in self._close(proposal)]

    async def _relations(self, pairs: Iterable[Pair]) -> None:
        """Make sure that the relations of these pairs are known; raises PartFailed where the model has none."""
        wanted = dict.fromkeys(pairs)
        if new := [pair for pair in wanted if pair not in self._known]:
            if len(self._known) > _REMEMBERED:
                self._known = {pair: known for pair, known in self._known.items() if pair in wanted}
            rows = await self._model.probabilities(new)
            if not np.isfinite(rows).all():
                raise PartFailed(f"{type(self._model).__name__} gave NaN for a probability; train its model again")
            self._known.update(zip(new, rows, strict=True))

    def _decision(self, proposal: Proposal, pairs: Sequence[Pair]) -> Decision:
        candidate = proposal.candidate
        if known := recorded_in(candidate, (hit.memory for hit in proposal.related)):
            return Decision((known,))
        rows = [self._known[pair] for pair in pairs]
        closest = min(range(len(rows)), key=lambda place: rows[place][0], default=None)
        if closest is None or rows[closest][0] >= self._unrelated:
            return Decision((Add(candidate),))
        return self._related(candidate, self._close(proposal)[closest].memory, rows[closest])

    def _related(self, candidate: Candidate, memory: Memory, row: Probabilities) -> Decision:
        relation = RELATIONS[1 + int(row[1:].argmax())]
        if row[RELATIONS.index(relation)] < self._bars.get(relation, 0.0):
            return Decision((Add(candidate),))
        if relation == "equivalent" and unsaid(memory.text, candidate.content.text) > self._unsaid:
            return Decision((Add(candidate),))
        match OPERATION_OF[relation]:
            case "NOOP":
                return Decision((Noop(memory.id, candidate.sources),))
            case "UPDATE":
                return Decision((merged(candidate, memory, self._merge),))
            case _:
                return contradicted(candidate, memory, self._on_delete)
