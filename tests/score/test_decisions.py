"""Decisions beside what was right, and the memory beside the truth."""

from dataclasses import replace
from datetime import datetime

import pytest

from memlab.dialogue import Conversation, Question, Turn
from memlab.gold import Statement, Told, truth
from memlab.memory import Add, Candidate, Delete, Fact, Noop, Operation, Update
from memlab.memory_json import candidate_to_json, operation_to_json
from memlab.score.decisions import decision_records, verb
from memlab.score.operations import state_scores

NOON = datetime(2023, 5, 8, 12)
TEXTS = {
    "D1:1": "Ann lives in Oslo.",
    "D1:2": "Ann's flat in Oslo has a balcony.",
    "D1:3": "Ann has her home in Oslo.",
    "D2:1": "Ann has moved to Rome.",
    "D2:2": "Ben no longer has a dog.",
}
GOLD = (
    Statement("f1", "D1:1", TEXTS["D1:1"], "ADD", None, ("f1",), (), ("Oslo",)),
    Statement("f2", "D1:2", TEXTS["D1:2"], "UPDATE", "f1", ("f2", "f1"), (), ("balcony",)),
    Statement("f3", "D1:3", TEXTS["D1:3"], "NOOP", "f1", ("f1",), (), ("Oslo",)),
    Statement("f4", "D2:1", TEXTS["D2:1"], "DELETE", "f1", ("f4",), ("f1", "f2"), ("Rome",)),
)


def conversation() -> Conversation:
    turns = tuple(Turn(id_, "Ann", f"said {text}", NOON, int(id_[1])) for id_, text in TEXTS.items())
    return Conversation("c", ("Ann", "Ben"), turns, (Question("q", "?", "Rome", 4, ("D2:1",)),), GOLD)


def candidate(turn: str, text: str | None = None) -> Candidate:
    return Candidate(Fact(text or TEXTS[turn]), "Ann", (turn,), NOON)


def windows(*decided: tuple[Candidate, tuple[Operation, ...]]) -> list[dict[str, object]]:
    """One window a turn of the conversation; candidates of turns that are not given are not extracted."""
    found = []
    for number, turn in enumerate(TEXTS):
        own = [(one, operations) for one, operations in decided if turn in one.sources]
        found.append(
            {
                "window": number,
                "perspective": None,
                "turns": [turn],
                "candidates": [candidate_to_json(one) for one, _ in own],
                "operations": [[operation_to_json(o) for o in operations] for _, operations in own],
            }
        )
    return found


def perfect() -> list[tuple[Candidate, tuple[Operation, ...]]]:
    home, flat, again, moved = (candidate(turn) for turn in list(TEXTS)[:4])
    both = replace(flat, content=Fact(f"{TEXTS['D1:1']} {TEXTS['D1:2']}"))
    return [
        (home, (Add(home),)),
        (flat, (Update("m0", both),)),
        (again, (Noop("m0", again.sources),)),
        (moved, (Delete("m0", NOON), Add(moved))),
    ]


def test_truth_holds_what_was_stated_and_not_ended() -> None:
    assert truth(GOLD[:3]) == {"f1", "f2"}
    assert truth(GOLD) == {"f4"}


def test_right_decisions_cost_nothing_and_end_in_the_truth() -> None:
    decisions, states = decision_records(conversation(), windows(*perfect()))
    assert [(one["gold"], one["chosen"], one["on_target"]) for one in decisions] == [
        ("ADD", "ADD", None),
        ("UPDATE", "UPDATE", True),
        ("NOOP", "NOOP", True),
        ("DELETE", "DELETE", True),
    ]
    assert not any(one[cost] for one in decisions for cost in ("lost", "overwritten", "deleted"))
    assert [(state["session"], state["true"], state["right"], state["stale"]) for state in states] == [
        (1, 2, 2, 0),
        (2, 1, 1, 0),
    ]
    assert state_scores(states)["precision"] == state_scores(states)["recall"] == 1.0


def test_a_repetition_that_is_added_is_counted_as_repeated() -> None:
    decided = perfect()[:2]
    again = candidate("D1:3")
    _, states = decision_records(conversation(), windows(*decided, (again, (Add(again),))))
    assert (states[0]["told"], states[0]["right"], states[0]["repeated"]) == (3, 2, 1)
    assert states[1]["stale"] == 3  # f1 twice and f2: nobody was told of the move
    assert state_scores(states[:1])["precision"] == pytest.approx(2 / 3)


