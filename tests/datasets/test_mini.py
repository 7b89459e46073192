"""The embedded dataset: repeatable, sound in itself, and hard enough to tell methods apart."""

import re
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest

from memlab.datasets.dataset import Corpus, DatasetError
from memlab.datasets.generated.dice import Dice
from memlab.datasets.mini import Mini
from memlab.datasets.mini.dataset import generate
from memlab.datasets.mini.timeline import timelines
from memlab.datasets.mini.wording import small_talk, write
from memlab.dialogue import CATEGORIES, Conversation, Question

SEED = 11
SHA256 = "03e1cf824c9a1e2003936a66c0381ed0565a530ecbf9704d328e4196271f44a9"
SEEDS = (*range(8), SEED)
CONVERSATIONS = [conversation for seed in SEEDS for conversation in generate(seed, 4)]
PLEASANTRIES = {text for texts in small_talk().values() for text in texts if isinstance(text, str)}


def mini(seed: int, conversations: list[str] | None = None, limit_questions: int | None = None) -> Corpus:
    return Mini(seed, 4, conversations, None, limit_questions).read()


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def evidence_text(conversation: Conversation, question: Question) -> str:
    turns = {turn.id: turn for turn in conversation.turns}
    return " ".join(f"{turns[i].text} {turns[i].caption or ''}" for i in question.evidence)


def test_content_of_the_default_seed_is_golden() -> None:
    assert mini(SEED).sha256 == SHA256


def test_content_does_not_depend_on_hash_randomisation() -> None:
    code = f"from memlab.datasets.mini import Mini; print(Mini({SEED}, 4, None, None, None).read().sha256)"
    for hash_seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() == SHA256


def test_another_seed_gives_other_content() -> None:
    assert mini(1).sha256 != mini(2).sha256
    assert generate(1, 1)[0].turns != generate(2, 1)[0].turns


def test_first_conversations_are_the_same_for_every_size() -> None:
    assert generate(SEED, 6)[:2] == generate(SEED, 2)


def test_generation_takes_less_than_a_second() -> None:
    started = time.perf_counter()
    generate(SEED, 4)
    assert time.perf_counter() - started < 1


def test_dates_come_from_the_seed_and_not_from_the_clock() -> None:
    assert all(2022 <= turn.said_at.year <= 2024 for one in CONVERSATIONS for turn in one.turns)


def test_size_and_ids_are_those_of_locomo() -> None:
    conversations = mini(SEED).conversations
    assert [one.id for one in conversations] == ["mini-1", "mini-2", "mini-3", "mini-4"]
    assert 400 <= sum(len(one.turns) for one in conversations) <= 520
    for one in conversations:
        assert [question.id for question in one.questions] == [f"{one.id}/q{n}" for n in range(len(one.questions))]
        for session in range(1, one.turns[-1].session + 1):
            ids = [turn.id for turn in one.turns if turn.session == session]
            assert ids == [f"D{session}:{n}" for n in range(1, len(ids) + 1)]


def test_sessions_are_weeks_apart_and_in_order() -> None:
    for one in CONVERSATIONS:
        times = {turn.session: turn.said_at for turn in one.turns}
        assert 5 <= len(times) <= 7
        assert all(turn.said_at == times[turn.session] for turn in one.turns)
        assert all(later - earlier > timedelta(days=12) for earlier, later in pairwise(times.values()))


def test_speakers_take_turns() -> None:
    for one in CONVERSATIONS:
        assert {turn.speaker for turn in one.turns} == set(one.speakers)
        pairs = [(a, b) for a, b in pairwise(one.turns) if a.session == b.session]
        assert sum(a.speaker != b.speaker for a, b in pairs) > 0.98 * len(pairs)


def test_no_message_is_said_twice_in_a_conversation_but_pleasantries() -> None:
    openings = {text.split("{")[0] for text in PLEASANTRIES}
    for one in CONVERSATIONS:
        twice = [text for text, count in Counter(turn.text for turn in one.turns).items() if count > 1]
        assert [text for text in twice if not any(text.startswith(o) for o in openings if len(o) > 2)] == []


def test_wording_leaves_no_template_or_lower_case_sentence() -> None:
    for one in CONVERSATIONS:
        texts = (
            [turn.text for turn in one.turns] + [q.text for q in one.questions] + [q.gold or "" for q in one.questions]
        )
        assert [text for text in texts if re.search(r"[{}\[\]]|  ", text)] == []
        assert [turn.text for turn in one.turns if re.search(r"(^|[.!?] )[a-z]", turn.text)] == []


def test_some_messages_come_with_an_image() -> None:
    captions = [turn.caption for one in CONVERSATIONS for turn in one.turns if turn.caption]
    assert len(captions) >= 2 * len(CONVERSATIONS)


def test_every_category_is_asked_in_every_conversation() -> None:
    for one in CONVERSATIONS:
        counts = Counter(question.category for question in one.questions)
        assert set(counts) == set(CATEGORIES)
        assert 25 <= counts.total() <= 35
        assert max(counts, key=lambda category: counts[category]) == 4


