"""A turn as a line of dialogue."""

from memlab.dialogue import Turn


def spoken(turn: Turn, *, captions: bool = True) -> str:
    """Return `Speaker: words`, with the caption of a shared image in brackets when asked for and there is one."""
    caption = f"[shares a photo: {turn.caption}]" if captions and turn.caption else ""
    return f"{turn.speaker}: {' '.join(part for part in (turn.text, caption) if part)}"
