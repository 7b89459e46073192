"""What a system can score at most without being paid for wrong golds, as far as the public audit of them tells."""

from collections.abc import Mapping
from dataclasses import dataclass

from memlab.audit.results import SCORED_CATEGORIES
from memlab.paper.locomo import BY_CONVERSATION, QUESTIONS, SCORED, WRONG_GOLDS, WRONG_GOLDS_OF_SEVEN

SOURCE = (
    f"Ceiling: the public audit dial481/locomo-audit (errors.json, commit 9493fb4b) finds {WRONG_GOLDS} of the "
    f"{SCORED:,} scored golds wrong, so {100 * (1 - WRONG_GOLDS / SCORED):.2f} % are right: who scores more is paid "
    "for wrong ones. Per category only its entries on seven of the ten conversations are known here: over all ten, a "
    "category's ceiling is at most what is stated."
)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """So many of `questions` golds are known to be wrong, `whole`: and no more of them are."""

    wrong: int
    questions: int
    whole: bool

    @property
    def percent(self) -> float:
        """Return the share of golds that are not known to be wrong, in percent."""
        return 100 * (1 - self.wrong / self.questions)

    @property
    def told(self) -> str:
        """Return it in words."""
        most = "" if self.whole else "at most "
        return f"{most}{self.percent:.2f} % ({self.wrong} of {self.questions:,} golds known to be wrong)"


def ceiling(category: int | None, questions: Mapping[int, int]) -> Ceiling | None:
    """Return the ceiling of a category, or of all scored ones (None), over LOCOMO's ten conversations or the seven.

    None where the questions are neither: then nobody knows which of them are asked.
    """
    of_ten, of_seven = (asks(questions, extent) for extent in (QUESTIONS, seven()))
    if not (of_ten or of_seven):
        return None
    if category is None:
        wrong = WRONG_GOLDS if of_ten else sum(WRONG_GOLDS_OF_SEVEN.values())
        return Ceiling(wrong, sum(questions[one] for one in SCORED_CATEGORIES), True)
    return Ceiling(WRONG_GOLDS_OF_SEVEN[category], questions[category], of_seven)


def asks(questions: Mapping[int, int], extent: Mapping[int, int]) -> bool:
    """Return whether questions per scored category are those of an extent."""
    return all(questions.get(category) == extent[category] for category in SCORED_CATEGORIES)


def seven() -> dict[int, int]:
    """Return the questions per category of the seven conversations that are counted one by one."""
    return {category: sum(counts[category] for counts in BY_CONVERSATION.values()) for category in QUESTIONS}
