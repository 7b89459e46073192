from memlab.records import Record
from memlab.report.channels import channels
from memlab.report.rows import Run


def cells(**values: float) -> Record:
    return {name.lstrip("c"): {"n": 4, "value": value, "interval": None} for name, value in values.items()}


def channel(recall: float, alone: float) -> Record:
    return {
        "evidence_recall": cells(overall=recall),
        "whole": cells(overall=0.5),
        "alone": cells(overall=alone, c2=alone / 2),
        "context_tokens": 120.4,
        "search_p50_seconds": 0.001,
        "search_p95_seconds": 0.002,
    }


def run(system: str, **found: Record) -> Run:
    manifest = {
        "choices": {"system": system},
        "config": {},
        "dataset": {"name": "mini", "conversations": 1},
    }
    metrics = {"evidence_recall": cells(overall=0.9)}
    return manifest, {"metrics": metrics, "channels": found}


def test_each_channel_of_each_system_has_a_row() -> None:
    found = channels(
        [run("plain"), run("mem0g", nearest=channel(0.7, 0.2), bm25=channel(0.6, 0.1)), run("b", x=channel(1, 0))]
    )
    assert found is not None
    assert [row[:2] for row in found.rows] == [("mem0g", "nearest"), ("mem0g", "bm25"), ("b", "x")]
    assert found.rows[0] == ("mem0g", "nearest", "0.700", "0.500", "0.200", "0.100", "120", "1.0", "2.0")
    assert [heading.replace("\n", " ") for heading in found.headings[:6]] == [
        *("system", "channel", "recall", "whole", "alone", "alone @2"),
    ]


def test_runs_without_channels_have_no_table() -> None:
    assert channels([run("plain"), run("other")]) is None
