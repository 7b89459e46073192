"""Token counts in cl100k_base, offline: the vocabulary ships with memlab (MIT, from OpenAI's tiktoken)."""

import gzip
import hashlib
from base64 import b64decode
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

TOKENISER = "cl100k_base"
VOCABULARY_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


@cache
def encoding() -> "tiktoken.Encoding":
    """Return the cl100k_base encoding; special tokens are plain text to it."""
    import tiktoken

    data = gzip.decompress((files("memlab") / "assets" / "cl100k_base.tiktoken.gz").read_bytes())
    if hashlib.sha256(data).hexdigest() != VOCABULARY_SHA256:
        raise RuntimeError("the shipped cl100k_base vocabulary is damaged; reinstall memlab")
    ranks = {b64decode(token): int(rank) for token, rank in (line.split() for line in data.splitlines())}
    return tiktoken.Encoding(TOKENISER, pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


@lru_cache(maxsize=1 << 16)
def count_tokens(text: str) -> int:
    """Return how many cl100k_base tokens a text has."""
    return len(encoding().encode_ordinary(text))
