"""A window as the fields of a prompt."""

from collections.abc import Sequence

from memlab.dialogue import Turn
from memlab.extract.extractor import Window
from memlab.extract.transcript import listed, speakers, telling, transcript

FIELDS = ("speakers", "summary", "recent", "new", "whose", "sources")
NEEDED = ("new",)
NONE_YET = "(none yet)"


def window_fields(window: Window, new: Sequence[Turn], *, captions: bool) -> dict[str, str]:
    """Return what a prompt is filled in with; `new` are those of the window's new messages that say something.

    They are numbered from 1. `whose` and `sources` name who tells what is asked for, and in which of them: the owner
    in the owner's, or everyone.
    """
    recent = telling(window.recent, captions=captions)
    own = {str(number): turn for number, turn in enumerate(new, start=1) if window.owner in (None, turn.speaker)}
    tellers = speakers(own.values())
    return {
        "speakers": listed(speakers((*recent, *new))),
        "summary": window.summary.strip() or NONE_YET,
        "recent": transcript(recent, captions=captions) or NONE_YET,
        "new": transcript(new, captions=captions, numbered=True),
        "whose": f"{listed(tellers)} {'tells' if len(tellers) == 1 else 'tell'}",
        "sources": f"{'message' if len(own) == 1 else 'messages'} {listed(list(own))}",
    }
