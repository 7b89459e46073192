import pytest

from memlab.retrieve.speaker_match import SpeakerMatch
from memlab.store.store import Store
from tests.retrieve.said import Fixed, asked, ids, new_store, store_of

LINES = ("Ada: I paint", "Ben: I sing", "Ada: I swim", "Ben: I cook")
SCORES = {"m1": 1.0, "m0": 0.9, "m3": 0.8, "m2": 0.3}


def match(store: Store, scores: dict[str, float], others: float = 0.5) -> SpeakerMatch:
    return SpeakerMatch(Fixed(store, scores), others=others, top_k=None, max_tokens=None)


async def test_what_the_named_speaker_said_moves_up() -> None:
    ranking = await match(await store_of(*LINES), SCORES).rank(asked("What is Ada's hobby?"), None)
    assert [(hit.memory.id, hit.score) for hit in ranking] == [("m0", 0.9), ("m1", 0.5), ("m3", 0.4), ("m2", 0.3)]


@pytest.mark.parametrize("question", ["Who sings?", "Do Ada and Ben sing?", "What about Adam or Benny?"])
async def test_a_question_that_names_no_speaker_or_all_changes_nothing(question: str) -> None:
    store = await store_of(*LINES)
    assert await match(store, SCORES).rank(asked(question), None) == await Fixed(store, SCORES).rank(
        asked(question), None
    )


async def test_one_word_of_a_name_in_any_case_names_the_speaker() -> None:
    store = await store_of("Ada King: I paint", "Ben Noll: I sing")
    ranking = await match(store, {"m1": 1.0, "m0": 0.9}).rank(asked("what does ADA paint"), None)
    assert ids(ranking) == ["m0", "m1"]


async def test_a_negative_score_is_held_back_too() -> None:
    ranking = await match(await store_of(*LINES), {"m0": -0.3, "m1": -0.2}).rank(asked("What does Ada do?"), None)
    assert [(hit.memory.id, hit.score) for hit in ranking] == [("m0", -0.3), ("m1", -0.4)]


async def test_others_at_1_changes_nothing() -> None:
    store = await store_of(*LINES)
    ranking = await match(store, SCORES, others=1).rank(asked("What is Ada's hobby?"), None)
    assert ids(ranking) == ["m1", "m0", "m3", "m2"]


async def test_the_whole_inner_ranking_is_weighed_before_it_is_cut() -> None:
    ranking = await match(await store_of(*LINES), {"m1": 1.0, "m3": 0.9, "m0": 0.8}).rank(asked("Ada?"), 1)
    assert ids(ranking) == ["m0"]


@pytest.mark.parametrize("others", [0, -0.5, 1.5])
def test_a_weight_out_of_range_is_refused(others: float) -> None:
    with pytest.raises(ValueError, match="others="):
        match(new_store(), {}, others=others)
