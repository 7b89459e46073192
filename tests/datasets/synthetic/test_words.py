"""The words of the splits: complete, well-formed, and none of them in two splits."""

import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.datasets.synthetic.cast import people
from memlab.datasets.synthetic.kinds import kinds
from memlab.datasets.synthetic.template import Template
from memlab.datasets.synthetic.word_rules import CHATTER, SPLITS, Split, blanked, rules
from memlab.datasets.synthetic.words import Vocabulary, apart, read_words, vocabulary, word_folder

FILLED = {"P": "Ann's sister Mia", "v": "ten geese", "old": "a goat", "a": "very old", "when": "in May 2023"}
FILLED |= {
    "she": "she",
    "She": "She",
    "her": "her",
    "him": "her",
    "herself": "herself",
    "A": "Ann",
    "B": "Bob",
    "X": "Ann",
}


def templates(words: Vocabulary) -> Iterator[tuple[str, Template]]:
    for name, one in words.kinds.items():
        for section, listed in one.templates.items():
            yield from ((f"{name} {section}", template) for template in listed)
        for pair in one.inferences:
            yield from ((f"{name} infer", template) for template in pair)
    for occasion, texts in words.chatter.items():
        yield from ((f"chatter {occasion}", message) for text in texts for message in text)


def values(words: Vocabulary) -> Iterator[str]:
    for one in words.kinds.values():
        yield from one.values
        for listed in one.aspects.values():
            yield from listed


@pytest.mark.parametrize("split", SPLITS)
def test_words_of_every_kind_keep_the_rules(split: Split) -> None:
    words = vocabulary(split)
    assert len(kinds()) == 28
    assert list(words.kinds) == list(kinds())
    assert set(words.chatter) == set(CHATTER)
    sections = sum(len(rules(kind)) for kind in kinds().values() if kind.others)
    assert sections > 400
    least = {"train": 1800, "validation": 900, "test": 1400}[split]
    assert len(list(templates(words))) > least


@pytest.mark.parametrize(("one", "other"), list(combinations(SPLITS, 2)))
def test_no_template_value_or_chatter_is_in_two_splits(one: Split, other: Split) -> None:
    texts = []
    for split in (one, other):
        words = vocabulary(split)
        texts.append({blanked(template.text) for _, template in templates(words)} | set(map(blanked, values(words))))
        assert len(texts[-1]) > 1500
    shared = texts[0] & texts[1]
    assert {text for text in shared if len(text) > 2} == set()


def test_no_name_or_relation_is_in_two_splits() -> None:
    for one, other in combinations(SPLITS, 2):
        first, second = people(one), people(other)
        assert not {*first.women, *first.men} & {*second.women, *second.men}
        assert not {r.noun for r in first.relations} & {r.noun for r in second.relations}
    for split, least in (("train", 60), ("validation", 30), ("test", 60)):
        assert min(len(people(split).women), len(people(split).men)) >= least
        assert not set(people(split).women) & set(people(split).men)


@pytest.mark.parametrize("split", SPLITS)
def test_every_template_can_be_filled(split: Split) -> None:
    filled = {template.fill(FILLED) for _, template in templates(vocabulary(split))}
    assert not [text for text in filled if "{" in text or "}" in text or "  " in text]


@pytest.mark.parametrize("split", SPLITS)
def test_no_value_of_a_kind_is_part_of_another(split: Split) -> None:
    for words in vocabulary(split).kinds.values():
        for listed in (words.values, *words.aspects.values()):
            assert not [pair for pair in combinations(map(str.casefold, listed), 2) if pair[0] in pair[1]]


def test_values_within_values_are_left_out() -> None:
    assert apart(["a cat", "A cat from Rome", "a dog", "dog"]) == ("a cat", "a dog")


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{v} is here.", "Ten geese is here."),
        ("Oh! {v}, I say.", "Oh! Ten geese, I say."),
        ("Well... {v}, I say.", "Well... ten geese, I say."),
        ("So: {v} of {P}.", "So: ten geese of Ann's sister Mia."),
    ],
)
def test_a_field_that_opens_a_sentence_gets_a_capital(text: str, filled: str) -> None:
    assert Template(text).fill(FILLED) == filled


def _edited(folder: Path, name: str, old: str, new: str) -> str:
    for file in Path(str(word_folder("train"))).glob("*.toml"):
        shutil.copy(file, folder)
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(DatasetError) as caught:
        read_words(folder, "train")
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "home.toml",
            "{P} lives in {v}.",
            "{P} lives in {w}.",
            r"home.toml: fact.new: '{P} lives in {w}.' has the field w",
        ),
        ("home.toml", "{P} lives in {v}.", "Lives in {v}.", "home.toml: fact.new: 'Lives in {v}.' lacks the field P"),
        ("home.toml", "{P} lives in {v}.", "{P} lives in {v.", "has a brace that is no field's"),
        ("home.toml", '"Where does {P} live?", ', "", "home.toml: ask.now has 1 texts, needs 2"),
        ("home.toml", "{v} is where {P} lives.", "{P}: lives in {v}!", "home.toml: fact.new has the same text twice"),
        ("home.toml", "[ask]\nnow", "[ask]\nthen", "home.toml: ask.now is missing; home.toml: ask.then is no section"),
        ("home.toml", "values = [", "values = ", "home.toml: "),
        ("pet.toml", "infer = [", "infer = [3, ", r"pet.toml: ask.infer: 3 is not like \{ text"),
        ("chatter.toml", "hello = [", "hello = [3, ", "chatter.toml: hello: 3 is neither a text nor a list of texts"),
        ("chatter.toml", "hello = [", 'hello = ["{C}!", ', "chatter.toml: hello: '{C}!' has the field C"),
        ("chatter.toml", "doubt = [", 'doubt = [["What?"], ', "has 1 messages, needs 2 to 2"),
    ],
)
def test_a_faulty_file_is_refused_by_name(name: str, old: str, new: str, fault: str, tmp_path: Path) -> None:
    assert fault.replace("\\", "") in _edited(tmp_path, name, old, new)


def test_a_missing_kind_is_named(tmp_path: Path) -> None:
    for file in Path(str(word_folder("train"))).glob("*.toml"):
        shutil.copy(file, tmp_path)
    (tmp_path / "race.toml").unlink()
    with pytest.raises(DatasetError, match=r"split=train cannot be used: race.toml is missing$"):
        read_words(tmp_path, "train")
    several: Any = read_words(tmp_path, "train", ["home", "pet"])
    assert list(several.kinds) == ["home", "pet"]
