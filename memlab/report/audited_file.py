"""What the audit of a predictions file found, as tables: scores, conversations, findings."""

from memlab.audit.extent import called
from memlab.audit.outliers import ALPHA, FEWEST
from memlab.audit.predictions import PredictionsAudit
from memlab.report.audited import findings
from memlab.report.rows import number
from memlab.report.scored import scored
from memlab.report.table import Table

TEST_NOTE = (
    "Gap: points above what the conversation's categories give in the sound ones. p: of an extreme studentised deviate "
    "test over the gaps of conversations (they vary, not questions), their spread moderated by that of "
    "published files, corrected for their number, for as many of the outermost as could be broken (a third). Flagged "
    f"below {ALPHA / 2:g} in either metric: in simulated sound files 0.2 to 1 % each where conversations differ by 5 "
    "to 7 points (standard deviation), 3 % at 9."
)


def tables(audit: PredictionsAudit) -> list[Table]:
    """Return all tables of a file."""
    stand = [] if not audit.standings else [conversations(audit)]
    return [
        scored(audit.file, audit.scores, audit.corrected),
        *stand,
        findings(f"{audit.file.name} ({audit.meant.name})", audit.findings),
    ]


def conversations(audit: PredictionsAudit) -> Table:
    """Return how far each conversation lies from the others."""
    names = sorted({one.conversation for found in audit.standings.values() for one in found})
    rows = []
    for name in names:
        cells: list[str] = []
        n = 0
        broken = False
        for found in audit.standings.values():
            one = next((one for one in found if one.conversation == name), None)
            if one is None:
                cells += ["-", "-", "-"]
                continue
            n, broken = max(n, one.n), broken or one.flagged
            gap = f"{100 * one.gap:+.1f}" if len(names) > 1 else "-"
            cells += [number(100 * one.value, 1), gap, "-" if one.p is None else f"{one.p:.2g}"]
        rows.append((called(name), number(n, 0), *cells, "outlier" if broken else ""))
    headings = ["conversation", "n"]
    for metric in audit.standings:
        headings += [f"{metric}\n%", f"{metric}\ngap", f"{metric}\np"]
    notes = (TEST_NOTE,) if len(names) >= FEWEST else ()
    return Table(f"{audit.file.name}: conversations beside each other", (*headings, ""), tuple(rows), notes)
