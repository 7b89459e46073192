import numpy as np
import pytest

from memlab.store.sign_bits import SignBits
from tests.store.test_vectors import unit

ROWS = 300


@pytest.mark.parametrize("dimension", [1, 20, 24, 100, 384, 600])
def test_those_count_that_share_more_signs_than_the_last_of_the_pool(dimension: int) -> None:
    rows, queries = unit(ROWS, dimension), unit(7, dimension, seed=1)
    signs = SignBits(dimension)
    signs.grow(400)
    for slot, row in enumerate(rows):
        signs.put(slot, row)
    slots, counts = signs.closest(queries, ROWS, 50)
    assert slots.shape == counts.shape == (7, 50)
    for query, found, counted in zip(queries, slots, counts, strict=True):
        unlike = ((rows > 0) != (query > 0)).sum(axis=1)
        assert set(found[counted]) == set(np.flatnonzero(unlike < np.sort(unlike)[49]))


def test_growing_keeps_what_is_there_and_a_moved_row_is_found_in_its_new_slot() -> None:
    rows = unit(8, 64)
    signs = SignBits(64)
    for slot, row in enumerate(rows):
        signs.grow(slot + 1)
        signs.put(slot, row)
    signs.move(7, 2)
    slots, counts = signs.closest(rows[[7, 5]], 7, 5)
    assert slots[:, 0].tolist() == [2, 5]
    assert counts[:, 0].all()
