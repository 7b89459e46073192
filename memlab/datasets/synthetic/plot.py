"""What is told next: operations in the shares that were asked for, and what they are about."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

from memlab.datasets.generated.dates import when
from memlab.datasets.generated.dice import Dice
from memlab.datasets.synthetic.cast import Cast, Subject
from memlab.datasets.synthetic.life import Instance, Life
from memlab.datasets.synthetic.move import Move, wording
from memlab.datasets.synthetic.retold import when_again
from memlab.datasets.synthetic.words import Words
from memlab.gold import OPERATIONS, Verb

BY_DEFICIT = 0.7
"""How often the operation is the one that lags behind its share most, and not one drawn by the shares."""
NEAR_DUPLICATE = 0.45
"""How often a new fact resembles one that was told: another value of the same kind, or the same of somebody else."""
ANOTHER_ITEM, SAME_VALUE = 0.6, 0.6
"""How often it is one of several of the speaker's own, and how often else the same value of somebody else's."""
OF_OTHERS = 0.35
KNOWN_PERSON = 0.65
"""How often a new fact is a third person's, and how often that is somebody spoken of before."""
LATELY = 12
REPEATS_DETAIL = 0.35
SAYS_LESS = 0.12
DATED_AGAIN = 0.45
"""How often an event or a plan of one's own that is told again comes with its date, where it has one."""
REPEATS_AT_ONCE = 0.25
LONG_PAST = 0.25
DAYS_PAST, DAYS_LONG_PAST, DAYS_AHEAD = (0, 26), (27, 330), (10, 170)
TRIES = 16
VALUE = frozenset(("v",))
BOTH_VALUES = frozenset(("v", "old"))


