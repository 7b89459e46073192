"""Where nodes are drawn: forces pull neighbours together, then names are moved apart until all can be read."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.report.graph.held import HeldGraph

LEVELS = (30, 60, 120, 250, 500)
"""How many nodes, those with most edges first, a reader can choose to see; besides all of them."""
MOST = 1500
"""Of more nodes than these no picture can be read; the others are found by search, or beside their neighbours."""
SEED = 7
LONGEST = 22
"""Characters of a name that are drawn; the page cuts longer ones."""
GOLDEN_ANGLE = 2.399963
FILLED = 0.4
"""Share of the picture that names may cover; less where few names leave room for those of their relations."""
ASPECT = 1.35

Points = NDArray[np.float64]


CELL = 4
"""Pixels to a cell of the map of what is taken."""
PROBE = 20
"""Pixels between the points of a box that are looked up; no box is as small, so none is overlooked."""
STEP = 9
"""Pixels between the spots that are tried."""


def ranked(graph: HeldGraph) -> tuple[list[int], dict[int, int]]:
    """Return the numbers of all nodes, those with most edges first, and how many edges each has."""
    degree = dict.fromkeys((node.number for node in graph.nodes), 0)
    for edge in graph.edges:
        degree[edge.source] += 1
        degree[edge.target] += 1
    return sorted(degree, key=lambda number: (-degree[number], number)), degree


def neighbours(graph: HeldGraph) -> dict[int, set[int]]:
    """Return with which other nodes each node has edges."""
    found: dict[int, set[int]] = {node.number: set() for node in graph.nodes}
    for edge in graph.edges:
        if edge.source != edge.target:
            found[edge.source].add(edge.target)
            found[edge.target].add(edge.source)
    return found


def attached(order: Sequence[int], near: Mapping[int, set[int]]) -> list[int]:
    """Return the numbers in this order, but a node all whose neighbours come later brings the first of them along."""
    rank = {number: place for place, number in enumerate(order)}
    found: dict[int, None] = {}
    for number in order:
        found.setdefault(number)
        if near[number] and near[number].isdisjoint(found):
            found.setdefault(min(near[number], key=rank.__getitem__))
    return list(found)


def cut(order: Sequence[int], near: Mapping[int, set[int]]) -> list[Sequence[int]]:
    """Return the numbers that each level shows: one fewer where the last would stand alone, without its neighbour."""
    shown = [order[:level] for level in levels(len(order))]
    return [one[:-1] if one and near[one[-1]] and near[one[-1]].isdisjoint(one) else one for one in shown]


def levels(count: int) -> list[int]:
    """Return how many of so many nodes can be shown, fewest first; the last is all that a picture can hold."""
    return [*(level for level in LEVELS if level < count), min(count, MOST)]


def places(graph: HeldGraph, shown: Sequence[int], degree: dict[int, int]) -> list[tuple[int, int]]:
    """Return x and y in pixels for these nodes, in their order; equal graphs give equal places."""
    if not shown:
        return []
    index = {number: place for place, number in enumerate(shown)}
    pairs = {
        (index[edge.source], index[edge.target])
        for edge in graph.edges
        if edge.source in index and edge.target in index and edge.source != edge.target
    }
    names = {node.number: node.name for node in graph.nodes}
    boxes = np.array([box(names[number], degree[number]) for number in shown])
    points = stretched(pulled(len(shown), pairs), boxes)
    points = apart(points, boxes)
    points -= (points.max(axis=0) + points.min(axis=0)) / 2
    return [(round(x), round(y)) for x, y in points.tolist()]


def diameter(degree: int) -> float:
    """Return how large a node with so many edges is drawn, in pixels."""
    return min(12 + 2.8 * sqrt(degree), 110)


def letters(degree: int) -> float:
    """Return the size of the name of a node with so many edges, in pixels."""
    return min(10 + 1.05 * sqrt(degree), 44)


def box(name: str, degree: int) -> tuple[float, float]:
    """Return width and height of a node with its name below it, in pixels, with some air."""
    columns = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name[:LONGEST])
    width = max(diameter(degree), 0.58 * letters(degree) * min(columns, LONGEST))
    return width + 14, diameter(degree) + letters(degree) + 14


def pulled(count: int, pairs: set[tuple[int, int]]) -> Points:
    """Return places in which neighbours are close: by forces; those with one neighbour alone lie around it."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(sorted(pairs))
    leaves: dict[int, list[int]] = defaultdict(list)
    for node in graph:
        if graph.degree(node) == 1 and graph.degree(parent := next(iter(graph[node]))) > 1:
            leaves[parent].append(node)
    around = {leaf for group in leaves.values() for leaf in group}
    core = graph.subgraph([node for node in graph if node not in around])
    found: dict[int, Any] = nx.forceatlas2_layout(core, seed=SEED, max_iter=200, strong_gravity=False)
    points = np.zeros((count, 2))
    for node, point in found.items():
        points[node] = point
    spread = float(np.ptp(points, axis=0).max()) or 1.0
    for parent, group in leaves.items():
        turns = np.arange(1, len(group) + 1)
        radius = 0.5 * spread * np.sqrt(turns / count)
        points[group] = points[parent] + np.stack(
            [radius * np.cos(turns * GOLDEN_ANGLE), radius * np.sin(turns * GOLDEN_ANGLE)], axis=1
        )
    return points


