"""Long tables: pairing by unit id, never by row order; repeats are refused or averaged."""

import random

import numpy as np
import pytest

from nlpstat_core.readers import read_scores, reading_keywords
from tests.core.reading import complaint, read

TABLE = "system,item,score\nA,1,0.5\nA,2,1\nB,1,0.25\nB,2,0\n"


def test_plain_table() -> None:
    scores = read(TABLE)
    assert scores.systems == ("A", "B")
    assert scores.units == ("1", "2")
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [1, 0]])
    assert scores.metric is None
    assert scores.reading == {
        "format": "long-csv",
        "reason": "column 'system' names the system of each row",
        "delimiter": ",",
        "system_column": "system",
        "id_column": "item",
        "label_columns": [],
        "columns": ["system", "item", "score"],
        "metrics": ["score"],
        "metric": None,
        "lower_is_better": False,
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    rows = [(system, str(unit), str(rng.random())) for system in "ABC" for unit in range(30)]
    shuffled = rng.sample(rows, len(rows))
    first, second = (
        read("model,segment,bleu\n" + "\n".join(map(",".join, table))).to_frame().sort_index()
        for table in (rows, shuffled)
    )
    np.testing.assert_array_equal(first[["A", "B", "C"]], second[["A", "B", "C"]])


def test_rows_that_are_not_there_are_missing() -> None:
    scores = read("item,system,score\n1,A,0.5\n2,A,1\n1,B,0.25\n3,B,0\n2,B,NA\n")
    assert scores.units == ("1", "2", "3")
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [1, np.nan], [np.nan, 0]])


def test_the_same_cell_twice_is_refused() -> None:
    message = complaint(TABLE + "A,2,0.75\n")
    assert "line 6: system 'A' has item '2' on line 3 already" in message
    assert "column 'run'" in message


def test_runs_are_averaged_with_a_note() -> None:
    text = (
        "system,item,seed,score\nA,1,0,0.5\nA,1,1,1\nA,2,0,1\nA,2,1,1\nB,1,0,0\nB,1,1,0\nB,2,0,1\nB,2,1,0\n"
    )
    scores = read(text)
    np.testing.assert_array_equal(scores.values, [[0.75, 0], [1, 0.5]])
    assert [(note.code, note.text) for note in scores.notes] == [
        ("averaged-runs", "Scores are means over 2 runs."),
    ]
    uneven = read(text.replace("B,2,1,0\n", ""))
    assert uneven.notes[0].text == "Scores are means over 1 to 2 runs; not every cell has as many."
    assert "system 'A' has item '1' in run '0' on line 2 already" in complaint(text + "A,1,0,0.5\n")


def test_a_run_that_failed_does_not_count() -> None:
    scores = read(
        "system,item,run,score\nA,1,0,0.5\nA,1,1,NA\nA,2,0,1\nA,2,1,1\nB,1,0,1\nB,1,1,1\nB,2,0,1\nB,2,1,0\n"
    )
    assert scores.values[0, 0] == 0.5


def test_several_metrics() -> None:
    text = "system,item,bleu,chrf\nA,1,10,50\nA,2,20,60\nB,1,30,70\nB,2,40,80\n"
    scores = read(text)
    assert (scores.metric, scores.values[0, 0]) == ("bleu", 10)
    assert scores.notes[0].text == "The scores are 'bleu'; the file also has 'chrf' (choose with metric)."
    assert read(text, metric="chrf").values[1, 1] == 80
    assert "no metric 'chrfs' (did you mean 'chrf'?)" in complaint(text, metric="chrfs")
    preferred = read(text.replace("chrf", "score"))
    assert (preferred.metric, preferred.values[0, 0]) == ("score", 50)


def test_a_column_that_names_the_metric() -> None:
    text = "metric,system,item,score\n" + "".join(
        f"{metric},{system},{item},{value}\n"
        for metric, base in (("TER", 0.5), ("chrF", 50))
        for system in "AB"
        for item, value in ((1, base), (2, base + 1))
    )
    scores = read(text)
    assert (scores.metric, scores.lower_is_better) == ("TER", True)
    assert [note.code for note in scores.notes] == ["metric-chosen", "direction-guessed", "identical-systems"]
    other = read(text, metric="chrF")
    assert (other.metric, other.lower_is_better, other.values[0, 0]) == ("chrF", False, 50)
    assert "no metric" in complaint(text, metric="BLEU")


def test_a_lone_score_column_takes_the_name_that_is_told() -> None:
    scores = read(TABLE, metric="TER")
    assert (scores.metric, scores.lower_is_better) == ("TER", True)
    assert read(TABLE, metric="TER", lower_is_better=False).notes[0].code == "direction-doubtful"


