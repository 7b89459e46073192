"""What no corpus may be."""

from dataclasses import replace

import pytest

from memlab.datasets.dataset import Corpus, DatasetError
from memlab.datasets.mini import Mini
from memlab.dialogue import Conversation
from memlab.testing import conversation

SAMPLE = conversation()
ASKED = SAMPLE.questions[0]


@pytest.mark.parametrize(
    ("conversations", "words"),
    [
        ((), "no conversation with a question"),
        ((replace(SAMPLE, questions=()),), "no conversation with a question"),
        ((SAMPLE, replace(SAMPLE, id="other")), "question id 'sample/q0' is there twice"),
        ((SAMPLE, replace(SAMPLE, questions=())), "conversation id 'sample' is there twice"),
        ((replace(SAMPLE, turns=SAMPLE.turns[:1] * 2),), "turn id 'D1:1' is there twice"),
        ((replace(SAMPLE, questions=(replace(ASKED, category=7),)),), "category 7, not"),
    ],
)
def test_a_corpus_that_no_run_could_tell_apart_is_refused(conversations: tuple[Conversation, ...], words: str) -> None:
    with pytest.raises(DatasetError, match=words):
        Corpus("mine", "0" * 64, conversations)


def test_first_sessions_keep_only_the_questions_that_they_answer() -> None:
    whole = Mini(11, 1, None, None, None).read().conversations[0]
    kept = Mini(11, 1, None, 3, None).read().conversations[0]
    assert kept.turns == tuple(turn for turn in whole.turns if turn.session <= 3)
    said = {turn.id for turn in kept.turns}
    assert 0 < len(kept.questions) < len(whole.questions)
    assert all(question.evidence and said.issuperset(question.evidence) for question in kept.questions)
    left_out = [question for question in whole.questions if question not in kept.questions]
    assert not any(question.evidence and said.issuperset(question.evidence) for question in left_out)
    with pytest.raises(DatasetError, match="sessions=0"):
        Mini(11, 1, None, 0, None)