def test_an_update_of_a_stranger_is_a_wrong_overwrite() -> None:
    home, moved = candidate("D1:1"), candidate("D1:3", "Ben has a dog.")
    decisions, _ = decision_records(conversation(), windows((home, (Add(home),)), (moved, (Update("m0", moved),))))
    assert decisions[1]["overwritten"] == ["f1"]


def test_a_delete_of_what_is_true_is_harmful_and_one_of_what_ended_is_not() -> None:
    home, again, moved = candidate("D1:1"), candidate("D1:3"), candidate("D2:1")
    decided = windows((home, (Add(home),)), (again, (Delete("m0", NOON),)))
    assert decision_records(conversation(), decided)[0][1]["deleted"] == ["f1"]
    decided = windows((home, (Add(home),)), (moved, (Delete("m0", NOON),)))
    decision = decision_records(conversation(), decided)[0][1]
    assert decision["deleted"] == []
    assert decision["lost"] == ["f4"]  # the paper's DELETE: the new fact is stored nowhere


def test_what_a_decision_brings_back_it_has_not_taken_away() -> None:
    home, again = candidate("D1:1"), candidate("D1:3")
    decided = windows((home, (Add(home),)), (again, (Delete("m0", NOON), Add(again))))
    decision = decision_records(conversation(), decided)[0][1]
    assert (decision["chosen"], decision["deleted"], decision["lost"]) == ("DELETE", [], [])


def test_what_two_memories_told_is_taken_away_once() -> None:
    home, flat, again = candidate("D1:1"), candidate("D1:2"), candidate("D1:3", "Ben has a dog.")
    decided = windows((home, (Add(home),)), (flat, (Add(flat),)), (again, (Update("m0", again), Delete("m1", NOON))))
    decision = decision_records(conversation(), decided)[0][2]
    assert (decision["overwritten"], decision["deleted"]) == ([], ["f1", "f2"])


def test_the_right_operation_on_a_wrong_memory_misses_its_target() -> None:
    home, dog, flat = candidate("D1:1"), candidate("D1:1", "Ben has a dog."), candidate("D1:2")
    decided = windows((home, (Add(home),)), (dog, (Add(dog),)), (flat, (Update("m1", flat),)))
    decisions, _ = decision_records(conversation(), decided)
    assert decisions[-1]["gold"] == decisions[-1]["chosen"] == "UPDATE"
    assert decisions[-1]["on_target"] is False


def test_statements_that_were_not_extracted_are_true_all_the_same() -> None:
    decisions, states = decision_records(conversation(), windows())
    assert decisions == []
    assert [(state["true"], state["told"]) for state in states] == [(2, 0), (1, 0)]


def test_a_candidate_in_other_words_is_taken_for_the_statement_whose_key_it_has() -> None:
    told = Told(GOLD)
    assert told.statement("Ann said that Oslo is home", ["D1:1"]) == GOLD[0]
    assert told.statement("Ann likes the weather", ["D1:1"]) is None


def test_a_candidate_in_other_words_that_names_what_a_revocation_ends_is_taken_for_it() -> None:
    left = Statement("f5", "D2:2", "Ann is without a home of her own.", "DELETE", "f1", (), ("f1",), ())
    told, text = Told((GOLD[0], left)), "Ann said: they have sold Oslo over my head!"
    assert told.statement(text, ["D2:2"]) == left
    assert told.statement("Ann said: what a day!", ["D2:2"]) is None
    assert told.tells(text, ["D2:2"]) == set()


def test_a_memory_in_other_words_tells_what_its_turns_state_whose_key_words_it_has() -> None:
    told = Told(GOLD)
    assert told.tells("Ann, who moved to Rome, used to be elsewhere", ["D1:1", "D2:1"]) == {"f4"}
    assert told.tells(TEXTS["D2:1"], ["D1:1", "D2:1"]) == {"f4"}
    assert told.tells("Ann lives in Oslo. Ann has moved to Rome.", ["D1:1", "D2:1"]) == {"f1", "f4"}
    assert told.tells(TEXTS["D1:1"], ["D2:2"]) == set()


def test_a_decision_is_named_by_the_most_that_it_does() -> None:
    home = candidate("D1:1")
    assert verb([]) == "NOOP"
    assert verb([Add(home)]) == "ADD"
    assert verb([Delete("m0", NOON), Add(home)]) == "DELETE"
    assert verb([Update("m0", home)]) == "UPDATE"
