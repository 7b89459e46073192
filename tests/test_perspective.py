"""Whose memories are kept, and under which ids."""

from dataclasses import replace
from pathlib import Path

import pytest

from memlab.config import build, check
from memlab.context import in_order_of_time
from memlab.dialogue import Turn
from memlab.extract.extractor import Extractor, Window
from memlab.memory import Candidate, Fact
from memlab.perspective import owners, qualified
from memlab.records import RunFolder
from memlab.settings import ConfigError
from memlab.testing import conversation, memories
from memlab.windows import windows
from tests.test_config import composed


def test_a_conversation_has_one_store_or_one_for_each_speaker() -> None:
    assert owners(conversation(), "shared") == (None,)
    assert owners(conversation(), "per_speaker") == ("Ada", "Ben")


def test_an_id_of_one_of_two_stores_names_its_owner() -> None:
    [first, *_] = memories()
    assert qualified(first, None) is first
    assert qualified(first, "Ada") == replace(first, id="Ada:m0")


@pytest.mark.parametrize("owner", ["Ada", "Ada: the 2nd", "User1"])
def test_qualified_memories_stay_in_the_order_they_were_made(owner: str) -> None:
    [first, *_] = memories()
    made = [qualified(replace(first, id=f"m{number}"), owner) for number in (2, 10, 1)]
    assert [memory.id.rpartition(":")[2] for memory in sorted(made, key=in_order_of_time)] == ["m1", "m2", "m10"]


class OwnWords(Extractor):
    """What the owner said, as it was said."""

    def __init__(self) -> None: ...

    async def extract(self, window: Window) -> list[Candidate]:
        own = [turn for turn in window.new if window.owner in (None, turn.speaker)]
        return [candidate(turn) for turn in own]


class Mixed(OwnWords):
    """Cannot tell who said what."""

    tells_speakers = False


def candidate(turn: Turn) -> Candidate:
    return Candidate(Fact(f"{turn.speaker}: {turn.text or turn.caption}"), turn.speaker, (turn.id,), turn.said_at)


@pytest.mark.parametrize("extractor", ["extractor=chunk", f"extractor._target_={__name__}.Mixed"])
def test_an_extractor_that_mixes_speakers_cannot_keep_them_apart(extractor: str) -> None:
    with pytest.raises(ConfigError, match="mixes what both speakers said"):
        check(composed("extractor=verbatim", extractor, "perspective=per_speaker"))
    check(composed("extractor=verbatim", extractor, "perspective=shared"))


def test_there_are_2021_windows_for_each_perspective_on_seven_conversations(shared_data: Path) -> None:
    corpus = build(composed("dataset=locomo", f"dataset.path={shared_data / 'locomo7.json'}")).dataset.read()
    assert len(corpus.conversations) == 7
    assert sum(len(windows(one, size=2, m=10)) for one in corpus.conversations) == 2021


def test_both_perspectives_of_seven_conversations_are_ingested(shared_data: Path, tmp_path: Path) -> None:
    from rich.console import Console

    from memlab.study import run_job

    config = composed(
        "system=verbatim_dense",
        "dataset=locomo",
        f"dataset.path={shared_data / 'locomo7.json'}",
        "dataset.limit_questions=7",
        f"extractor._target_={__name__}.OwnWords",
        "perspective=per_speaker",
        f"runs={tmp_path}",
    )
    folder = RunFolder(run_job(config, {"system": "x"}, Console(quiet=True)))
    assert folder.count("ingest") == 4042
    summary = folder.read_json("summary") or {}
    assert (summary["ingest"]["expected_windows"], summary["ingest"]["completeness"]) == (4042, 1.0)
    wrong = [m["id"] for m in folder.read("memories") if not m["content"]["text"].startswith(f"{m['perspective']}: ")]
    assert wrong == [], "a store holds what its owner did not say"
    ids = [(memory["conversation"], memory["id"]) for memory in folder.read("memories")]
    assert len(set(ids)) == len(ids)
