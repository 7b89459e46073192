"""A graph of 100,000 entities and 300,000 triples: what finding and adding costs, vectors at hand.

- Triples closest to a question: at most 0.15x the time of a flat scan on one thread, recall@10 at least 0.98.
- Edges within two hops of 5 entities: at most 1.3x the same walk over a plain networkx graph.
- Adding a triple with two new entities: at most 1.5x the two searches that look for known ones.

20,000 triples and the questions are embedded by MiniLM, through the user's cache: the first run takes a minute longer.
The other vectors are mixtures of two of those, in random shares, and noise of half their length.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import faiss
import networkx
import numpy as np
from measure import DIMENSION, SAID_AT, Figure, Lookup, interleaved, median_ratio, milliseconds, unit_vectors
from triple_texts import questions, triples

from memlab.embed.cached import CachedEmbedder
from memlab.embed.embedder import Vectors
from memlab.embed.minilm import MiniLM
from memlab.memory import Add, Candidate, Entity, Memory, Node, Triple
from memlab.memory_json import node_to_json
from memlab.store.graph import GraphMemory
from memlab.store.ledger import Ledger
from memlab.store.networkx_graph import NetworkxGraph
from memlab.store.saved import write_store
from memlab.store.vectors import VectorIndex

ENTITIES, TRIPLES, EMBEDDED, QUESTIONS = 100_000, 300_000, 20_000, 200
EXACT_UP_TO = 20_000
"""As in conf/store."""
K, ANCHORS, HOPS = 10, 5, 2


def widened(vectors: Vectors, n: int, seed: int) -> Vectors:
    """Return n unit vectors, each a mixture of two of these and noise."""
    random = np.random.default_rng(seed)
    one, other = random.integers(len(vectors), size=(2, n))
    share = random.random((n, 1), dtype=np.float32)
    mixed = share * vectors[one] + (1 - share) * vectors[other]
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    mixed += 0.5 * unit_vectors(n, seed)
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    return mixed


def ends() -> list[tuple[int, int]]:
    """Return the entities that each triple joins: all of them at least once, and the first of them most often."""
    random = np.random.default_rng(3)
    once = random.permutation(ENTITIES).reshape(-1, 2)
    often = (ENTITIES * random.random((TRIPLES - len(once), 2)) ** 2).astype(int)
    return [(int(source), int(target)) for source, target in np.concatenate([once, often])]


def candidate(source: str, relation: str, target: str) -> Candidate:
    return Candidate(Triple(Entity(source, "Object"), relation, Entity(target, "Object")), "Ada", ("D1:1",), SAID_AT)


async def filled(joined: Sequence[tuple[int, int]], embedder: Lookup, vectors: Vectors, names: Vectors) -> GraphMemory:
    """Return a store of triples with these vectors between entities `e0`, `e1`, ..., which are all of one type.

    It is loaded, as a saved one: to match 100,000 new entities one after the other takes minutes.
    """
    ledger, at = Ledger(), SAID_AT.isoformat()
    for number, (source, target) in enumerate(joined):
        ledger.add(candidate(f"e{source}", f"relation_{number}", f"e{target}"))
    shelf = {
        "rows": len(vectors) + len(names),
        "nodes": [node_to_json(Node(row, (f"e{row}",), "Object", SAID_AT)) for row in range(len(names))],
        "edges": [[number, 0, source, target, at, None] for number, (source, target) in enumerate(joined)],
    }
    contents = {**ledger.to_json(), "shelves": {"Triple": shelf}}
    store = GraphMemory(embedder, NetworkxGraph(), node_threshold=0.9, exact_up_to=EXACT_UP_TO)
    await store.open("benchmark")
    with TemporaryDirectory() as folder:
        write_store(Path(folder), contents, np.concatenate([vectors, names]), embedder)
        return store.load(Path(folder))


async def searches(store: GraphMemory, embedder: Lookup, vectors: Vectors, queries: Vectors) -> list[Figure]:
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(vectors)
    index = VectorIndex(DIMENSION, exact_up_to=EXACT_UP_TO)
    for row, vector in enumerate(vectors):
        index.put(row, vector)
    embedder.vectors.update((f"q{row}", query) for row, query in enumerate(queries))
    faiss.omp_set_num_threads(1)

    async def raw(turn: int) -> None:
        flat.search(queries[turn % QUESTIONS][None], K)

    async def alone(turn: int) -> None:
        index.search(queries[turn % QUESTIONS][None], K)

    async def whole(turn: int) -> None:
        await store.nearest_edges(f"q{turn % QUESTIONS}", K)

    faiss_times, *ours = await interleaved(100, raw, alone, whole)
    true, found = flat.search(queries, K)[1], index.search(queries, K)[1]
    recall = float(np.mean([len(np.intersect1d(*pair)) / K for pair in zip(true, found, strict=True)]))
    return [
        *(
            Figure(
                f"1 question, {TRIPLES:,} triples: time of {part} over IndexFlatIP",
                median_ratio(times, faiss_times),
                0.15,
                at_least=False,
                times=f"{milliseconds(times)} against {milliseconds(faiss_times)}, both on 1 thread",
            )
            for part, times in zip(("the index", "GraphMemory.nearest_edges"), ours, strict=True)
        ),
        Figure(
            f"{QUESTIONS} questions, {TRIPLES:,} triples: recall@{K} against IndexFlatIP",
            recall,
            0.98,
            at_least=True,
            times="",
            unit="",
        ),
    ]


def plain_graph(joined: Sequence[tuple[int, int]], memories: Sequence[Memory]) -> Any:
    graph = networkx.MultiDiGraph()
    for (source, target), memory in zip(joined, memories, strict=True):
        graph.add_edge(source, target, memory.id, memory=memory)
    return graph


def walked(graph: Any, anchors: Sequence[int]) -> dict[str, Memory]:
    """Return the memories within HOPS of the anchors, in no order; out_edges and in_edges take longer."""
    found: dict[str, Memory] = {}
    frontier = seen = set(anchors)
    for _ in range(HOPS):
        reached = set()
        for side in (graph.succ, graph.pred):
            for node in frontier:
                for other, edges in side[node].items():
                    reached.add(other)
                    for id_, edge in edges.items():
                        found[id_] = edge["memory"]
        frontier = reached - seen
        seen = seen | frontier
    return found


async def expansion(store: GraphMemory, joined: Sequence[tuple[int, int]]) -> Figure:
    rounds = 300
    plain = plain_graph(joined, store.memories())
    node_of = {node.name: node for node in store.nodes()}
    anchors = np.random.default_rng(4).integers(ENTITIES, size=(rounds + 1, ANCHORS)).tolist()
    nodes = [[node_of[f"e{anchor}"] for anchor in chosen] for chosen in anchors]
    edges = 0

    async def raw(turn: int) -> None:
        walked(plain, anchors[turn])

    async def ours(turn: int) -> None:
        nonlocal edges
        edges += len(await store.edges(nodes[turn], HOPS))

    for turn in range(rounds):
        assert {memory.id for memory in await store.edges(nodes[turn], HOPS)} == set(walked(plain, anchors[turn]))
    plain_times, times = await interleaved(rounds, raw, ours)
    return Figure(
        f"{HOPS} hops from {ANCHORS} entities: time of GraphMemory.edges, in order, over plain networkx, in none",
        median_ratio(times, plain_times),
        1.3,
        at_least=False,
        times=f"{milliseconds(times)} against {milliseconds(plain_times)}, {edges / (rounds + 1):.0f} edges",
    )


async def adding(store: GraphMemory, embedder: Lookup, names: Vectors) -> Figure:
    rounds = 100
    index = VectorIndex(DIMENSION, exact_up_to=EXACT_UP_TO)
    for row, vector in enumerate(names):
        index.put(row, vector)
    fresh = widened(names, 3 * (rounds + 1), seed=5).reshape(-1, 3, DIMENSION)
    adds = [Add(candidate(f"source {turn}", "is new to", f"target {turn}")) for turn in range(rounds + 1)]
    for add, vectors in zip(adds, fresh, strict=True):
        embedder.vectors.update(zip(add.candidate.content.texts, vectors, strict=True))

    async def raw(turn: int) -> None:
        for name in (1, 2):
            index.search(fresh[turn, name][None], 1)

    async def ours(turn: int) -> None:
        await store.apply(adds[turn])

    plain_times, times = await interleaved(rounds, raw, ours)
    return Figure(
        f"a triple with 2 new entities, {ENTITIES:,} known: time of GraphMemory.apply over 2 searches of the index",
        median_ratio(times, plain_times),
        1.5,
        at_least=False,
        times=f"{milliseconds(times)} against {milliseconds(plain_times)}",
    )


async def main() -> None:
    model = CachedEmbedder(MiniLM(dtype="float32", threads=None))
    real = await model.embed([triple.text for triple in triples(EMBEDDED, seed=0)])
    queries = await model.embed(questions(QUESTIONS, seed=1))
    vectors = np.concatenate([real, widened(real, TRIPLES - EMBEDDED, seed=1)])
    names = widened(real, ENTITIES, seed=2)
    embedder, joined = Lookup({}), ends()
    store = await filled(joined, embedder, vectors, names)
    for figure in await searches(store, embedder, vectors, queries):
        print(figure.line(), flush=True)
    print((await expansion(store, joined)).line(), flush=True)
    print((await adding(store, embedder, names)).line(), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