def test_every_question_is_asked_once_and_has_evidence_that_exists() -> None:
    for one in CONVERSATIONS:
        ids = {turn.id for turn in one.turns}
        assert len({question.text for question in one.questions}) == len(one.questions)
        assert all(question.evidence and set(question.evidence) <= ids for question in one.questions)


def test_gold_of_a_single_hop_question_is_in_its_evidence() -> None:
    for one in CONVERSATIONS:
        for question in (question for question in one.questions if question.category == 4):
            gold = words(question.gold or "") - {"her", "his", "she", "he", "him"}
            assert len(gold & words(evidence_text(one, question))) >= 0.6 * len(gold), (question, gold)


def test_evidence_of_an_answerable_question_about_a_speaker_was_said_by_that_speaker() -> None:
    for one in CONVERSATIONS:
        speaker = {turn.id: turn.speaker for turn in one.turns}
        for question in one.questions:
            named = [name for name in one.speakers if re.search(rf"\b{name}\b", question.text)]
            said_by = {speaker[i] for i in question.evidence}
            if len(named) == 1 and question.category == 5:
                assert said_by.isdisjoint(named), question
            elif len(named) == 1:
                assert said_by == set(named), question


def test_multi_hop_answers_gather_several_turns() -> None:
    hops = [q for one in CONVERSATIONS for q in one.questions if q.category == 1]
    assert all(len(q.evidence) > 1 and "," in (q.gold or "") for q in hops)


def test_temporal_golds_are_dates() -> None:
    form = re.compile(r"((the week(end)? (before|after) )?\d{1,2} )?([A-Z][a-z]+ )?\d{4}")
    golds = [question.gold or "" for one in CONVERSATIONS for question in one.questions if question.category == 2]
    assert [gold for gold in golds if not form.fullmatch(gold)] == []


def test_only_adversarial_questions_have_no_gold() -> None:
    assert all((q.gold is None) == (q.category == 5) for one in CONVERSATIONS for q in one.questions)


def test_adversarial_questions_are_not_about_the_story_both_live() -> None:
    for seed in SEEDS:
        dice = Dice(seed)
        timeline, one = next(timelines(dice, 1)), generate(seed, 1)[0]
        lived = Counter(telling.story.name for telling in timeline.tellings)
        alone: dict[str, bool] = {}
        for said in write(timeline, dice).statements:
            story = timeline.tellings[said.telling].story.name
            alone[said.turn_id] = alone.get(said.turn_id, False) or lived[story] == 1
        assert max(lived.values()) == 2
        assert [q for q in one.questions if q.category == 5 and not all(alone[i] for i in q.evidence)] == []


def test_some_answers_come_several_messages_after_their_question() -> None:
    held_up = {exchange[0] for exchange in small_talk()["interruption"]}
    for one in mini(SEED).conversations:
        assert sum(any(text in turn.text for text in held_up) for turn in one.turns) >= 3


def test_states_change_and_facts_are_repeated_and_elaborated() -> None:
    for seed in SEEDS:
        dice = Dice(seed)
        relations = Counter(
            said.mark.relation for timeline in timelines(dice, 4) for said in write(timeline, dice).statements
        )
        assert min(relations[kind] for kind in ("elaborates", "changes", "repeats")) >= 2


def test_conversations_are_chosen_by_id_and_unchanged() -> None:
    whole, part = mini(SEED), mini(SEED, conversations=["mini-3", "mini-1"])
    assert part.conversations == (whole.conversations[0], whole.conversations[2])
    assert part.sha256 == whole.sha256


def test_question_limit_is_spread_over_conversations_and_within_each() -> None:
    whole, few = mini(SEED), mini(SEED, limit_questions=10)
    assert [len(one.questions) for one in few.conversations] == [3, 3, 2, 2]
    first = whole.conversations[0].questions
    assert few.conversations[0].questions == tuple(first[place] for place in (0, len(first) // 3, 2 * len(first) // 3))


def test_conversations_without_questions_are_left_out() -> None:
    assert [one.id for one in mini(SEED, limit_questions=2).conversations] == ["mini-1", "mini-2"]
    assert len(mini(SEED, limit_questions=10_000).conversations) == 4


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"size": 0}, r"size=0: expected 1"),
        ({"limit_questions": 0}, r"limit_questions=0: expected 1 or more, or null"),
        ({"conversations": "mini-1"}, r"expected a list, such as \[mini-1\]"),
        ({"conversations": []}, r"no conversations are named; use null for all \(known: mini-1, "),
        ({"conversations": ["mimi-2"]}, r"no conversation 'mimi-2'; did you mean 'mini-2'\? \(known: mini-1, "),
        ({"size": 2, "conversations": ["mini-3"]}, r"known: mini-1, mini-2\)"),
    ],
)
def test_bad_setting_is_refused_with_its_remedy(kwargs: dict[str, object], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        Mini(SEED, **{"size": 4, "conversations": None, "sessions": None, "limit_questions": None, **kwargs})  # type: ignore[arg-type]
