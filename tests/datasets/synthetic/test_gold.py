"""The gold of the synthetic conversations: sound in itself, and what the messages and the questions are about."""

from collections import Counter, defaultdict

import pytest

from memlab.datasets.synthetic.move import Move
from memlab.datasets.synthetic.word_rules import SPLITS
from memlab.dialogue import Conversation
from memlab.gold import OPERATIONS, Told, truth
from tests.datasets.synthetic.plans import SHARES, synthetic, told

CASES = [*((split, 5) for split in SPLITS), ("train", 8)]


def conversations(split: str, seed: int) -> list[tuple[Conversation, list[Move]]]:
    return told(split, 900, seed)


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_every_statement_is_right_at_its_time(split: str, seed: int) -> None:
    for one, _ in conversations(split, seed):
        true: set[str] = set()
        ever: set[str] = set()
        details: dict[str, set[str]] = defaultdict(set)
        for said in one.gold:
            assert said.id not in ever
            assert set(said.ends) <= true
            match said.operation:
                case "ADD":
                    assert (said.target, said.says, said.ends) == (None, (said.id,), ())
                case "UPDATE":
                    assert said.target in true
                    assert said.says in ((said.id,), (said.id, said.target))
                    assert not said.ends
                    details[said.target].add(said.id)
                case "DELETE":
                    assert said.target is not None
                    assert set(said.ends) == {said.target, *details[said.target]}
                    assert said.says in ((), (said.id,))
                case "NOOP":
                    assert said.target in true
                    assert not said.ends
                    assert set(said.says) <= true
                    assert not said.says or said.says[0] == said.target
            true = (true - set(said.ends)) | set(said.says)
            ever.update(said.says)
        assert true == truth(one.gold)


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_a_text_tells_what_its_statement_says_wherever_it_comes_from(split: str, seed: int) -> None:
    for one, _ in conversations(split, seed):
        known = Told(one.gold)
        owners: dict[str, set[str]] = {}
        for said in one.gold:
            assert known.tells(said.text, [said.turn]) == set(said.says)
            for proposition in said.says[:1]:
                assert owners.setdefault(said.text, {proposition}) == {proposition}
        turns = [turn.id for turn in one.turns]
        for said in one.gold[:: max(1, len(one.gold) // 60)]:
            assert known.tells(said.text, turns) == set(said.says)


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_following_the_gold_leaves_memories_that_tell_the_truth(split: str, seed: int) -> None:
    for one, _ in conversations(split, seed):
        known = Told(one.gold)
        memories: list[tuple[str, tuple[str, ...]]] = []
        for said in one.gold:
            held = next((m for m in memories if said.target in known.tells(*m)), None)
            if said.operation != "ADD":
                assert held, said
                memories.remove(held)
            match said.operation, held:
                case "UPDATE", (text, sources):
                    memories.append((f"{text} {said.text}", (*sources, said.turn)))
                case "NOOP", (text, sources):
                    memories.append((text, (*sources, said.turn)))
                case _:
                    memories.append((said.text, (said.turn,)))
        assert set().union(*(known.tells(*memory) for memory in memories)) == truth(one.gold)


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_messages_contain_what_they_state(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        turns = {turn.id: turn for turn in one.turns}
        assert len(moves) == len(one.gold) > 100
        for said, move in zip(one.gold, moves, strict=True):
            words = turns[said.turn].text.casefold()
            subject = move.instance.subject
            assert all(key.casefold() in words and key.casefold() in said.text.casefold() for key in said.key)
            assert turns[said.turn].speaker == one.speakers[subject.teller]
            assert subject.full in said.text
            if subject.relation:
                assert subject.person.name in turns[said.turn].text
            if "v" in move.fact.fields:
                assert move.instance.value.casefold() in words


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_questions_ask_for_what_is_true_in_the_end(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        true = truth(one.gold)
        stated = defaultdict(list)
        for said in one.gold:
            stated[said.turn].append(said)
        values = defaultdict(list)
        for said, move in zip(one.gold, moves, strict=True):
            if said.id in true and not move.aspect:
                values[move.instance.subject.full, move.instance.words.kind.name].append(move.instance.value)
        lists = {", ".join(listed) for listed in values.values() if len(listed) > 1}
        for asked in one.questions:
            evidence = [said for turn in asked.evidence for said in stated[turn]]
            match asked.category, asked.id.rpartition(":")[2]:
                case 1, "list":
                    assert asked.gold in lists
                case 2, "before":
                    was = [said for said in stated[asked.evidence[0]] if (asked.gold,) == said.key]
                    assert {said.id for said in was} & {said.target for said in stated[asked.evidence[-1]]}
                    assert not {said.id for said in was} & true
                case 2, "when":
                    assert [said for said in evidence if said.id in true and (asked.gold or "") in said.text]
                case 3, "infer":
                    assert [said for said in evidence if said.id in true]
                case 4, _:
                    assert [said for said in evidence if said.id in true and said.key == (asked.gold,)]
                case 5, "unknown":
                    assert asked.gold is None
                    assert not asked.evidence
                case _:
                    pytest.fail(f"a question of no known sort: {asked}")


def test_unanswerable_questions_are_about_what_was_never_told() -> None:
    asked = 0
    for one, moves in conversations("test", 5):
        by_text = {
            template.fill({**speaker.fields, "v": ""})
            for speaker in {
                id(m.instance.subject): m.instance.subject for m in moves if not m.instance.subject.relation
            }.values()
            for move in moves
            if move.instance.subject is speaker
            for section in ("ask.now", "ask.list")
            for template in move.instance.words.templates.get(section, ())
        }
        asked += sum(question.category == 5 for question in one.questions)
        assert not [question for question in one.questions if question.category == 5 and question.text in by_text]
    assert asked > 20


@pytest.mark.parametrize("split", SPLITS)
def test_operations_have_the_shares_that_were_asked_for(split: str) -> None:
    shares: list[dict[str, float]] = [
        SHARES,
        {"ADD": 1},
        {"ADD": 2, "UPDATE": 2, "DELETE": 2},
        {"ADD": 0.2, "NOOP": 0.8},
    ]
    for wanted in shares:
        for per in (300, 2000) if wanted is SHARES else (300,):
            corpus = synthetic(split=split, messages=2000, messages_per_conversation=per, operations=wanted).read()
            counts = Counter(said.operation for one in corpus.conversations for said in one.gold)
            for verb in OPERATIONS:
                share = wanted.get(verb, 0) / sum(wanted.values())
                assert counts[verb] / counts.total() == pytest.approx(share, abs=0.02), (wanted, per, counts)


@pytest.mark.parametrize("chat", [0, 0.1, 0.3, 0.6, 0.8])
def test_small_talk_has_its_share(chat: float) -> None:
    stating = []
    for one in synthetic(chat=chat, messages=1500).read().conversations:
        assert len(one.turns) == 300
        stating.append(len({said.turn for said in one.gold}) / 300)
    assert 0.35 * (1 - chat) < sum(stating) / len(stating) <= 1 - chat + 0.05


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_nobody_gets_a_value_a_second_time_and_details_with_the_value_restate_the_fact(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        had: Counter[tuple[str, str, str]] = Counter()
        for said, move in zip(one.gold, moves, strict=True):
            instance = move.instance
            if move.operation == "ADD" or move.form == "change":
                had[instance.subject.full, instance.words.kind.name, instance.value] += 1
            if move.aspect:
                assert (instance.id in said.says) == ("v" in move.fact.fields)
        assert set(had.values()) == {1}


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_a_repetition_is_in_other_words_where_there_are_others(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        used: dict[str, set[str]] = defaultdict(set)
        for said, move in zip(one.gold, moves, strict=True):
            if said.operation == "NOOP" and said.says and move.fact.text in used[said.says[0]]:
                # Of its section all that name the same things must have been used up.
                section = next(s for s in move.instance.words.templates.values() if move.fact in s)
                alike = {template.text for template in section if template.fields == move.fact.fields}
                assert alike <= used[said.says[0]]
            if said.says:
                used[said.says[0]].add(move.fact.text)


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_nobody_without_work_has_a_way_to_work_or_working_hours(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        jobs: dict[str, bool] = {}
        needing: set[str] = set()
        for said, move in zip(one.gold, moves, strict=True):
            kind, whose = move.instance.words.kind, move.instance.subject.full
            if kind.name == "work" and said.operation != "NOOP":
                jobs[whose] = move.form != "revoke"
                assert jobs[whose] or whose not in needing
            if kind.needs:
                assert jobs.get(whose, True)
                needing.add(whose)


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_after_the_first_session_nothing_is_repeated_in_the_session_that_told_it(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        spoken: dict[str, str] = {}
        for said, move in zip(one.gold, moves, strict=True):
            session = said.turn.split(":")[0]
            if said.operation == "NOOP" and session != "D1":
                assert spoken[move.instance.id] != session
            spoken[move.instance.id] = session


@pytest.mark.parametrize(("split", "seed"), CASES)
def test_no_two_people_have_the_same_partner(split: str, seed: int) -> None:
    for one, moves in conversations(split, seed):
        told_of = [pair for pair in zip(one.gold, moves, strict=True) if pair[1].instance.words.kind.name == "partner"]
        partners = [move.instance.value for said, move in told_of if said.id == move.instance.id]
        assert len(set(partners)) == len(partners)


def test_the_same_seed_tells_other_lives_in_each_split() -> None:
    begun = {synthetic(split=split, messages=50).read().conversations[0].turns[0].said_at for split in SPLITS}
    assert len(begun) == len(SPLITS)
