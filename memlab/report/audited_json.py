"""What audits found, as JSON."""

from dataclasses import asdict
from typing import Any

from memlab.audit.predictions import PredictionsAudit
from memlab.audit.table import TableAudit


def table_json(audit: TableAudit) -> dict[str, Any]:
    """Return the audit of a results table; all maps, best first."""
    return {
        "title": audit.results.title,
        "metric": audit.results.metric,
        "map": audit.map,
        "fitting": [dict(tried.map) for tried in audit.fitting],
        "maps": [
            {"map": tried.map, "rows_reproduced": tried.held, "of": len(tried.rows), "largest_gap": float(tried.worst)}
            for tried in audit.tried
        ],
        "rows": [
            {
                "method": one.row.method,
                "runs": one.runs,
                "runs_told": one.row.runs is not None,
                "overall": None if one.row.overall is None else float(one.row.overall.value),
                "from_counts": None if one.exact is None else [float(one.exact.low), float(one.exact.high)],
                "fitting": one.fitting,
            }
            for one in audit.rows
        ],
        "findings": [asdict(finding) for finding in audit.findings],
        "notes": audit.results.notes,
    }


def predictions_json(audit: PredictionsAudit) -> dict[str, Any]:
    """Return the audit of a predictions file."""
    return {
        "file": audit.file.name,
        "format": audit.published.format,
        "rows": len(audit.published.predictions),
        "held_against": audit.meant.name,
        "scores": asdict(audit.scores),
        "without_wrong_golds": None if audit.corrected is None else asdict(audit.corrected),
        "conversations": {metric: [asdict(one) for one in found] for metric, found in audit.standings.items()},
        "findings": [asdict(finding) for finding in audit.findings],
    }
