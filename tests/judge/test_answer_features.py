"""What judges without a language model see of an answer."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.judge.answer_features import Vector, features, nearest, of_dates, of_numbers, of_polarity, texts_of
from memlab.judge.days_told import apart, days, same
from memlab.judge.words_told import covered, items, tokens


def vector(text: str) -> Vector:
    seed = int.from_bytes(hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:4], "big")
    found = np.random.default_rng(seed).standard_normal(8).astype(np.float32)
    return found / np.float32(np.linalg.norm(found))


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=60), st.sampled_from([1, 2, 3, 4]))
def test_any_texts_have_finite_features_of_one_width_from_the_texts_that_are_embedded(
    question: str, gold: str, answer: str, category: int
) -> None:
    known = {text: vector(text) for text in texts_of(question, gold, answer)}
    row = features(question, gold, answer, category, known.__getitem__)
    assert row.dtype == np.float32
    assert np.isfinite(row).all()
    usual = {text: vector(text) for text in texts_of("When?", "May", "June")}
    assert row.shape == features("When?", "May", "June", 2, usual.__getitem__).shape


@pytest.mark.parametrize("text", ["7 May 2023", "May 7th, 2023", "on the 7th of May, 2023", "2023-05-07"])
def test_a_day_is_the_same_however_it_is_written(text: str) -> None:
    assert days(text) == {(2023, 5, 7)}


def test_days_are_compared_by_what_they_name() -> None:
    assert same((0, 5, 7), (2023, 5, 7))
    assert not same((2022, 5, 7), (2023, 5, 7))
    assert apart((2023, 5, 7), (2023, 5, 9)) == pytest.approx(2)


def test_dates_that_clash_are_seen() -> None:
    agree, clash = of_dates("7 May 2023", "It was May 7."), of_dates("7 May 2023", "9 June 2022")
    assert agree[2]
    assert not clash[2]
    assert clash[-1]
    assert clash[7]


def test_numbers_are_the_same_in_words_and_digits() -> None:
    assert tokens("three dogs, 1,000 cats, the 5th") == ("3", "dogs", "1000", "cats", "the", "5")
    assert of_numbers("three", "3 times")[2] == 1
    assert of_numbers("three", "4 times")[3]


def test_polarity_and_refusals_are_seen() -> None:
    assert of_polarity("Yes", "No, she did not")[7] == -1
    assert of_polarity("Paris", "It is not mentioned.")[3]


def test_words_are_near_by_stem_by_meaning_and_never_by_number() -> None:
    assert nearest(["paintings"], ["painting"], vector)[0] == 1
    assert nearest(["7"], ["8"], lambda _: np.ones(1, np.float32))[0] == 0
    assert nearest(["art"], ["work"], lambda _: np.ones(1, np.float32))[0] == 1
    assert covered(("a", "b"), ("b",)) == 0.5
    assert items("a dog, a cat and birds") == ["a dog", "a cat", "birds"]
