from dataclasses import replace
from datetime import datetime
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from memlab.context import Grouping, context_tokens, costs, render, within, words
from memlab.memory import Fact, Hit, Memory, Revision
from memlab.tokens import count_tokens


def hit(number: int, text: str, day: int = 1, *, speaker: str = "Ada", store: str = "") -> Hit:
    at = datetime(2023, 5, day)
    return Hit(Memory(f"{store}m{number}", Fact(text), speaker, (), at, at, at), 1.0)


def test_a_context_has_one_heading_a_day_in_order_of_time() -> None:
    shown = render([hit(2, "later", 2), hit(1, "second"), hit(0, "first")])
    assert shown == "1 May 2023\nfirst\nsecond\n2 May 2023\nlater\n"


def test_memories_of_one_time_stand_in_the_order_of_their_numbers_store_by_store() -> None:
    stores = [hit(n, f"{store}{n}", store=f"{store}:") for n in (10, 9) for store in ("Tim", "Ada")]
    assert render(stores) == "1 May 2023\nAda9\nAda10\nTim9\nTim10\n"


def test_by_speaker_each_has_a_heading_over_their_days() -> None:
    hits = [hit(2, "later", 2), hit(1, "his", speaker="Ben"), hit(0, "hers")]
    assert render(hits, grouping="speaker") == (
        "Memories of Ada:\n1 May 2023\nhers\n2 May 2023\nlater\n\nMemories of Ben:\n1 May 2023\nhis\n"
    )


def test_what_both_said_is_no_nameless_speakers() -> None:
    chunk = hit(0, "1:56 pm on 1 May, 2023 | Ada: Hi\n1:56 pm on 1 May, 2023 | Ben: Hello\n", speaker="")
    assert render([chunk], grouping="speaker") == (
        "Memories of both speakers:\n1 May 2023\n1:56 pm on 1 May, 2023 | Ada: Hi 1:56 pm on 1 May, 2023 | Ben: Hello\n"
    )


def test_undated_memories_keep_the_order_of_time() -> None:
    assert render([hit(1, "later", 2), hit(0, "first")], dated=False) == "first\nlater\n"


def test_nothing_is_rendered_as_nothing() -> None:
    assert render([]) == render([], grouping="speaker") == ""


@given(st.permutations(range(6)), st.booleans())
def test_a_context_does_not_depend_on_the_ranking(order: list[int], dated: bool) -> None:
    hits = [hit(n, f"text {n}", 1 + n % 2, speaker="AB"[n % 3 % 2], store="xy"[n % 2] + ":") for n in range(6)]
    for grouping in get_args(Grouping):
        shown = render(hits, grouping=grouping, dated=dated)
        assert render([hits[n] for n in order], grouping=grouping, dated=dated) == shown
        assert all(shown.count(f"text {n}\n") == 1 for n in range(6))


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


def past(text: str, *, store: str = "") -> Hit:
    """What held from 1 May to 3 June."""
    memory = replace(hit(9, text, store=store).memory, retired_at=datetime(2023, 6, 3))
    return Hit(memory, 1.0)


def test_what_is_no_longer_true_is_shown_as_past_with_its_interval() -> None:
    shown = "Ada lives in Oslo (from 1 May 2023, no longer true since 3 June 2023)"
    assert words(past("Ada lives in Oslo").memory) == shown
    assert render([past("Ada lives in Oslo"), hit(0, "Ada lives in Rome")]) == (
        f"1 May 2023\nAda lives in Rome\n{shown}\n"
    )
    assert words(hit(0, "Ada lives in Rome").memory) == "Ada lives in Rome"


def test_the_interval_of_an_updated_memory_begins_with_its_last_words() -> None:
    at = datetime(2023, 5, 20)
    before = past("Ada lives in Oslo").memory
    updated = replace(before, updated_at=at, history=(Revision(Fact("Ada lives in Rome"), (), before.created_at),))
    assert words(updated) == "Ada lives in Oslo (from 20 May 2023, no longer true since 3 June 2023)"


def test_the_interval_costs_its_tokens() -> None:
    hits = [past("Ada lives in Oslo"), hit(0, "Ada lives in Rome")]
    assert context_tokens(hits) == count_tokens(render(hits)) > context_tokens([hit(9, "Ada lives in Oslo"), hits[1]])
    assert within(hits, max_tokens=context_tokens(hits[:1]) - 1) == []
