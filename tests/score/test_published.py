import json
import time
from pathlib import Path
from typing import Any

import pytest

from memlab.score.prediction_files import PredictionFileError, read_predictions
from memlab.score.published import FileScores, score_file

FILE_OF_RUN = {"evermemos_oct2025": "evermemos_judged", "zep_official": "zep_grades"}


def write(folder: Path, document: object) -> Path:
    file = folder / "predictions.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def mem0_row(**changes: Any) -> dict[str, Any]:
    row = {"question": "Who?", "answer": "Ana Lee", "response": "Ana", "category": "4"}
    return row | {"f1_score": 2 / 3, "bleu_score": 0.36787944117144233, "llm_score": 1} | changes


def zep_row(**changes: Any) -> dict[str, Any]:
    return {"question": "Who?", "golden_answer": "Ana", "answer": "Ana", "category": 4} | changes


def platform_row(**cutoffs: Any) -> dict[str, Any]:
    row = {"question_id": "conv3_q1", "conversation_idx": 3, "category": 1, "question": "Who?"}
    return row | {"ground_truth_answer": "Ana", "cutoff_results": cutoffs}


# --- formats


def test_mem0_rows_are_read_by_conversation_as_a_list_and_wrapped(tmp_path: Path) -> None:
    for document, conversation in (
        ({"7": [mem0_row()]}, "7"),
        ([mem0_row()], None),
        ({"detailed_results": [mem0_row()], "summary": {}}, None),
    ):
        published = read_predictions(write(tmp_path, document))
        (row,) = published.predictions
        assert published.format == "mem0"
        assert (row.conversation, row.category, row.question) == (conversation, 4, "Who?")
        assert (row.gold, row.answer, row.judgements) == ("Ana Lee", "Ana", (True,))
        assert row.published == {"f1": 2 / 3, "bleu1": 0.36787944117144233}


def test_retrieval_output_has_no_verdicts_and_no_published_values(tmp_path: Path) -> None:
    bare = {"question": "Who?", "answer": "", "response": "No idea", "category": 5, "speaker_1_memories": []}
    (row,) = read_predictions(write(tmp_path, {"0": [bare]})).predictions
    assert (row.category, row.gold, row.judgements, row.published) == (5, "", (), {})


def test_zep_rows_hold_the_systems_answer_under_answer(tmp_path: Path) -> None:
    graded = zep_row(golden_answer=2022, answer="In 2022", grade=False)
    (row,) = read_predictions(write(tmp_path, {"locomo_experiment_user_1": [graded]})).predictions
    assert (row.gold, row.answer, row.judgements) == ("2022", "In 2022", (False,))


def test_a_row_without_a_category_is_scored_apart(tmp_path: Path) -> None:
    rows = [zep_row(), {"question": "Who?", "golden_answer": "Ana", "answer": "Bo", "duration_ms": 3.5}]
    scores = score_file(write(tmp_path, {"locomo_experiment_user_1": rows}))
    assert (scores.overall.n, scores.overall.f1) == (1, 1.0)
    assert (scores.uncategorised.n, scores.uncategorised.f1) == (1, 0.0)


def test_several_verdicts_are_kept_and_null_is_none(tmp_path: Path) -> None:
    verdicts = {"judgment_1": True, "judgment_2": False, "judgment_3": None}
    audit = {"question_id": "q", "question": "Who?", "golden_answer": "Ana", "generated_answer": "Bo", "category": "1"}
    document = {"metadata": {}, "detailed_results": {"locomo_exp_user_0": [audit | {"llm_judgments": verdicts}]}}
    published = read_predictions(write(tmp_path, document))
    (row,) = published.predictions
    assert (published.format, row.question_id, row.judgements) == ("locomo-audit", "q", (True, False))


def test_a_platform_row_that_failed_is_no_zero(tmp_path: Path) -> None:
    good = {"judgment": "CORRECT", "score": 1.0, "generated_answer": "Ana"}
    failed = {"judgment": "ERROR", "score": 0.0, "generated_answer": "", "error": ""}
    unjudged = {"judgment": "ERROR", "score": 0.0, "generated_answer": "Ana", "error": "timeout"}
    document = {"evaluations": [platform_row(top_50=each) for each in (good, failed, unjudged)]}
    scores = score_file(write(tmp_path, document))
    assert (scores.overall.n, scores.overall.failed, scores.overall.unlabelled) == (2, 1, 1)
    assert (scores.overall.f1, scores.overall.j) == (1.0, 1.0)
    assert scores.conversations == {"3": 3}


def test_of_several_cutoffs_one_must_be_chosen(tmp_path: Path) -> None:
    few, many = ({"judgment": "WRONG", "generated_answer": answer} for answer in ("Bo", "Ana"))
    file = write(tmp_path, {"evaluations": [platform_row(top_10=few, top_50=many)]})
    assert score_file(file, cutoff="top_50").overall.f1 == 1.0
    with pytest.raises(PredictionFileError, match=r"several cut-offs; choose one of: top_10, top_50"):
        score_file(file)
    with pytest.raises(PredictionFileError, match=r"no results for 'top_9'; there are: top_10, top_50"):
        score_file(file, cutoff="top_9")


# --- scores


