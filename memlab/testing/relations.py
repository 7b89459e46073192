"""What every model of pairs must do."""

from memlab.testing.samples import memories
from memlab.update.relation import RELATIONS, Pair, PairModel


async def check_relation(model: PairModel) -> None:
    """Four probabilities a pair that sum to 1, the same every time, whatever else is asked for at once."""
    texts = [memory.text for memory in memories()]
    pairs = [Pair(memory, candidate) for memory in texts for candidate in (texts[0], "Ada moved to Bergen.", "x")]
    rows = await model.probabilities(pairs)
    assert rows.shape == (len(pairs), len(RELATIONS)), "not four probabilities a pair"
    assert (rows >= 0).all(), "a probability below 0"
    assert abs(rows.sum(axis=1) - 1).max() < 1e-5, "probabilities that do not sum to 1"
    assert (rows == await model.probabilities(pairs)).all(), "not repeatable"
    assert (await model.probabilities(pairs[::-1]) == rows[::-1]).all(), "the order of the batch shows"
    alone = [(await model.probabilities([pair]))[0] for pair in pairs[:4]]
    assert all((row == rows[place]).all() for place, row in enumerate(alone)), "the rest of the batch shows"
    assert (await model.probabilities([])).shape == (0, len(RELATIONS)), "rows out of nothing"
