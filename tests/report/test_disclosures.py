"""What a report discloses of its runs."""

import re
from pathlib import Path

from memlab.report.disclosures import bound, open_keys, open_settings

README = Path(__file__).parents[2] / "README.md"


def test_the_settings_that_the_paper_leaves_open_are_known_by_their_part() -> None:
    found = open_keys()
    assert {("", "perspective"), ("", "timestamps"), ("", "on_failed_window")} <= found
    assert ("memlab.update.tool_call.ToolCallUpdater", "information") in found
    assert {part for part, name in found if name == "on_delete"} > {"memlab.update.classifier.Classifier"}


def test_every_choice_that_the_readme_calls_open_is_marked_so() -> None:
    [told] = re.findall(r'comment "not stated in the paper": (.*?)\.\n\n', README.read_text(), re.DOTALL)
    names = {name.rpartition(".")[2] for name in re.findall(r"`([a-z_.]+)`", told)}
    assert names >= {"on_delete", "information", "every", "lag", "top_k", "perspective"}
    assert names <= {name for _, name in open_keys()}


def test_a_run_tells_its_own_values_of_them() -> None:
    config = {
        "perspective": "shared",
        "updater": {"_target_": "memlab.update.tool_call.ToolCallUpdater", "on_delete": "paper", "reply": "text"},
        "retriever": {"inner": {"_target_": "memlab.retrieve.nearest.Nearest", "top_k": 30}},
        "other": {"_target_": "mine.Updater", "on_delete": "x"},
    }
    assert dict(open_settings({"config": config})) == {
        "perspective": "shared",
        "updater.on_delete": "paper",
        "retriever.inner.top_k": "30",
    }


def test_the_bound_of_a_context_is_told_in_words() -> None:
    assert bound({"top_k": None, "max_tokens": 1764}) == "1,764 tokens"
    assert bound({"top_k": 10, "max_tokens": 256}) == "256 tokens and 10 memories"
    assert bound({"top_k": None}) == "none: all that it ranks"
