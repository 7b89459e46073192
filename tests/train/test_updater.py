"""The training from its config to the checkpoint, on a few pairs and a tiny backbone."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from memlab.__main__ import guarded
from memlab.commands.train import check_given, of_the_embedder
from memlab.conf_files import conf_folder
from memlab.embed.hashed import Hashed
from memlab.part import PartFailed
from memlab.settings import ConfigError
from memlab.train.course import Course
from memlab.train.setup import training
from memlab.train.updater import train
from memlab.update.fine_tuned import FineTuned
from memlab.update.frozen_head import FrozenHead
from memlab.update.relation import Pair
from tests.train.tiny import tiny_backbone

PAIRS = [Pair("Ada has a cat.", "Ada has no cat."), Pair("Ben rows.", "Ben swims now.")]
SMALL = ("messages.train=60", "messages.validation=30", "messages.test=30", "embedder=hash", "threads=1")


@pytest.fixture(autouse=True)
def conf() -> Iterator[None]:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


@pytest.fixture(scope="module")
def backbone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_backbone(tmp_path_factory.mktemp("backbone"))


def trained(output: Path, *keys: str) -> tuple[bool, str]:
    """Train with a small config; return whether it was done now, and what was printed."""
    printed = StringIO()
    config = compose("train_updater", [*SMALL, f"output={output}", *keys])
    return asyncio.run(train(training(config), Console(file=printed, width=200))), printed.getvalue()


def fine_tuning(backbone: Path, *keys: str) -> tuple[str, ...]:
    small = (f"model.backbone={backbone}", "model.layers=1", "model.epochs=2", "model.max_pieces=48", "device=cpu")
    return (*small, "sick=null", "halumem=null", *keys)


HEAD = ("train/model=frozen_head", "model.epochs=3", "model.hidden=8")


def test_the_same_seed_makes_the_same_bytes_and_another_one_others(backbone: Path, tmp_path: Path) -> None:
    for name, seed in (("first", 0), ("second", 0), ("third", 1)):
        trained(tmp_path / name, *fine_tuning(backbone, f"seed={seed}"))
    first, second, third = (
        [(tmp_path / name / file).read_bytes() for file in ("model.safetensors", "head.safetensors", "config.json")]
        for name in ("first", "second", "third")
    )
    assert first == second
    assert first[:2] != third[:2]


def test_a_head_is_the_same_to_the_byte_too(tmp_path: Path) -> None:
    for name in ("first", "second"):
        trained(tmp_path / name, *HEAD)
    first, second = ((tmp_path / name / "frozen_head.npz").read_bytes() for name in ("first", "second"))
    assert first == second


async def asked(model: FineTuned | FrozenHead) -> list[list[float]]:
    return (await model.probabilities(PAIRS)).tolist()


def test_a_checkpoint_is_what_the_updater_reads(backbone: Path, tmp_path: Path) -> None:
    trained(tmp_path / "out", *fine_tuning(backbone))
    model = FineTuned(checkpoint=str(tmp_path / "out"), device="cpu")
    assert model.missing() == []
    rows = asyncio.run(asked(model))
    assert [sum(row) for row in rows] == pytest.approx([1.0, 1.0])


def test_a_head_is_what_the_updater_reads_with_the_same_embedder(tmp_path: Path) -> None:
    trained(tmp_path / "out", *HEAD)
    model = FrozenHead(Hashed(256), weights=str(tmp_path / "out" / "frozen_head.npz"))
    assert model.missing() == []
    assert [sum(row) for row in asyncio.run(asked(model))] == pytest.approx([1.0, 1.0])
    other = FrozenHead(Hashed(64), weights=str(tmp_path / "out" / "frozen_head.npz"))
    assert "was made with the embedder hash-256, but this run's is hash-64" in other.missing()[0]
    with pytest.raises(PartFailed, match="hash-256"):
        asyncio.run(asked(other))


def test_the_card_tells_what_it_learnt_from_and_how_good_it_is(
    backbone: Path, tmp_path: Path, sick_file: Callable[..., Path]
) -> None:
    trained(tmp_path / "out", *fine_tuning(backbone, f"sick={sick_file()}"))
    card = json.loads((tmp_path / "out" / "card.json").read_text(encoding="utf-8"))
    assert card["data"]["sick"]["licence"] == "CC BY-NC-SA 3.0"
    assert card["pairs"]["sick"]["train"] == {"unrelated": 2, "equivalent": 4, "augments": 2, "contradicts": 2}
    assert set(card["pair_level"]) == {
        f"{name} {part}" for name in ("sick", "synthetic") for part in ("validation", "test")
    }
    assert 0 <= card["expected_calibration_error"] <= 1
    assert card["temperature"] > 0
    assert [entry["epoch"] for entry in card["course"]] == [1, 2]
    assert card["settings"]["seed"] == 0
    assert "torch" in card["versions"]
    readme = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "CC BY-NC-SA 3.0" in readme
    assert "Do not pass on these weights" in readme


def test_a_head_learns_from_rewritten_talk_too_and_its_card_tells(tmp_path: Path) -> None:
    trained(tmp_path / "out", *HEAD)
    card = json.loads((tmp_path / "out" / "card.json").read_text(encoding="utf-8"))
    assert card["data"]["rewritten"]["sha256"] == card["data"]["synthetic"]["sha256"]
    assert card["data"]["rewritten"]["extractor"] == {"unit": "statement", "reply_words": 25}
    assert sum(card["pairs"]["rewritten"]["train"].values()) > sum(card["pairs"]["synthetic"]["train"].values())
    assert set(card["decision_level"]) == {
        f"{source} {split}" for source in ("synthetic", "rewritten") for split in ("validation", "test")
    }
    assert "| rewritten test |" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="holds a model of other settings"):
        trained(tmp_path / "out", *HEAD, "rewritten=false")


def test_the_same_command_again_finds_it_done(tmp_path: Path) -> None:
    assert trained(tmp_path / "out", *HEAD)[0]
    before = (tmp_path / "out" / "card.json").stat().st_mtime_ns
    assert not trained(tmp_path / "out", *HEAD)[0]
    assert (tmp_path / "out" / "card.json").stat().st_mtime_ns == before


def test_a_model_of_other_settings_is_not_overwritten(tmp_path: Path) -> None:
    trained(tmp_path / "out", *HEAD)
    with pytest.raises(ConfigError, match="holds a model of other settings"):
        trained(tmp_path / "out", *HEAD, "seed=1")


def test_what_is_no_model_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="no finished model"):
        trained(tmp_path / "out", *HEAD)
    assert (tmp_path / "out" / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_training_that_is_stopped_leaves_nothing_that_looks_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(card: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("memlab.train.updater.readme", stopped)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "out", *HEAD)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", ["fine_tuned", "frozen_head"])
def test_a_training_stops_at_the_next_batch(
    model: str, backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C cancels the task that trains."""
    keys = (*HEAD, "model.batch=4") if model == "frozen_head" else fine_tuning(backbone, "model.batch=4")
    count, done = Course.step, []

    def cancelled(course: Course, loss: float) -> None:
        count(course, loss)
        done.append(loss)
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    monkeypatch.setattr(Course, "step", cancelled)
    with pytest.raises(asyncio.CancelledError):
        trained(tmp_path / "out", *keys)
    assert len(done) == 1
    assert list(tmp_path.iterdir()) == []


