"""Windows that fail: what is recorded and asked by policy; a run that was mended is as one that never failed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlab.explain import explained
from memlab.records import RunFolder
from tests.llm.lying_server import Answer, Server, completion, failing, serving
from tests.small_llm import honest, number_of, only_run, records, run, task_of

Bodies = Callable[[dict[str, Any]], bool]

PERSPECTIVES = ("shared", "per_speaker")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """An honest server, and a cache of the test's own."""
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    with serving() as server:
        server.behave = honest
        yield server


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[Any]]]:
    """The records of runs in which nothing fails, by perspective."""
    found = {}
    for perspective in PERSPECTIVES:
        folder = tmp_path_factory.mktemp("calm")
        with pytest.MonkeyPatch.context() as patch, serving() as server:
            patch.setenv("MEMLAB_CACHE", str(folder / "cache"))
            server.behave = honest
            found[perspective] = records(run(folder, server.url, f"perspective={perspective}"))
    return found


def refusing(these: Bodies) -> Callable[[dict[str, Any]], Answer]:
    """Behave, but for some requests, as a content filter does."""
    return lambda body: failing(400, "filtered", "content_filter") if these(body) else honest(body)


def extracting(turn: str, conversation: str) -> Bodies:
    """Whether a request is for the facts of this turn."""
    return lambda body: task_of(body) == "extract" and f"\n{turn} {conversation}" in body["messages"][1]["content"]


def updating(turn: str, conversation: str) -> Bodies:
    """Whether a request is to decide on the fact of this turn, matter 23 for turn D2:3."""
    matter = f"{conversation}: matter {turn[1]}{turn[3]} "
    return lambda body: task_of(body) == "update" and body["messages"][1]["content"].startswith(matter)


FAILURES = {
    "extraction": extracting("D2:3", "talk0"),
    "the first update": updating("D2:3", "talk0"),
    "the second update": updating("D2:4", "talk0"),
}

CASES = [("extraction", "per_speaker"), ("the first update", "shared"), ("the second update", "shared")]


def manifest(folder: RunFolder) -> dict[str, Any]:
    return folder.read_json("manifest") or {}


def summary(folder: RunFolder) -> dict[str, Any]:
    return folder.read_json("summary") or {}


def failed_windows(folder: RunFolder) -> list[tuple[str, str | None, int]]:
    windows = folder.read("ingest")
    return [(w["conversation"], w["perspective"], w["window"]) for w in windows if w["status"] == "failed"]


def assert_mended(server: Server, runs: Path, policy: str, perspective: str, calm: Any) -> None:
    """The same command, nothing refused any more: the records of a calm run, and nothing asked twice."""
    before = {number_of(body) for body in server.requests}
    refused = {number_of(body) for body in server.requests if server.behave(body).status == 400}
    server.requests.clear()
    server.behave = honest
    mended = run(runs, server.url, f"on_failed_window={policy}", f"perspective={perspective}")
    assert records(mended) == calm[perspective]
    assert manifest(mended)["status"] == "complete"
    again = {number_of(body) for body in server.requests} & before
    assert again <= refused, "what had been answered was asked again"


@pytest.mark.parametrize(("failure", "perspective"), CASES)
def test_stop_ends_the_run_with_the_reason_and_leaves_no_failed_window(
    server: Server, tmp_path: Path, calm: Any, failure: str, perspective: str
) -> None:
    server.behave = refusing(FAILURES[failure])
    with pytest.raises(BaseExceptionGroup) as caught:
        run(tmp_path, server.url, f"perspective={perspective}")
    told = str(explained(caught.value, []))
    assert "filtered" in told
    assert "the same command goes on" in told
    folder = only_run(tmp_path)
    assert manifest(folder)["status"] == "stopped"
    assert "filtered" in manifest(folder)["reason"]
    assert failed_windows(folder) == []
    assert not any(answer["conversation"] == "talk0" for answer in folder.read("answers"))
    assert_mended(server, tmp_path, "stop", perspective, calm)


