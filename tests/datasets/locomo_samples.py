"""Hand-made LOCOMO files for the tests of the dataset and of its file format."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memlab.datasets.dataset import Corpus, DatasetError
from memlab.datasets.locomo import Locomo

Edit = Callable[[dict[str, Any]], object]


def said(id: str, speaker: str = "Ann", text: str = "hello", **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": id, "text": text} | more


def asked(question: str = "Where?", category: int = 4, **more: Any) -> dict[str, Any]:
    return {"question": question, "category": category, "answer": "Rome", "evidence": ["D1:1"]} | more


def sample(id: str = "conv-26", questions: int = 1) -> dict[str, Any]:
    talk = {"speaker_a": "Ann", "speaker_b": "Bob", "session_1_date_time": "1:56 pm on 8 May, 2023"}
    talk["session_1"] = [said("D1:1"), said("D1:2", "Bob")]  # type: ignore[assignment]
    return {"sample_id": id, "conversation": talk, "qa": [asked(f"Where {n}?") for n in range(questions)]}


def read(file: Path, *samples: Any, conversations: list[str] | None = None, limit: int | None = None) -> Corpus:
    file.write_text(json.dumps(samples), encoding="utf-8")
    return Locomo(str(file), conversations, None, limit).read()


def edited(edit: Edit) -> dict[str, Any]:
    value = sample()
    edit(value)
    return value


def fault(file: Path, *samples: Any, **settings: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        read(file, *samples, **settings)
    return str(caught.value).replace(str(file), "FILE")
