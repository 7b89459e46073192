"""Tables as LaTeX."""

from collections.abc import Sequence

ESCAPES = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "_%&#${}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "≤": r"\ensuremath{\leq}",
        "≥": r"\ensuremath{\geq}",
        "→": r"\ensuremath{\rightarrow}",
        "\N{MINUS SIGN}": r"\ensuremath{-}",
    }
)
"""What LaTeX reads as a command, prints as something else in its usual fonts, or has no letter for."""


def escaped(text: str) -> str:
    """Return a text on one line that LaTeX prints as it is; letters beyond Latin ones need XeLaTeX or LuaLaTeX."""
    return " ".join("".join(mark for mark in text if mark.isprintable() or mark.isspace()).split()).translate(ESCAPES)


def table(name: str, caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a `table` with booktabs rules: the first column to the left, the others to the right."""
    lines = (
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{escaped(caption)}}}",
        f"\\label{{tab:{name}}}",
        f"\\begin{{tabular}}{{l{'r' * (len(headings) - 1)}}}",
        "\\toprule",
        line(headings),
        "\\midrule",
        *map(line, rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    )
    return "\n".join(lines) + "\n"


def line(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    text = " & ".join(map(escaped, cells))
    # LaTeX takes these after the `\\` of the row above for that one's own, whatever space is between.
    return (f"{{}}{text}" if text.startswith(("[", "*")) else text) + " \\\\"
