import copy
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.datasets.dataset import Corpus, DatasetError
from memlab.datasets.locomo import PUBLISHED_SHA256, Locomo
from memlab.datasets.subset import even_shares
from tests.datasets.locomo_samples import asked, edited, fault, read, said, sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "locomo.json"


def repairs(file: Path, **question: Any) -> tuple[tuple[str, ...], list[str]]:
    value = sample()
    value["conversation"]["session_8_date_time"] = "1:56 pm on 9 May, 2023"
    value["conversation"]["session_8"] = [said("D8:6"), said("D9:17"), said("D11:26"), said("D30:5")]
    value["qa"] = [asked(**question)]
    corpus = read(file, value)
    return corpus.conversations[0].questions[0].evidence, list(corpus.notes[1:])


# --- questions ---


def test_integer_answer_becomes_a_string(file: Path) -> None:
    value = edited(lambda v: v["qa"][0].update(answer=2022))
    assert read(file, value).conversations[0].questions[0].gold == "2022"


def test_adversarial_answer_is_never_read(file: Path) -> None:
    tempting = {"question": "Where?", "category": 5, "adversarial_answer": "LEAK", "evidence": ["D1:1"]}
    value = edited(lambda v: v.update(qa=[tempting]))
    corpus = read(file, value)
    assert corpus.conversations[0].questions[0].gold is None
    assert "LEAK" not in repr(corpus)


def test_category_5_with_an_answer_has_no_gold_and_is_noted(file: Path) -> None:
    value = edited(lambda v: v["qa"][0].update(category=5, answer="No"))
    corpus = read(file, value)
    assert corpus.conversations[0].questions[0].gold is None
    assert corpus.notes[1:] == ("conv-26 question 0: category 5 has the answer 'No', gold stays none",)


@pytest.mark.parametrize("question", [{"evidence": []}, {}])
def test_question_without_evidence_has_none(file: Path, question: dict[str, Any]) -> None:
    value = sample()
    value["qa"] = [{"question": "Where?", "category": 1, "answer": "Rome"} | question]
    assert read(file, value).conversations[0].questions[0].evidence == ()


@pytest.mark.parametrize(
    ("listed", "evidence", "notes"),
    [
        (["D8:6", "D1:1"], ("D8:6", "D1:1"), []),
        (["D8:6; D9:17"], ("D8:6", "D9:17"), ["evidence 'D8:6; D9:17' read as D8:6, D9:17"]),
        (["D8:6 D9:17"], ("D8:6", "D9:17"), ["evidence 'D8:6 D9:17' read as D8:6, D9:17"]),
        (["D8:6,D9:17"], ("D8:6", "D9:17"), ["evidence 'D8:6,D9:17' read as D8:6, D9:17"]),
        (["D30:05"], ("D30:5",), ["evidence 'D30:05' read as D30:5"]),
        (["D:11:26"], ("D11:26",), ["evidence 'D:11:26' read as D11:26"]),
        (["D", "D1:1"], ("D1:1",), ["evidence 'D' names no turn, dropped"]),
        (["D:99:1"], (), ["evidence 'D:99:1' names no turn, dropped"]),
        ([""], (), ["evidence '' names no turn, dropped"]),
        (
            ["D8:6; D8:99"],
            ("D8:6",),
            ["evidence 'D8:99' names no turn, dropped", "evidence 'D8:6; D8:99' read as D8:6"],
        ),
        (["D8:6", "D8:6"], ("D8:6",), []),
    ],
)
def test_evidence_is_repaired_or_dropped_and_noted(
    file: Path, listed: list[str], evidence: tuple[str, ...], notes: list[str]
) -> None:
    assert repairs(file, evidence=listed) == (evidence, [f"conv-26 question 0: {note}" for note in notes])


def test_questions_with_the_same_text_stay_two(file: Path) -> None:
    value = edited(lambda v: v["qa"].append(copy.deepcopy(v["qa"][0])))
    assert [question.id for question in read(file, value).conversations[0].questions] == ["conv-26/q0", "conv-26/q1"]


