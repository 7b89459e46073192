"""What holds of the package as a whole."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import memlab

PACKAGE = Path(memlab.__file__).parent
HEAVY = ("torch", "openai", "wandb", "transformers", "spacy", "sentence_transformers")


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_every_module_imports_nothing_heavy() -> None:
    modules = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
        if path.name != "__main__.py"
    ]
    assert len(modules) > 60
    imports = "; ".join(f"import {name}" for name in sorted(modules))
    loaded = run(f"import sys; {imports}; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert loaded.strip() == "[]"


def test_help_imports_neither_hydra_nor_numpy() -> None:
    loaded = "[name for name in ('hydra', 'numpy', 'faiss') if name in sys.modules]"
    assert run(f"import sys, memlab.__main__ as m; m.help_text(); print({loaded})").strip() == "[]"


def test_files_are_short() -> None:
    long = {path.name: lines for path in PACKAGE.rglob("*.py") if (lines := path.read_text().count("\n")) > 300}
    assert long == {}


def test_functions_are_short() -> None:
    long = {
        f"{path.name}:{node.name}": length
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > 50
    }
    assert long == {}


def test_nothing_reads_the_clock_or_global_randomness() -> None:
    names = ("datetime.now", "datetime.utcnow", "date.today", "time.time", "random.random", "np.random.rand", "uuid4")
    calls = rf"(?<![\w.])({'|'.join(map(re.escape, names))})\("
    found = [f"{path.name}: {call}" for path in PACKAGE.rglob("*.py") for call in re.findall(calls, path.read_text())]
    assert found == []
