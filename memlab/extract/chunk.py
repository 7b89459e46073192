"""Token windows over the whole transcript: the RAG baseline of arXiv 2504.19413 (section 3.3)."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate

from memlab.dialogue import Turn
from memlab.extract.extractor import Extractor, Window
from memlab.extract.spoken import words
from memlab.memory import Candidate, Fact
from memlab.tokens import encoding


class Chunk(Extractor):
    """Cuts the transcript of a conversation every `size` cl100k_base tokens, without overlap (paper: 128 to 8192).

    A chunk has no one speaker (`speaker` is empty); its sources are all turns it holds a part of, and its time is that
    of the last of them, when all of it had been said. `captions` adds those of shared images, which the paper's
    baseline leaves out.
    """

    messages_per_window = None
    tells_speakers = False

    def __init__(self, *, size: int, captions: bool) -> None:
        if size < 1:
            raise ValueError(f"a chunk has at least 1 token, but size={size}; the paper uses 128 to 8192")
        self.size = size
        self.captions = captions

    async def extract(self, window: Window) -> list[Candidate]:
        """Return the chunks of all turns of the window, in order; together they are the transcript."""
        return await asyncio.to_thread(self._chunks, window.new)

    def _chunks(self, turns: Sequence[Turn]) -> list[Candidate]:
        lines = [transcript_line(turn, captions=self.captions).encode() for turn in turns]
        ends = list(accumulate(map(len, lines)))
        transcript = b"".join(lines)
        candidates = []
        first = 0
        for start, end in spans(transcript, self.size):
            while ends[first] <= start:
                first += 1
            last = first
            while ends[last] < end:
                last += 1
            part = turns[first : last + 1]
            text = transcript[start:end].decode()
            candidates.append(Candidate(Fact(text), "", tuple(turn.id for turn in part), part[-1].said_at))
        return candidates


def transcript_line(turn: Turn, *, captions: bool) -> str:
    """Return a turn as the paper's baseline prints it: `1:56 pm on 8 May, 2023 | Caroline: Hi!` and a line feed."""
    line = f"{moment(turn.said_at)} | {turn.speaker}: {words(turn, captions=captions)}\n"
    # A lone surrogate has no UTF-8 form; the tokeniser would change it in the same way.
    return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def moment(when: datetime) -> str:
    """Return a session's time as LOCOMO writes it: `1:56 pm on 8 May, 2023`."""
    half = "am" if when.hour < 12 else "pm"
    return f"{when.hour % 12 or 12}:{when.minute:02d} {half} on {when.day} {when:%B}, {when.year}"


def spans(text: bytes, size: int) -> Iterator[tuple[int, int]]:
    """Yield the byte ranges (start, end) of every `size` tokens of UTF-8 text.

    A token may end inside a character; such a character goes whole to the later range, so that every range is text.
    """
    encoder = encoding()
    lengths = [len(token) for token in encoder.decode_tokens_bytes(encoder.encode_ordinary(text.decode()))]
    ends = list(accumulate(lengths))
    start = 0
    for index in range(size - 1, len(ends) + size - 1, size):
        end = ends[min(index, len(ends) - 1)]
        while end < len(text) and text[end] & 0b1100_0000 == 0b1000_0000:
            end -= 1
        if end > start:
            yield start, end
            start = end
