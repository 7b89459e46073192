"""What no corpus may be."""

from dataclasses import replace

import pytest

from memlab.datasets.dataset import Corpus, DatasetError
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
