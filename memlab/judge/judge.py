"""Is an answer right? The verdict of a model (arXiv 2504.19413 section 3.2, J)."""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import PurePath

from memlab.dialogue import Question
from memlab.judge.card import Card
from memlab.part import Part


@dataclass(frozen=True, slots=True)
class Verdict:
    """Correct or wrong; None is unscored, with the reason. `reply` is what the judge wrote.

    `probability` is how likely the answer is correct, of judges that can tell.
    """

    correct: bool | None
    reason: str | None = None
    reply: str = ""
    probability: float | None = None


class Judge(Part):
    """Compares answers with gold answers, by each of its rubrics, `repeats` times."""

    rubrics: tuple[str, ...]
    """The names of the rubrics, generous or strict say; none: nothing is judged."""
    repeats: int
    """Independent verdicts on every answer; the paper gives mean and standard deviation of ten."""
    probes: int
    """Questions on which the judge itself is tried, with answers that are wrong on purpose."""

    @abstractmethod
    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        """Return one verdict on an answer to a question with a gold answer; raises PartFailed when there is none."""

    def card(self) -> Card | None:
        """Return how far this judge was measured against labels; None where it was not."""
        return None


class NoJudge(Judge):
    """Judges nothing."""

    rubrics = ()
    repeats = 0
    probes = 0

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        """Return no verdict."""
        return Verdict(None, "no judge")


def rubric_prompt(rubric: str) -> str:
    """Return the prompt of a rubric: memlab's own `judge_RUBRIC`, or the path of a file of one's own."""
    path = PurePath(rubric)
    return rubric if path.suffix or len(path.parts) > 1 else f"judge_{rubric}"


def rubric_name(rubric: str) -> str:
    """Return what a rubric is called in metrics: its name, or that of its file."""
    return PurePath(rubric).stem
