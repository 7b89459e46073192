"""Each decision of a run beside what was right, and the memory beside the truth as both change."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memlab.dialogue import Conversation
from memlab.gold import Statement, Told, Verb
from memlab.memory import Add, Delete, Memory, Noop, Operation, Update
from memlab.memory_json import candidate_from_json, operation_from_json
from memlab.store.ledger import Ledger

Record = dict[str, Any]


def decision_records(conversation: Conversation, windows: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Return the decisions and the states of one conversation's stores, from its lines of ingest.jsonl.

    A decision names the statement that its candidate makes, what was right (`gold`) and what was `chosen`, whether the
    memory that was touched tells what the operation is about (`on_target`; None: there is no target, or another
    operation was chosen), and which true propositions it cost: `lost` (its own, told nowhere after it), `overwritten`
    and `deleted`. A state stands at the end of each session.
    """
    decisions: list[Record] = []
    states: list[Record] = []
    for owner in dict.fromkeys(window["perspective"] for window in windows):
        own = [window for window in windows if window["perspective"] == owner]
        replayed = Replayed(conversation, owner)
        for window in own:
            decisions += replayed.decisions(window)
            states += replayed.ended_session(window, own)
    return decisions, states


class Replayed:
    """One store as its operations go by: what each live memory tells, and what is true meanwhile."""

    def __init__(self, conversation: Conversation, owner: str | None) -> None:
        speakers = {turn.id: turn.speaker for turn in conversation.turns}
        known = [one for one in conversation.gold if owner in (None, speakers[one.turn])]
        self._place: Record = {"conversation": conversation.id, "perspective": owner}
        self._sessions = {turn.id: turn.session for turn in conversation.turns}
        self._gold = Told(known)
        self._ledger = Ledger()
        self._tells: dict[str, frozenset[str]] = {}
        self._counts: Counter[str] = Counter()
        self._true: set[str] = set()
        self._made = 0
        self._stated = 0

    def decisions(self, window: Record) -> Iterator[Record]:
        """Apply a window and yield its decisions."""
        waiting = [statement for turn in window["turns"] for statement in self._gold.by_turn.get(turn, ())]
        for place, operations in enumerate(window["operations"]):
            candidate = candidate_from_json(window["candidates"][place])
            statement = self._gold.statement(candidate.content.text, candidate.sources)
            while statement in waiting:
                self._state(waiting.pop(0))
            yield {
                **self._place,
                "window": window["window"],
                "candidate": place,
                "statement": None if statement is None else statement.id,
                "gold": None if statement is None else statement.operation,
                **self._decided([operation_from_json(operation) for operation in operations], statement),
            }
        for statement in waiting:
            self._state(statement)

    def ended_session(self, window: Record, windows: Sequence[Record]) -> Iterator[Record]:
        """Yield the state when this window is the last of its session."""
        number, last = window["window"], len(windows) - 1
        session = self._sessions[window["turns"][-1]]
        if number < last and self._sessions[windows[number + 1]["turns"][-1]] == session:
            return
        told = Counter({proposition: n for proposition, n in self._counts.items() if n > 0})
        yield {
            **self._place,
            "session": session,
            "statements": self._stated,
            "memories": len(self._tells),
            "true": len(self._true),
            "told": told.total(),
            "right": len(self._true & told.keys()),
            "stale": sum(n for proposition, n in told.items() if proposition not in self._true),
            "repeated": sum(n - 1 for proposition, n in told.items() if proposition in self._true),
            "unfounded": sum(not self._gold_in(memory) for memory in self._ledger.memories()),
        }

    def _gold_in(self, memory: Memory) -> bool:
        return any(turn in self._gold.by_turn for turn in memory.sources)

    def _state(self, statement: Statement) -> None:
        self._true.difference_update(statement.ends)
        self._true.update(statement.says)
        self._stated += 1

    def _decided(self, operations: Sequence[Operation], statement: Statement | None) -> Record:
        target = statement.target if statement else None
        chosen = verb(operations)
        touched = [id_ for operation in operations if (id_ := named(operation)) is not None]
        aimed = target is not None and statement is not None and statement.operation == chosen and bool(touched)
        on_target = any(target in self._tells.get(id_, ()) for id_ in touched) if aimed else None
        taken: dict[str, str] = {}
        for operation in operations:
            kind = "deleted" if isinstance(operation, Delete) else "overwritten"
            taken |= dict.fromkeys(self._apply(operation) & self._true, kind)
        # Only now: what one operation takes away, another of the same decision may bring back.
        gone = sorted(proposition for proposition in taken if not self._counts[proposition])
        cost = {name: [one for one in gone if taken[one] == name] for name in ("overwritten", "deleted")}
        own = [statement.id] if statement and statement.id in statement.says else []
        lost = [proposition for proposition in own if not self._counts[proposition]]
        return {"chosen": chosen, "target": target, "on_target": on_target, "lost": lost, **cost}

    def _apply(self, operation: Operation) -> frozenset[str]:
        """Apply an operation; return what the memory that it is on told before."""
        match operation:
            case Add(candidate):
                memory: Memory | None = self._ledger.add(candidate)
            case Update(id_, candidate):
                memory = self._ledger.update(id_, candidate)
            case Delete(id_, at):
                memory = self._ledger.retire(id_, at)
            case Noop(None, _):
                memory = None
            case Noop(str(id_), sources):
                memory = self._ledger.credit(id_, sources)
        if memory is None:
            return frozenset()
        before = self._tells.pop(memory.id, frozenset())
        self._counts.subtract(before)
        if memory.retired_at is None:
            self._tells[memory.id] = frozenset(self._gold.tells(memory.text, memory.sources))
            self._counts.update(self._tells[memory.id])
        return before


def verb(operations: Iterable[Operation]) -> Verb:
    """Return the name of what was decided: of a memory that made way for a new one, DELETE."""
    kinds = {type(operation) for operation in operations}
    if Delete in kinds:
        return "DELETE"
    if Update in kinds:
        return "UPDATE"
    return "ADD" if Add in kinds else "NOOP"


def named(operation: Operation) -> str | None:
    """Return the id of the memory that an operation is on."""
    match operation:
        case Update(id_, _) | Delete(id_, _) | Noop(id_, _):
            return id_
        case Add():
            return None
