"""The findings: the best run, and when its lead is said to be real."""

from collections.abc import Sequence
from typing import Any

import pytest

from memlab.report.page.told import findings
from memlab.report.rows import Run
from tests.report.invented_runs import invented

CONVERSATIONS = 8


def scored(values: Sequence[float]) -> list[dict[str, Any]]:
    """Return F1 of two questions of each conversation, the conversation's value and a little more."""
    return [
        {
            "id": f"c{c}/q{q}",
            "conversation": f"c{c}",
            "category": 1,
            "metric": "f1",
            "attempt": 1,
            "value": own + q / 20,
        }
        for c, own in enumerate(values)
        for q in range(2)
    ]


def found(*leads: Sequence[float]) -> list[Any]:
    names = "abcdefgh"
    runs: list[Run] = [invented(name, 0.5 - place / 100) for place, name in zip(range(len(leads)), names, strict=False)]
    return [one for one in findings(runs, [scored(own) for own in leads]) if one.asked == "Answers"]


EVEN = [0.5] * CONVERSATIONS
LESS = [0.4 - c / 100 for c in range(CONVERSATIONS)]
MIXED = [0.5 + (0.1 if c % 2 else -0.1) for c in range(CONVERSATIONS)]
ALMOST = [0.4 - c / 100 for c in range(CONVERSATIONS - 1)] + [0.62]


def test_a_lead_in_every_conversation_is_real_and_a_mixed_one_is_not() -> None:
    [finding] = found(EVEN, LESS)
    assert (finding.best, finding.over_next.over, finding.over_next.real) == ("a", "b", "yes")
    assert finding.over_next.words == "+0.135 [+0.113, +0.157], n=16, p 0.008"
    assert finding.over_first is None
    [finding] = found(EVEN, MIXED)
    assert finding.over_next.real == "cannot tell"
    assert "a true difference of" in finding.over_next.words


def test_a_lead_that_holds_alone_but_not_among_all_pairs_is_not_called_real() -> None:
    crowd = [
        [0.5 + (0.1 if c * (2 * one + 1) // (one + 1) % 2 else -0.11) for c in range(CONVERSATIONS)] for one in range(5)
    ]
    [finding] = found(EVEN, ALMOST, *crowd)
    assert finding.over_next.over == "b"
    assert finding.over_next.real == "cannot tell"
    assert "had this pair been named before" in finding.over_next.words


def test_few_conversations_are_said_to_be_too_few() -> None:
    [finding] = found(EVEN[:3], LESS[:3])
    assert finding.over_next.words.endswith("3 conversations cannot show any difference")


@pytest.mark.parametrize("systems", [("no_memory", "echo"), ("mem0", "no_memory")])
def test_runs_for_comparison_only_are_ranked_when_there_are_no_others(systems: tuple[str, str]) -> None:
    runs = [invented(system, 0.1 + place / 10) for place, system in enumerate(systems)]
    [finding] = [one for one in findings(runs, [scored(LESS), scored(EVEN)]) if one.asked == "Answers"]
    assert finding.best == ("echo" if "echo" in systems else "mem0")
