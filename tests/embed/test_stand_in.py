import numpy as np

from memlab.embed.hashed import Hashed
from memlab.embed.stand_in import COMMON, StandInEmbedder

TEXTS = ["Nina plays the cello", "Nina plays the cello in a quartet", "Leo fell off his bike", "rain tomorrow"]


async def test_texts_are_closer_than_their_words_but_in_the_same_order() -> None:
    plain, common = await Hashed(64).embed(TEXTS), await StandInEmbedder(64).embed(TEXTS)
    assert common.shape == (4, StandInEmbedder(64).dimension)
    np.testing.assert_allclose(np.linalg.norm(common, axis=1), 1, atol=1e-5)
    before, after = plain @ plain.T, common @ common.T
    np.testing.assert_allclose(after, (before + COMMON) / (1 + COMMON), atol=1e-5)
    assert (np.argsort(before[0]) == np.argsort(after[0])).all()


async def test_no_text_gives_no_row() -> None:
    assert (await StandInEmbedder(64).embed([])).shape == (0, 65)
