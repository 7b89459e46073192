"""What a search found alone, channel by channel; a search that failed is no zero."""

from datetime import datetime

from memlab.dialogue import Question
from memlab.memory import Fact, Hit, Memory
from memlab.score.answer_scores import NO_EVIDENCE, SEARCH_FAILED, Score, Trace, channel_score, evidence_scores

AT = datetime(2023, 5, 8)
ASKED = Question("q", "Where?", "Oslo", 4, ("D1:1", "D1:2"))
UNKNOWN = Question("q", "Where?", "Oslo", 4, ())
TRACE = Trace({"D1:1", "D1:2"}, {"D1:1"}, {"D1:1"}, {})


def hit(*sources: str) -> Hit:
    return Hit(Memory("m0", Fact("Ada lives in Oslo"), "Ada", sources, AT, AT, AT), 1.0)


def test_a_channels_recall_is_of_what_it_alone_would_show() -> None:
    assert channel_score(ASKED, "nearest", [hit("D1:1"), hit("D9:9")]) == Score("evidence_recall[nearest]", 0.5)
    assert channel_score(ASKED, "bm25", []) == Score("evidence_recall[bm25]", 0.0)


def test_a_channel_has_no_recall_where_there_is_no_evidence() -> None:
    assert channel_score(UNKNOWN, "nearest", [hit("D1:1")]) == Score("evidence_recall[nearest]", None, NO_EVIDENCE)


def test_a_search_that_failed_is_unscored_and_what_came_before_it_is_not() -> None:
    scores = {score.metric: score for score in evidence_scores(ASKED, [], [], TRACE, searched=False)}
    for metric in ("evidence_recall", "evidence_recall@5", "evidence_coverage@512t", "evidence_retrieved"):
        assert scores[metric] == Score(metric, None, SEARCH_FAILED)
    assert (scores["evidence_ingested"].value, scores["evidence_survived"].value) == (1, 0.5)


def test_a_search_that_found_nothing_scores_zero() -> None:
    scores = {score.metric: score.value for score in evidence_scores(ASKED, [], [], TRACE)}
    assert (scores["evidence_recall"], scores["evidence_retrieved"]) == (0, 0)
