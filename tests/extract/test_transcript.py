import pytest

from memlab.extract.transcript import listed


@pytest.mark.parametrize(
    ("words", "written"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_become_an_english_list(words: list[str], written: str) -> None:
    assert listed(words) == written
