"""`mini`: generated conversations that ship with memlab."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches

from memlab.datasets.dataset import Corpus, Dataset, DatasetError
from memlab.datasets.mini.dice import Dice
from memlab.datasets.mini.questions import questions
from memlab.datasets.mini.timeline import timelines
from memlab.datasets.mini.wording import write
from memlab.dialogue import Conversation


class Mini(Dataset):
    """A few long conversations of two friends, the same for the same seed on every machine.

    `size` is how many are generated, `conversations` chooses some of them by id (`mini-1`, ...), and
    `limit_questions` keeps so many questions in all, spread evenly, dropping conversations left without any.
    """

    def __init__(
        self,
        seed: int,
        size: int,
        conversations: Sequence[str] | None = None,
        limit_questions: int | None = None,
    ) -> None:
        self.seed = seed
        self.size = size
        self.conversations = conversations
        self.limit_questions = limit_questions

    def read(self) -> Corpus:
        """Return the conversations; sha256 is that of all that the seed and size generate, before any is left out."""
        if self.size < 1:
            raise DatasetError(f"dataset.size={self.size}: mini needs at least 1 conversation")
        if self.limit_questions is not None and self.limit_questions < 1:
            raise DatasetError(f"dataset.limit_questions={self.limit_questions}: use 1 or more, or null for all")
        generated = generate(self.seed, self.size)
        chosen = _limited(_chosen(generated, self.conversations), self.limit_questions)
        return Corpus("mini", _sha256(generated), chosen)


def generate(seed: int, size: int) -> tuple[Conversation, ...]:
    """Return `size` conversations; the first ones are the same for every size."""
    dice = Dice(seed)
    conversations = []
    for timeline in timelines(dice, size):
        script = write(timeline, dice)
        speakers = (timeline.speakers[0].name, timeline.speakers[1].name)
        asked = questions(timeline, script, dice)
        conversations.append(Conversation(timeline.id, speakers, tuple(script.turns), asked))
    return tuple(conversations)


def _chosen(generated: Sequence[Conversation], ids: Sequence[str] | None) -> tuple[Conversation, ...]:
    if ids is None:
        return tuple(generated)
    if isinstance(ids, str):
        raise DatasetError(f"dataset.conversations={ids!r} is one text; write a list: [{ids}]")
    known = [conversation.id for conversation in generated]
    for name in ids:
        if name not in known:
            close = get_close_matches(str(name), known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise DatasetError(f"dataset.conversations: mini has no {name!r}; it has {', '.join(known)}{hint}")
    if not ids:
        raise DatasetError(f"dataset.conversations is empty; name some of {', '.join(known)}, or use null for all")
    return tuple(conversation for conversation in generated if conversation.id in ids)


def _limited(conversations: tuple[Conversation, ...], limit: int | None) -> tuple[Conversation, ...]:
    """Return the first questions of each conversation, one of each in turn until the limit is reached."""
    if limit is None:
        return conversations
    turns = sorted((n, place) for place, one in enumerate(conversations) for n in range(len(one.questions)))
    kept = [place for _, place in turns[:limit]]
    return tuple(
        replace(one, questions=one.questions[: kept.count(place)])
        for place, one in enumerate(conversations)
        if place in kept
    )


def _sha256(conversations: Sequence[Conversation]) -> str:
    content = [asdict(conversation) for conversation in conversations]
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), default=lambda time: time.isoformat())
    return hashlib.sha256(canonical.encode()).hexdigest()
