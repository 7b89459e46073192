"""The oracle's way through a small synthetic conversation."""

import pytest
from hydra import compose, initialize_config_dir

from memlab.conf_files import conf_folder
from memlab.datasets.dataset import DatasetError
from memlab.embed.hashed import Hashed
from memlab.extract.gold import Gold
from memlab.extract.rewrite.rewrite import Rewrite
from memlab.gold import Told
from memlab.train.decisions import Choosing, decision_quality, pairs_of, right_targets
from memlab.train.setup import training
from memlab.train.synthetic import pairs
from memlab.train.walk import Step, walk
from memlab.update.relation import RELATIONS, Pair


def dataset(split: str = "validation", messages: int = 120):  # type: ignore[no-untyped-def]
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("train_updater", [f"messages.{split}={messages}", "train/model=frozen_head", "embedder=hash"])
        wanted = training(config).wanted.synthetic
    assert wanted is not None
    return wanted[split]


async def steps() -> list[Step]:
    return await walk(dataset(), Gold(dataset()), Hashed(256), s=10)


async def test_each_statement_is_a_decision_and_each_memory_shown_a_pair() -> None:
    walked = await steps()
    stated = [one for conversation in dataset().read().conversations for one in conversation.gold]
    assert [step.verb for step in walked] == [one.operation for one in stated]
    assert len(pairs(walked)) == len({
        (hit.memory.text, step.proposal.candidate.content.text, relation, step.conversation)
        for step in walked
        for hit, relation in zip(step.proposal.related, step.relations, strict=True)
    })  # fmt: skip
    assert max(len(step.proposal.related) for step in walked) == 10


async def test_a_memory_is_related_exactly_when_it_tells_the_target() -> None:
    [conversation] = dataset().read().conversations
    told = Told(conversation.gold)
    labelled = 0
    for step, statement in zip(await steps(), conversation.gold, strict=True):
        for hit, relation in zip(step.proposal.related, step.relations, strict=True):
            is_target = statement.target in told.tells(hit.memory.text, hit.memory.sources)
            assert (relation != "unrelated") == is_target
            labelled += is_target
    assert labelled > 10


async def test_knowing_every_relation_makes_every_possible_decision_right() -> None:
    walked = await steps()
    rows = dict.fromkeys(pairs_of(walked))
    known = {pair: np_row("unrelated") for pair in rows}
    for step in walked:
        for hit, relation in zip(step.proposal.related, step.relations, strict=True):
            if relation != "unrelated":
                known[Pair(hit.memory.text, step.proposal.candidate.content.text)] = np_row(relation)
    possible = [step for step in walked if step.possible == step.verb]
    choosing = Choosing(
        gate=-1.0, neighbours=10, compares="all", unrelated=0.5, equivalent=0.5, contradicts=0.5, unsaid=1.0
    )
    found = await decision_quality(possible, known, choosing)
    assert found["macro_f1"] == pytest.approx(1.0)
    assert found["target_accuracy"] == pytest.approx(1.0)
    assert all(right_targets(step) for step in possible if step.verb != "ADD")


def np_row(relation: str):  # type: ignore[no-untyped-def]
    import numpy as np

    return np.array([float(one == relation) for one in RELATIONS], np.float32)


async def test_a_dataset_without_gold_is_refused() -> None:
    from memlab.datasets.mini import Mini

    with pytest.raises(DatasetError, match="no right operations"):
        await walk(
            Mini(seed=11, size=1, conversations=None, sessions=None, limit_questions=None),
            Rewrite(unit="statement", reply_words=25),
            Hashed(64),
            s=3,
        )


async def rewritten() -> list[Step]:
    return await walk(dataset(), Rewrite(unit="statement", reply_words=25), Hashed(256), s=6)


async def test_of_rewritten_talk_what_states_nothing_is_related_to_no_memory() -> None:
    walked = await rewritten()
    [conversation] = dataset().read().conversations
    told = Told(conversation.gold)
    stated = [told.statement(step.proposal.candidate.content.text, step.proposal.candidate.sources) for step in walked]
    chat = [step for step, statement in zip(walked, stated, strict=True) if statement is None]
    assert len(chat) > len(walked) / 5
    assert {relation for step in chat for relation in step.relations} == {"unrelated"}
    assert {step.verb for step in walked} == {"ADD", "UPDATE", "DELETE", "NOOP"}


async def test_small_talk_repeated_word_for_word_is_no_question() -> None:
    same = [pair for pair in pairs(await rewritten()) if pair.memory == pair.candidate]
    assert all(pair.relation != "unrelated" for pair in same)
