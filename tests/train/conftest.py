from collections.abc import Callable
from pathlib import Path

import pytest

HEADER = "pair_ID\tsentence_A\tsentence_B\tentailment_AB\tentailment_BA\tSemEval_set"
KINDS = {
    "both": "A_entails_B\tB_entails_A",
    "one": "A_entails_B\tB_neutral_A",
    "other": "A_neutral_B\tB_entails_A",
    "not": "A_contradicts_B\tB_contradicts_A",
    "none": "A_neutral_B\tB_neutral_A",
    "mixed": "A_contradicts_B\tB_neutral_A",
}


@pytest.fixture
def sick_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a table of the form of SICK.txt: one row of each kind for each set, in our own words."""

    def write(header: str = HEADER, extra: str = "") -> Path:
        rows = [
            f"{place}\tAda feeds {place} cats {name}\tAda keeps {place} animals {name}\t{KINDS[name]}\t{part}"
            for place, (part, name) in enumerate((part, name) for part in ("TRAIN", "TRIAL", "TEST") for name in KINDS)
        ]
        file = tmp_path / "SICK.txt"
        file.write_text("\n".join([header, *rows, *([extra] if extra else [])]) + "\n", encoding="utf-8")
        return file

    return write
