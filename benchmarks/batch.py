"""A batch of 64 questions over 10,000 memories, per question, against faiss with its own settings: at least 4x."""

import asyncio

import faiss
from measure import DIMENSION, Figure, Lookup, filled, interleaved, median_ratio, milliseconds, unit_vectors

N, BATCH, K, ROUNDS = 10_000, 64, 10, 40
TARGET = 4.0


async def figures() -> list[Figure]:
    vectors, queries = unit_vectors(N, seed=0), unit_vectors(BATCH, seed=1)
    texts = [f"q{row}" for row in range(BATCH)]
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(vectors)
    store = await filled(vectors, Lookup(dict(zip(texts, queries, strict=True))))
    threads = faiss.omp_get_max_threads()

    async def ours(_: int) -> None:
        await store.nearest_batch(texts, K)

    async def one_by_one(_: int) -> None:
        for query in queries:
            flat.search(query[None], K)

    async def batch(_: int) -> None:
        flat.search(queries, K)

    async def batch_on_one_thread(_: int) -> None:
        faiss.omp_set_num_threads(1)
        flat.search(queries, K)
        faiss.omp_set_num_threads(threads)

    times, *peers = await interleaved(ROUNDS, ours, one_by_one, batch, batch_on_one_thread)
    named = (
        f"one question after the other, faiss's defaults ({threads} threads)",
        f"the same batch, faiss's defaults ({threads} threads)",
        "the same batch on 1 thread, as ours",
    )
    return [
        Figure(
            f"batch of {BATCH}, {N:,} memories: DenseStore faster per question than IndexFlatIP with {peer}",
            median_ratio(theirs, times),
            TARGET,
            at_least=True,
            times=f"{milliseconds(times, BATCH)} against {milliseconds(theirs, BATCH)} a question",
        )
        for peer, theirs in zip(named, peers, strict=True)
    ]


async def main() -> None:
    for figure in await figures():
        print(figure.line())


if __name__ == "__main__":
    asyncio.run(main())
