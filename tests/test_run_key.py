from pathlib import Path

import pytest

from memlab import run_key


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