def test_scores_are_means_per_category_with_category_5_in_no_overall_value(tmp_path: Path) -> None:
    rows = [
        mem0_row(),
        mem0_row(response="Bo", category="2", llm_score=0, f1_score=0.5, bleu_score=0),
        mem0_row(response=None),
        mem0_row(category="5", llm_score=None),
    ]
    scores = score_file(write(tmp_path, {"0": rows[:3], "1": rows[3:]}))
    assert (scores.rows, scores.repeated, scores.conversations) == (4, 2, {"0": 3, "1": 1})
    assert scores.categories[4].f1 == pytest.approx(2 / 3)
    assert (scores.categories[4].n, scores.categories[4].failed) == (1, 1)
    assert (scores.categories[5].n, scores.categories[5].j, scores.categories[5].unlabelled) == (1, None, 1)
    assert (scores.categories[1].n, scores.categories[1].f1) == (0, None)
    assert (scores.overall.n, scores.overall.j) == (2, 0.5)
    assert scores.overall.f1 == pytest.approx(1 / 3)
    assert scores.comparisons["f1"].rows == scores.comparisons["bleu1"].rows == 3
    assert scores.comparisons["f1"].largest_difference == 0.5
    assert scores.comparisons["bleu1"].largest_difference < 1e-12


# --- faults


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"0": []}, "no rows of predictions"),
        ("text", r"\$: expected rows, or rows by conversation, found 'text'"),
        ({"metrics": {"f1": 1}}, r"\$\.metrics: expected the list of a conversation's rows, found \{'f1': 1\}"),
        ({"0": ["text"]}, r"\$\.0\[0\]: expected an object, found 'text'"),
        ({"0": [{"prompt": 1, "output": 2}]}, r"unknown format: \$\.0\[0\] has prompt, output; known rows: mem0 \("),
        ({"0": [mem0_row(), mem0_row(category="six")]}, r"\$\.0\[1\]\.category: expected .* 1 to 5, found 'six'"),
        ({"0": [mem0_row(category=True)]}, r"\$\.0\[0\]\.category: .*found True"),
        ({"0": [mem0_row(), {"question": "Who?"}]}, r"\$\.0\[1\]\.response: .*found none"),
        ({"0": [mem0_row(answer=None)]}, r"\$\.0\[0\]\.answer: expected a text or a number, found None"),
        ({"0": [mem0_row(response=["Ana"])]}, r"\$\.0\[0\]\.response: expected a text or a number, found \['Ana'\]"),
        ({"0": [mem0_row(llm_score=0.5)]}, r"\$\.0\[0\]\.llm_score: expected true, false, 1, 0 or null, found 0.5"),
        ({"0": [mem0_row(f1_score="high")]}, r"\$\.0\[0\]\.f1_score: expected a number, found 'high'"),
        ({"0": [mem0_row(bleu_score=float("nan"))]}, r"\$\.0\[0\]\.bleu_score: expected a number, found nan"),
        ({"0": [zep_row(llm_judgments=[True])]}, r"\$\.0\[0\]\.llm_judgments: expected an object of verdicts"),
        ({"evaluations": [platform_row()]}, r"\$\.evaluations\[0\]\.cutoff_results: expected an object"),
    ],
)
def test_a_malformed_file_is_refused_with_the_place_and_the_value(tmp_path: Path, document: Any, message: str) -> None:
    file = write(tmp_path, document)
    with pytest.raises(PredictionFileError, match=message) as caught:
        score_file(file)
    assert str(file) in str(caught.value)


def test_a_file_that_is_not_json_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("question,answer\n")
    with pytest.raises(PredictionFileError, match=r"notes\.txt: not JSON"):
        read_predictions(file)


# --- the published files


@pytest.fixture(scope="module")
def scored(shared_data: Path) -> dict[str, FileScores]:
    start = time.process_time()
    files = {file.stem: score_file(file) for file in sorted((shared_data / "predictions").glob("*.json"))}
    assert time.process_time() - start < 10, "scoring all published rows takes about 3 s on one slow core"
    return files


def test_all_published_files_are_read(scored: dict[str, FileScores]) -> None:
    assert len(scored) == 25
    assert sum(scores.rows for scores in scored.values()) == 26_669


def test_every_published_f1_and_bleu1_is_computed_again(scored: dict[str, FileScores]) -> None:
    carrying = [scores for scores in scored.values() if scores.comparisons]
    assert len(carrying) == 13
    for scores in carrying:
        for metric in ("f1", "bleu1"):
            assert scores.comparisons[metric].rows == scores.rows
            assert scores.comparisons[metric].largest_difference < 1e-9


def test_scores_of_the_published_runs_are_the_expected_ones(shared_data: Path, scored: dict[str, FileScores]) -> None:
    runs = json.loads((shared_data / "expected_scores.json").read_text(encoding="utf-8"))["dev7"]
    assert len(runs) == 23
    for run, expected in runs.items():
        scores = scored[FILE_OF_RUN.get(run, run)]
        found = {str(category): scores.categories[category] for category in (1, 2, 3, 4)}
        found["overall_cat1_4"] = scores.overall
        assert {
            part: {"n": each.n, "F1": round(each.f1, 6), "BLEU1": round(each.bleu1, 6), "J": round(each.j, 6)}
            for part, each in found.items()
            if each.f1 is not None and each.bleu1 is not None and each.j is not None
        } == expected, run


def test_an_incomplete_run_shows_in_its_rows_per_conversation(scored: dict[str, FileScores]) -> None:
    assert "0" not in scored["memobase_partial_eval_0709"].conversations
    assert scored["memobase_v0.0.37_eval_0710"].conversations["0"] == 152
    assert scored["memobase_v0.0.37_eval_0710"].repeated == 11  # conv-48 asks eleven questions twice
