"""A judge trained on invented labels: it learns, it is measured on what it has not seen, it is the same again."""

import gzip
import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab import testing
from memlab.commands.train import main
from memlab.dialogue import Question
from memlab.embed.hashed import Hashed
from memlab.judge.local import LocalJudge
from memlab.settings import ConfigError
from memlab.train.judging.fits import Matrix, Threshold
from memlab.train.judging.labelled import Labelled, read_labelled
from memlab.train.judging.measured import auc, calibration_error, held_out, with_systems

PLACES = ("Oslo", "Rome", "Lima", "Cairo", "Kyoto", "Quito", "Turin", "Dakar")
QUICK = ("embedder=hash", "epochs=5", "heads=2", "hidden=16", "batch=32", "learning_rate=0.01")


def line(number: int, dice: random.Random, **other: Any) -> dict[str, Any]:
    gold, wrong = dice.sample(PLACES, 2)
    right = dice.random() < 0.6
    said = gold if right else wrong
    return {
        **{"system": f"s{number % 3}", "judge": "model", "conv": number % 4, "category": 1 + number % 4},
        **{"question": f"Where did Ada go in {2000 + number}?", "gold": gold, "labels": [int(right)] * 3},
        "response": dice.choice([f"{said}.", f"She went to {said} for a week.", f"It was {said}"]),
        **other,
    }


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dice = random.Random(3)
    path = tmp_path_factory.mktemp("labelled") / "pairs.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(line(n, dice)) + "\n" for n in range(400)).encode()))
    return path


@pytest.fixture(scope="module")
def trained(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "judge"
    main(["judge", str(file), *QUICK, f"output={folder}"])
    return folder


async def test_it_judges_answers_that_it_has_not_seen(trained: Path) -> None:
    judge = LocalJudge(Hashed(dimension=256), weights=str(trained), probes=0)
    assert judge.missing() == []
    await testing.check_judge(judge)
    asked = Question("q", "Where did Bo live?", "Madrid", 4, ())
    right, wrong = [await judge.judge(asked, answer, "local", 0) for answer in ("In Madrid.", "In Porto.")]
    assert right.correct
    assert not wrong.correct
    assert 0 < (wrong.probability or 0) < 0.5 < (right.probability or 0) < 1


def test_the_card_tells_how_good_it_is_on_what_was_held_out(trained: Path) -> None:
    card = json.loads((trained / "card.json").read_text())
    assert card["n"] == 400
    assert card["agreement"] > 0.95
    assert card["auc"] > 0.98
    assert sum(sum(cell) for own in card["counts"].values() for cell in own.values()) == 400
    assert set(card["by_system"]) == set(card["systems"]) == {"s0", "s1", "s2"}
    assert card["by_judge"]["model"]["agreement"] == card["agreement"]
    assert card["unseen_systems"]["n"] == 400
    assert "conversations and systems held out" in (trained / "README.md").read_text()


def test_what_is_held_out_shares_neither_conversation_nor_system_with_what_was_learnt() -> None:
    groups = [(conversation, system) for conversation in "abc" for system in ("s", "t", "u") for _ in range(2)]
    rows = np.arange(len(groups), dtype=np.float32)[:, None]
    learnt: list[list[int]] = []

    class Fitted(Threshold):
        def probabilities(self, rows: Matrix) -> np.ndarray[Any, Any]:
            own = {groups[int(row)] for row in rows[:, 0]}
            assert len(own) == 1
            [(conversation, system)] = own
            assert all(groups[n][0] != conversation and groups[n][1] != system for n in learnt[-1])
            assert len(learnt[-1]) == 8
            return super().probabilities(rows)

    def fit(places: Any) -> Threshold:
        learnt.append(list(places))
        return Fitted(0.5, 1.0, 0.0)

    told: list[tuple[str, ...]] = []
    held_out(groups, rows, fit, lambda group, done, verdicts: told.append((*group, str(done.sum()))))
    assert len(learnt) == 9
    assert told[0] == ("a", "s", "2")
    assert told[-1] == ("c", "u", str(len(groups)))


@pytest.mark.parametrize(
    ("places", "apart"),
    [
        ([("a", "s"), ("b", "s")], False),
        ([("a", "s"), ("a", "t"), ("b", "s")], False),
        ([("a", "s"), ("a", "t"), ("b", "s"), ("b", "t")], True),
    ],
)
def test_systems_are_held_out_where_something_is_left_to_learn_from(places: list[tuple[str, str]], apart: bool) -> None:
    right, wrong = ([Labelled(s, "m", c, 1, "q", "g", "a", (label,)) for c, s in places] for label in (1, 0))
    assert (with_systems([*right, *wrong]) is not None) is apart
    assert with_systems(right) is None


def test_the_same_training_gives_the_same_bytes_and_is_not_done_twice(
    file: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["judge", str(file), *QUICK, f"output={tmp_path / 'again'}"])
    for name in ("judge.npz", "card.json", "README.md"):
        assert (tmp_path / "again" / name).read_bytes() == (trained / name).read_bytes(), name
    capsys.readouterr()
    main(["judge", str(file), *QUICK, f"output={trained}"])
    assert "done already" in capsys.readouterr().out


def test_a_threshold_is_fitted_in_the_same_way_and_each_fold_told(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["judge", str(file), "model=overlap", "embedder=hash", f"output={tmp_path / 'overlap'}"])
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("held out")]
    assert len(told) == 4 + 12
    assert re.fullmatch(r"held out conversation 3: agreement so far (0\.9\d\d|1\.000) on 400", told[3])
    assert told[4].startswith("held out conversation 0 and systems of fold 0: agreement so far")
    card = json.loads((tmp_path / "overlap" / "card.json").read_text())
    assert 0 < card["threshold"] <= 1
    assert card["agreement"] > 0.95


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"labels": []}, r":2: labels is \[\]"),
        ({"labels": [2]}, ":2: labels is"),
        ({"category": 5}, ":2: category is 5"),
        ({"gold": None}, ":2: gold is None"),
        ({"gold": float("nan")}, ":2 is not JSON: NaN"),
    ],
)
def test_a_faulty_line_is_named(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    dice = random.Random(0)
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(line(0, dice)) + "\n" + json.dumps(line(1, dice, **change)) + "\n")
    with pytest.raises(ConfigError, match=words):
        read_labelled(path)


