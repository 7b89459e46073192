"""Where evidence was lost: the same shares as the scores say, turn by turn."""

from pathlib import Path
from statistics import fmean

from memlab.records import Record, RunFolder
from memlab.report.page.fates import ARRIVED, SHOWN, Reached, fate_of_shares, fates, reached
from memlab.report.page.held import MOST_HITS, Found, held
from memlab.report.page.said import conversations_of
from memlab.report.scores import LOOKED_AT, scores_looked_at
from memlab.score.answer_scores import FUNNEL

SOURCES = {"m0": ["D1:1"], "m1": ["D1:2"], "m2": ["D1:3"]}
BEFORE = Reached(({f"D1:{n}" for n in range(1, 6)}, {f"D1:{n}" for n in range(1, 5)}, {f"D1:{n}" for n in range(1, 4)}))
ANSWER = {"hits": [["m0", 0.9], ["m1", 0.8], ["m2", 0.7]], "shown": 2, "used": ["m0"]}


def test_a_turn_is_lost_at_the_first_stage_that_it_did_not_reach() -> None:
    turns = ("D1:1", "D1:2", "D1:3", "D1:4", "D1:5", "D1:6")
    assert fates(turns, BEFORE, ANSWER, SOURCES) == [ARRIVED, 4, 3, 2, 1, 0]
    assert fates(turns[:3], BEFORE, {**ANSWER, "used": None}, SOURCES) == [SHOWN, SHOWN, 3]
    assert fates(turns, BEFORE, {**ANSWER, "failed_at": "search"}, SOURCES) is None


def test_turns_reach_what_windows_candidates_and_live_memories_hold() -> None:
    window = {"status": "done", "turns": ["D1:1", "D1:2"], "candidates": [{"sources": ["D1:2"]}]}
    failed: Record = {"status": "failed", "turns": ["D1:3"], "candidates": []}
    memories: list[Record] = [
        {"retired_at": None, "sources": ["D1:2"]},
        {"retired_at": "2023-01-01", "sources": ["D1:1"]},
    ]
    assert reached([window, failed], memories).stages == ({"D1:1", "D1:2"}, {"D1:2"}, {"D1:2"})


def test_of_many_hits_the_first_are_listed_and_all_that_hold_evidence() -> None:
    memories = [{"id": f"m{place}", "sources": [f"D1:{place}"]} for place in range(100)]
    hits = [[f"m{99 - place}", 1 - place / 100] for place in range(100)] + [["gone", 0.0]]
    numbers, scores, ranks = Found(memories, BEFORE).hits({"hits": hits}, ("D1:9", "D1:98"))
    assert ranks == [*range(1, MOST_HITS + 1), 91]
    assert (numbers[0], numbers[-1], scores[-1]) == (99, 9, 1 - 90 / 100)


def test_shares_alone_tell_the_first_stage_that_lacks_some() -> None:
    assert fate_of_shares([1.0, 1.0, 0.5, 0.5, 0.5]) == [2]
    assert fate_of_shares([1.0, 1.0, 1.0, 1.0, None]) == [SHOWN]
    assert fate_of_shares([1.0, 1.0, 1.0, 1.0, 1.0]) == [ARRIVED]
    assert fate_of_shares([None] * 5) is None


def test_fates_add_up_to_the_scores_of_each_stage(folders: list[Path]) -> None:
    folder = RunFolder(folders[0])
    scores = scores_looked_at(folder)
    values = {(one["id"], one["metric"]): one["value"] for one in folder.read("scores")}
    assert scores == [one for one in folder.read("scores") if one["metric"] in LOOKED_AT]
    manifest = folder.read_json("manifest")
    assert manifest is not None
    conversations, _ = conversations_of([(manifest, {})])
    evidence = {q.id: q.evidence for one in conversations.values() for q in one.questions if q.evidence}
    rows = [row for own in held(folder, scores, evidence).answers.values() for row in own if row[0] in evidence]
    assert any(3 in row[6] for row in rows)
    for row in rows:
        assert row[10][2][:MOST_HITS] == list(range(1, min(row[9], MOST_HITS) + 1))
        for place, stage in enumerate(FUNNEL):
            assert fmean(fate > place for fate in row[6]) == values[row[0], f"evidence_{stage}"]
