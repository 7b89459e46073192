"""What every implementation of an interface must keep, one suite an interface. Each raises AssertionError.

Anyone who adds a strategy runs the suite of its interface over it; memlab runs them over every option in conf/.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from memlab.answer.answerer import Answerer
from memlab.context import context_tokens
from memlab.datasets.dataset import Dataset
from memlab.dialogue import CATEGORIES, Question
from memlab.embed.embedder import Embedder
from memlab.extract.entities import EntityFinder
from memlab.extract.extractor import Extractor, Window
from memlab.extract.summary import Summariser
from memlab.judge.judge import Judge
from memlab.memory import Add, Delete, Hit, Noop, Update
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store
from memlab.testing.samples import candidate, conversation, filled, memories
from memlab.tracking import Tracker
from memlab.update.updater import Proposal, Updater
from memlab.windows import windows


def check_dataset(dataset: Dataset) -> None:
    """Reading is repeatable; ids are unique; turns are in order of time; evidence names turns."""
    corpus = dataset.read()
    assert corpus == dataset.read(), "reading twice gives two corpora"
    assert corpus.conversations, "no conversations"
    assert len(corpus.sha256) == 64, "sha256 is not a hash in hex"
    questions = [question for one in corpus.conversations for question in one.questions]
    assert len({question.id for question in questions}) == len(questions), "question ids repeat"
    for one in corpus.conversations:
        ids = [turn.id for turn in one.turns]
        assert len(set(ids)) == len(ids), f"turn ids repeat in {one.id}"
        times = [(turn.session, turn.said_at) for turn in one.turns]
        assert times == sorted(times), f"turns of {one.id} are out of order"
        assert {turn.speaker for turn in one.turns} <= set(one.speakers), f"a stranger speaks in {one.id}"
        for question in one.questions:
            assert question.category in CATEGORIES, f"{question.id} has category {question.category}"
            assert set(question.evidence) <= set(ids), f"{question.id} names turns that are not there"


async def check_embedder(embedder: Embedder) -> None:
    """Unit rows of float32 in the order of the texts; a text's vector depends on the text alone; texts differ."""
    texts = ["Ada lives in Oslo.", "Ben has a red bicycle.", "", "Ünïcode 🙂", "Ada lives in Oslo.", "word " * 600]
    vectors = await embedder.embed(texts)
    assert vectors.shape == (len(texts), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5), "rows are not unit vectors"
    alone = np.concatenate([await embedder.embed([text]) for text in reversed(texts)])[::-1]
    assert vectors.tobytes() == alone.tobytes(), "a vector depends on its batch"
    assert len({row.tobytes() for row in vectors}) == len(set(texts)), "different texts share a vector"
    assert (await embedder.embed([])).shape == (0, embedder.dimension)
    assert embedder.name


async def check_entity_finder(finder: EntityFinder) -> None:
    """Entities are named, each once, the same every time; a context adds none of its own; no text has none."""
    for turn in conversation().turns:
        found = await finder.find(turn.text)
        assert found == await finder.find(turn.text), "finding is not repeatable"
        assert all(entity.name.strip() and entity.kind.strip() for entity in found), "an entity without name or type"
        assert len(set(found)) == len(found), "an entity comes twice"
    known = {entity.name for entity in await finder.find("Ada moved to Oslo.")}
    assert "Zebedee" not in {entity.name for entity in await finder.find("Ada moved to Oslo.", "Zebedee is here.")}
    assert known, "nobody and nothing in a sentence with two names"
    assert await finder.find("") == [], "entities out of nothing"


async def check_extractor(extractor: Extractor) -> None:
    """Candidates come from the new turns, carry them as sources and their time, and are the same every time.

    In a window with an owner, they come from what the owner said, and carry the owner's name.
    """
    owners = (None, *conversation().speakers) if extractor.tells_speakers else (None,)
    for window in (
        replace(window, owner=owner)
        for owner in owners
        for window in windows(conversation(), size=extractor.messages_per_window, m=4)
    ):
        found = await extractor.extract(window)
        assert found == await extractor.extract(window), "extraction is not repeatable"
        new = {turn.id: turn for turn in window.new}
        shown = {turn.id for turn in (*window.new, *window.recent)}
        for proposed in found:
            assert proposed.content.text.strip(), "an empty candidate"
            assert set(proposed.sources) <= shown, f"sources {proposed.sources} are not of the window"
            assert set(proposed.sources) & set(new), f"candidate from recent turns only: {proposed.content.text!r}"
            assert proposed.said_at in {turn.said_at for turn in window.new}, "a time that is not a turn's"
            assert window.owner in (None, proposed.speaker), f"said by {proposed.speaker}, not by the owner"
    assert await extractor.extract(Window(new=())) == [], "candidates out of nothing"