class Plot:
    """Draws what two people tell each other."""

    def __init__(
        self, kinds: Mapping[str, Words], cast: Cast, life: Life, shares: Mapping[Verb, float], dice: Dice
    ) -> None:
        self._kinds = list(kinds.values())
        self._kinds_of_others = [words for words in self._kinds if words.kind.others]
        self._items = [words for words in self._kinds if words.kind.family == "item"]
        self._cast, self._life, self._dice = cast, life, dice
        total = sum(shares.values())
        self._shares = {verb: shares.get(verb, 0) / total for verb in OPERATIONS}
        self._counts = dict.fromkeys(OPERATIONS, 0)
        self._draws: dict[Verb, Callable[[int, int, date], Move | None]] = {
            "ADD": self._add,
            "UPDATE": self._update,
            "DELETE": self._delete,
            "NOOP": self._noop,
        }

    def next(self, teller: int, session: int, today: date) -> Move | None:
        """Return what a speaker tells next, None when there is nothing left to tell."""
        for verb in self._preferences():
            if move := self._draws[verb](teller, session, today):
                return move
        return None

    def told(self, move: Move) -> None:
        """Count a move that has been told."""
        self._counts[move.operation] += 1

    def _preferences(self) -> Iterator[Verb]:
        total = sum(self._counts.values()) + 1
        lag = {verb: self._shares[verb] * total - self._counts[verb] for verb in OPERATIONS}
        ranked = sorted(OPERATIONS, key=lambda verb: -lag[verb])
        if not self._dice.chance(BY_DEFICIT):
            drawn = self._drawn()
            # Never far ahead of its share: chance may make a sequence lively, not wrong.
            if lag[drawn] > -2:
                ranked = [drawn, *(verb for verb in ranked if verb != drawn)]
        return (verb for verb in ranked if self._shares[verb])

    def _drawn(self) -> Verb:
        point, verb = self._dice.between(0, 9999) / 10000, OPERATIONS[0]
        for verb in OPERATIONS:
            point -= self._shares[verb]
            if point < 0:
                break
        return verb

    def _add(self, teller: int, session: int, today: date) -> Move | None:
        for attempt in range(TRIES):
            of_others = attempt >= TRIES // 2
            near = None if of_others or not self._dice.chance(NEAR_DUPLICATE) else self._near_duplicate(teller)
            subject, words, value = near or self._fresh(teller, of_others=of_others)
            if subject is None or (move := self._new(subject, words, value, today)) is None:
                continue
            return move
        return None

    def _near_duplicate(self, teller: int) -> tuple[Subject | None, Words, str | None] | None:
        """Return another value of a kind that somebody has, or the same of somebody else."""
        speaker = self._cast.speakers[teller]
        if self._dice.chance(ANOTHER_ITEM):
            several = self._items if self._items and self._dice.chance(0.8) else self._kinds
            return speaker, self._dice.deal(f"another {teller} {len(several)}", several), None
        whose = teller if self._dice.chance(0.5) else 1 - teller
        model = next(self._life.some(whose, lambda one: not one.ended), None)
        if model is None:
            return None
        value = model.value if model.words.kind.shared and self._dice.chance(SAME_VALUE) else None
        if model.subject is not speaker and self._dice.chance(0.5):
            return speaker, model.words, value
        return (self._other(teller), model.words, value) if model.words.kind.others else None

    def _fresh(self, teller: int, *, of_others: bool) -> tuple[Subject | None, Words, None]:
        if self._kinds_of_others and (of_others or self._dice.chance(OF_OTHERS)):
            return self._other(teller), self._dice.deal("kinds of others", self._kinds_of_others), None
        return self._cast.speakers[teller], self._dice.deal(f"kinds {teller}", self._kinds), None

    def _other(self, teller: int) -> Subject | None:
        """Return a third person: one spoken of lately, a new one, or any where there are no more new ones."""
        known = self._cast.others[teller]
        if known and self._dice.chance(KNOWN_PERSON):
            return self._dice.pick(known[-LATELY:])
        return self._cast.meet(teller) or (self._dice.pick(known) if known else None)

    def _new(self, subject: Subject, words: Words, value: str | None, today: date) -> Move | None:
        kind = words.kind
        if kind.family == "attribute" and self._life.true(subject, kind.name):
            return None
        if kind.needs and self._life.had(subject, kind.needs) and not self._life.true(subject, kind.needs):
            return None
        value = value or self._unused(subject, words)
        if value is None or value in self._life.had(subject, kind.name):
            return None
        instance = Instance(subject, words, value)
        spoken = None
        if kind.dated:
            instance.day = self._day(kind.family == "plan", today)
            spoken = when(instance.day, today, self._dice)
            instance.dated = spoken.gold
        found = wording(self._dice, instance, "new", "new")
        return Move("ADD", "new", instance, *found, when=spoken) if found else None

    def _unused(self, subject: Subject, words: Words) -> str | None:
        had = self._life.had(subject, words.kind.name)
        if len(had) >= len(words.values):
            return None
        return self._dice.deal(f"values {words.kind.name}", words.values, besides=had)

    def _day(self, ahead: bool, today: date) -> date:
        if ahead:
            return today + timedelta(days=self._dice.between(*DAYS_AHEAD))
        span = DAYS_LONG_PAST if self._dice.chance(LONG_PAST) else DAYS_PAST
        return today - timedelta(days=self._dice.between(*span))

    def _update(self, teller: int, session: int, today: date) -> Move | None:
        def suits(one: Instance) -> bool:
            return one.open(today) and len(one.details) < len(one.words.kind.aspects)

        for instance in self._life.some(teller, suits):
            words = instance.words
            aspect = self._dice.pick([name for name in words.kind.aspects if name not in instance.details])
            told = self._life.ever_told(instance.subject, words.kind.name, aspect)
            if len(told) >= len(words.aspects[aspect]):
                continue
            found = wording(self._dice, instance, f"aspects.{aspect}", f"aspects.{aspect}", needs=self._named(instance))
            if found:
                detail = self._dice.deal(f"{words.kind.name} {aspect}", words.aspects[aspect], besides=told)
                return Move("UPDATE", f"aspects.{aspect}", instance, *found, detail=detail)
        return None

    def _delete(self, teller: int, session: int, today: date) -> Move | None:
        for instance in self._life.some(teller, lambda one: one.open(today)):
            options = list(self._endings(instance, session))
            if not options:
                continue
            move = self._revoke(instance) if self._dice.pick(options) == "revoke" else self._change(instance)
            if move:
                return move
        return None

    def _endings(self, instance: Instance, session: int) -> Iterator[str]:
        kind = instance.words.kind
        if kind.family == "event":
            # A correction comes soon or never, only once, and before any details.
            if not instance.details and not instance.previous and session - instance.session <= 1:
                yield "change"
        elif instance.session < session:
            if kind.ends and not self._is_needed(instance):
                yield "revoke"
            if kind.changes and not (kind.family == "plan" and instance.details):
                yield "change"

    def _is_needed(self, instance: Instance) -> bool:
        """Return whether somebody has something that goes with this, such as a way to work."""
        needing = [words.kind.name for words in self._kinds if words.kind.needs == instance.words.kind.name]
        return any(self._life.true(instance.subject, name) for name in needing)

    def _revoke(self, instance: Instance) -> Move | None:
        found = wording(self._dice, instance, "revoke", "revoke", needs=self._named(instance))
        return Move("DELETE", "revoke", instance, *found) if found else None

    def _change(self, instance: Instance) -> Move | None:
        value = self._unused(instance.subject, instance.words)
        if value is None:
            return None
        changed = Instance(instance.subject, instance.words, value, day=instance.day, previous=instance)
        needs = BOTH_VALUES if self._named(instance) else VALUE
        found = wording(self._dice, changed, "change", "change", needs=needs)
        return Move("DELETE", "change", changed, *found) if found else None

    def _noop(self, teller: int, session: int, today: date) -> Move | None:
        # In the first session there is nothing else to repeat; later nobody repeats what they have just said.
        at_once = session == 1 and self._dice.chance(REPEATS_AT_ONCE)
        for instance in self._life.some(teller, lambda one: one.open(today)):
            if instance.spoken == session and not at_once:
                continue
            if instance.details and self._dice.chance(REPEATS_DETAIL):
                move = self._again(instance)
            elif self._alone(instance) and self._dice.chance(SAYS_LESS):
                found = wording(self._dice, instance, "less", "less")
                move = Move("NOOP", "less", instance, *found) if found else None
            else:
                move = self._repeat(instance, session, today)
            if move:
                return move
        return None

    def _again(self, instance: Instance) -> Move | None:
        aspect = self._dice.pick(list(instance.details))
        detail, form = instance.details[aspect], f"aspects.{aspect}"
        needs = self._named(instance)
        found = wording(self._dice, instance, form, form, needs=needs, besides=detail.told)
        return Move("NOOP", form, instance, *found, detail=detail.value) if found else None

    def _repeat(self, instance: Instance, session: int, today: date) -> Move | None:
        third, dated = bool(instance.subject.relation), instance.words.kind.dated
        if dated and (third or self._dice.chance(DATED_AGAIN)):
            move = self._dated_again(instance, today) if instance.session < session else None
            if move or third:
                return move
        said, fact = "new" if third else "repeat", "repeat" if dated else "new"
        found = wording(self._dice, instance, said, fact, needs=VALUE, besides=instance.told)
        return Move("NOOP", said, instance, *found) if found else None

    def _dated_again(self, instance: Instance, today: date) -> Move | None:
        # A correction names no date, so one would be news of what it put right.
        if instance.day is None or instance.dated is None:
            return None
        spoken = when_again(instance.day, instance.dated, today, self._dice)
        found = wording(self._dice, instance, "new", "new", needs=VALUE, besides=instance.told)
        if spoken is None or found is None or found[0].text in instance.told:
            return None
        return Move("NOOP", "new", instance, *found, when=spoken)

    def _alone(self, instance: Instance) -> bool:
        return len(self._life.true(instance.subject, instance.words.kind.name)) == 1

    def _named(self, instance: Instance) -> frozenset[str]:
        """Return the fields without which it would not be clear which of several facts of a kind is meant."""
        return frozenset() if self._alone(instance) else VALUE
