"""`mini`: generated conversations that ship with memlab."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

from memlab.datasets.dataset import Corpus, Dataset, DatasetError
from memlab.datasets.generated.dice import Dice
from memlab.datasets.mini.questions import questions
from memlab.datasets.mini.timeline import conversation_id, timelines
from memlab.datasets.mini.wording import write
from memlab.datasets.subset import check_known, check_subset, first_sessions, limited
from memlab.dialogue import Conversation


class Mini(Dataset):
    """A few long conversations of two friends, the same for the same seed on every machine.

    `size` is how many are generated, `conversations` chooses some of them by id (`mini-1`, ...), `sessions` keeps the
    first ones with the questions that they answer, and `limit_questions` so many questions in all, spread evenly,
    dropping conversations left without any.
    """

    def __init__(
        self,
        seed: int,
        size: int,
        conversations: Sequence[str] | None,
        sessions: int | None,
        limit_questions: int | None,
    ) -> None:
        if size < 1:
            raise DatasetError(f"size={size}: expected 1 conversation or more")
        check_subset(conversations, sessions, limit_questions)
        if conversations is not None:
            check_known(conversations, [conversation_id(number) for number in range(1, size + 1)], "mini")
        self.seed = seed
        self.size = size
        self.conversations = conversations
        self.sessions = sessions
        self.limit_questions = limit_questions

    def read(self) -> Corpus:
        """Return the conversations; sha256 is that of all that the seed and size generate, before any is left out."""
        generated = generate(self.seed, self.size)
        chosen = [one for one in generated if self.conversations is None or one.id in self.conversations]
        kept = [first_sessions(one, self.sessions) for one in chosen]
        return Corpus("mini", _sha256(generated), limited(kept, self.limit_questions))


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


def _sha256(conversations: Sequence[Conversation]) -> str:
    content = [asdict(conversation) for conversation in conversations]
    for conversation in content:
        del conversation["gold"]  # there is none, and the hash is older than the field
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), default=lambda time: time.isoformat())
    return hashlib.sha256(canonical.encode()).hexdigest()
