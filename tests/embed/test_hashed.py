import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.embed.hashed import Hashed


async def test_texts_that_share_words_are_closer() -> None:
    cat, sleeping_cat, tax = await Hashed(256).embed(["the cat sat", "the cat sat and slept", "annual tax return"])
    assert cat @ sleeping_cat > 0.6
    assert abs(cat @ tax) < 0.3


async def test_order_and_case_of_words_still_tell_texts_apart() -> None:
    rows = await Hashed(64).embed(["Ada calls Ben", "Ben calls Ada", "ada calls ben", "Ada calls Ben."])
    assert len({row.tobytes() for row in rows}) == 4


async def test_a_vector_is_the_same_in_every_process() -> None:
    (row,) = await Hashed(8).embed(["Ada lives in Oslo."])
    expected = [0.1792361, 0.2312865, 0.1080608, 0.284279, 0.5795415, 0.2201242, -0.6604806, 0.0364915]
    np.testing.assert_allclose(row, expected, atol=1e-6)


@given(st.lists(st.text(), max_size=8))
async def test_rows_are_finite_unit_vectors_in_order_and_apart(texts: list[str]) -> None:
    embedder = Hashed(32)
    rows = await embedder.embed(texts)
    assert rows.shape == (len(texts), 32)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert len({row.tobytes() for row in rows}) == len(set(texts))
    for text, row in zip(texts, rows, strict=True):
        assert (await embedder.embed([text]))[0].tobytes() == row.tobytes()


def test_a_dimension_too_small_to_keep_texts_apart_is_refused() -> None:
    with pytest.raises(ValueError, match="dimension is 2"):
        Hashed(2)
