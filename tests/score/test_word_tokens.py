"""The golden tokens are those that NLTK 3.9.1 and 3.9.2 give, with punkt_tab, for the lower-cased text."""

import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.score.word_tokens import sentences, word_tokens

GOLDEN = [
    ("", ""),
    ("   \n ", ""),
    ("plain words", "plain words"),
    ("She moved in 2019—just before the flood—and stayed.", "she moved in 2019—just before the flood—and stayed ."),
    ("a range of 3–5 days – or so", "a range of 3–5 days – or so"),
    ("'Quoted' words and 'a' letter, 'til dawn", "'quoted ' words and ' a ' letter , 'til dawn"),
    ("rock 'n' roll in the '90s", "rock 'n ' roll in the '90s"),
    (
        "He is from the U.S. and works at 3.5 p.m. on Fri. evenings.",
        "he is from the u.s. and works at 3.5 p.m. on fri. evenings .",
    ),
    ("They flew to the U.S.", "they flew to the u.s ."),
    ("Dr. Lee met Mrs. Ray. Then they left. Nobody knew.", "dr. lee met mrs. ray . then they left . nobody knew ."),
    ("It cost $3.50, i.e. 1,200.75 yen; 50% off!", "it cost $ 3.50 , i.e . 1,200.75 yen ; 50 % off !"),
    ("Room no. 5. the door was open", "room no . 5. the door was open"),
    (
        "Chapter 5. administrators agreed. Chapter 6. others did not.",
        "chapter 5 . administrators agreed . chapter 6. others did not .",
    ),
    ("Signed by j. smith and b. 7. 𝐀 came", "signed by j. smith and b . 7 . 𝐀 came"),
    (
        "I can't, won't, shouldn't; she'll, they've, we're, I'd, I'm, it's James'.",
        "i ca n't , wo n't , should n't ; she 'll , they 've , we 're , i 'd , i 'm , it 's james ' .",
    ),
    (
        "Cannot you see? I'm gonna go, wanna come, gotta run, gimme, lemme be, d'ye hear, more'n.",
        "can not you see ? i 'm gon na go , wan na come , got ta run , gim me , lem me be , d 'ye hear , more 'n .",
    ),
    ("wanna. cannot-do attitude", "wan na . can not -do attitude"),
    ("'Tis nothing; 'twas all.", "'t is nothing ; 't was all ."),
    ("('tis'twas)", "( 't is 't was )"),
    (
        'Wait... what? No.... Really!!! (Yes.) "Sure." Fine.',
        "wait ... what ? no .... really ! ! ! ( yes . ) `` sure . '' fine .",
    ),
    (". . . and then . . . . the end", ". . . and then . . . . the end"),
    (
        "She said \"hello\" and ''bye'' (\"quietly\") [aside] {braces} <tags>",
        "she said `` hello '' and `` bye '' ( `` quietly '' ) [ aside ] { braces } < tags >",
    ),
    ("“Curly” ‘quotes’ don’t «match» „here‟", "“ curly ” ‘ quotes ’ don ’ t « match » „ here‟"),
    ('""double"" at the start', "`` `` double '' '' at the start"),
    ('He left (in May.) She stayed. ["Why?"] Unknown.', "he left ( in may . ) she stayed . [ `` why ? '' ] unknown ."),
    ("dogs, cats,, and: birds:; 10:30, a:b", "dogs , cats , , and : birds : ; 10:30 , a : b"),
    ("x's' y' z' ", "x 's ' y ' z '"),
    ("one -- two --- three-four", "one -- two -- - three-four"),
    ("e-mail me@home.org #1 *star* & co. / and/or", "e-mail me @ home.org # 1 * star * & co. / and/or"),
    ("first line.\nsecond line.\n\nthird; line", "first line . second line . third ; line"),
    ("ends with spaces.   ", "ends with spaces ."),
    ("ends with quote.'", "ends with quote . '"),
    ("ends with colon:", "ends with colon :"),
    ('The end.) " more', "the end . ) `` more"),
    ("What?! ?! no .. yes", "what ? ! ? ! no .. yes"),
    ("``already`` ```three```", "`` already `` `` ` three `` `"),
    ("Café in Zürich, 5°C. İstanbul too.", "café in zürich , 5°c . i̇stanbul too ."),
    ("mr.smith lives at 12.Elm st. now", "mr.smith lives at 12.elm st. now"),
    ("v2.0. is out; so is v3.", "v2.0 . is out ; so is v3 ."),
    ("ok.", "ok ."),
    ("Stop.\"?'", "stop. '' ? '"),
    (".\"?'", ". `` ? '"),
    ("Plan b. 𝐀 came", "plan b. 𝐀 came"),
    ("an ex-mr. (b)", "an ex-mr. ( b )"),
    ("b.\xa0)?)", "b. ) ? )"),
]


@pytest.mark.parametrize(("text", "tokens"), GOLDEN)
def test_tokens_are_those_of_nltk_3_9_1(text: str, tokens: str) -> None:
    assert word_tokens(text) == tokens.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("no end", ["no end"]),
        ("one. two? three!", ["one.", "two?", "three!"]),
        ("at 5 p.m. we left.", ["at 5 p.m. we left."]),
        ("(one.) two.", ["(one.)", "two."]),
        ('"one." two.', ['"one."', "two."]),
        ("no. 5. the door", ["no.", "5. the door"]),
        ("number 5. administrators came", ["number 5.", "administrators came"]),
        ("wait... what", ["wait... what"]),
        ("one.\n\n two.", ["one.", "two."]),
        (".\xa0.\n.", [".", ".", "."]),
    ],
)
def test_sentences_end_where_the_trained_model_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


REWRITTEN_MARKS = set("\"'`")


@given(
    st.text(alphabet=st.sampled_from(list("ab .?!,:;'\"`()[]{}<>-—…*@#$%&«»“”‘’5\n")) | st.characters(codec="utf-8"))
)
def test_tokens_keep_every_character_but_white_space_and_quotes(text: str) -> None:
    def kept(words: str) -> Counter[str]:
        return Counter(mark for mark in words if not mark.isspace() and mark not in REWRITTEN_MARKS)

    assert kept("".join(word_tokens(text))) == kept(text.lower())


@given(st.lists(st.sampled_from(["u.s.", "hello", "mr.", "b.", "5.", "the", "...", "(no)", '"', "it's"]), max_size=8))
def test_case_never_matters(words: list[str]) -> None:
    text = " ".join(words)
    assert word_tokens(text.upper()) == word_tokens(text)


def test_nltk_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    assert word_tokens("Still here.") == ["still", "here", "."]
