"""What an audit found: a finding wants an explanation from the authors, a note only has to be known by the reader."""

from dataclasses import dataclass
from typing import Literal

from memlab.records import RecordError


class AuditError(RecordError):
    """What was given cannot be audited; the message says why and what to give."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark: what kind it is (few and stable words), on what, and in words."""

    kind: str
    where: str
    words: str
    weight: Literal["finding", "note"] = "finding"
