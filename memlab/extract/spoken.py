"""A turn in words."""

from memlab.dialogue import Turn


def words(turn: Turn, *, captions: bool) -> str:
    """Return what was said, with the caption of a shared image in brackets when asked for and there is one."""
    caption = f"[shares {turn.caption}]" if captions and turn.caption else ""
    return " ".join(part for part in (turn.text, caption) if part)
