"""Columns of numbers that are no systems: metrics, answers, steps, leaderboards; more tools."""

import io
import json
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import Role, RolesNeeded, read_boards, read_scores, reading_keywords
from tests.core.reading import asked, read
from tests.core.toolcheck import board, dumped, refused

EXAMPLES = Path(__file__).parents[2] / "data"


METRICS = "id,question,feedback.correctness,feedback.helpfulness,latency\n" + "".join(
    f'{i},"What, {i}?",{i % 2},0.{i},{i * 1.7}\n' for i in range(1, 8)
)


def test_columns_named_as_metrics_are_asked_about() -> None:
    question = asked(METRICS)
    assert "are names of metrics, not of systems" in str(question)
    assert "roles='score=feedback.correctness'" in str(question)
    assert question.guess.of(Role.SCORE) == ("feedback.correctness", "feedback.helpfulness")
    text = read(METRICS, roles="system=feedback.correctness,system=feedback.helpfulness")
    assert text.systems == ("feedback.correctness", "feedback.helpfulness")
    one_metric = METRICS.replace("feedback.correctness", "gpt_bleu").replace(
        "feedback.helpfulness", "pi_bleu"
    )
    assert read(one_metric).systems == ("gpt_bleu", "pi_bleu")


def judged(judge, *, twice: bool = False, beside: str = "human") -> str:
    """Three systems and eight items with people's score and a column called judge."""
    rows = [
        f"{system},{item},{(item * place) % 5 / 4},{judge(item, place) + again}"
        for place, system in enumerate("ABC", start=1)
        for item in range(8)
        for again in range(1 + twice)
    ]
    return "\n".join([f"system,item,{beside},judge", *rows])


def test_numbers_called_judge_are_scores_or_asked_about() -> None:
    fractions = read(judged(lambda item, place: (item + place) / 8))
    assert list(fractions.several["metrics"]) == ["human", "judge"]
    many = read(judged(lambda item, place: 7 * item + 3 * place))
    assert list(many.several["metrics"]) == ["human", "judge"]
    few = judged(lambda item, place: 1 + (item + place) % 4)
    question = asked(few)
    assert "may hold a judge's scores or number the judges" in str(question)
    assert "roles='score=human,score=judge'" in str(question)
    assert question.guess.of(Role.SCORE) == ("human", "judge")
    as_scores = read(few, roles="score=human,score=judge")
    assert list(as_scores.several["metrics"]) == ["human", "judge"]
    as_raters = read(few, roles="rater=judge")
    assert "metrics" not in as_raters.several
    assert as_raters.values.tolist() == as_scores.values.tolist()
    told_apart = read(judged(lambda item, place: 1, twice=True))
    assert "metrics" not in told_apart.several
    assert [note.code for note in told_apart.notes if note.code == "averaged-raters"]
    named = judged(lambda item, place: 1 + (item + place) % 4).replace(",judge\n", ",annotator\n")
    assert "metrics" not in read(named).several


@pytest.mark.parametrize("choices", [{}, {"id_column": "id"}])
def test_a_file_for_each_system_with_several_metrics(choices: dict[str, str]) -> None:
    other = METRICS.replace("0.", "0.9")
    files = [(METRICS.encode(), "tern.csv"), (other.encode(), "heron.csv")]
    scores = read_scores(files, **choices)
    assert scores.systems == ("tern", "heron")
    assert scores.metric == "feedback.correctness"
    again = read_scores(files, metric="feedback.helpfulness", **choices)
    np.testing.assert_array_equal(again.values[0], [0.1, 0.91])
    replayed = read_scores(files, **reading_keywords(dict(again.reading)))
    assert replayed.fingerprint == again.fingerprint
    assert list(read_boards(files, each="metric", **choices)) == [
        "feedback.correctness",
        "feedback.helpfulness",
    ]


def test_answers_beside_right_answers_are_no_scores() -> None:
    rows = "".join(f"{i},{i % 2},{i % 3 % 2},{i % 5 % 2}\n" for i in range(12))
    assert "'gold' seems to hold the right answers" in str(asked(f"id,gold,bert,svm\n{rows}"))
    assert "'prediction' seems to hold answers" in str(asked("index,prediction\n0,1\n1,0\n2,1\n"))
    text = read(f"id,gold,bert,svm\n{rows}", roles="ignored=gold")
    assert text.systems == ("bert", "svm")


def test_a_number_of_each_unit_is_not_the_default_score() -> None:
    rows = "".join(f"{i},{run},{i % 3},{(i + len(run)) % 2}\n" for run in ("A", "BB") for i in range(9))
    scores = read(f"unit_id,run_name,difficulty,solved\n{rows}")
    assert (scores.metric, scores.systems) == ("solved", ("A", "BB"))
    rows = "".join(f"{i},{run},q{i},{(i + len(run)) % 2}\n" for run in ("A", "BB") for i in range(9))
    scores = read(f"step,run_name,prompt,exact_match\n{rows}")
    assert (scores.metric, scores.systems) == ("exact_match", ("A", "BB"))


@pytest.mark.parametrize(
    "text",
    [
        "submission_id,phase,task1,task2\n" + "".join(f"{900 + i},dev,0.{i},0.{9 - i}\n" for i in range(5)),
        "rank,TeamName,Score,Entries\n" + "".join(f"{i},team {i},0.{9 - i},{i * 3}\n" for i in range(1, 6)),
    ],
)
def test_leaderboards_by_whatever_column(text: str) -> None:
    with pytest.raises(ScoreFileError, match="one row per system"):
        read(text)


