"""Copy the recorded tables of the retrieval study into the README: `python experiments/fill_readme.py`."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
START, END = "<!-- tables of experiments/retrieval -->\n", "<!-- end of tables -->"


def filled(readme: str, tables: str) -> str:
    """Return the README's text with the first two recorded tables between its marks."""
    before, _, rest = readme.partition(START)
    _, _, after = rest.partition(END)
    answers_and_evidence = tables.split("\nf1, paired differences")[0].strip()
    return f"{before}{START}\n{answers_and_evidence}\n\n{END}{after}"


def main() -> None:
    """Rewrite README.md."""
    readme = ROOT / "README.md"
    tables = (ROOT / "experiments" / "retrieval" / "tables.md").read_text(encoding="utf-8")
    readme.write_text(filled(readme.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()
