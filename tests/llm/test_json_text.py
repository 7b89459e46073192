import json
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.llm.json_text import found_json, read_json, read_object

SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6) | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)
DOCUMENTS = st.lists(VALUES, max_size=4) | st.dictionaries(st.text(max_size=6), VALUES, max_size=4)
PROSE = st.text(st.characters(codec="utf-8", exclude_characters='[]{}"`'), max_size=40)


def outcome(text: str) -> tuple[Any, str]:
    """Return what is found in a text, or why nothing is."""
    try:
        return found_json(text), ""
    except ValueError as error:
        return None, str(error)


@given(DOCUMENTS, PROSE, PROSE, st.booleans())
def test_json_amid_words_or_in_a_fence_is_found(value: Any, before: str, after: str, fenced: bool) -> None:
    written = json.dumps(value, ensure_ascii=False, indent=1 if fenced else None)
    if not fenced:
        assert found_json(f"{before}{written}{after}") == value
    elif "```" not in written:
        assert found_json(f"{before} as in [1]:\n```json\n{written}\n```\n{after}") == value


@given(DOCUMENTS)
def test_whole_json_is_taken_as_it_is(value: Any) -> None:
    assert found_json(json.dumps(value)) == read_json(json.dumps(value)) == value


@given(st.text())
def test_any_text_gives_an_object_or_array_or_a_reason(text: str) -> None:
    value, reason = outcome(text)
    assert isinstance(value, dict | list) != (0 < len(reason) < 200)


@given(
    st.lists(st.sampled_from(['{"facts": [', '{"text": "a', '"', "}", "]", ",", "\\", "\ud83d", "```", "NaN", "\n"]))
)
@settings(max_examples=300)
def test_pieces_of_json_give_valid_unicode_or_a_reason(pieces: list[str]) -> None:
    value, _ = outcome("".join(pieces))
    assert json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


WRITTEN = [
    ('{"facts": [{"text": "a", "message": 1,},],}', {"facts": [{"text": "a", "message": 1}]}),
    ('{"text": "a, ]"}', {"text": "a, ]"}),
    ('{"text": "two\nlines"}', {"text": "two\nlines"}),
    ('{"text": "half \\ud83d"}', {"text": "half \ufffd"}),
    ('{"text": "both \\ud83d\\ude00"}', {"text": "both 😀"}),
    ("```json\n[1, 2]", [1, 2]),
    ('```{"a": 1}```', {"a": 1}),
    ('{"a": "```js\\n```"}', {"a": "```js\n```"}),
    ('[Ann] says: {"a": 1} {"b": 2}', {"a": 1}),
    ('{"a": [1, oops\nOnce more:\n{"b": 2}', {"b": 2}),
    ("[]", []),
]


@pytest.mark.parametrize(("text", "value"), WRITTEN)
def test_what_models_write_is_read(text: str, value: Any) -> None:
    assert found_json(text) == value


REASONS = [
    ("", "there is no JSON object or array"),
    ("No facts.", "there is no JSON object or array"),
    ('"just a string"', "there is no JSON object or array"),
    ('{"facts": [{"text": "a", "message": 1}, {"te', "the JSON is broken at '\"te'"),
    ('{"facts": [{"text": "a"}', "the JSON is broken at its end"),
    ("[NaN]", "NaN is no JSON number"),
    ("[1e999]", "Infinity is no JSON number"),
    ("[" * 5000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "reason"), REASONS)
def test_what_is_no_whole_json_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        found_json(text)


@pytest.mark.parametrize("pattern", ["[", "{", "],", ",{", '["', '""', '{"\\"', "[1,", "[NaN,", "```{", '{"a":'])
def test_a_long_text_of_brackets_takes_little_time(pattern: str) -> None:
    text = pattern * (100_000 // len(pattern))
    start = time.process_time()
    outcome(text)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("text", ["[1]", "3", "{", ""])
def test_read_object_takes_nothing_but_an_object(text: str) -> None:
    assert read_object(text) is None
    assert read_object('{"a": 1}') == {"a": 1}
