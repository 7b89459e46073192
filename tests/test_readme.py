"""The README says what was measured and what there is."""

import re
import runpy
from pathlib import Path

from memlab.__main__ import VERBS, help_text
from memlab.conf_files import options
from memlab.settings import KEYS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_results_are_the_recorded_tables() -> None:
    filled = runpy.run_path(str(ROOT / "experiments" / "fill_readme.py"))["filled"]
    tables = (ROOT / "experiments" / "retrieval" / "tables.md").read_text(encoding="utf-8")
    assert filled(README, tables) == README
    assert "| verbatim_dialogue " in README


def test_every_named_option_exists() -> None:
    named = re.findall(
        r"\b(system|experiment|dataset|extractor|updater|retriever|answerer|judge|summary|llm|profile)=([a-z_0-9]+)\b",
        README,
    )
    assert len(named) > 10
    assert [pair for pair in named if pair[1] not in (*options(pair[0]), "first_wins")] == []


def test_every_verb_is_named() -> None:
    assert [verb for verb in VERBS if f"memlab {verb}" not in README] == []


def test_every_key_is_in_the_help() -> None:
    named = help_text().partition("Other keys:")[2]
    assert [key for key in KEYS if key != "prices" and key not in named] == []
