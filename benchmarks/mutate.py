"""Update and retire at 10,000 memories against IndexIDMap2's remove and add: at least 40x faster."""

import asyncio

import faiss
import numpy as np
from measure import (
    DIMENSION,
    SAID_AT,
    Figure,
    Lookup,
    fact,
    filled,
    interleaved,
    median_ratio,
    milliseconds,
    unit_vectors,
)

from memlab.memory import Delete, Update
from memlab.store.vectors import VectorIndex

N, ROUNDS, CHANGES = 10_000, 40, 20
TARGET = 40.0


async def figures() -> list[Figure]:
    """Each round replaces CHANGES vectors and takes out as many others; no row is touched twice."""
    total = (ROUNDS + 1) * CHANGES
    vectors, fresh = unit_vectors(N, seed=0), unit_vectors(total, seed=1)
    updated, retired = np.random.default_rng(2).permutation(N)[: 2 * total].reshape(2, -1)
    mapped = faiss.IndexIDMap2(faiss.IndexFlatIP(DIMENSION))
    mapped.add_with_ids(vectors, np.arange(N))
    index = VectorIndex(DIMENSION, exact_up_to=None)
    for row, vector in enumerate(vectors):
        index.put(row, vector)
    store = await filled(vectors, Lookup({f"f{turn}": vector for turn, vector in enumerate(fresh)}))
    updates = [Update(f"m{row}", fact(f"f{turn}")) for turn, row in enumerate(updated)]
    deletes = [Delete(f"m{row}", SAID_AT) for row in retired]

    def changes(turn: int) -> range:
        return range(turn * CHANGES, (turn + 1) * CHANGES)

    async def raw(turn: int) -> None:
        for i in changes(turn):
            mapped.remove_ids(updated[i : i + 1])
            mapped.add_with_ids(fresh[i : i + 1], updated[i : i + 1])
            mapped.remove_ids(retired[i : i + 1])

    async def alone(turn: int) -> None:
        for i in changes(turn):
            index.put(int(updated[i]), fresh[i])
            index.remove(int(retired[i]))

    async def whole(turn: int) -> None:
        for i in changes(turn):
            await store.apply(updates[i])
            await store.apply(deletes[i])

    faiss_times, *ours = await interleaved(ROUNDS, raw, alone, whole)
    return [
        Figure(
            f"update + retire, {N:,} memories: {part} faster than IndexIDMap2 remove_ids + add_with_ids",
            median_ratio(faiss_times, times),
            TARGET,
            at_least=True,
            times=f"{milliseconds(times, CHANGES)} against {milliseconds(faiss_times, CHANGES)} a pair",
        )
        for part, times in zip(("the index", "DenseStore.apply"), ours, strict=True)
    ]


async def main() -> None:
    for figure in await figures():
        print(figure.line())


if __name__ == "__main__":
    asyncio.run(main())