def test_the_first_sheet_with_numbers_is_read() -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "Read me first"
    book.active["B2"] = "scores are in the next sheet"
    sheet = book.create_sheet("scores")
    for row in (["item", "A", "B"], ["x", 1, 2], ["y", 3, 4]):
        sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    scores = read_scores((target.getvalue(), "x.xlsx"))
    assert scores.reading["sheet"] == "scores"
    assert scores.values.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ScoreFileError):
        read_scores((target.getvalue(), "x.xlsx"), sheet="Sheet")


def test_records_in_parquet_are_columns() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = io.BytesIO()
    rows = [{"item": f"u{i}", "result": {"A": i / 4, "B": 1.0, "said": ["x"]}, "raw": [1]} for i in range(3)]
    pq.write_table(pa.Table.from_pylist(rows), target)
    scores = read_scores((target.getvalue(), "x.parquet"))
    assert scores.systems == ("result.A", "result.B")
    assert scores.values[:, 0].tolist() == [0, 0.25, 0.5]


def test_alpaca_eval_draws_and_a_model_alone() -> None:
    def entry(asked: str, preference: float | None, model: str = "Tern") -> dict[str, object]:
        return {
            "instruction": asked,
            "generator_1": "base",
            "generator_2": model,
            "annotator": "gpt4",
            "preference": preference,
        }

    one = dumped([entry("a", 2.0), entry("b", 1.25), entry("c", 0), entry("d", None)])
    assert board([(one, "annotations.json")]) == {
        "Tern": {"a": 1, "b": 0.25, "c": 0.5, "d": None},
        "base": {"a": 0, "b": 0.75, "c": 0.5, "d": None},
    }
    other = dumped([entry("a", 1.0, "Heron"), entry("b", 1.5, "Heron")])
    both = board([(one, "1/annotations.json"), (other, "2/annotations.json")])
    assert set(both) == {"Tern", "Heron"}
    assert both["Heron"]["b"] == 0.5
    refused([(dumped([entry("a", 7)]), "x.json")], "should be from 1")


def test_bigcode_completions_are_runs_and_pass_at_k_is_refused() -> None:
    def log(*passed: list[bool]) -> bytes:
        return dumped(
            {
                str(task): [
                    [k, {"task_id": task, "passed": one, "result": "", "completion_id": k}]
                    for k, one in enumerate(every)
                ]
                for task, every in enumerate(passed)
            }
        )

    files = [
        (log([True, False], [True, True]), "A/logs.json"),
        (log([False, False], [True, False]), "B/logs.json"),
    ]
    assert board(files) == {"A": {"0": 0.5, "1": 1}, "B": {"0": 0, "1": 0.5}}
    corpus = dumped({"humaneval": {"pass@1": 0.31, "pass@10": 0.5}, "config": {"model": "x"}})
    refused([(corpus, "metrics.json")], "one score per system")


def test_mteb_subsets_are_units() -> None:
    def result(task: str, *scores: tuple[str, float]) -> bytes:
        entries = [{"main_score": score, "hf_subset": subset} for subset, score in scores]
        return dumped({"task_name": task, "mteb_version": "1.12", "scores": {"test": entries}})

    files = [
        (result("Bitext", ("de-en", 0.5 + i), ("fr-en", 0.25)), f"{model}/1/Bitext.json")
        for i, model in enumerate("AB")
    ]
    files += [(result("STS", ("default", 0.75)), f"{model}/1/STS.json") for model in "AB"]
    files.append((dumped({"name": "A", "revision": "1"}), "A/1/model_meta.json"))
    found = board(files)
    assert found["A"] == {"Bitext:de-en": 0.5, "Bitext:fr-en": 0.25, "STS": 0.75}
    assert found["B"]["Bitext:de-en"] == 1.5


def test_means_and_predictions_are_refused_with_the_reason() -> None:
    beir = dumped({"ndcg": {"NDCG@1": 0.5, "NDCG@10": 0.6}, "map": {"MAP@10": 0.4}})
    refused([(beir, "beir.json")], "one score per system")
    said = dumped({"0": {"origin_prompt": "2+2?", "prediction": "4", "gold": "4"}})
    refused([(said, "A/gsm8k.json"), (said, "B/gsm8k.json")], "predictions without verdicts")


def test_system_scores_beside_segment_scores_are_passed_over() -> None:
    segments = "".join(f"{s}\t{v}\n" for s in ("A", "B") for v in (0.5, 0.25, 1.0)).encode()
    systems = b"A\t0.58\nB\t0.58\n"
    scores = read_scores([(segments, "en-de/COMET.seg.score"), (systems, "en-de/COMET.sys.score")])
    assert scores.values.shape == (3, 2)
    assert "files-passed-over" in {note.code for note in scores.notes}


def test_deepeval_names_that_come_back_are_refused() -> None:
    case = {"name": "a", "input": "?", "metricsData": [{"name": "Bias", "score": 0.5}]}
    refused([(json.dumps({"testCases": [case, case]}).encode(), "x.json")], "two test cases are called 'a'")


def test_an_empty_column_beside_metrics_is_no_system() -> None:
    rows = "".join(f"{i},,{i / 8},{i % 3}\n" for i in range(6))
    with pytest.raises(RolesNeeded, match="'acc' and 'f1' are names of metrics"):
        read_scores((f"id,error,acc,f1\n{rows}".encode(), "x.csv"))


def test_grades_in_words_of_a_long_table_are_told() -> None:
    rows = "".join(f"{s},q{i},{'CORRECT' if i % 2 else 'NOT_ATTEMPTED'}\n" for s in "AB" for i in range(6))
    with pytest.raises(ScoreFileError, match="'grade' holds 'NOT_ATTEMPTED', 'CORRECT': write 1 for right"):
        read_scores((f"model,problem,grade\n{rows}".encode(), "x.csv"))
