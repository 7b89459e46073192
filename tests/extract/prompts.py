"""What was sent, as text, and the golden files it is compared with."""

from pathlib import Path

from memlab.datasets.mini.dataset import generate
from memlab.extract.extractor import Window
from memlab.llm.chat import ChatRequest
from memlab.windows import windows

GOLDEN = Path(__file__).parent / "golden"


def sent(request: ChatRequest) -> str:
    """Return the messages of a request as one text."""
    return "\n".join(f"[{message.role}]\n{message.content}" for message in request.messages) + "\n"


def golden(name: str) -> str:
    """Return what a prompt should be; to accept a change, write `sent(...)` to the file and review the diff."""
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def mini_windows() -> list[Window]:
    """Return the windows of the first mini conversation, as its default settings give them."""
    return windows(generate(seed=11, size=1)[0], size=2, m=10)
