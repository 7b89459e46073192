"""Execute every notebook here, offline; fail on the first that fails."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def main() -> None:
    """Execute the notebooks in order of name."""
    notebooks = sorted(HERE.glob("*.ipynb"))
    if not notebooks:
        sys.exit("no notebooks found")
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": HERE}}).execute()
        print(f"{path.name}: {len(notebook.cells)} cells ran")


if __name__ == "__main__":
    main()
