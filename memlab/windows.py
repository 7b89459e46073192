"""From a conversation to the windows that an extractor sees."""

from itertools import groupby

from memlab.dialogue import Conversation
from memlab.extract.extractor import Window
from memlab.perspective import Owner


def windows(conversation: Conversation, *, size: int | None, m: int, owner: Owner = None) -> list[Window]:
    """Return the windows of a conversation in order: `size` new messages (None: all of them) and the m turns before.

    A window never spans two sessions, so an odd session ends with a window of fewer messages; recent turns may
    reach into the session before (arXiv 2504.19413 section 2.1).
    """
    turns = conversation.turns
    if size is None:
        return [Window(new=turns, owner=owner)]
    starts: list[tuple[int, int]] = []
    first = 0
    for _session, said in groupby(turns, key=lambda turn: turn.session):
        end = first + len(list(said))
        starts += [(start, min(start + size, end)) for start in range(first, end, size)]
        first = end
    return [Window(new=turns[start:end], recent=turns[max(0, start - m) : start], owner=owner) for start, end in starts]
