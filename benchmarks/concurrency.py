"""Does a run keep a slow server busy? Wall time over the least possible: 16 places, 200 ms a reply.

The least possible is the larger of all calls shared among the places, and the longest chain of calls that depend on one
another. Five verdicts an answer (the paper has ten), as a run of the paper's size takes minutes; in half a minute
with one verdict, the two seconds in which libraries are loaded give 1.28. The dialogues are the embedded ones;
replies depend on the request alone, so a run of one conversation at a time has to give equal records.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import perf_counter
from typing import Any

from measure import Figure

SECONDS, PLACES = 0.2, 16
CONVERSATIONS = 7
HERE = Path(__file__).parent
TIMES = ("seconds", "replayed")


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, str(HERE / "slow_server.py"), str(SECONDS), str(PLACES)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            seconds, many = run(Path(scratch) / "many", port, concurrency=PLACES)
            _, alone = run(Path(scratch) / "alone", port, concurrency=1, cache=Path(scratch) / "many" / "cache")
            assert server.stdin is not None
            server.stdin.close()
    calls, chain = all_calls(many), longest_chain(many)
    least = max(calls / PLACES, chain) * SECONDS
    words = f"{seconds:.1f} s for {calls:,} calls, the longest chain {chain}; least possible {least:.1f} s"
    print(Figure("wall time over the least possible, 16 at once", seconds / least, 1.25, False, words).line())
    assert many == alone, "the records differ from those of one conversation at a time"


def run(folder: Path, port: int, *, concurrency: int, cache: Path | None = None) -> tuple[float, dict[str, Any]]:
    """Run mem0_paper on seven conversations in a process of its own; return its seconds and its records."""
    keys = [
        *("profile=server", "system=mem0_paper", "embedder=hash", f"dataset.size={CONVERSATIONS}", "judge.repeats=5"),
        *(f"llm.base_url=http://127.0.0.1:{port}/v1", f"llm.requests_at_once={PLACES}", "llm.model=slow"),
        *(f"concurrency={concurrency}", f"runs={folder / 'runs'}"),
    ]
    environment = os.environ | {"MEMLAB_CACHE": str(cache or folder / "cache")}
    took = []
    for _ in range(2):
        start = perf_counter()
        subprocess.run([sys.executable, "-m", "memlab", *keys], env=environment, check=True, capture_output=True)
        took.append(perf_counter() - start)
    # The second time the run is complete already: that is what starting up and reading the data take.
    return took[0] - took[1], records(folder / "runs")


def records(runs: Path) -> dict[str, Any]:
    """Return the records of the one run in a folder by file, without times."""
    [folder] = runs.glob("*/*/summary.json")
    return {
        file.stem: [timeless(json.loads(line)) for line in file.read_text().splitlines()]
        for file in sorted(folder.parent.glob("*.jsonl"))
    }


def timeless(value: Any) -> Any:
    """Return a record without what differs between equal runs."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if not k.endswith(TIMES)}
    return [timeless(one) for one in value] if isinstance(value, list) else value


def all_calls(found: dict[str, Any]) -> int:
    """Return how many calls a run made."""
    read = sum(record["spent"]["calls"] for name in ("summaries", "answers", "verdicts") for record in found[name])
    return read + sum(record["calls"] for record in found["ingest"])


def longest_chain(found: dict[str, Any], *, lag: int = 2) -> int:
    """Return the most calls that had to wait for one another."""
    summaries: dict[str, dict[int, int]] = defaultdict(dict)
    for record in found["summaries"]:
        own = summaries[record["conversation"]]
        own[record["window"]] = len(own) + record["spent"]["calls"]
    updated: dict[tuple[str, str], int] = defaultdict(int)
    for record in found["ingest"]:
        ready = [calls for w, calls in summaries[record["conversation"]].items() if w + lag <= record["window"]]
        extracted = max(ready, default=0) + record["extract"]["calls"]
        place = record["conversation"], record["perspective"]
        updated[place] = max(updated[place], extracted) + record["update"]["calls"]
    return max(updated.values()) + 2  # an answer and its verdict


if __name__ == "__main__":
    main()
