"""Errors as the user reads them."""

import pytest

from memlab.conf_files import option_of
from memlab.explain import explained
from memlab.llm.chat import ChatMisconfigured
from memlab.part import PartFailed


def test_many_errors_at_once_are_told_by_a_few() -> None:
    failures = [PartFailed(f"no reply to {number}") for number in range(8)]
    told = explained(BaseExceptionGroup("all", [ExceptionGroup("inner", failures[:5]), *failures[3:]]), [])
    assert (told or "").splitlines() == [
        "stopped: no reply to 0",
        "stopped: no reply to 1",
        "stopped: no reply to 2",
        "... and 5 more",
        "what was done is kept, and the same command goes on from here",
    ]


def test_an_error_of_another_kind_is_not_lost_among_many() -> None:
    told = explained(ExceptionGroup("all", [*map(PartFailed, "abcdef"), ChatMisconfigured("no key")]), []) or ""
    assert "no key" in told.splitlines()


def test_a_defect_among_them_wants_its_traceback() -> None:
    assert explained(ExceptionGroup("all", [PartFailed("no reply"), KeyError("m1")]), []) is None


@pytest.mark.parametrize("value", ["null", "3"])
def test_a_group_without_a_name_is_told_the_names(value: str) -> None:
    error = ValueError("Config group override must be a string or a list. Got NoneType")
    assert explained(error, ["s=3", f"judge={value}", "updater=append"]) == (
        f"judge={value} names no option of judge (options: llm, local, none, overlap)"
    )


@pytest.mark.parametrize("option", ["server", "openai"])
def test_an_option_is_known_from_others_of_its_class_by_its_settings(option: str) -> None:
    server = {"_target_": "memlab.llm.openai_chat.OpenAIChat", "timeout_seconds": 600.0, "model": "default"}
    openai = {"_target_": "memlab.llm.openai_chat.OpenAIChat", "timeout_seconds": 120.0, "base_url": "here"}
    assert option_of("llm", {"server": server, "openai": openai}[option]) == option


def test_what_a_stopped_command_leaves_is_told_as_it_is() -> None:
    assert "the same command goes on from here" in str(explained(PartFailed("no server"), ["system=mem0"]))
    assert "the same command starts again" in str(explained(PartFailed("no server"), ["train", "updater"]))
