import pytest

from memlab.answer.questions import Wanted, wanted


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did Ana move?", Wanted.DATE),
        ("When Ana is planning to move?", Wanted.DATE),
        ("Since when has Ana lived in Porto?", Wanted.DATE),
        ("In which month did Ana move?", Wanted.DATE),
        ("What did Ana say when she was ill?", Wanted.PHRASE),
        ("How did Ana feel when she moved?", Wanted.PHRASE),
        ("How long has Ana lived in Porto?", Wanted.DURATION),
        ("How often does Ana swim?", Wanted.DURATION),
        ("How many cats does Ana have?", Wanted.NUMBER),
        ("How old is Ana's son?", Wanted.NUMBER),
        ("Is Ana married?", Wanted.VERDICT),
        ("Would Ana enjoy a concert?", Wanted.VERDICT),
        ("Does Ana prefer tea or coffee?", Wanted.PHRASE),
        ("What book is Ana reading?", Wanted.TITLE),
        ("Which song does Ana like?", Wanted.TITLE),
        ("Who taught Ana to swim?", Wanted.NAME),
        ("Where does Ana live?", Wanted.NAME),
        ("What country is Ana from?", Wanted.NAME),
        ("What instruments does Ana play?", Wanted.SEVERAL),
        ("What kinds of plants does Ana grow?", Wanted.SEVERAL),
        ("What are Ana's hobbies?", Wanted.SEVERAL),
        ("What does Ana grow?", Wanted.PHRASE),
        ("What is Ana's job?", Wanted.PHRASE),
        ("", Wanted.PHRASE),
    ],
)
def test_a_question_tells_the_kind_of_its_answer(question: str, kind: Wanted) -> None:
    assert wanted(question) is kind
