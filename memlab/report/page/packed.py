"""Bulky data of a page: JSON, compressed, unpacked by the page when it is looked at."""

import base64
import gzip
import json
from typing import Any


def packed(content: Any) -> str:
    """Return content as base64 of gzip of JSON; equal content gives equal text."""
    # Lone surrogates stay escapes: not all of what people send is Unicode.
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")
