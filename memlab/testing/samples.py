"""Small inputs for the contract suites: a conversation, its candidates, and a store that holds them."""

from dataclasses import replace
from datetime import datetime, timedelta

from memlab.datasets.dataset import Corpus, Dataset
from memlab.dialogue import Conversation, Question, Turn
from memlab.gold import Statement
from memlab.memory import Add, Candidate, Content, Entity, Fact, Memory, Triple
from memlab.store.store import Store

START = datetime(2023, 5, 8, 13, 56)

SAID = (
    ("Ada", "Hi Ben! I moved to Oslo last week with my dog Pixel."),
    ("Ben", "Lovely! I still live in Rome. Do you like your new job?"),
    ("Ada", "Yes, I teach chemistry at a school there now."),
    ("Ben", "Great. I bought a red bicycle yesterday."),
    ("Ada", "Nice! My sister Clara is a nurse in Bergen."),
    ("Ben", "Say hello to her. I am allergic to peanuts, by the way."),
)


LATER = "Hi Ben! I moved to Bergen. You like tea, I hear."


def conversation() -> Conversation:
    """Return a dialogue of two sessions, three turns each, with one question."""
    turns = tuple(
        Turn(f"D{1 + i // 3}:{1 + i % 3}", speaker, text, START + timedelta(days=7 * (i // 3)), session=1 + i // 3)
        for i, (speaker, text) in enumerate(SAID)
    )
    question = Question("sample/q0", "Where does Ada live?", "Oslo", 4, ("D1:1",))
    return Conversation("sample", ("Ada", "Ben"), turns, (question,))


class SampleWithGold(Dataset):
    """The sample conversation as a dataset that knows what each turn states, and what a later one, D9:1, does to that.

    Its last statements are the candidates of the updaters' suite.
    """

    has_gold = True

    def read(self) -> Corpus:
        """Return the one conversation."""
        said = conversation()
        turns = (*said.turns, Turn("D9:1", "Ada", LATER, START, session=9))
        gold = [
            Statement(f"f{n}", turn.id, f"{turn.speaker}: {turn.text}", "ADD", None, (f"f{n}",), (), ())
            for n, turn in enumerate(said.turns)
        ]
        gold += [
            Statement("f6", "D9:1", gold[0].text, "NOOP", "f0", ("f0",), (), ()),
            Statement("f7", "D9:1", "Ada moved to Bergen.", "DELETE", "f0", ("f7",), ("f0",), ("Bergen",)),
            Statement("f8", "D9:1", "Ben likes tea.", "ADD", None, ("f8",), (), ("tea",)),
            Statement("f9", "D1:1", "New.", "ADD", None, ("f9",), (), ()),
        ]
        return Corpus("sample", "", (replace(said, turns=turns, gold=tuple(gold)),))


def content(text: str, kind: type[Content] = Fact) -> Content:
    """Return a text as a fact, or as the triple that somebody says it."""
    return Triple(Entity("somebody", "Person"), "says", Entity(text, "Object")) if kind is Triple else Fact(text)


def candidate(
    text: str, *, speaker: str = "Ada", source: str = "D1:1", at: datetime = START, kind: type[Content] = Fact
) -> Candidate:
    """Return a fact, or a triple, as an extractor would propose it."""
    return Candidate(content(text, kind), speaker, (source,), at)


async def filled(store: Store, kind: type[Content] | None = None) -> Store:
    """Return the store after every turn of the sample conversation was added as a memory, a fact where it can be."""
    kind = kind or (Fact if Fact in store.holds else Triple)
    for turn in conversation().turns:
        words = f"{turn.speaker}: {turn.text}"
        await store.apply(Add(candidate(words, speaker=turn.speaker, source=turn.id, at=turn.said_at, kind=kind)))
    return store


def memories() -> list[Memory]:
    """Return the sample conversation's turns as memories, without a store."""
    return [
        Memory(f"m{i}", Fact(f"{t.speaker}: {t.text}"), t.speaker, (t.id,), t.said_at, t.said_at, t.said_at)
        for i, t in enumerate(conversation().turns)
    ]
