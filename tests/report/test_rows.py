"""What tells runs apart."""

from typing import Any

from memlab.report.rows import labels


def manifest(config: dict[str, Any], **choices: str) -> dict[str, Any]:
    return {"choices": {"system": "mem0", **choices}, "config": config}


def test_options_are_named_and_settings_told_between_runs_of_one_option() -> None:
    near = [{"updater": {"_target_": "T", "near": near}} for near in (0.8, 0.9)]
    head = {"updater": {"_target_": "H", "bar": 0.5}}
    runs = [manifest(own, updater="threshold") for own in near] + [manifest(head, updater="head")]
    assert labels(runs) == (
        ["system", "updater", "updater.near"],
        [["mem0", "threshold", "0.8"], ["mem0", "threshold", "0.9"], ["mem0", "head", "-"]],
    )


def test_two_options_of_one_class_go_by_their_names() -> None:
    runs = [manifest({"updater": {"_target_": "H", "bar": bar}}, updater=name) for name, bar in (("a", 1), ("b", 2))]
    assert labels(runs) == (["system", "updater"], [["mem0", "a"], ["mem0", "b"]])


def test_judges_are_told_between_systems_and_parts_of_systems_are_not() -> None:
    runs = [
        manifest({"retriever": {"k": 1}, "judge": {"at": 0.3}}, system="one", retriever="x", judge="overlap"),
        manifest({"retriever": {"k": 2}, "judge": {"head": 1}}, system="two", retriever="y", judge="local"),
    ]
    assert labels(runs) == (["system", "judge"], [["one", "overlap"], ["two", "local"]])


def test_a_bound_is_told_as_its_part_heeds_it() -> None:
    runs = [
        manifest({"max_tokens": shown, "m": 5, "retriever": {"max_tokens": own}}, retriever="all")
        for shown, own in ((256, None), (512, None), (256, 256))
    ]
    assert labels(runs) == (["system", "retriever.max_tokens"], [["mem0", "null"], ["mem0", "null"], ["mem0", "256"]])