def test_products_on_a_gpu_are_made_repeatable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", "")
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG")
    trained(tmp_path / "out", *HEAD)
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"


def test_an_interrupted_training_says_what_is_true(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    for verb, words in (("train", "no model was kept"), ("rejudge", "what was done is kept")):
        monkeypatch.setattr("sys.argv", ["memlab", verb])
        assert guarded(interrupted) == 130
        assert words in capsys.readouterr().err


def test_a_file_that_is_not_there_is_left_out_with_a_line(tmp_path: Path) -> None:
    assert "sick: left out, there is no nowhere.txt" in trained(tmp_path / "out", *HEAD, "sick=nowhere.txt")[1]


def test_nothing_to_learn_from_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no source has pairs to learn from"):
        trained(tmp_path / "out", *HEAD, "synthetic=false")


def test_all_faults_of_the_settings_are_told_at_once() -> None:
    keys = ["train/model=frozen_head", "+model.hiden=3", "seed=-1", "messages.train=few", "+tset=1"]
    with pytest.raises(ConfigError) as caught:
        training(compose("train_updater", keys))
    told = "\n".join(caught.value.faults)
    assert "hiden" in told
    assert "hidden" in told
    assert "tset" in told


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            (
                "model.learning_rate=nan",
                "model.warmup=9",
                "model.patience=0",
                "model.frozen_layers=-1",
                "seed=4294967296",
            ),
            ("learning_rate=nan; it must be above 0", "warmup=9", "patience=0", "frozen_layers=-1", "seed=4294967296"),
        ),
        (
            ("train/model=frozen_head", "model.dropout=2", "model.hidden=0", "model.batch=0", "unrelated=nan"),
            ("dropout=2", "hidden=0", "batch=0", "unrelated=nan"),
        ),
        (("device=gpu0",), ("device=gpu0 is none that torch has here",)),
        (("dataset=mini",), ("a training needs dataset=synthetic",)),
        (("messages.train=-5", "messages.test=0"), ("messages.train=-5", "messages.test=0")),
    ],
)
def test_numbers_out_of_range_and_what_cannot_be_had_are_told_at_once(keys: Sequence[str], told: Sequence[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        training(compose("train_updater", [*keys]))
    faults = "\n".join(caught.value.faults)
    assert [words for words in told if words not in faults] == [], faults


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_a_training_that_goes_astray_saves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the training went astray.*smaller learning rate"):
        trained(tmp_path / "out", *HEAD, "model.learning_rate=1e30")
    assert list(tmp_path.iterdir()) == []


def test_a_backbone_that_is_too_small_is_told_before_the_data_is_gathered(backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        trained(tmp_path / "out", *fine_tuning(backbone, "model.frozen_layers=7", "model.max_pieces=9999"))
    told = "\n".join(caught.value.faults)
    assert "model.frozen_layers=7, but 1 are used" in told
    assert "model.max_pieces=9999, but" in told


def test_a_backbone_that_cannot_be_had_is_named(backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.layers=9, but .* has 2"):
        trained(tmp_path / "out", *fine_tuning(backbone, "model.layers=9"))
    with pytest.raises(ConfigError, match="cannot be loaded"):
        trained(tmp_path / "out", *fine_tuning(tmp_path / "nowhere"))


def test_a_file_that_was_asked_for_by_hand_must_be_there(tmp_path: Path) -> None:
    config = training(compose("train_updater", [*SMALL, "sick=nowhere.txt", f"output={tmp_path / 'out'}"]))
    with pytest.raises(ConfigError, match=r"sick=nowhere\.txt: there is no such file; give its path, or sick=null"):
        check_given(["sick=nowhere.txt"], config.wanted)
    check_given(["seed=1"], config.wanted)


@pytest.mark.parametrize(
    ("option", "told"),
    [("frozen_head", ["embedder=hash"]), ("fine_tuned", []), ("local", ["embedder@judge.embedder=hash"])],
)
def test_the_command_that_uses_a_model_names_the_embedder_that_it_needs(option: str, told: list[str]) -> None:
    assert of_the_embedder(option, ["embedder=hash", "seed=1"]) == told
