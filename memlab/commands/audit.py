"""`python -m memlab audit FILE|paper`: what published numbers are of, and whether they can be right.

FILE is a table of results (its category names are taken for LoCoMo's four categories in all 24 ways, and each value is
checked for being possible) or a file of predictions (checked for completeness, broken conversations, merged attempts).
`paper` audits tables 1 and 2 of the Mem0 paper. Both kinds are held against the ceiling of right golds.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from memlab.audit.findings import AuditError, Finding
from memlab.audit.paper import paper_results
from memlab.audit.predictions import PredictionsAudit, audit_predictions
from memlab.audit.results import Results
from memlab.audit.results_file import EXAMPLE, holds_results, read_results
from memlab.audit.table import audit_results
from memlab.commands.score import ERRORS_HELP, NO_CUTOFFS
from memlab.report import audited, audited_file
from memlab.report.audited_json import predictions_json, table_json
from memlab.report.table import FORMATS, Table, output
from memlab.score.prediction_files import PredictionFileError, read_document

PAPER = "paper"
ALL_MAPS = 24
SHOWN_MAPS = 5
FORMS = f"""\
A results table in TOML, or the same in JSON (there also a list of such tables; rows may be an object by method):

{EXAMPLE}
In CSV: a line of headings, `method`, the names, `overall`, and if told `runs` and `NAME std`; before it lines
`# title: ...`, `# unit: ...`, `# runs: ...`. Digits after the point count: write 61.70, not 61.7.

A file of predictions: any that `score` reads.
"""


def main(arguments: list[str]) -> int:
    """Print what an audit finds; return 1 for findings with --strict, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m memlab audit",
        description=__doc__,
        epilog=FORMS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=f"a file, or `{PAPER}`")
    parser.add_argument("--errors", type=Path, metavar="FILE", help=f"for predictions: {ERRORS_HELP}")
    parser.add_argument("--cutoff", help="which of the cut-offs to audit, in a file that answers at several")
    parser.add_argument(
        "--strict", action="store_true", help="exit with 1 when there is any finding (notes do not count)"
    )
    parser.add_argument("--format", choices=["terminal", "json", *FORMATS], default="terminal")
    chosen = parser.parse_args(arguments)
    if absent := [str(file) for file in chosen.files if not is_paper(file) and not file.is_file()]:
        parser.error(f"no file at {', '.join(absent)}")
    tables: list[Table] = []
    documents: list[dict[str, Any]] = []
    answers: list[PredictionsAudit] = []
    found: list[Finding] = []
    for file in chosen.files:
        results = published_results(file)
        for table in results or ():
            audit = audit_results(table)
            tables += audited.tables(audit, ALL_MAPS if is_paper(file) else SHOWN_MAPS)
            documents.append(table_json(audit))
            found += audit.findings
        if results is None:
            of_file = audit_predictions(file, chosen.cutoff, chosen.errors)
            tables += audited_file.tables(of_file)
            documents.append(predictions_json(of_file))
            found += of_file.findings
            answers.append(of_file)
    if chosen.cutoff and not any(one.published.has_cutoffs for one in answers):
        parser.error(NO_CUTOFFS.format(chosen.cutoff))
    show(tables, documents, chosen.format)
    return int(chosen.strict and any(one.weight == "finding" for one in found))


def is_paper(file: Path) -> bool:
    """Return whether the paper's own tables are meant, not a file."""
    return str(file) == PAPER and not file.is_file()


def published_results(file: Path) -> list[Results] | None:
    """Return the results tables of a file; None when it is one of predictions."""
    if is_paper(file):
        return [paper_results()]
    if file.suffix.lower() not in (".toml", ".csv"):
        try:
            document = read_document(file)
        except PredictionFileError as error:
            ending = (
                "" if file.suffix.lower() == ".json" else "; tables are known by their ending, .csv, .toml or .json"
            )
            raise AuditError(f"{error}{ending}") from error
        if not holds_results(document):
            return None
    return read_results(file)


def show(tables: list[Table], documents: list[dict[str, Any]], form: str) -> None:
    """Print tables, or the documents of all that was audited."""
    if form == "json":
        print(json.dumps(documents[0] if len(documents) == 1 else documents, indent=2))
    elif form == "terminal":
        for table in tables:
            table.show(output())
    else:
        print("\n".join(FORMATS[form](table) for table in tables), end="")