@pytest.mark.parametrize(("failure", "perspective"), CASES)
def test_skip_leaves_out_the_rest_of_the_conversation_and_its_questions(
    server: Server, tmp_path: Path, calm: Any, failure: str, perspective: str
) -> None:
    server.behave = refusing(FAILURES[failure])
    folder = run(tmp_path, server.url, "on_failed_window=skip", f"perspective={perspective}")
    assert manifest(folder)["status"] == "incomplete"
    [(conversation, owner, window)] = failed_windows(folder)
    assert conversation == "talk0"
    own = [w for w in folder.read("ingest") if (w["conversation"], w["perspective"]) == (conversation, owner)]
    assert [w["window"] for w in own] == list(range(window + 1)), "windows after the failed one were paid for"
    assert {answer["conversation"] for answer in folder.read("answers")} == {"talk1"}
    assert {score["conversation"] for score in folder.read("scores")} == {"talk1"}
    assert summary(folder)["metrics"]["f1"]["overall"]["n"] == 4
    assert summary(folder)["failures"]["windows"] == 1
    assert 0.5 < summary(folder)["ingest"]["completeness"] < 1
    assert_mended(server, tmp_path, "skip", perspective, calm)


@pytest.mark.parametrize(("failure", "perspective"), CASES)
def test_evaluate_goes_on_with_the_next_window_and_asks_everything(
    server: Server, tmp_path: Path, calm: Any, failure: str, perspective: str
) -> None:
    server.behave = refusing(FAILURES[failure])
    folder = run(tmp_path, server.url, "on_failed_window=evaluate", f"perspective={perspective}")
    assert manifest(folder)["status"] == "incomplete"
    assert len(failed_windows(folder)) == 1
    [reason] = [w["reason"] for w in folder.read("ingest") if w["status"] == "failed"]
    assert "filtered" in reason
    assert len(folder.read("ingest")) == len(calm[perspective]["ingest"])
    assert len(folder.read("answers")) == len(calm[perspective]["answers"])
    assert summary(folder)["ingest"]["completeness"] == 1 - 1 / len(calm[perspective]["ingest"])
    assert_mended(server, tmp_path, "evaluate", perspective, calm)


def test_what_a_window_did_before_it_failed_is_recorded(server: Server, tmp_path: Path) -> None:
    server.behave = refusing(FAILURES["the second update"])
    folder = run(tmp_path, server.url, "on_failed_window=evaluate")
    [window] = [w for w in folder.read("ingest") if w["status"] == "failed"]
    assert [len(window[name]) for name in ("candidates", "operations", "related", "flaws")] == [2, 1, 1, 1]


def test_a_run_that_fails_again_in_the_same_place_has_the_same_records(server: Server, tmp_path: Path) -> None:
    server.behave = refusing(FAILURES["extraction"])
    first = run(tmp_path, server.url, "on_failed_window=evaluate")
    before = records(first)
    server.requests.clear()
    assert records(run(tmp_path, server.url, "on_failed_window=evaluate")) == before
    assert [task_of(body) for body in server.requests] == ["extract"]


def test_another_policy_goes_on_with_the_same_run(server: Server, tmp_path: Path, calm: Any) -> None:
    server.behave = refusing(FAILURES["extraction"])
    skipped = run(tmp_path, server.url, "on_failed_window=skip")
    evaluated = run(tmp_path, server.url, "on_failed_window=evaluate")
    assert evaluated.path == skipped.path
    assert len(evaluated.read("answers")) == len(calm["shared"]["answers"])


def last_line(body: dict[str, Any]) -> str:
    return str(body["messages"][1]["content"]).splitlines()[-1]


def nth_summary(number: int) -> Bodies:
    """Whether a request is for this summary, from 1, of the first dialogue: it ends with that matter."""
    matter = ("talk0: matter 16 ", "talk0: matter 24 ")[number - 1]
    return lambda body: task_of(body) == "summarise" and last_line(body).startswith(matter)