async def check_summariser(summariser: Summariser) -> None:
    """A summary is words that depend on the one before and the turns since; it is written every so many windows."""
    turns = conversation().turns
    assert summariser.every is None or summariser.every >= 1
    assert summariser.lag >= 1, "a window would read a summary of itself"
    first = await summariser.summarise("", turns[:3])
    assert first == await summariser.summarise("", turns[:3]), "summaries are not repeatable"
    assert isinstance(await summariser.summarise(first, turns[3:]), str)


async def check_judge(judge: Judge) -> None:
    """A verdict by each rubric is correct, wrong, or none with a reason, and depends on question, gold and answer."""
    question = conversation().questions[0]
    assert len(set(judge.rubrics)) == len(judge.rubrics), "a rubric comes twice"
    assert judge.repeats >= (1 if judge.rubrics else 0)
    for rubric in judge.rubrics:
        for answer in ("Oslo", "In Rome, since May", ""):
            verdict = await judge.judge(question, answer, rubric, 0)
            assert verdict == await judge.judge(replace(question, id="other"), answer, rubric, 0), "not repeatable"
            assert verdict.correct is not None or verdict.reason, "unscored without a reason"


async def check_updater(updater: Updater) -> None:
    """One decision a proposal; operations name shown memories only; the same proposals get the same decisions."""
    hits = tuple(Hit(memory, score) for memory, score in zip(memories(), (0.97, 0.9, 0.6, 0.5, 0.3, 0.1), strict=True))
    texts = ("Ada: Hi Ben! I moved to Oslo last week with my dog Pixel.", "Ada moved to Bergen.", "Ben likes tea.")
    proposals = [Proposal(candidate(text, source="D9:1"), hits) for text in texts] + [Proposal(candidate("New."), ())]
    groups = [proposals] if updater.joint else [[proposal] for proposal in proposals]
    for group in groups:
        decisions = await updater.decide(group)
        assert decisions == await updater.decide(group), "decisions are not repeatable"
        assert len(decisions) == len(group), "not one decision a proposal"
        for decision, proposal in zip(decisions, group, strict=True):
            shown = {hit.memory.id for hit in proposal.related} | {None}
            for operation in decision.operations:
                match operation:
                    case Update(id=id) | Delete(id=id) | Noop(duplicate_of=id):
                        assert id in shown, f"{operation} names a memory that was not shown"
                    case Add(candidate=added):
                        assert set(proposal.candidate.sources) <= set(added.sources), "sources were lost"


async def check_retriever(make: Callable[[Store], Retriever], new_store: Callable[[], Store]) -> None:
    """Best first, each live memory at most once, within the bounds, the store unchanged, nothing from another store."""
    store = await filled(new_store())
    await store.apply(Delete("m3", candidate("x").said_at))
    question = Question("q", "Where does Ada live now, and with which dog?", None, 4, ())
    before = (store.version, store.memories(retired=True))
    retriever = make(store)
    ranking = await retriever.rank(question, None)
    assert ranking == await retriever.rank(question, None), "ranking is not repeatable"
    assert (store.version, store.memories(retired=True)) == before, "the store was changed"
    ids = [hit.memory.id for hit in ranking]
    assert len(set(ids)) == len(ids), "a memory comes twice"
    assert {hit.memory for hit in ranking} <= set(store.memories()), "a retired or unknown memory came back"
    scores = [hit.score for hit in ranking]
    assert scores == sorted(scores, reverse=True), "not best first"
    assert [hit.memory.id for hit in await retriever.rank(question, 2)] == ids[:2], (
        "the head is not the head of the whole"
    )
    retriever.top_k, retriever.max_tokens = 2, None
    assert await retriever.retrieve(question) == ranking[:2], "top_k is not kept"
    retriever.top_k, retriever.max_tokens = None, 40
    assert context_tokens(await retriever.retrieve(question)) <= 40, "max_tokens is not kept"
    assert await make(new_store()).rank(question, 5) == [], "an empty store gave hits"


async def check_answerer(answerer: Answerer) -> None:
    """The answer comes from question and hits alone: not from gold, evidence or category; used memories were shown."""
    hits = [Hit(memory, 1 / (1 + n)) for n, memory in enumerate(memories())]
    question = conversation().questions[0]
    given = await answerer.answer(question, hits)
    poisoned = replace(question, id="other", gold="poison", category=2, evidence=("D2:3",))
    assert given == await answerer.answer(poisoned, hits), "the answer depends on what only the scorer may know"
    assert set(given.used or ()) <= {hit.memory.id for hit in hits}, "it used a memory it was not shown"
    assert not (await answerer.answer(question, [])).used, "it used a memory without any"


def check_tracker(tracker: Tracker, folder: Path) -> None:
    """Publishing a finished run says where it can be seen, or None, and leaves the run as it was."""
    before = contents(folder)
    where = tracker.publish(folder, study=folder.parent.name)
    assert where is None or where, "an empty answer to where it can be seen"
    assert contents(folder) == before, "the run was changed"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
