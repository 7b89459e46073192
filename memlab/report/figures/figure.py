"""What a figure is, and how it becomes a file or a part of a page."""

import html
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#1b1c1d"
"""Of text and axes; on a page it becomes the colour of the page's text, light or dark."""
FONTS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
STYLE: dict[str, Any] = {
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "grid.linewidth": 0.6,
    "svg.fonttype": "none",
}
FORMATS = (".svg", ".pdf", ".png")
DATELESS: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure with the name of its file, its title, and what must be known to read it."""

    name: str
    title: str
    caption: str
    figure: "Figure"


@contextmanager
def styled(name: str = "memlab") -> Iterator[None]:
    """Draw and write in memlab's style, whatever the reader's own is; equal drawings give equal bytes."""
    import matplotlib

    # A backend belongs to windows, which no figure here has.
    defaults = {key: value for key, value in matplotlib.rcParamsDefault.items() if not key.startswith("backend")}
    settings: Any = {**defaults, **STYLE, "svg.hashsalt": name}
    with matplotlib.rc_context(settings):
        yield


def faults(file: Path) -> list[str]:
    """Return why no figure can be written to a file of this name."""
    return [] if file.suffix in FORMATS else [f"{file}: a figure's name ends in {', '.join(FORMATS)}"]


def write(drawn: Drawn, file: Path) -> None:
    """Write a figure in the format that the file's name ends in; raises ValueError for another ending."""
    if wrong := faults(file):
        raise ValueError("; ".join(wrong))
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".svg":
        file.write_text(svg_text(drawn), encoding="utf-8")
        return
    with styled(drawn.name):
        drawn.figure.savefig(file, metadata=DATELESS[file.suffix], bbox_inches="tight", dpi=160)


def save(drawn: Drawn, folder: Path) -> list[Path]:
    """Write a figure as SVG and as PDF into a folder, which is made where it is not there; return the paths."""
    paths = [folder / f"{drawn.name}{suffix}" for suffix in (".svg", ".pdf")]
    for path in paths:
        write(drawn, path)
    return paths


def svg_text(drawn: Drawn, *, transparent: bool = False) -> str:
    """Return a figure as an SVG file: with words as words, and with its title and caption for those who hear it."""
    text = io.StringIO()
    with styled(drawn.name):
        drawn.figure.savefig(
            text, format="svg", metadata=DATELESS[".svg"], bbox_inches="tight", transparent=transparent
        )
    found = re.sub(r"'DejaVu Sans'[^;\"]*", FONTS, text.getvalue())
    told = f'role="img" aria-labelledby="{drawn.name}-title {drawn.name}-desc"'
    words = (
        f'<title id="{drawn.name}-title">{html.escape(drawn.title)}</title>'
        f'<desc id="{drawn.name}-desc">{html.escape(drawn.caption)}</desc>'
    )
    found = re.sub(r'\bid="', f'id="{drawn.name}-', found)
    found = found.replace("url(#", f"url(#{drawn.name}-").replace('href="#', f'href="#{drawn.name}-')
    return re.sub(r"<svg\b([^>]*)>", lambda tag: f"<svg{tag[1]} {told}>{words}", found, count=1)


def svg(drawn: Drawn) -> str:
    """Return a figure as a part of a page: its ids its own, its ink the page's, nothing behind it."""
    found = svg_text(drawn, transparent=True)
    return found[found.index("<svg") :].replace(INK, "currentColor")