@pytest.mark.parametrize("policy", ["stop", "skip", "evaluate"])
def test_a_summary_that_fails_fails_the_windows_that_read_it(
    server: Server, tmp_path: Path, calm: Any, policy: str
) -> None:
    server.behave = refusing(nth_summary(1))
    if policy == "stop":
        with pytest.raises(BaseExceptionGroup):
            run(tmp_path, server.url)
    else:
        run(tmp_path, server.url, f"on_failed_window={policy}")
    folder = only_run(tmp_path)
    # every 3, lag 2: the summary after window 2 is read by windows 4 to 6
    expected = {"stop": [], "skip": [4], "evaluate": [4, 5, 6]}[policy]
    assert [window for *_, window in failed_windows(folder)] == expected
    [failed] = [record for record in folder.read("summaries") if record["status"] == "failed"]
    assert (failed["conversation"], failed["window"]) == ("talk0", 2)
    assert "filtered" in failed["reason"]
    assert_mended(server, tmp_path, policy, "shared", calm)


def empty(body: dict[str, Any]) -> Answer:
    return Answer(completion({"role": "assistant", "content": "[]"})) if task_of(body) == "extract" else honest(body)


def test_a_run_stops_when_nothing_is_extracted_so_many_times_in_a_row(server: Server, tmp_path: Path) -> None:
    server.behave = empty
    with pytest.raises(BaseExceptionGroup) as caught:
        run(tmp_path, server.url, "stop_after_empty=3", "concurrency=1")
    told = str(explained(caught.value, []))
    assert "3 windows in a row of talk0 gave no candidate" in told
    assert "memlab doctor" in told
    assert len(only_run(tmp_path).read("ingest")) == 3


def test_the_row_of_empty_windows_is_counted_on_when_a_run_is_resumed(server: Server, tmp_path: Path) -> None:
    server.behave = empty
    for limit in (3, 3, 5):
        with pytest.raises(BaseExceptionGroup):
            run(tmp_path, server.url, f"stop_after_empty={limit}", "concurrency=1", "look_ahead=1")
        assert len(only_run(tmp_path).read("ingest")) == limit
    assert len(server.requests) <= 6, "windows were asked for after the run had to stop"


def test_a_run_that_may_extract_nothing_goes_to_its_end(server: Server, tmp_path: Path) -> None:
    server.behave = empty
    folder = run(tmp_path, server.url, "stop_after_empty=null")
    assert summary(folder)["ingest"]["candidates"] == 0
    assert summary(folder)["questions"]["answered"] == 10


def test_windows_that_failed_in_a_row_are_told_with_their_reason(server: Server, tmp_path: Path) -> None:
    server.behave = refusing(lambda body: task_of(body) == "extract")
    with pytest.raises(BaseExceptionGroup) as caught:
        run(tmp_path, server.url, "stop_after_empty=2", "on_failed_window=evaluate", "concurrency=1")
    told = str(explained(caught.value, []))
    assert "2 of them failed, the last: " in told
    assert "filtered" in told


def test_unreadable_extractions_are_flaws_and_no_failures(server: Server, tmp_path: Path) -> None:
    bad = extracting("D2:3", "talk0")
    server.behave = lambda body: (
        Answer(completion({"role": "assistant", "content": "Sure!"})) if bad(body) else honest(body)
    )
    folder = run(tmp_path, server.url)
    assert manifest(folder)["status"] == "complete"
    assert summary(folder)["ingest"]["flaws"] == {"unreadable": 1}
    assert summary(folder)["phases"]["extract"]["flaws"] == {"unreadable": 1}


@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_a_conversation_in_which_nothing_was_said_is_asked_about_all_the_same(
    server: Server, tmp_path: Path, perspective: str
) -> None:
    folder = run(
        tmp_path,
        server.url,
        "dataset._target_=tests.small_llm.PartlySilent",
        f"perspective={perspective}",
        "dataset.size=1",
    )
    assert manifest(folder)["status"] == "complete"
    silent = [answer for answer in folder.read("answers") if answer["conversation"] == "silent"]
    assert [(answer["status"], answer["shown"]) for answer in silent] == [("answered", 0)] * 5
    assert summary(folder)["ingest"]["completeness"] == 1
    assert summary(folder)["questions"]["nothing_shown"] == 5


def test_failures_of_several_conversations_are_told_once_each(server: Server, tmp_path: Path) -> None:
    server.behave = empty
    with pytest.raises(BaseExceptionGroup) as caught:
        run(tmp_path, server.url, "stop_after_empty=1", "look_ahead=1")
    told = str(explained(caught.value, [])).splitlines()
    assert len(set(told)) == len(told)
    assert told[-1] == "what was done is kept, and the same command goes on from here"
