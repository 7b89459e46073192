"""Tables of chosen operations."""

from memlab.gold import OPERATIONS
from memlab.records import Record
from memlab.report.figures.confusion import confusion_of_runs
from memlab.report.operations import confusions, operations, states
from memlab.report.rows import Run
from memlab.score.operations import Judged, operation_scores

STATE: Record = {
    **{"session": 1, "conversation": "c", "perspective": None, "statements": 4, "memories": 3, "true": 4, "told": 4},
    **{"right": 3, "stale": 1, "repeated": 0, "unfounded": 0},
}


def run(updater: str, chosen: str = "ADD") -> Run:
    judged = [Judged(gold, chosen, None, "c") for gold in OPERATIONS]  # type: ignore[arg-type]
    found = {
        "decisions": 4,
        **operation_scores(judged, seed=0),
        **{"lost": 1, "overwritten": 0, "deleted": 2, "tokens_per_decision": 0.0, "decision_seconds": 0.0015},
        "state": {**STATE, "stores": 1, "precision": 0.75, "recall": 0.75},
        "changed": {
            "now": {"n": 4, "value": 0.5, "interval": [0.25, 0.75]},
            "before": {"n": 0, "value": None, "interval": None},
        },
    }
    choices = {"system": "mem0", "updater": updater}
    return {"choices": choices, "config": {"updater": {"_target_": updater}}}, {"operations": found, "metrics": {}}


def test_each_run_with_gold_has_a_row_of_operations() -> None:
    table = operations([run("append"), run("always_noop", "NOOP")])
    assert table is not None
    assert table.caption == "Operations: n=4 decisions"
    assert table.rows[0][:4] == ("mem0", "append", "0.100", "0.400")
    assert table.rows[1][-5:] == ("1", "0", "2", "1.50", "0")


def test_a_note_says_where_a_delete_counts_as_an_update() -> None:
    manifest, summary = run("pairwise")
    replacing = {**manifest, "config": {"updater": {"of_facts": {"on_delete": "replace"}}}}
    tables = operations([(replacing, summary)]), operations([(manifest, summary)])
    assert ["on_delete=replace" in " ".join(table.notes) for table in tables if table] == [True, False]


def test_the_state_stands_beside_the_answers() -> None:
    table = states([run("append"), run("always_noop")])
    assert table is not None
    assert table.rows[0][2:8] == ("0.750", "0.750", "4", "3", "1", "0")
    assert table.rows[0][-2:] == ("0.500 [0.25, 0.75]", "-")


def test_a_confusion_has_a_row_for_each_right_operation() -> None:
    (table,) = confusions([run("append"), run("always_noop", "NOOP")])
    assert [row[2:] for row in table.rows[:2]] == [("ADD", "1", "0", "0", "0"), ("UPDATE", "1", "0", "0", "0")]
    assert len(table.rows) == 8


def test_matrices_are_named_by_what_differs_and_a_sweep_has_its_last_one_alone() -> None:
    runs = [run("append"), run("always_noop", "NOOP")]
    drawn = confusion_of_runs(runs)
    assert drawn is not None
    assert [axes.get_title() for axes in drawn.figure.axes if axes.get_title()] == ["append", "always_noop"]
    swept = [({**manifest, "config": {**manifest["config"], "s": s}}, own) for manifest, own in runs for s in (1, 10)]
    again = confusion_of_runs(swept)
    assert again is not None
    assert [axes.get_title() for axes in again.figure.axes if axes.get_title()] == ["append, s=10", "always_noop, s=10"]
    assert confusion_of_runs([({"choices": {"system": "mem0"}, "config": {}}, {"operations": None})]) is None


def test_runs_without_gold_have_no_such_table() -> None:
    without: Run = ({"choices": {"system": "mem0"}, "config": {}}, {"operations": None})
    assert operations([without]) is None
    assert states([without]) is None
    assert confusions([without]) == []
