"""Search of one question against raw faiss, both on one thread: at most 1.25x at 10,000 memories, 1.1x at 100,000."""

import asyncio

import faiss
from measure import DIMENSION, Figure, Lookup, filled, interleaved, median_ratio, milliseconds, unit_vectors

from memlab.store.vectors import VectorIndex

K = 10
QUERIES = 50


async def figures(n: int, target: float, rounds: int) -> list[Figure]:
    vectors, queries = unit_vectors(n, seed=0), unit_vectors(QUERIES, seed=1)
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(vectors)
    index = VectorIndex(DIMENSION, exact_up_to=None)
    for row, vector in enumerate(vectors):
        index.put(row, vector)
    store = await filled(vectors, Lookup({f"q{row}": vector for row, vector in enumerate(queries)}))
    faiss.omp_set_num_threads(1)

    async def raw(turn: int) -> None:
        flat.search(queries[turn % QUERIES][None], K)

    async def alone(turn: int) -> None:
        index.search(queries[turn % QUERIES][None], K)

    async def whole(turn: int) -> None:
        await store.nearest(f"q{turn % QUERIES}", K)

    faiss_times, *ours = await interleaved(rounds, raw, alone, whole)
    return [
        Figure(
            f"1 question, {n:,} memories: time of {part} over IndexFlatIP",
            median_ratio(times, faiss_times),
            target,
            at_least=False,
            times=f"{milliseconds(times)} against {milliseconds(faiss_times)}, both on 1 thread",
        )
        for part, times in zip(("the index", "DenseStore.nearest"), ours, strict=True)
    ]


async def main() -> None:
    for n, target, rounds in ((10_000, 1.25, 400), (100_000, 1.1, 100)):
        for figure in await figures(n, target, rounds):
            print(figure.line())


if __name__ == "__main__":
    asyncio.run(main())