def test_what_nothing_can_be_learnt_from_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("{not json\n")
    with pytest.raises(ConfigError, match=":1 is not JSON"):
        read_labelled(path)
    path.write_bytes(gzip.compress(b"much")[:10] + b"\xff" * 20)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_labelled(path)
    path.write_text(json.dumps(line(0, random.Random(0), conv="a", labels=[1])) + "\n")
    with pytest.raises(ConfigError, match="two conversations"):
        read_labelled(path)
    labels = [("a", 1), ("b", 1), ("b", 0)]
    path.write_text("".join(json.dumps(line(0, random.Random(0), conv=c, labels=[n])) + "\n" for c, n in labels))
    with pytest.raises(ConfigError, match="all answers but those about conversation b have the same label"):
        read_labelled(path)
    with pytest.raises(ConfigError, match="needs a file of labelled answers"):
        main(["judge"])
    with pytest.raises(ConfigError, match="no file at"):
        main(["judge", str(tmp_path / "none"), "embedder=hash"])
    with pytest.raises(ConfigError, match=r"(?s)learning_rate=nan; it must be above 0.*dropout=1; .*hidden=1; "):
        main(["judge", str(path), "embedder=hash", "learning_rate=nan", "dropout=1", "hidden=1"])
    with pytest.raises(ConfigError, match="model=tree"):
        main(["judge", str(path), "model=tree", "embedder=hash"])


def test_a_line_ends_at_its_end_alone(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [line(n, random.Random(n), conv=n % 2, labels=[n // 2], response="one\u2028two") for n in range(4)]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    assert [one.answer for one in read_labelled(path).answers] == ["one\u2028two"] * 4


def test_one_file_is_taken_by_any_name(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="takes one file, not 2"):
        main(["judge", str(file), "file=other.jsonl"])
    named = Path(shutil.copy(file, tmp_path / "it's=a.jsonl"))
    main(["judge", str(named), "model=overlap", "embedder=hash", f"output={tmp_path / 'judge'}"])
    assert (tmp_path / "judge" / "card.json").exists()


def test_a_place_that_is_of_no_use_is_told_before_any_work(
    file: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    lost = shutil.copytree(trained, tmp_path / "lost")
    (lost / "judge.npz").unlink()
    capsys.readouterr()
    for output, words in ((tmp_path / "file" / "judge", "cannot be written"), (lost, "has lost judge.npz; remove")):
        with pytest.raises(ConfigError, match=words):
            main(["judge", str(file), *QUICK, f"output={output}"])
    assert "labelled answers" not in capsys.readouterr().out


def test_a_judge_that_goes_astray_is_not_saved(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the training went astray: a weight of head 1"):
        main(["judge", str(file), *QUICK, "learning_rate=1e30", f"output={tmp_path / 'judge'}"])
    assert list(tmp_path.iterdir()) == []


def test_missing_or_foreign_weights_are_named_with_the_remedy(trained: Path, tmp_path: Path) -> None:
    [fault] = LocalJudge(Hashed(dimension=256), weights=str(tmp_path), probes=0).missing()
    assert "python -m memlab train judge FILE" in fault
    [fault] = LocalJudge(Hashed(dimension=64), weights=str(trained), probes=0).missing()
    assert "hash-256, not hash-64" in fault


def test_ranking_and_calibration_are_measured_right() -> None:
    right = np.array([True, False, True, False])
    assert auc(np.array([0.9, 0.1, 0.8, 0.2]), right) == 1
    assert auc(np.array([0.5, 0.5, 0.5, 0.5]), right) == 0.5
    assert calibration_error(np.array([0.75] * 4), np.array([True, True, True, False])) == 0
