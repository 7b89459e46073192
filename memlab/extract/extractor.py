"""From a window of messages to candidates."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from memlab.dialogue import Turn
from memlab.memory import Candidate, Content, Fact
from memlab.part import Part


@dataclass(frozen=True, slots=True)
class Window:
    """What an extractor sees: P = (S, {m_{t-m}, ..., m_{t-2}}, m_{t-1}, m_t) of arXiv 2504.19413 section 2.1.

    `new` is the message pair (one message at the end of an odd session), `recent` the m turns before it, oldest
    first, and `summary` is S. `owner` is the speaker whose memories are kept (the paper's evaluation keeps a store for
    each speaker); None: one store for both.
    """

    new: tuple[Turn, ...]
    recent: tuple[Turn, ...] = ()
    summary: str = ""
    owner: str | None = None


class Extractor(Part):
    """Proposes candidates from the new messages of a window; recent messages and summary are only context.

    In a window with an owner, only what the owner said makes candidates; the other's messages are context, too.
    Stateless: one instance serves every conversation, in any order and concurrently.
    """

    messages_per_window: int | None = 2
    """How many messages of a session make one window; None: the whole conversation is one window."""
    tells_speakers: ClassVar[bool] = True
    """False: its candidates mix what both speakers said, so there can be no store for each of them."""

    proposes: ClassVar[frozenset[type[Content]]] = frozenset({Fact})
    """The types of content that its candidates have: a store must hold them."""

    reads_summary: ClassVar[bool] = False
    """Whether `window.summary` changes anything; where it does not, no summary is paid for."""

    @abstractmethod
    async def extract(self, window: Window) -> list[Candidate]:
        """Return the candidates of `window.new`, in the order they were said; no candidate is a valid answer."""
