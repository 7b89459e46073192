from pathlib import Path

import pytest

from memlab import run_key
from memlab.run_key import numbered


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of two modules, a data file and a command, in memlab's place."""
    for name in ("extract/rules.py", "extract/words.toml", "commands/show.py", "conf/config.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(run_key, "PACKAGE", tmp_path)
    run_key.memlab_sha256.cache_clear()
    yield tmp_path
    run_key.memlab_sha256.cache_clear()


@pytest.mark.parametrize(
    ("changed", "another"),
    [
        ("extract/rules.py", True),
        ("extract/words.toml", True),
        ("commands/show.py", False),
        ("conf/config.yaml", False),
    ],
)
def test_code_and_data_that_can_change_a_number_change_the_key(package: Path, changed: str, another: bool) -> None:
    before = run_key.memlab_sha256()
    run_key.memlab_sha256.cache_clear()
    (package / changed).write_text("something else")
    assert (run_key.memlab_sha256() != before) == another


def test_a_server_that_moves_is_the_same_under_the_name_it_is_known_by() -> None:
    openai = {"_target_": "memlab.llm.openai_chat.OpenAIChat", "model": "small", "timeout_seconds": 5.0}
    here, there = ({**openai, "base_url": url} for url in ("http://a:1/v1", "http://b:2/v1"))
    assert numbered({"llm": here}) != numbered({"llm": there})
    named = [{**node, "known_as": "our vLLM"} for node in (here, there)]
    assert numbered({"llm": named[0]}) == numbered({"llm": named[1]})
    assert "timeout_seconds" not in numbered(here)
