"""One thing that is told: which operation it calls for, of which fact, in which words."""

from collections.abc import Collection
from dataclasses import dataclass

from memlab.datasets.generated.dates import When
from memlab.datasets.generated.dice import Dice
from memlab.datasets.synthetic.life import Instance
from memlab.datasets.synthetic.template import Template
from memlab.datasets.synthetic.words import Words
from memlab.gold import Verb

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Move:
    """What is to be told next.

    `form` is the section of the message's template (`new`, `repeat`, `less`, `change`, `revoke`, `aspects.NAME`),
    `detail` the value of an aspect. A `change` is about the new instance, whose `previous` one it ends.
    """

    operation: Verb
    form: str
    instance: Instance
    fact: Template
    said: Template
    detail: str | None = None
    when: When | None = None

    @property
    def aspect(self) -> str | None:
        """The aspect that is told, if one is."""
        return self.form.removeprefix("aspects.") if self.form.startswith("aspects.") else None

    def fields(self, *, spoken: bool) -> dict[str, str]:
        """Return what the templates may name, besides the subject; dates as they are spoken or as facts give them."""
        found = {"v": self.instance.value}
        if self.instance.previous:
            found["old"] = self.instance.previous.value
        if self.detail is not None:
            found["a"] = self.detail
        if self.when:
            found["when"] = self.when.said if spoken else dated(self.when.gold)
        return found


def dated(gold: str) -> str:
    """Return a date with its preposition: `on 6 May 2023`, `in May 2023`, `the week before 9 June 2023`."""
    if gold.startswith("the "):
        return gold
    return f"on {gold}" if gold[0].isdigit() and " " in gold else f"in {gold}"


def wording(
    dice: Dice,
    instance: Instance,
    said_form: str,
    fact_form: str,
    *,
    needs: frozenset[str] = NOTHING,
    besides: Collection[str] = (),
) -> tuple[Template, Template] | None:
    """Return templates of a fact and of the message that states it, None when none fit.

    Both name what `needs` lists; a fact names a value only where the message does. Texts in `besides` come last.
    """
    words, third = instance.words, bool(instance.subject.relation)
    said = suiting(dice, words, f"{'say_of' if third else 'say'}.{said_form}", needs=needs, besides=besides)
    if said is None:
        return None
    unsaid = frozenset(("v", "old", "a")) - said.fields
    fact = suiting(dice, words, f"fact.{fact_form}", needs=needs, without=unsaid, besides=besides)
    return None if fact is None else (fact, said)


def suiting(
    dice: Dice,
    words: Words,
    section: str,
    *,
    needs: frozenset[str] = NOTHING,
    without: frozenset[str] = NOTHING,
    besides: Collection[str] = (),
) -> Template | None:
    """Return a template of a section that has some fields and lacks others, dealt; None when there is none."""
    options = words.templates.get(section, ())
    wrong = [one for one in options if not needs <= one.fields or without & one.fields]
    if len(wrong) == len(options):
        return None
    used = [one for one in options if one.text in besides or one in wrong]
    return dice.deal(f"{words.kind.name} {section}", options, besides=wrong if len(used) == len(options) else used)