def test_question_ids_are_the_same_in_a_subset(file: Path) -> None:
    whole = read(file, sample("conv-26", 3), sample("conv-30", 3))
    part = read(file, sample("conv-26", 3), sample("conv-30", 3), conversations=["conv-30"], limit=2)
    assert part.conversations[0].questions == whole.conversations[1].questions[:2]


# --- which file ---


def test_missing_file_is_reported_with_the_remedy(file: Path) -> None:
    dataset = Locomo(str(file), None, None, None)
    assert dataset.missing() == [
        f"no LOCOMO file at {file}; run `python -m memlab data locomo` or set dataset.path=..."
    ]
    with pytest.raises(DatasetError, match="python -m memlab data locomo"):
        dataset.read()


def test_nothing_is_missing_when_the_file_is_there(file: Path) -> None:
    file.write_text("[]")
    assert Locomo(str(file), None, None, None).missing() == []


def test_unknown_file_is_read_and_named_as_such(file: Path) -> None:
    corpus = read(file, sample())
    assert corpus.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert corpus.notes == (f"not the published file (sha256 {corpus.sha256}): results are not comparable by default",)


def test_known_file_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sha256 = read(file, sample()).sha256
    monkeypatch.setattr("memlab.datasets.locomo.KNOWN_FILES", {sha256: "as published"})
    assert read(file, sample()).notes == ("as published",)


# --- subsets ---


def test_conversations_selects_by_id_in_the_order_of_the_file(file: Path) -> None:
    samples = [sample(name) for name in ("conv-26", "conv-30", "conv-41")]
    corpus = read(file, *samples, conversations=["conv-41", "conv-26", "conv-41"])
    assert [conversation.id for conversation in corpus.conversations] == ["conv-26", "conv-41"]


def test_unknown_conversation_is_refused_with_the_known_ones(file: Path) -> None:
    message = fault(file, sample("conv-26"), sample("conv-30"), conversations=["conv26", "nobody"])
    assert message == (
        "FILE: no conversation 'conv26'; did you mean 'conv-26'?; no conversation 'nobody' (known: conv-26, conv-30)"
    )


def test_one_conversation_without_brackets_is_refused(file: Path) -> None:
    with pytest.raises(DatasetError, match=r"conversations=conv-26: expected a list, such as \[conv-26\]"):
        Locomo(str(file), "conv-26", None, None)


@pytest.mark.parametrize("limit", [0, -3])
def test_limit_below_one_is_refused(file: Path, limit: int) -> None:
    with pytest.raises(DatasetError, match=f"limit_questions={limit}: expected 1 or more"):
        Locomo(str(file), None, None, limit)


def test_limit_is_a_total_spread_evenly_over_the_selected_conversations(file: Path) -> None:
    samples = [sample("conv-26", 9), sample("conv-30", 2), sample("conv-41", 9)]
    corpus = read(file, *samples, limit=9)
    assert [len(conversation.questions) for conversation in corpus.conversations] == [4, 2, 3]
    assert [question.id for question in corpus.conversations[2].questions] == ["conv-41/q0", "conv-41/q3", "conv-41/q6"]
    assert corpus.notes[1:] == ("limit_questions=9: 9 of 20 questions",)


def test_conversation_left_without_a_question_is_dropped(file: Path) -> None:
    samples = [sample("conv-26", 3), sample("conv-30", 3), sample("conv-41", 3)]
    assert [conversation.id for conversation in read(file, *samples, limit=2).conversations] == ["conv-26", "conv-30"]


def test_conversation_without_questions_stays_when_there_is_no_limit(file: Path) -> None:
    assert read(file, sample(questions=0), sample("conv-30")).conversations[0].questions == ()


def test_notes_speak_of_the_questions_that_were_kept_only(file: Path) -> None:
    value = edited(lambda v: v["qa"].append(asked(evidence=["D"])))
    assert not any("names no turn" in note for note in read(file, value, limit=1).notes)
    assert any("names no turn" in note for note in read(file, value, limit=2).notes)


@pytest.mark.parametrize(("samples", "selected"), [([], None), ([sample()], [])])
def test_no_conversations_is_an_error(file: Path, samples: list[Any], selected: list[str] | None) -> None:
    assert fault(file, *samples, conversations=selected).startswith("FILE: no conversations")


