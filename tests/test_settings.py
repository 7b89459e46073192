"""The plain top-level keys: every fault is told, all at once, with the nearest name."""

import pytest
from omegaconf import OmegaConf, open_dict

from memlab.config import settings
from memlab.llm.budget import Budget, Price
from memlab.settings import ConfigError
from tests.test_config import composed


def faults(*dotted: str) -> list[str]:
    config = composed()
    with open_dict(config):
        config.merge_with_dotlist(list(dotted))
    with pytest.raises(ConfigError) as caught:
        settings(config)
    return caught.value.faults


def test_the_defaults_have_no_fault() -> None:
    chosen = settings(composed())
    assert chosen.budget == Budget(usd=None, tokens=None, calls=None)
    assert not chosen.budget.limits
    assert chosen.prices.models["gpt-4o-mini"] == Price(input=0.15, output=0.6)
    assert (chosen.perspective, chosen.on_failed_window, chosen.cache) == ("shared", "stop", "use")


def test_a_budget_takes_whole_dollars_too() -> None:
    chosen = settings(composed("budget.usd=5", "budget.tokens=1000"))
    assert (chosen.budget.usd, chosen.budget.tokens, chosen.budget.limits) == (5, 1000, True)


def test_off_in_a_yaml_file_is_a_mode_of_the_cache() -> None:
    config = composed()
    config.merge_with(OmegaConf.create("cache: off"))
    assert settings(config).cache == "off"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("perspective", "both", "perspective is 'both'"),
        ("timestamps", "none", "timestamps is 'none'"),
        ("cache", "sometimes", "cache is 'sometimes'"),
        ("on_failed_window", "retry", "on_failed_window is 'retry'"),
        ("stop_after_empty", "0", "stop_after_empty=0 is too small; it must be at least 1"),
        ("max_tokens", "0", "max_tokens=0 is too small"),
        ("look_ahead", "0", "look_ahead=0 is too small"),
        ("concurrency", "1.5", "concurrency is 1.5"),
        ("preview", "3", "preview is 3"),
        ("budget.usd", "0", "budget.usd=0 allows nothing"),
        ("budget.usd", "-1.5", "budget.usd=-1.5 allows nothing"),
        ("budget.usd", ".nan", "budget.usd=nan allows nothing"),
        ("budget.tokens", "1.5", "budget.tokens is 1.5"),
        ("budget.calls", "many", "budget.calls is 'many'"),
        ("budget", "5", "budget is 5, but has keys of its own: budget.usd=..."),
        ("prices.date", "2026", "prices.date is 2026"),
        ("prices.models", "null", "prices.models is None"),
        ("prices.models.mine", "3", "prices.models.mine is 3"),
        ("prices.models.mine", "{input: 1}", "prices.models.mine needs the key 'output'"),
        ("prices.models.mine", "{input: 1,output: cheap}", "prices.models.mine.output is 'cheap'"),
        ("prices.models.mine", "{input: -1,output: 2}", "prices.models.mine.input=-1 is no price"),
        ("prices.models.mine", "{input: .nan,output: 2}", "prices.models.mine.input=nan is no price"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_key(key: str, value: str, words: str) -> None:
    assert any(words in fault for fault in faults(f"{key}={value}")), faults(f"{key}={value}")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("concurency=2", "no key 'concurency'; did you mean 'concurrency'?"),
        ("budgets=2", "no key 'budgets'; did you mean 'budget'?"),
        ("budget.token=2", "budget has no key 'token'; did you mean 'tokens'?"),
        ("prices.model={}", "prices has no key 'model'; did you mean 'models'?"),
        ("prices.models.mine={imput: 1,output: 2}", "prices.models.mine has no key 'imput'; did you mean 'input'?"),
    ],
)
def test_a_mistyped_key_gets_the_nearest_one(key: str, words: str) -> None:
    assert words in faults(key)


def test_all_faults_are_told_at_once_whatever_their_kind() -> None:
    found = "\n".join(
        faults(
            "m=-1",
            "s=ten",
            "perspektive=shared",
            "stop_after_empty=0",
            "budget.usd=-1",
            "budget.calls=some",
            "prices.models.mine={input: -1}",
        )
    )
    for words in (
        "m=-1",
        "s is 'ten'",
        "'perspektive'",
        "stop_after_empty=0",
        "budget.usd=-1",
        "budget.calls is 'some'",
    ):
        assert words in found
    assert "prices.models.mine needs the key 'output'" in found
    assert "prices.models.mine.input=-1 is no price" in found


@pytest.mark.parametrize("key", ["m", "perspective", "budget", "prices", "stop_after_empty"])
def test_a_key_that_was_taken_out_is_a_fault_unless_null_is_a_value(key: str) -> None:
    config = composed()
    with open_dict(config):
        del config[key]
    if key == "stop_after_empty":
        assert settings(config).stop_after_empty is None
        return
    with pytest.raises(ConfigError, match=key):
        settings(config)


def test_prices_of_a_model_with_a_dot_in_its_name_can_be_given() -> None:
    config = composed()
    with open_dict(config):
        OmegaConf.update(config, "prices.models", {"vendor/model-4.1": {"input": 1, "output": 2}}, merge=True)
    assert settings(config).prices.models["vendor/model-4.1"].usd(1_000_000, 500_000) == 2.0
