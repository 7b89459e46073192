"""`synthetic`: generated conversations of any size, with gold for every operation."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import isfinite
from typing import ClassVar

from memlab.datasets.dataset import Corpus, Dataset, DatasetError
from memlab.datasets.generated.dice import Dice
from memlab.datasets.subset import check_known, check_subset, limited
from memlab.datasets.synthetic.cast import Cast, people
from memlab.datasets.synthetic.life import Life
from memlab.datasets.synthetic.move import Move
from memlab.datasets.synthetic.plot import Plot
from memlab.datasets.synthetic.questions import Questions
from memlab.datasets.synthetic.word_rules import SPLITS, Split
from memlab.datasets.synthetic.wording import Script
from memlab.datasets.synthetic.words import vocabulary
from memlab.dialogue import Conversation
from memlab.gold import OPERATIONS, Verb
from memlab.spelling import did_you_mean

MESSAGES = (10, 100_000)
MOST_CHAT = 0.8


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides what is generated."""

    seed: int
    split: Split
    messages: int
    messages_per_conversation: int
    shares: tuple[tuple[Verb, float], ...]
    chat: float
    sessions: int | None

    @property
    def lengths(self) -> list[int]:
        """Messages of each conversation: all alike but the last."""
        whole, rest = divmod(self.messages, self.messages_per_conversation)
        return [self.messages_per_conversation] * whole + [rest] * (rest > 0)


class Synthetic(Dataset):
    """Long conversations of two friends from simulated lives, the same for the same seed on every machine.

    `operations` are the shares of the statements that call for each operation (DELETE and NOOP lag behind in
    conversations of a session or two, which have little to go back to), `chat` is the share of messages that are
    small talk. `conversations` chooses some by id (`synthetic-1`, ...); `sessions` keeps the first ones of each,
    with questions about what is true then; `limit_questions` so many questions in all, spread evenly, dropping
    conversations left without any.
    """

    has_gold: ClassVar[bool] = True

    def __init__(
        self,
        seed: int,
        split: Split,
        messages: int,
        messages_per_conversation: int,
        operations: Mapping[str, float],
        chat: float,
        conversations: Sequence[str] | None,
        sessions: int | None,
        limit_questions: int | None,
    ) -> None:
        check_subset(conversations, sessions, limit_questions)
        check_settings(split, messages, messages_per_conversation, chat)
        shares = tuple((verb, float(operations[verb])) for verb in check_operations(operations))
        self.plan = Plan(seed, split, messages, messages_per_conversation, shares, float(chat), sessions)
        if conversations is not None:
            check_known(conversations, [conversation_id(n + 1) for n in range(len(self.plan.lengths))], "synthetic")
        self.conversations = conversations
        self.limit_questions = limit_questions

    def read(self) -> Corpus:
        """Return the conversations; sha256 is that of all that is generated, gold included, before any is left out."""
        generated, sha256 = generate(self.plan)
        kept = [one for one in generated if self.conversations is None or one.id in self.conversations]
        return Corpus("synthetic", sha256, limited(kept, self.limit_questions))


def check_settings(split: str, messages: int, messages_per_conversation: int, chat: float) -> None:
    """Raise DatasetError for a size or share that cannot be."""
    if split not in SPLITS:
        raise DatasetError(f"split={split} is none of {', '.join(SPLITS)}{did_you_mean(split, SPLITS)}")
    for name, value in {"messages": messages, "messages_per_conversation": messages_per_conversation}.items():
        if not MESSAGES[0] <= value <= MESSAGES[1]:
            raise DatasetError(f"{name}={value}: expected {MESSAGES[0]} to {MESSAGES[1]:,}")
    if not 0 <= chat <= MOST_CHAT:
        raise DatasetError(f"chat={chat}: expected a share from 0 to {MOST_CHAT}")


def check_operations(operations: Mapping[str, float]) -> list[Verb]:
    """Return the operations that have a share; raises DatasetError for shares that no sequence can have."""
    for name, share in operations.items():
        if name not in OPERATIONS:
            raise DatasetError(
                f"operations.{name} is none of {', '.join(OPERATIONS)}{did_you_mean(name.upper(), OPERATIONS)}"
            )
        if not (isfinite(share) and share >= 0):
            raise DatasetError(f"operations.{name}={share}: expected a share of 0 or more")
    if (add := operations.get("ADD", 0)) <= 0:
        raise DatasetError(f"operations.ADD={add}: expected more than 0; without it there is nothing to be changed")
    for name in ("UPDATE", "DELETE"):
        if operations.get(name, 0) > add:
            raise DatasetError(
                f"operations.{name}={operations[name]} with ADD={add}: expected no more than ADD; "
                "facts have few details and end once, so there would be too few for it"
            )
    return [verb for verb in OPERATIONS if verb in operations]


def conversation_id(number: int) -> str:
    """Return the id of the conversation with a number, from 1."""
    return f"synthetic-{number}"


@lru_cache(maxsize=4)
def generate(plan: Plan) -> tuple[tuple[Conversation, ...], str]:
    """Return all conversations and their sha256; the first ones do not depend on how many follow."""
    conversations = tuple(conversation for conversation, _ in simulated(plan))
    return conversations, _sha256(conversations)


def simulated(plan: Plan) -> Iterator[tuple[Conversation, Sequence[Move]]]:
    """Yield each conversation with the moves behind its statements."""
    words = vocabulary(plan.split)
    for number, messages in enumerate(plan.lengths, start=1):
        # Dice of its own for each: a conversation depends on its number and on nothing in those before.
        lives = plan.seed * len(SPLITS) + SPLITS.index(plan.split)
        dice = Dice(lives * 1_000_003 + number)
        cast, life = Cast(people(plan.split), dice), Life(dice)
        plot = Plot(words.kinds, cast, life, dict(plan.shares), dice)
        script = Script(words, cast, life, plot, messages=messages, chat=plan.chat, dice=dice)
        script.write(plan.sessions)
        questions = Questions(words.kinds, cast, life, script.turns[-1].said_at.date(), dice)
        name, (first, second) = conversation_id(number), cast.speakers
        asked = questions.asked(name, len(script.turns))
        speakers, gold = (first.person.name, second.person.name), tuple(script.ledger.statements)
        yield Conversation(name, speakers, tuple(script.turns), asked, gold), script.ledger.moves


def _sha256(conversations: Sequence[Conversation]) -> str:
    digest = hashlib.sha256()
    for one in conversations:
        canonical = json.dumps(
            asdict(one), sort_keys=True, separators=(",", ":"), default=lambda time: time.isoformat()
        )
        digest.update(canonical.encode())
    return digest.hexdigest()
