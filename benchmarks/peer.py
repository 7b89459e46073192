"""Add + search at 2,000 memories against Mem0's own library with its local stores: at least 5x faster.

Both get the same vectors from a table, so no model is measured, and neither calls an LLM (`infer=False`). Mem0 writes
to disk at every add and keeps a history table; memlab keeps memories in memory, and a run records its operations apart.
"""

import asyncio
import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import DIMENSION, Figure, Lookup, fact, filled, interleaved, median_ratio, milliseconds, unit_vectors

from memlab.memory import Add

N, ROUNDS, K = 2_000, 20, 10
TARGET = 5.0
USER = "ada"
INSTALL = (
    "python -m venv /tmp/peer && /tmp/peer/bin/pip install mem0ai==2.2.1 faiss-cpu numpy, "
    "then PYTHONPATH=. /tmp/peer/bin/python benchmarks/peer.py"
)
STORES: dict[str, dict[str, object]] = {"faiss": {"distance_strategy": "inner_product"}, "qdrant": {"on_disk": False}}


class Table:
    """Mem0's side of the table of vectors: it calls `embed` with a text and what the vector is for."""

    def __init__(self, embedder: Lookup) -> None:
        self._lists = {text: vector.tolist() for text, vector in embedder.vectors.items()}

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the vector of a known text; raises KeyError on an unknown one."""
        return self._lists[text]


def mem0(provider: str, folder: Path, embedder: Lookup) -> Any:
    """Return Mem0 over a local store that holds the same N memories, entered through the store's own insert."""
    from mem0 import Memory

    settings = {"path": str(folder / provider / "store"), "embedding_model_dims": DIMENSION, **STORES[provider]}
    unused = {"provider": "openai", "config": {"api_key": "never-used"}}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": provider, "config": settings},
            "history_db_path": str(folder / f"{provider}.db"),
            "llm": unused,
            "embedder": unused,
        }
    )
    memory.embedding_model = Table(embedder)
    memory.vector_store.insert(
        vectors=[embedder.vectors[f"m{row}"].tolist() for row in range(N)],
        payloads=[{"data": f"m{row}", "user_id": USER, "text_lemmatized": f"m{row}"} for row in range(N)],
        ids=[f"00000000-0000-4000-8000-{row:012d}" for row in range(N)],
    )
    return memory


async def figures(folder: Path) -> list[Figure]:
    new = [f"new {turn}" for turn in range(ROUNDS + 1)]
    asked = [f"question {turn}" for turn in range(ROUNDS + 1)]
    drawn = unit_vectors(2 * (ROUNDS + 1), seed=1)
    embedder = Lookup(dict(zip(new + asked, drawn, strict=True)))
    store = await filled(unit_vectors(N, seed=0), embedder)
    peers = {provider: mem0(provider, folder, embedder) for provider in STORES}

    async def ours(turn: int) -> None:
        await store.apply(Add(fact(new[turn])))
        await store.nearest(asked[turn], K)

    def theirs(memory: Any) -> Any:
        async def add_and_search(turn: int) -> None:
            memory.add([{"role": "user", "content": new[turn]}], user_id=USER, infer=False)
            memory.search(asked[turn], top_k=K, filters={"user_id": USER}, threshold=0.0)

        return add_and_search

    expected = [hit.memory.text for hit in await store.nearest(asked[0], K)]
    for provider, memory in peers.items():
        found = memory.search(asked[0], top_k=K, filters={"user_id": USER}, threshold=0.0)["results"]
        if [hit["memory"] for hit in found] != expected:
            raise SystemExit(f"mem0ai with its {provider} store finds other memories; nothing was compared")
    times, *others = await interleaved(ROUNDS, ours, *(theirs(memory) for memory in peers.values()))
    return [
        Figure(
            f"add + search, {N:,} memories: DenseStore faster than mem0ai with its {provider} store",
            median_ratio(other, times),
            TARGET,
            at_least=True,
            times=f"{milliseconds(times)} against {milliseconds(other)}",
        )
        for provider, other in zip(peers, others, strict=True)
    ]


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for figure in await figures(Path(folder)):
            print(figure.line())


if __name__ == "__main__":
    if importlib.util.find_spec("mem0") is None:
        print(f"add + search against mem0ai | - | at least {TARGET:g}x | not measured | mem0ai is not installed")
        print(f"To measure it: {INSTALL}", file=sys.stderr)
        sys.exit(0)
    os.environ["MEM0_TELEMETRY"] = "False"
    with tempfile.TemporaryDirectory() as home:
        os.environ["MEM0_DIR"] = home
        asyncio.run(main())
