"""What a run takes back of its records when it is resumed."""

from pathlib import Path
from typing import Any

import pytest

from memlab.job import recorded
from memlab.records import Record, RunFolder, RunWriter


def window(conversation: str, number: int, status: str = "done", owner: str | None = None) -> Record:
    return {"conversation": conversation, "perspective": owner, "window": number, "status": status}


def answer(conversation: str, id_: str, status: str = "answered") -> Record:
    return {"conversation": conversation, "id": id_, "status": status}


def verdict(conversation: str, id_: str, status: str = "given", probe: str | None = None) -> Record:
    return {"conversation": conversation, "id": id_, "status": status, "probe": probe}


def summary(conversation: str, number: int, status: str = "done") -> Record:
    return {"conversation": conversation, "window": number, "status": status}


FILES = {
    "ingest": [window("a", 0), window("a", 1, "failed"), window("a", 2), window("b", 0), window("b", 1)],
    "summaries": [summary("a", 0), summary("a", 1, "failed"), summary("a", 2), summary("b", 1)],
    "answers": [answer("a", "a1"), answer("b", "b1"), answer("b", "b2", "failed")],
    "verdicts": [
        verdict("a", "a1"),
        verdict("a", "a1", probe="vague"),
        verdict("b", "b1"),
        verdict("b", "b1", "unread"),
        verdict("b", "b1", "failed"),
        verdict("b", "b1", "failed", probe="gold"),
    ],
}
LEFT = {
    "ingest": [window("a", 0), window("b", 0), window("b", 1)],
    "summaries": [summary("a", 0), summary("b", 1)],
    "answers": [answer("b", "b1")],
    "verdicts": [verdict("a", "a1", probe="vague"), verdict("b", "b1"), verdict("b", "b1", "unread")],
}


def write(folder: RunFolder, files: dict[str, list[Record]]) -> None:
    with folder.opened() as writer:
        for name, records in files.items():
            writer.append(name, records)


def plain(records: list[Record]) -> list[Record]:
    return [{key: value for key, value in record.items() if key != "schema"} for record in records]


def on_disk(folder: RunFolder) -> dict[str, list[Record]]:
    return {name: plain(folder.read(name)) for name in LEFT}


def resumed(folder: RunFolder) -> dict[str, dict[str, list[Record]]]:
    with folder.opened() as writer:
        found = recorded(folder, writer)
    return {name: {key: plain(records) for key, records in groups.items()} for name, groups in found.items()}


def test_what_failed_and_what_rests_on_it_is_taken_back(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    write(folder, FILES)
    found = resumed(folder)
    assert on_disk(folder) == LEFT
    for name, records in LEFT.items():
        assert [record for group in found[name].values() for record in group] == records
        assert all(record["conversation"] == group for group, own in found[name].items() for record in own)


def test_where_nothing_failed_nothing_is_written(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    write(folder, LEFT)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.jsonl")}
    resumed(folder)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.jsonl")} == before


def test_only_the_store_that_lacks_a_window_is_taken_back(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    windows = [window("a", n, owner="Ada") for n in (0, 1)] + [window("a", n, "failed", "Ben") for n in (0,)]
    write(folder, {"ingest": [*windows, window("a", 1, owner="Ben")], "answers": [answer("a", "a1")]})
    assert resumed(folder)["ingest"] == {"a": windows[:2]}
    assert plain(folder.read("answers")) == []


@pytest.mark.parametrize("done", range(5))
def test_a_kill_while_taking_back_leaves_nothing_that_should_have_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    folder = RunFolder(tmp_path)
    write(folder, FILES)
    replace, left = RunWriter.replace, [done]

    def killed(self: RunWriter, name: str, records: Any) -> None:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        replace(self, name, records)

    with monkeypatch.context() as patch:
        patch.setattr(RunWriter, "replace", killed)
        if done < 4:
            with pytest.raises(KeyboardInterrupt):
                resumed(folder)
    resumed(folder)
    assert on_disk(folder) == LEFT
