"""What is in a synthetic dataset, for people to read: figures, and samples with the gold beside each message."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memlab.datasets.generated.dates import written
from memlab.datasets.subset import spaced
from memlab.datasets.synthetic.dataset import Plan, simulated
from memlab.datasets.synthetic.move import Move
from memlab.datasets.synthetic.words import vocabulary
from memlab.dialogue import CATEGORIES, CATEGORY_NAMES, Conversation
from memlab.gold import OPERATIONS, Statement
from memlab.tokens import TOKENISER, count_tokens

SAMPLES, SAMPLE_TURNS = 10, 4
WORDED = ("fact.", "say.", "say_of.")
FAR = 0.05
"""Below the share of an operation that was asked for, from which on it is told."""
TOLD = {"ADD": "new", "UPDATE": "adds to", "DELETE": "contradicts", "NOOP": "repeats"}


def shown(plan: Plan) -> Iterator[str]:
    """Yield the lines that describe a dataset."""
    conversations: list[Conversation] = []
    moves: list[Move] = []
    for conversation, told in simulated(plan):
        conversations.append(conversation)
        moves += told
    yield from _figures(plan, conversations, moves)
    yield ""
    yield f"{SAMPLES} samples"
    for conversation, first in _places(conversations):
        yield ""
        yield from _sample(conversation, first)


def _figures(plan: Plan, conversations: Sequence[Conversation], moves: Sequence[Move]) -> Iterator[str]:
    turns = [turn for one in conversations for turn in one.turns]
    sessions = len({(one.id, turn.session) for one in conversations for turn in one.turns})
    tokens = sum(count_tokens(turn.text) for turn in turns)
    stating = len({(one.id, statement.turn) for one in conversations for statement in one.gold})
    yield f"dataset=synthetic, split {plan.split}, seed {plan.seed}"
    yield f"  conversations   {len(conversations):,} with {sessions:,} sessions"
    yield f"  messages        {len(turns):,}, {stating:,} of them state facts; {tokens:,} tokens ({TOKENISER})"
    yield f"  statements      {len(moves):,}: {_shares(OPERATIONS, (move.operation for move in moves))}"
    yield from _unmet(plan, Counter(move.operation for move in moves))
    third = sum(bool(move.instance.subject.relation) for move in moves)
    yield f"                  {third / max(1, len(moves)):.0%} of them about third persons"
    yield f"  templates       {_used(plan, moves)} of the facts and messages are used"
    asked = Counter(question.category for one in conversations for question in one.questions)
    named = ", ".join(f"{asked[n]:,} {CATEGORY_NAMES['locomo'][n - 1]} ({n})" for n in CATEGORIES)
    yield f"  questions       {asked.total():,}: {named}"
    after = Counter(question.id.rpartition(":")[2] for one in conversations for question in one.questions)
    yield f"                  {after['now']:,} of what is after a change, {after['before']:,} of what was before one"
    yield ""
    yield f"  {'statements':<14}{''.join(f'{verb:>8}' for verb in OPERATIONS)}"
    counts = Counter((move.instance.words.kind.name, move.operation) for move in moves)
    for kind in vocabulary(plan.split).kinds:
        yield f"  {kind:<14}{''.join(f'{counts[kind, verb]:>8,}' for verb in OPERATIONS)}"


def _unmet(plan: Plan, found: Counter[str]) -> Iterator[str]:
    """Yield which operations are far from the share that was asked for: there was too little for them."""
    asked = sum(share for _, share in plan.shares)
    for verb, share in plan.shares:
        wanted, given = share / asked, found[verb] / max(1, found.total())
        if given < wanted - FAR:
            yield (
                f"                  {verb}: asked for {wanted:.0%} of the statements, but only {given:.0%} are; there "
                "is too little to go back to: give more messages, or a smaller share"
            )


def _shares(names: Sequence[str], values: Iterable[str]) -> str:
    counts = Counter(values)
    return ", ".join(f"{counts[name]:,} {name} ({counts[name] / max(1, counts.total()):.1%})" for name in names)


def _used(plan: Plan, moves: Sequence[Move]) -> str:
    words = vocabulary(plan.split).kinds.values()
    there = sum(len(texts) for one in words for name, texts in one.templates.items() if name.startswith(WORDED))
    used = {id(template) for move in moves for template in (move.fact, move.said)}
    return f"{len(used):,} of {there:,}"


def _places(conversations: Sequence[Conversation]) -> Iterator[tuple[Conversation, int]]:
    """Yield where samples begin: evenly spaced over all messages, within one session each."""
    places = [
        (one, place)
        for one in conversations
        for place in range(len(one.turns) - SAMPLE_TURNS)
        if one.turns[place].session == one.turns[place + SAMPLE_TURNS].session
    ]
    for number in spaced(len(places), min(SAMPLES, len(places))):
        yield places[number]


def _sample(conversation: Conversation, first: int) -> Iterator[str]:
    by_turn: dict[str, list[Statement]] = {}
    texts: Mapping[str, str] = {statement.id: statement.text for statement in conversation.gold}
    for statement in conversation.gold:
        by_turn.setdefault(statement.turn, []).append(statement)
    begin = conversation.turns[first]
    yield f"{conversation.id}, session {begin.session}, {written(begin.said_at.date())}"
    for turn in conversation.turns[first : first + SAMPLE_TURNS]:
        yield f"  {turn.speaker}: {turn.text}"
        for statement in by_turn.get(turn.id, ()):
            about = f" {texts[statement.target]!r}" if statement.target else ""
            yield f"      {statement.operation:<6} {statement.text}  [{TOLD[statement.operation]}{about}]"
