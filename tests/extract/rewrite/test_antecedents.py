import pytest

from memlab.extract.rewrite.antecedents import Said, by_name, with_antecedent
from memlab.extract.rewrite.replies import question_before
from memlab.extract.rewrite.statements import Statement


def resolved(talk, *lines: str, before: str = "") -> str:
    turns = talk(*lines)
    said = Said(turns[-1], "Ann", before, turns[:-1])
    return with_antecedent(Statement(turns[-1].text, leans=True), said).text


NAMED = [
    (("Ann: How is your sister Clara?", "Bob: She passed it!"), "Clara passed it!"),
    (("Ann: How is your sister?", "Bob: She passed it!"), "Bob's sister passed it!"),
    (("Ann: My mom turned sixty.", "Bob: She looks great for it."), "Ann's mom looks great for it."),
    (("Bob: I have a brother, his name's Tom.", "Ann: Lovely.", "Bob: He's a baker."), "Tom's a baker."),
    (("Ann: What about Clara, is she through?", "Bob: She'll know in May."), "Clara will know in May."),
    (("Bob: My dog Max ran off.", "Ann: Oh no!", "Bob: He came back."), "Max came back."),
    (("Ann: My sister Clara met my brother Tom.", "Bob: She told me."), "Clara told me."),
    (("Ann: My dad sails.", "Ann: My mom paints.", "Bob: But he is older."), "But Ann's dad is older."),
    (("Ann: Is your wife well?", "Bob: Her leg healed."), "Bob's wife's leg healed."),
    (("Ann: My sister works as a teacher.", "Bob: She must be patient."), "Ann's sister must be patient."),
    (("Ann: I got a puppy! Her name's Coco.", "Bob: She looks tired."), "Coco looks tired."),
]


@pytest.mark.parametrize(("lines", "written"), NAMED)
def test_pronoun_with_one_person_it_can_mean_is_named(talk, lines: tuple[str, ...], written: str) -> None:
    assert resolved(talk, *lines) == written


LEFT = [
    # Two whom it can mean.
    ("Ann: My sister Clara met my aunt Ruth.", "Bob: She told me."),
    ("Ann: My sister met a friend.", "Bob: She told me."),
    ("Ann: My sister Clara met my boss Tom.", "Bob: She told me."),
    ("Ann: My friend Kim met my friend Lou.", "Bob: He told me."),
    ("Ann: My mom met Dana there.", "Bob: She told me."),
    ("Ann: My trip with my mom and her friend was fun.", "Bob: She told me."),
    # Nobody, or nobody who can be told.
    ("Ann: It rained.", "Bob: She told me."),
    ("Ann: My brother Tom sails.", "Bob: She told me."),
    ("Ann: A woman sang.", "Bob: She was good."),
    ("Ann: The singer was good.", "Bob: He was loud."),
    ("Ann: I love Paris in June, and Rome.", "Bob: She told me."),
    # A name that may be anybody's, too far back.
    ("Ann: My boss Kim left.", "Bob: I see.", "Ann: It rains.", "Bob: It does.", "Bob: He told me."),
    ("Ann: My mom left.", "Bob: My dog Max ran off.", "Bob: She came back."),
    # No pronoun for another person.
    ("Ann: My sister Clara left.", "Bob: They told me."),
    ("Ann: My sister Clara left.", "Bob: It was time."),
]


@pytest.mark.parametrize("lines", LEFT)
def test_pronoun_that_is_not_clear_is_left(talk, lines: tuple[str, ...]) -> None:
    assert resolved(talk, *lines) == lines[-1].split(": ", 1)[1]


def test_person_named_earlier_in_the_message_comes_first(talk) -> None:
    lines = ("Ann: My sister Clara left.", "Bob: She told me.")
    assert resolved(talk, *lines, before="I love my aunt Ruth!") == "Ruth told me."


def test_person_of_an_earlier_session_is_not_meant(talk) -> None:
    (before,) = talk("Ann: My sister Clara left.")
    (turn,) = talk("Bob: She told me.")
    later = type(turn)("D2:1", turn.speaker, turn.text, turn.said_at, 2)
    statement = Statement(turn.text, leans=True)
    assert with_antecedent(statement, Said(later, "Ann", "", (before,))) == statement


def test_named_statement_rests_on_the_turn_that_names(talk) -> None:
    turns = talk("Ann: How is your sister Clara?", "Bob: She passed it!")
    named = with_antecedent(Statement(turns[1].text, leans=True), Said(turns[1], "Ann", "", turns[:1]))
    assert named == Statement("Clara passed it!", leans=False, sources=("D1:1",))


def test_own_words_are_left(talk) -> None:
    turns = talk("Ann: How is your sister Clara?", "Bob: She helps us all.")
    quoted = Statement(turns[1].text, leans=True, quoted=True)
    assert with_antecedent(quoted, Said(turns[1], "Ann", "", turns[:1])) == quoted


@pytest.mark.parametrize(
    ("told", "question"),
    [("My father retires.", "How does Bob's father feel?"), ("My father met Tom.", "How does he feel?")],
)
def test_question_is_asked_by_name_where_it_is_clear(talk, told: str, question: str) -> None:
    turns = talk(f"Bob: {told}", "Ann: How does he feel?", "Bob: Fine.")
    asked = question_before(turns[2], turns[:2])
    assert asked is not None
    assert by_name(asked, "Bob", turns[:2]).question == question
