from typing import get_args

from memlab.retrieve.nearest import Nearest, Of
from tests.retrieve.graphs import graph_of
from tests.retrieve.said import asked, ids, store_of


async def test_the_memory_that_shares_most_words_comes_first() -> None:
    store = await store_of("Ben: I like tea", "Ada: the red bicycle is mine", "Ben: it rains")
    ranking = await Nearest(store, of="any", top_k=None, max_tokens=None).rank(asked("is the red bicycle hers"), None)
    assert ids(ranking)[0] == "m1"
    assert len(ranking) == 3


async def test_scores_are_those_of_the_store() -> None:
    store = await store_of("Ada: red", "Ben: blue")
    assert await Nearest(store, of="any", top_k=None, max_tokens=None).rank(asked("red"), 2) == await store.nearest(
        "red", 2
    )


async def test_only_memories_of_the_chosen_type_are_ranked() -> None:
    store = await graph_of("fact:Ada lives in Oslo", "Ada likes tea", "fact:Ben likes tea")
    found = {
        of: ids(await Nearest(store, of=of, top_k=None, max_tokens=None).rank(asked("Who likes tea"), None))
        for of in get_args(Of)
    }
    assert {of: set(own) for of, own in found.items()} == {
        "any": {"m0", "m1", "m2"},
        "fact": {"m0", "m2"},
        "triple": {"m1"},
    }