@given(available=st.lists(st.integers(0, 20), max_size=8), total=st.integers(1, 200))
def test_shares_are_complete_possible_and_as_even_as_can_be(available: list[int], total: int) -> None:
    shares = even_shares(available, total)
    assert sum(shares) == min(total, sum(available))
    assert all(0 <= share <= most for share, most in zip(shares, available, strict=True))
    unfilled = [share for share, most in zip(shares, available, strict=True) if share < most]
    assert all(share <= min(unfilled, default=20) + 1 for share in shares)


# --- the real file ---


@pytest.fixture(scope="module")
def real(shared_data: Path) -> Corpus:
    return Locomo(str(shared_data / "locomo7.json"), None, None, None).read()


def test_real_file_has_the_known_totals(real: Corpus) -> None:
    turns = [turn for conversation in real.conversations for turn in conversation.turns]
    questions = [question for conversation in real.conversations for question in conversation.questions]
    sessions = Counter(
        (conversation.id, turn.session) for conversation in real.conversations for turn in conversation.turns
    )
    assert (len(real.conversations), len(sessions), len(turns), len(questions)) == (7, 183, 3950, 1434)
    assert [sum(question.category == n for question in questions) for n in (1, 2, 3, 4, 5)] == [200, 231, 69, 609, 325]
    assert sum(-(-count // 2) for count in sessions.values()) == 2021  # windows: pairs of turns within a session


def test_real_file_is_named_and_every_repair_is_noted(real: Corpus) -> None:
    assert real.notes == (
        "locomo7.json: seven of the ten conversations of locomo10.json, values as published",
        "conv-26 question 37: evidence 'D8:6; D9:17' read as D8:6, D9:17",
        "conv-26 question 167: category 5 has the answer 'No', gold stays none",
        "conv-26 question 178: category 5 has the answer 'No', gold stays none",
        "conv-42 question 58: evidence 'D10:19' names no turn, dropped",
        "conv-42 question 88: evidence 'D' names no turn, dropped",
        "conv-43 question 18: evidence 'D:11:26' read as D11:26",
        "conv-49 question 31: evidence 'D9:1 D4:4 D4:6' read as D9:1, D4:4, D4:6",
        "conv-49 question 38: evidence 'D22:1 D22:2 D9:10 D9:11' read as D22:1, D22:2, D9:10, D9:11",
        "conv-49 question 46: evidence 'D21:18 D21:22 D11:15 D11:19' read as D21:18, D21:22, D11:15, D11:19",
    )


def test_real_file_has_gold_in_the_scored_categories_only(real: Corpus) -> None:
    questions = [question for conversation in real.conversations for question in conversation.questions]
    assert all((question.gold is None) == (question.category == 5) for question in questions)
    assert all(question.gold for question in questions if question.category != 5)


def test_real_file_is_in_order_of_time_and_evidence_names_turns(real: Corpus) -> None:
    for conversation in real.conversations:
        times = [turn.said_at for turn in conversation.turns]
        ids = [turn.id for turn in conversation.turns]
        assert times == sorted(times)
        assert len(set(ids)) == len(ids)
        assert {name for question in conversation.questions for name in question.evidence} <= set(ids)


def test_real_file_keeps_the_questions_it_asks_twice(real: Corpus) -> None:
    [conversation] = [conversation for conversation in real.conversations if conversation.id == "conv-48"]
    texts = Counter(question.text for question in conversation.questions)
    assert sum(count == 2 for count in texts.values()) == 11
    assert len({question.id for question in conversation.questions}) == len(conversation.questions)


def test_real_turns_hold_text_and_caption_and_no_search_query(real: Corpus, shared_data: Path) -> None:
    raw = json.loads((shared_data / "locomo7.json").read_bytes())
    for conversation, source in zip(real.conversations, raw, strict=True):
        turns = {turn.id: turn for turn in conversation.turns}
        for key, session in source["conversation"].items():
            for turn in session if isinstance(session, list) else []:
                expected = (turn["text"].strip(), turn.get("blip_caption"), key)
                found = turns[turn["dia_id"]]
                assert (found.text, found.caption, f"session_{found.session}") == expected


def test_published_hash_is_the_known_one() -> None:
    assert PUBLISHED_SHA256 == "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
