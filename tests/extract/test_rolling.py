from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from memlab.dialogue import Turn
from memlab.extract.rolling import Rolling
from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.meter import metered
from memlab.llm.scripted import Scripted
from tests.extract.prompts import golden, mini_windows, sent

TURN = Turn("D1:1", "Ada", "I moved to Oslo.", datetime(2023, 5, 8), 1, caption="a photo of a fjord")
TURNS = [turn for window in mini_windows()[:14] for turn in window.new]


def rolling(llm: Scripted, **settings: Any) -> Rolling:
    return Rolling(llm, **{"prompt": "summary", "every": 10, "lag": 2, "most_words": 100, **settings})


@pytest.mark.parametrize(("name", "previous"), [("summary_first", ""), ("summary_next", "Greta likes bicycles.")])
async def test_prompt_for_mini_messages_is_golden(name: str, previous: str) -> None:
    llm = Scripted(["S.", "S."])
    for _ in range(2):
        await rolling(llm).summarise(previous, TURNS)
    assert llm.requests[0] == llm.requests[1]
    assert sent(llm.requests[0]) == golden(name)


async def test_summary_is_what_the_model_writes() -> None:
    assert await rolling(Scripted(["\nAda moved to Oslo.\n"])).summarise("", [TURN]) == "Ada moved to Oslo."


async def test_empty_reply_is_repaired_once() -> None:
    with metered() as meter:
        assert await rolling(Scripted([" ", "Ada moved."])).summarise("Before.", [TURN]) == "Ada moved."
    assert [flaw.split(":")[0] for flaw in meter.flaws] == ["repaired"]


async def test_empty_replies_keep_the_previous_summary_and_are_counted() -> None:
    with metered() as meter:
        assert await rolling(Scripted(["", "\n"])).summarise("Before.", [TURN]) == "Before."
    assert [flaw.split(":")[0] for flaw in meter.flaws] == ["unreadable"]


async def test_refused_request_is_a_failure() -> None:
    refused = Reply("", (), "content_filter", Usage(1, 1), seconds=0.0)
    with pytest.raises(ChatFailed):
        await rolling(Scripted([refused])).summarise("Before.", [TURN])


async def test_messages_without_words_cost_no_call() -> None:
    assert await rolling(Scripted([])).summarise("Before.", [replace(TURN, text=" ")]) == "Before."
    assert await rolling(Scripted([])).summarise("Before.", []) == "Before."


async def test_captions_are_not_shown() -> None:
    llm = Scripted(["S."])
    await rolling(llm).summarise("", [TURN])
    assert "Ada: I moved to Oslo." in sent(llm.requests[0])
    assert "fjord" not in sent(llm.requests[0])


async def test_typical_summary_has_about_the_length_asked_for() -> None:
    llm = Scripted(lambda request: str(request.typical))
    summary = ""
    for _ in range(3):
        summary = await rolling(llm).summarise(summary, TURNS)
        assert len(summary.split()) == 80
    assert len((await rolling(llm, most_words=1).summarise("", [TURN])).split()) == 1


@pytest.mark.parametrize("setting", ["every", "lag", "most_words"])
def test_setting_below_one_is_refused_with_its_value(setting: str) -> None:
    with pytest.raises(ValueError, match=f"{setting}=0"):
        rolling(Scripted([]), **{setting: 0})


def test_unknown_prompt_is_a_fault() -> None:
    assert "no prompt 'sumary'; did you mean 'summary'" in rolling(Scripted([]), prompt="sumary").missing()[0]
    assert rolling(Scripted([])).missing() == []