def test_labels_belong_to_units() -> None:
    text = "system,item,doc,tokens,comment,score\n" + "".join(
        f"{system},{item},d{item // 2},x{item},{system}{item},0.{item}\n"
        for system in "AB"
        for item in range(1, 5)
    )
    scores = read(text)
    assert dict(scores.labels) == {"doc": ("d0", "d1", "d1", "d2"), "tokens": ("x1", "x2", "x3", "x4")}
    assert [note.code for note in scores.notes] == [
        "labels-left-out",
        "identical-systems",
        "block-column-proposed",
    ]


def test_units_are_the_column_that_tells_rows_apart() -> None:
    text = ",dataset,question,model,score\n" + "".join(
        f"{row},d,q{row % 3},{'AB'[row // 3]},{row}\n" for row in range(6)
    )
    assert read(text).units == ("q0", "q1", "q2")
    assert read("doc,system,score\n1,A,0\n2,A,1\n1,B,1\n2,B,0\n").units == ("1", "2")


def test_runs_are_systems_where_nothing_else_is() -> None:
    scores = read("run,topic,map\nA,1,0.5\nA,2,1\nB,1,0\nB,2,0.25\n")
    assert (scores.systems, scores.units, scores.metric) == (("A", "B"), ("1", "2"), "map")


def test_a_system_may_be_called_method() -> None:
    scores = read("item,Baseline,Method\n1,0.5,1\n2,0.25,0\n")
    assert scores.systems == ("Baseline", "Method")


def test_columns_can_be_told() -> None:
    text = "annotator,piece,points\nA,x,1\nA,y,2\nB,x,3\nB,y,4\n"
    scores = read(text, system_column="annotator", id_column="piece")
    assert (scores.systems, scores.units, scores.metric) == (("A", "B"), ("x", "y"), "points")
    assert "no column 'anotator' (did you mean 'annotator'?)" in complaint(text, system_column="anotator")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("system,item,score\nA,1,0.5\nA,2,x1\nA,3,1\nB,1,1\nB,2,1\nB,3,0\n", "line 3, column 'score': 'x1'"),
        ("system,item,score\nA,1,0.5\nA,2,inf\nB,1,1\nB,2,1\n", "line 3, column 'score': 'inf' is infinite"),
        ("system,item,score\nA,1,0.5\n,2,1\nB,1,1\nB,2,1\n", "line 3 has no system"),
        ("system,item,score\nA,1,0.5\nA,,1\nB,1,1\nB,2,1\n", "line 3 has no item id"),
        ("system,item,score\nA,1,0.5\nA,2,1\n", "only one system, 'A'"),
        ("system,item,score\nA,1,0.5\nB,1,1\n", "only 1 item"),
        ("system,item,score\nA,1,\nA,2,NA\nB,1,\nB,2,\n", "no numbers"),
        ("system,item,remark\nA,1,x\nA,2,x\nB,1,x\nB,2,x\n", "no numbers"),
        ("system,item,score,score\nA,1,1,1\n", "both called 'score'"),
        ("system,item,tp,fp\nA,1,1,0\nA,2,1,0\nB,1,1,0\nB,2,1,0\n", "are counts, not scores"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    assert sentence in complaint(text)


def test_a_matrix_beyond_the_bound() -> None:
    rows = "".join(f"s{i},u{i},1\n" for i in range(200))
    message = complaint(f"system,item,score\n{rows}", max_cells=10_000)
    assert "200 items × 200 systems are more than 10,000 cells" in message


def test_ids_that_start_again_in_every_document() -> None:
    rows = [
        f"{system},{pair},{doc},{segment},{len(system) + segment / 10}"
        for system in ("A", "BB")
        for pair in ("en-de", "en-cs")
        for doc in ("d1", "d2")
        for segment in (1, 2)
    ]
    data = "\n".join(["system,lang_pair,doc,segment,score", *rows]).encode()
    scores = read_scores((data, "x.csv"))
    assert scores.units is not None
    assert (scores.units[0], scores.units[-1]) == ("en-de:d1:1", "en-cs:d2:2")
    assert scores.reading["id_column"] == ["lang_pair", "doc", "segment"]
    assert list(scores.labels) == ["lang_pair", "doc"]
    keywords = reading_keywords(dict(scores.reading))
    assert read_scores((data, "x.csv"), **keywords).fingerprint == scores.fingerprint


def test_true_and_false_in_long_data() -> None:
    scores = read_scores((b"system,item,correct\nA,1,True\nA,2,False\nB,1,True\nB,2,\n", "x.csv"))
    np.testing.assert_array_equal(scores.values, [[1, 1], [0, np.nan]])
