from memlab.answer.answerer import Answer
from memlab.answer.echo import Echo
from memlab.dialogue import Question


async def test_echo_repeats_the_question_and_uses_no_memory() -> None:
    question = Question("c/q0", "Where does Ana live?", "Porto", 4, ("D1:1",))

    assert await Echo().answer(question, []) == Answer("Where does Ana live?", used=())