def stretched(points: Points, boxes: Points) -> Points:
    """Return the places scaled to a picture that the boxes fill as far as they may."""
    filled = FILLED * min(1.0, (len(points) + 10) / 70)
    height = sqrt(float(boxes.prod(axis=1).sum()) / filled / ASPECT)
    # By ranks rather than distances, half and half: crowded regions get room, the shape stays.
    order = points.argsort(axis=0).argsort(axis=0) / max(len(points) - 1, 1) - 0.5
    spread = points - points.mean(axis=0)
    spread = spread / max(float(np.abs(spread).max()), 1e-9) / 2
    mixed: Points = (0.5 * order + 0.5 * spread) * np.array([height * ASPECT, height])
    return mixed


def apart(points: Points, boxes: Points) -> Points:
    """Return the places moved, each as little as may be, so that no boxes overlap; the first ones move least."""
    reach = 2 * np.abs(points).max(axis=0) + 2 * boxes.max(axis=0)
    taken = np.zeros(np.ceil(2 * reach / CELL).astype(int), dtype=bool)
    steps = spiral(reach)
    placed = np.zeros_like(points)
    for node, (point, (width, height)) in enumerate(zip(points, boxes, strict=True)):
        probes = np.stack(np.meshgrid(probed(width), probed(height)), axis=-1).reshape(-1, 2)
        for some in np.array_split(steps, max(len(steps) // 256, 1)):
            spots = point + some
            cells = ((spots[:, None] + probes + reach) / CELL).astype(int).clip(0, np.array(taken.shape) - 1)
            free = ~taken[cells[..., 0], cells[..., 1]].any(axis=1)
            if free.any():
                placed[node] = spots[free.argmax()]
                break
        low, high = (((placed[node] + side * boxes[node] / 2 + reach) / CELL).astype(int) for side in (-1, 1))
        taken[low[0] : high[0] + 1, low[1] : high[1] + 1] = True
    return placed


def probed(length: float) -> Points:
    """Return the points along a side of a box, from its middle, that are looked up."""
    return np.linspace(-length / 2, length / 2, int(length // PROBE) + 2)


def spiral(reach: Points) -> Points:
    """Return steps away from a place, nearest first, evenly spread, wider than high as names are."""
    turns = np.arange(int(reach.prod() / STEP**2))
    radius = STEP * np.sqrt(turns / np.pi)
    return np.stack([ASPECT * radius * np.cos(turns * GOLDEN_ANGLE), radius * np.sin(turns * GOLDEN_ANGLE)], axis=1)
