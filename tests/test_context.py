from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from memlab.context import context_tokens, costs, render, within
from memlab.memory import Fact, Hit, Memory
from memlab.tokens import count_tokens


def hit(number: int, text: str, day: int = 1) -> Hit:
    at = datetime(2023, 5, day)
    return Hit(Memory(f"m{number}", Fact(text), "Ada", (), at, at, at), 1.0)


def test_a_context_has_one_heading_a_day_in_order_of_time() -> None:
    shown = render([hit(2, "later", 2), hit(1, "second"), hit(0, "first")])
    assert shown == "1 May 2023\nfirst\nsecond\n2 May 2023\nlater\n"


@given(st.lists(st.tuples(st.text(min_size=1), st.integers(1, 28)), max_size=12))
def test_costs_add_up_to_the_tokens_of_the_context(rows: list[tuple[str, int]]) -> None:
    hits = [hit(n, text, day) for n, (text, day) in enumerate(rows) if text.split()]
    if hits:
        assert context_tokens(hits) == count_tokens(render(hits))


def test_within_keeps_the_head_of_a_ranking() -> None:
    hits = [hit(n, "a memory of a few words", 1 + n) for n in range(5)]
    assert within(hits, top_k=2) == hits[:2]
    assert within(hits, max_tokens=list(costs(hits))[2]) == hits[:3]
    assert within(hits, max_tokens=list(costs(hits))[2] - 1) == hits[:2]
    assert within(hits, top_k=1, max_tokens=10_000) == hits[:1]
    assert within(hits) == hits


def test_a_hit_that_does_not_fit_ends_the_head() -> None:
    hits = [hit(0, "short"), hit(1, "long " * 100), hit(2, "short")]
    assert within(hits, max_tokens=50) == hits[:1]


def test_token_counts_are_those_of_cl100k_base() -> None:
    # Counted with OpenAI's tiktoken and its own download of the vocabulary.
    assert count_tokens("Hello world, it's a test!\n8 May 2023") == 13
    assert count_tokens("antidisestablishmentarianism") == 6
    assert count_tokens("") == 0
    assert count_tokens("<|endoftext|>") == 7
