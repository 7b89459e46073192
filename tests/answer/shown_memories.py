from collections.abc import Sequence
from datetime import datetime

from memlab.answer.extractive import Extractive
from memlab.dialogue import Question
from memlab.memory import Fact, Hit, Memory

SAID_AT = datetime(2023, 5, 8, 13, 56)


def hit(text: str, *, number: int = 0, speaker: str = "Ana", said_at: datetime = SAID_AT) -> Hit:
    memory = Memory(f"m{number}", Fact(text), speaker, (f"D1:{number}",), said_at, said_at, said_at)
    return Hit(memory, 1.0 / (1 + number))


def turns(*texts: str) -> list[Hit]:
    """Hits in the form of the verbatim extractor; the speaker is what stands before the colon."""
    return [
        hit(text, number=number, speaker=text.partition(":")[0].removesuffix(" says"))
        for number, text in enumerate(texts)
    ]


def ask(text: str) -> Question:
    return Question("c/q0", text, None, 4, ())


def extractive(*, most_words: int = 10, most_items: int = 3, least_overlap: float = 0.0) -> Extractive:
    return Extractive(most_words=most_words, most_items=most_items, rank_weight=0.2, least_overlap=least_overlap)


async def answer(question: str, hits: Sequence[Hit]) -> str:
    return (await extractive().answer(ask(question), hits)).text
