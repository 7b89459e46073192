from memlab.retrieve.nearest import Nearest
from tests.retrieve.said import asked, ids, store_of


async def test_the_memory_that_shares_most_words_comes_first() -> None:
    store = await store_of("Ben: I like tea", "Ada: the red bicycle is mine", "Ben: it rains")
    ranking = await Nearest(store, top_k=None, max_tokens=None).rank(asked("is the red bicycle hers"), None)
    assert ids(ranking)[0] == "m1"
    assert len(ranking) == 3


async def test_scores_are_those_of_the_store() -> None:
    store = await store_of("Ada: red", "Ben: blue")
    assert await Nearest(store, top_k=None, max_tokens=None).rank(asked("red"), 2) == await store.nearest("red", 2)
