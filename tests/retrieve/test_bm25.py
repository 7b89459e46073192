import math

import pytest

from memlab.memory import Add
from memlab.retrieve.bm25 import BM25, WordIndex, stems
from memlab.store.store import Store
from memlab.testing import candidate
from tests.retrieve.said import asked, ids, new_store, store_of


def bm25(store: Store, *, k1: float = 1.2, b: float = 0.75) -> BM25:
    return BM25(store, k1=k1, b=b, top_k=None, max_tokens=None)


async def test_a_rare_word_beats_many_common_ones() -> None:
    store = await store_of(
        *(f"Ada: my dog likes walks on day {day}" for day in range(20)), "Ben: I saw a zeugma", "Ada: dog walks"
    )
    ranking = await bm25(store).rank(asked("Who likes a zeugma or dog walks?"), None)
    assert ids(ranking)[0] == "m20"


async def test_scores_are_those_of_the_formula() -> None:
    # Two memories of 2 and 4 words, mean 3; `oslo` is in one of them, twice.
    store = await store_of("Ada: chemistry", "Ben: Oslo, Oslo winter")
    [hit] = await bm25(store).rank(asked("Oslo"), None)
    inverse_frequency = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = inverse_frequency * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 4 / 3))
    assert hit.score == pytest.approx(expected, rel=1e-6)


async def test_a_memory_without_a_common_word_is_not_ranked() -> None:
    store = await store_of("Ada: chemistry", "Ben: winter")
    assert ids(await bm25(store).rank(asked("Is it winter?"), None)) == ["m1"]
    assert await bm25(store).rank(asked("Any zeugma?"), None) == []


async def test_function_words_find_nothing() -> None:
    store = await store_of("Ada: What did you do there?", "Ben: I was with them")
    assert await bm25(store).rank(asked("What did they do with it?"), None) == []


async def test_other_forms_of_a_word_are_found() -> None:
    store = await store_of("Ada: I adopted two kittens", "Ben: Nice")
    assert ids(await bm25(store).rank(asked("Which kitten did she adopt?"), None)) == ["m0"]


async def test_of_equal_scores_the_older_memory_comes_first() -> None:
    store = await store_of("Ada: tea", "Ada: winter", "Ada: tea", "Ada: tea")
    ranking = await bm25(store).rank(asked("tea"), None)
    assert ids(ranking) == ["m0", "m2", "m3"]
    assert len({hit.score for hit in ranking}) == 1


async def test_memories_without_a_word_are_no_error() -> None:
    store = await store_of("?", "…")
    assert await bm25(store).rank(asked("tea"), None) == []
    await store.apply(Add(candidate("Ada: tea")))
    assert ids(await bm25(store).rank(asked("tea"), None)) == ["m2"]


async def test_a_memory_added_after_a_search_is_found() -> None:
    store = await store_of("Ada: tea")
    retriever = bm25(store)
    assert await retriever.rank(asked("zeugma"), None) == []
    await store.apply(Add(candidate("Ben: a zeugma")))
    assert ids(await retriever.rank(asked("zeugma"), None)) == ["m1"]


async def test_the_index_is_kept_while_the_store_is_unchanged() -> None:
    store = await store_of("Ada: tea")
    retriever = bm25(store)
    await retriever.rank(asked("tea"), None)
    built = retriever._built
    await retriever.rank(asked("winter"), None)
    assert retriever._built is built


async def test_b_0_ignores_length_and_k1_0_ignores_repetition() -> None:
    store = await store_of("Ada: tea", "Ada: tea with milk and sugar and honey", "Ada: tea tea tea")
    no_length = await bm25(store, b=0.0).rank(asked("tea"), None)
    assert len({hit.score for hit in no_length if hit.memory.id != "m2"}) == 1
    no_repetition = await bm25(store, k1=0.0).rank(asked("tea"), None)
    assert len({hit.score for hit in no_repetition}) == 1


@pytest.mark.parametrize(("k1", "b"), [(-0.1, 0.5), (1.2, -0.1), (1.2, 1.1)])
def test_settings_out_of_range_are_refused(k1: float, b: float) -> None:
    with pytest.raises(ValueError, match="usual"):
        bm25(new_store(), k1=k1, b=b)


def test_words_are_lower_cased_stemmed_and_in_order() -> None:
    assert list(stems("The Kittens' ADOPTION, running: 42 crème_brûlée")) == [
        "kitten",
        "adopt",
        "run",
        "42",
        "crème",
        "brûlée",
    ]


async def test_words_are_numbered_as_they_come_so_that_no_hash_seed_shows() -> None:
    store = await store_of("Ada: tea and milk", "Ben: milk and honey")
    index = WordIndex.of(store.memories(), k1=1.2, b=0.75)
    assert index.scorer is not None
    assert list(index.scorer.vocab_dict) == ["ada", "tea", "milk", "ben", "honey"]


async def test_indexing_and_searching_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    await bm25(await store_of("Ada: tea", "Ben: milk")).rank(asked("tea"), None)
    assert capfd.readouterr() == ("", "")
