"""What has been stated so far: the gold of a conversation."""

from memlab.datasets.synthetic.life import Detail, Life
from memlab.datasets.synthetic.move import Move
from memlab.gold import Statement


def fact_text(move: Move) -> str:
    """Return the statement of a move as a text that stands on its own."""
    return move.fact.fill({**move.instance.subject.fields, **move.fields(spoken=False)})


class Ledger:
    """Records moves as statements, and brings the lives of the people up to date."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.statements: list[Statement] = []
        self.moves: list[Move] = []
        self._propositions: dict[str, str] = {}

    def is_clear(self, move: Move) -> bool:
        """Return whether the words of a move have not stated another proposition before."""
        known = self._propositions.get(fact_text(move))
        return known is None or (move.operation == "NOOP" and known in self._restated(move))

    def record(self, move: Move, turn: str, session: int) -> None:
        """Take down that a turn tells this."""
        id, text, one = f"s{len(self.statements)}", fact_text(move), move.instance
        target: str | None = None
        says: tuple[str, ...] = ()
        ends: tuple[str, ...] = ()
        key: tuple[str, ...] = ()
        old = one.previous if move.form == "change" else one if move.form == "revoke" else None
        if old:
            target, ends = old.id, (old.id, *(detail.id for detail in old.details.values()))
            self.life.end(old)
        if move.operation == "ADD" or move.form == "change":
            says, key = (id,), (one.value,)
            one.id, one.turn, one.session = id, turn, session
            self.life.begin(one)
        elif move.operation == "UPDATE":
            assert move.aspect is not None
            assert move.detail is not None
            self.life.elaborate(one, move.aspect, Detail(id, move.detail, turn))
            target, says, key = one.id, self._restated(move), (move.detail,)
        elif move.operation == "NOOP":
            target = one.details[move.aspect].id if move.aspect else one.id
            says = self._restated(move)
            key = () if move.form == "less" else (move.detail or one.value,)
        one.spoken = session
        self._note_wording(move)
        if says:
            self._propositions[text] = says[0]
        self.moves.append(move)
        self.statements.append(Statement(id, turn, text, move.operation, target, says, ends, key))

    def _restated(self, move: Move) -> tuple[str, ...]:
        """Return the propositions of its instance that a move tells, the one that it is about first."""
        if move.form == "less":
            return ()
        if move.aspect is None:
            return (move.instance.id,)
        detail = move.instance.details[move.aspect].id
        return (detail, move.instance.id) if "v" in move.fact.fields else (detail,)

    def _note_wording(self, move: Move) -> None:
        if move.aspect:
            move.instance.details[move.aspect].told.update((move.fact.text, move.said.text))
        elif move.form not in ("less", "revoke"):
            move.instance.told.update((move.fact.text, move.said.text))
