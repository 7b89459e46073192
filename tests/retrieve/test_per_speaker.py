"""Two stores searched as one."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memlab.config import build
from memlab.context import within
from memlab.dialogue import Question
from memlab.memory import Add, Hit
from memlab.retrieve.nearest import Nearest
from memlab.retrieve.per_speaker import PerSpeaker
from memlab.retrieve.retriever import Retriever
from memlab.testing import candidate, check_retriever, memories
from tests.test_config import composed

ASKED = Question("q", "Where does Ada live?", None, 0, ())


class Scored(Retriever):
    """Memories with these scores, best first; notes how deep it was asked to look."""

    def __init__(self, scores: Sequence[float], *, top_k: int | None, max_tokens: int | None) -> None:
        self.top_k = top_k
        self.max_tokens = max_tokens
        self.depths: list[int | None] = []
        [first, *_] = memories()
        self._hits = [Hit(replace(first, id=f"m{place}"), score) for place, score in enumerate(scores)]

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        self.depths.append(depth)
        return self._hits[:depth]


def both(ada: Sequence[float], ben: Sequence[float], *, top_k: int | None, max_tokens: int | None = None) -> PerSpeaker:
    return PerSpeaker(
        {
            "Ada": Scored(ada, top_k=top_k, max_tokens=max_tokens),
            "Ben": Scored(ben, top_k=top_k, max_tokens=max_tokens),
        }
    )


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.memory.id for hit in hits]


async def test_rankings_are_merged_by_score() -> None:
    ranking = await both((0.9, 0.5), (0.7, 0.6, 0.1), top_k=None).rank(ASKED, None)
    assert ids(ranking) == ["Ada:m0", "Ben:m0", "Ben:m1", "Ada:m1", "Ben:m2"]


async def test_equal_scores_are_in_the_order_of_the_speakers_every_time() -> None:
    assert ids(await both((0.5, 0.5), (0.5,), top_k=None).rank(ASKED, None)) == ["Ada:m0", "Ada:m1", "Ben:m0"]


async def test_each_store_shows_its_own_best_however_low_their_scores() -> None:
    retriever = both((0.9, 0.8, 0.7, 0.6), (0.2, 0.1), top_k=2)
    assert ids(await retriever.retrieve(ASKED)) == ["Ada:m0", "Ada:m1", "Ben:m0", "Ben:m1"]


async def test_a_store_with_less_than_top_k_gives_no_places_to_the_other() -> None:
    assert ids(await both((0.9, 0.8, 0.7), (0.2,), top_k=2).retrieve(ASKED)) == ["Ada:m0", "Ada:m1", "Ben:m0"]
    assert ids(await both((0.9, 0.8, 0.7), (), top_k=2).retrieve(ASKED)) == ["Ada:m0", "Ada:m1"]


@pytest.mark.parametrize("top_k", [None, 1, 2, 3])
async def test_the_head_is_the_head_of_the_whole(top_k: int | None) -> None:
    retriever = both((0.9, 0.8, 0.3, 0.2), (0.85, 0.4, 0.35), top_k=top_k)
    whole = await retriever.rank(ASKED, None)
    assert len(whole) == 7
    for depth in range(8):
        assert await retriever.rank(ASKED, depth) == whole[:depth]


async def test_what_is_shown_is_the_head_of_the_ranking_and_within_the_tokens_of_both() -> None:
    retriever = both((0.9, 0.8, 0.3), (0.85, 0.4), top_k=None, max_tokens=40)
    whole = await retriever.rank(ASKED, None)
    shown = await retriever.retrieve(ASKED)
    assert shown == within(whole, max_tokens=40)
    assert 0 < len(shown) < len(whole)


async def test_both_bounds_hold_together() -> None:
    retriever = both((0.9, 0.8, 0.3), (0.85, 0.4), top_k=1, max_tokens=10_000)
    assert ids(await retriever.retrieve(ASKED)) == ["Ada:m0", "Ben:m0"]


async def test_a_ranking_is_deep_enough_for_top_k_of_every_store() -> None:
    assert both((), (), top_k=30).depth() == 60
    assert both((), (), top_k=30).depth(hits=100) == 100
    assert both((), (), top_k=None).depth(hits=100) is None


@pytest.mark.parametrize(
    "kind", ["nearest", "bm25", "fused", "smoothed", "speaker_match", "everything", "recent", "random"]
)
async def test_a_real_retriever_over_two_stores_keeps_the_contract(kind: str) -> None:
    parts = build(composed(f"retriever={kind}"))
    stores = {owner: parts.new_store() for owner in ("Ada", "Ben")}
    for owner, store in stores.items():
        for number in range(6):
            await store.apply(Add(candidate(f"{owner} likes thing {number} in Oslo, where Ada lives.", speaker=owner)))
    retriever = PerSpeaker({owner: parts.new_retriever(store) for owner, store in stores.items()})
    whole = await retriever.rank(ASKED, None)
    assert len(set(ids(whole))) == len(whole)
    assert {hit.memory.speaker for hit in whole} == {"Ada", "Ben"}
    assert all(hit.memory.id.startswith(f"{hit.memory.speaker}:m") for hit in whole)
    scores = [hit.score for hit in whole]
    if retriever.top_k is None:
        assert scores == sorted(scores, reverse=True)
    shown = await retriever.retrieve(ASKED)
    assert shown == retriever.shown(whole)


async def test_one_store_alone_keeps_the_whole_contract() -> None:
    parts = build(composed())
    await check_retriever(
        lambda store: PerSpeaker({None: Nearest(store, of="any", top_k=None, max_tokens=None)}), parts.new_store
    )
