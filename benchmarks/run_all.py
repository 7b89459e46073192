"""Run every benchmark, each in a process of its own, and write what they print into the table of README.md.

    python benchmarks/run_all.py [--peer-python PATH]

PATH is a Python that has mem0ai (see peer.py); without it the comparison with Mem0's library is listed as not measured.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from measure import machine

HERE = Path(__file__).parent
NO_BENCHMARKS = ("measure.py", "run_all.py", "slow_server.py", "triple_texts.py")
SCRIPTS = sorted(path.name for path in HERE.glob("*.py") if path.name not in NO_BENCHMARKS)
HEADING = "## Figures\n"
COLUMNS = ("command", "what", "ratio", "target", "", "medians")


def rows(script: str, python: str) -> list[str]:
    """Return the lines of a script that are rows of the table, after printing all of them."""
    paths = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    ran = subprocess.run(
        [python, str(HERE / script)],
        env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    print(ran.stdout, end="", flush=True)
    return [line for line in ran.stdout.splitlines() if line.count(" | ") == len(COLUMNS) - 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=sys.executable, metavar="PATH", help="a Python that has mem0ai")
    chosen = parser.parse_args()
    table = [COLUMNS, ("---",) * len(COLUMNS)]
    for script in SCRIPTS:
        python = chosen.peer_python if script == "peer.py" else sys.executable
        table += [(f"`python benchmarks/{script}`", *line.split(" | ")) for line in rows(script, python)]
    text = "".join(f"| {' | '.join(row)} |\n" for row in table)
    readme = HERE / "README.md"
    kept = readme.read_text(encoding="utf-8").partition(HEADING)[0]
    readme.write_text(f"{kept}{HEADING}\nMeasured on {machine()}.\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
