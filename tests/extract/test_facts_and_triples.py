import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest

from memlab.extract.chunk import Chunk
from memlab.extract.extractor import Extractor, Window
from memlab.extract.facts_and_triples import FactsAndTriples
from memlab.extract.verbatim import Verbatim
from memlab.llm.meter import metered, note_flaw
from memlab.memory import Candidate, Content, Entity, Fact, Triple
from memlab.part import PartFailed
from memlab.testing import check_extractor
from memlab.testing.samples import conversation

WINDOW = Window(new=conversation().turns[:2])
SAID = Triple(Entity("Ada", "Person"), "says", Entity("hi", "Concept"))


class Says(Extractor):
    """Proposes one triple for each turn of the window."""

    proposes: ClassVar[frozenset[type[Content]]] = frozenset({Triple})

    async def extract(self, window: Window) -> list[Candidate]:
        return [
            Candidate(SAID, turn.speaker, (turn.id,), turn.said_at)
            for turn in window.new
            if window.owner in (None, turn.speaker)
        ]


class Of(Says):
    """Does something instead of extracting; reads windows of a chosen size."""

    def __init__(self, act: Callable[[], Awaitable[None]], *, size: int = 2) -> None:
        self.act = act
        self.messages_per_window = size

    async def extract(self, window: Window) -> list[Candidate]:
        await self.act()
        return []


class FactsOf(Of):
    proposes: ClassVar[frozenset[type[Content]]] = frozenset({Fact})


class Reads(Verbatim):
    reads_summary = True


async def failing() -> None:
    raise PartFailed("no answer")


async def broken() -> None:
    raise ZeroDivisionError("a defect")


async def test_it_keeps_the_contract_of_extractors() -> None:
    await check_extractor(FactsAndTriples(facts=Verbatim(), triples=Says()))


async def test_facts_come_first_then_triples() -> None:
    found = await FactsAndTriples(facts=Verbatim(), triples=Says()).extract(WINDOW)
    assert [type(one.content) for one in found] == [Fact, Fact, Triple, Triple]
    assert found == [*await Verbatim().extract(WINDOW), *await Says().extract(WINDOW)]


async def test_both_work_at_the_same_time() -> None:
    met = asyncio.Barrier(2)

    async def meet() -> None:
        async with asyncio.timeout(5):
            await met.wait()

    assert await FactsAndTriples(facts=FactsOf(meet), triples=Of(meet)).extract(WINDOW) == []


@pytest.mark.parametrize("fails", ["facts", "triples"])
async def test_a_failure_is_passed_on_as_it_is_after_the_other_is_done(fails: str) -> None:
    done: list[str] = []

    async def slow() -> None:
        await asyncio.sleep(0.01)
        done.append("other")

    acts = (failing, slow) if fails == "facts" else (slow, failing)
    with pytest.raises(PartFailed, match="no answer"):
        await FactsAndTriples(facts=FactsOf(acts[0]), triples=Of(acts[1])).extract(WINDOW)
    assert done == ["other"], "what was paid for never came back"


async def test_a_failure_of_one_window_does_not_hide_a_defect() -> None:
    with pytest.raises(ZeroDivisionError):
        await FactsAndTriples(facts=FactsOf(failing), triples=Of(broken)).extract(WINDOW)


async def test_when_the_work_is_called_off_both_stop() -> None:
    stopped: list[str] = []

    def waiting(name: str) -> Callable[[], Awaitable[None]]:
        async def wait() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                stopped.append(name)

        return wait

    both = FactsAndTriples(facts=FactsOf(waiting("facts")), triples=Of(waiting("triples")))
    work = asyncio.create_task(both.extract(WINDOW))
    await asyncio.sleep(0.01)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert sorted(stopped) == ["facts", "triples"]


async def test_flaws_of_both_are_counted_where_the_window_is_in_one_order_whichever_is_done_first() -> None:
    def flawed(name: str, seconds: float) -> Callable[[], Awaitable[None]]:
        async def note() -> None:
            await asyncio.sleep(seconds)
            note_flaw(f"repaired: {name}")

        return note

    with metered() as meter:
        both = FactsAndTriples(facts=FactsOf(flawed("facts", 0.01)), triples=Of(flawed("triples", 0)))
        await both.extract(WINDOW)
    assert meter.flaws == ["repaired: facts", "repaired: triples"]


def test_windows_of_different_sizes_are_refused_by_both_values() -> None:
    with pytest.raises(ValueError, match="facts reads 2 messages per window, triples 4"):
        FactsAndTriples(facts=Verbatim(), triples=Of(failing, size=4))


def test_it_reads_windows_of_the_size_of_its_parts() -> None:
    assert FactsAndTriples(facts=FactsOf(failing, size=4), triples=Of(failing, size=4)).messages_per_window == 4


def test_parts_that_mix_speakers_are_refused() -> None:
    with pytest.raises(ValueError, match="facts: Chunk mixes what both speakers said"):
        FactsAndTriples(facts=Chunk(size=128, captions=True), triples=Says())


def test_a_part_that_proposes_the_other_type_is_refused() -> None:
    with pytest.raises(ValueError, match="triples: Verbatim proposes Fact; choose one of Triples only"):
        FactsAndTriples(facts=Verbatim(), triples=Verbatim())


def test_a_summary_is_paid_for_only_where_a_part_reads_it() -> None:
    assert FactsAndTriples(facts=Reads(), triples=Says()).reads_summary
    assert not FactsAndTriples(facts=Verbatim(), triples=Says()).reads_summary


def test_it_proposes_both_types() -> None:
    assert FactsAndTriples.proposes == {Fact, Triple}
