"""Shapes of files that people publish, rewritten small: read right, asked, or refused with the reason."""

from __future__ import annotations

import json
import random

import pytest

from nlpstat_core import ScoreMatrix, read_scores
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import RolesNeeded, reading_keywords
from tests.core.reading import complaint, read


def board(header: str, rows: int, *columns: object, seed: int = 1) -> str:
    """A text of so many rows; a column is a function of random numbers and the row, or a constant."""
    rng = random.Random(seed)
    lines = [
        ",".join(str(column(rng, row)) if callable(column) else str(column) for column in columns)
        for row in range(rows)
    ]
    return "\n".join([header, *lines])


def score(rng: random.Random, row: int) -> float:
    return round(rng.random(), 4)


def name(rng: random.Random, row: int) -> str:
    return f"series {row}.csv"


def codes(scores: ScoreMatrix, severity: str) -> set[str]:
    return {note.code for note in scores.notes if note.severity == severity}


def test_properties_of_the_items_beside_detectors_are_no_detectors() -> None:
    text = board(
        "file,IForest,LOF,CNN,AnomalyTransformer,KNN,USAD,ts_len,anomaly_len,num_anomaly,avg_anomaly_len,anomaly_ratio",
        *(40, name, *[score] * 6, lambda rng, row: rng.randrange(5000, 90000)),
        *(lambda rng, row: rng.randrange(100, 900), lambda rng, row: rng.randrange(3, 60)),
        *(lambda rng, row: rng.randrange(10, 90), lambda rng, row: round(rng.random() / 9, 4)),
    )
    scores = read(text)
    assert scores.systems == ("IForest", "LOF", "CNN", "AnomalyTransformer", "KNN", "USAD", "anomaly_ratio")
    doubt = next(note for note in scores.notes if note.severity == "problem")
    assert "'anomaly_ratio'" in doubt.text
    assert "AnomalyTransformer" not in doubt.text


@pytest.mark.parametrize("called", ["#Samples", "# Dimensions", "Outlier Perc", "#", "n_rows", "num_words"])
def test_a_number_of_something_in_another_range_is_no_system(called: str) -> None:
    text = board(
        f"data,{called},HBOS,IForest,KNN", 12, name, lambda rng, row: rng.randrange(9, 5000), *[score] * 3
    )
    assert read(text).systems == ("HBOS", "IForest", "KNN")


@pytest.mark.parametrize("called", ["n_gram", "num_net", "success_ratio", "nGPT", "#1"])
def test_such_a_name_alone_drops_no_system(called: str) -> None:
    whole = read(board(f"data,{called},B,C", 12, name, lambda rng, row: row % 2, score, score))
    assert whole.systems == (called, "B", "C")
    scores = read(board(f"data,{called},B,C", 12, name, *[score] * 3))
    assert scores.systems == (called, "B", "C")
    assert not codes(scores, "problem") & {"columns-left-out"}


@pytest.mark.parametrize(
    ("header", "columns", "why"),
    [
        ("benchmark_id,cpu_time,wallclock_time,result", (score, score, "sat"), "seem to hold times"),
        (
            "episode,r,l",
            (lambda rng, row: -90 - row % 7, lambda rng, row: 90 + row % 7),
            "is the negative of",
        ),
        (
            "task,nrows,nfeatures",
            (lambda rng, row: rng.randrange(9999), score),
            "seem to hold times, counters or settings",
        ),
    ],
)
def test_two_measures_of_one_system_are_asked_about(
    header: str, columns: tuple[object, ...], why: str
) -> None:
    with pytest.raises(RolesNeeded, match=why):
        read(board(header, 30, name, *columns))


@pytest.mark.parametrize("metric", ["MASE", "WQL", "sMAPE[0.5]", "mean_wQL/CRPS", "logloss", "top1_err"])
def test_errors_of_forecasts_are_better_when_low(metric: str) -> None:
    long = "\n".join(
        f"d{i},{model},{0.5 + i / 99 + gap}" for i in range(9) for model, gap in (("a", 0), ("b", 0.1))
    )
    scores = read(f"dataset,model,{metric}\n{long}")
    assert scores.lower_is_better
    assert codes(scores, "caution") >= {"direction-guessed"}


def test_tables_of_ranks_are_better_when_low() -> None:
    def ranked(rng: random.Random, row: int) -> str:
        return ",".join(map(str, rng.sample(range(1, 6), 5)))

    scores = read(board("task,A,B,C,D,E", 12, name, ranked))
    assert scores.lower_is_better
    assert "every row ranks the systems, from 1 to 5" in next(note.text for note in scores.notes)
    grades = read(board("task,A,B,C,D,E", 12, name, *[lambda rng, row: rng.randrange(1, 6)] * 5))
    assert not grades.lower_is_better


def rows(n: int = 8, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [f"u{i},{round(rng.random(), 3)},{round(rng.random(), 3)}" for i in range(n)]


PLAIN = "\n".join(["item,A,B", *rows()])


def test_copies_of_rows_are_left_out_as_told() -> None:
    text = "\n".join(["item,A,B", *rows(), rows()[3], rows()[5]])
    assert "2 rows are copies of an earlier one: leave copies out, say repeats='first'" in complaint(text)
    assert read(text, repeats="first").fingerprint == read(PLAIN).fingerprint
    assert "copies" not in complaint("\n".join([PLAIN, "u3,0.5,0.5"]))


def test_a_header_in_the_middle_is_left_out_as_told() -> None:
    text = "\n".join(["item,A,B", *rows()[:4], "item,A,B", *rows()[4:]])
    assert "line 6, column 'A': 'A' isn't a number, and the row repeats the header" in complaint(text)
    assert read(text, drop_rows="item").fingerprint == read(PLAIN).fingerprint


@pytest.mark.parametrize("note", ["* p < 0.05", "Note: mean of three runs", "Source: our own\n† best"])
def test_footnotes_are_left_out_as_told(note: str) -> None:
    words = note.split("\n")
    text = "\n".join([PLAIN, "", note])
    assert f"if {words[0]!r} is a footnote, leave it out, say drop_rows={words[0]!r}." in complaint(text)
    assert read(text, drop_rows=words).fingerprint == read(PLAIN).fingerprint
    assert "footnote" not in complaint("\n".join([PLAIN, "u8,0.5"]))  # a row that was cut


@pytest.mark.parametrize("long", [True, False])
def test_repeats_that_a_time_tells_apart(long: bool) -> None:
    lines = []
    for unit in range(6):
        for again in range(1 + unit % 3):
            stamp, value = f"2024-0{3 - again}-01T10:00:00", 0.1 * unit + 0.01 * again  # the newest first
            if long:
                lines += [f"{system},u{unit},{stamp},{value + gap}" for system, gap in (("A", 0), ("B", 0.5))]
            else:
                lines.append(f"u{unit},{stamp},{value},{value + 0.5}")
    text = "\n".join(["system,item,timestamp,score" if long else "item,timestamp,A,B", *lines])
    told = complaint(text)
    assert (
        "column 'timestamp' tells these rows apart and seems to be a time: take the last, the first or"
        in told
    )
    assert "(repeats='last', or repeats='first', or repeats='mean')" in told
    newest, oldest, mean = (read(text, repeats=how).values[5].tolist() for how in ("last", "first", "mean"))
    assert newest == pytest.approx([0.5, 1.0])
    assert oldest == pytest.approx([0.52, 1.02])
    assert mean == pytest.approx([0.51, 1.01])
    for how in ("last", "first", "mean"):
        scores = read(text, repeats=how)
        assert read(text, **reading_keywords(scores.reading)).fingerprint == scores.fingerprint


def test_the_one_system_of_a_file_stands_in_every_row() -> None:
    body = [f"wg,standard,f{i}.csv,1.0,{i / 7},{i}" for i in range(8)]
    text = "\n".join(["what,Profile,File,Threshold,Score,TP", *body, "Totals,,,,4,28"])
    assert "line 10 is a row of 'Totals': leave it out, say drop_rows='Totals'" in complaint(text)
    told = complaint(text, drop_rows="Totals")
    assert "every row has 'wg' there, so that is the system, say roles='unit=File,system=what'" in told
    files = [(text.replace("wg", system).encode(), f"{system}.csv") for system in ("wg", "knn")]
    scores = read_scores(files, drop_rows=["Totals"], roles="unit=File,system=what")
    assert (scores.systems, scores.n_units) == (("wg", "knn"), 8)


@pytest.mark.parametrize(
    ("cell", "way"), [("{} s", "s"), ("{} ms", "ms"), ("{}/1", "/1"), ("{} tokens/s", "tokens/s")]
)
def test_units_of_measurement_are_in_the_way(cell: str, way: str) -> None:
    body = [",".join([first, *map(cell.format, more)]) for first, *more in (row.split(",") for row in rows())]
    said = f"the unit of measurement, {way!r}, is in the way"
    assert said in complaint("\n".join(["item,A,B", *body]))
    assert said in complaint("\n".join(["item,A,B", *rows(), body[0].replace("u0", "u9")]))


def test_f1_goes_before_the_counts_it_is_made_of() -> None:
    rng = random.Random(2)
    counts = [[rng.randrange(9) for _ in range(3)] for _ in range(16)]
    lines = [f"{'AB'[i % 2]},d{i // 2},{tp},{fp},{fn},0.{i}" for i, (tp, fp, fn) in enumerate(counts)]
    scores = read("\n".join(["system,doc,tp,fp,fn,f1", *lines]))
    assert (scores.metric, scores.counts) == ("f1", None)
    assert scores.values[3].tolist() == [0.6, 0.7]
    one = "\n".join(["doc,tp,fp,fn,f1", *(line.partition(",")[2] for line in lines[::2])])
    with pytest.raises(RolesNeeded, match="names of metrics"):
        read(one)
    assert (
        read_scores([(one.encode(), "a.csv"), (one.replace("0.2", "0.9").encode(), "b.csv")]).metric == "f1"
    )


def test_lists_of_records_under_the_items() -> None:
    listed = {
        f"task {i}": [{"name": s, "speedup": i + gap} for s, gap in {"A": 0, "B": 0.5, "C": 0.7}.items()]
        for i in range(6)
    }
    scores = read(json.dumps(listed), "board.json")
    assert (scores.systems, scores.units, scores.metric) == (("A", "B", "C"), tuple(listed), "speedup")
    assert scores.values[2].tolist() == [2, 2.5, 2.7]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ([{"name": "A", "scores": [0.1, 0.2]}, {"name": "B", "scores": [0.3]}], "'scores'"),
        ({"A": [[1, 2]], "B": [[2, 3]]}, "'A' holds lists or objects"),
        ({"A": {"u1": {"x": [1]}}, "B": {"u1": {"x": [2]}}}, "it holds 'x'"),
    ],
)
def test_nested_scores_are_refused_by_name(data: object, names: str) -> None:
    assert names in complaint(json.dumps(data), "x.json")


def asked(task: str, column: str, file: str) -> tuple[bytes, str]:
    return "\n".join([f"id,{column},score", *(f"{i},{task} {i},0.{i}" for i in range(9))]).encode(), file


@pytest.mark.parametrize("column", ["question", "doc_hash", "Source"])
def test_other_texts_under_the_same_ids_are_other_tasks(column: str) -> None:
    assert read_scores([asked("one", column, "x.csv"), asked("one", column, "y.csv")]).systems == ("x", "y")
    with pytest.raises(
        ScoreFileError, match=f"'x.csv' and 'y.csv' have different texts .*column '{column}', item '0'"
    ):
        read_scores([asked("one", column, "x.csv"), asked("two", column, "y.csv")])
    answers = [asked("one", "answer", "x.csv"), asked("two", "answer", "y.csv")]
    assert read_scores(answers).systems == ("x", "y")  # what systems said may differ


def test_two_tasks_of_the_harness_under_neutral_names() -> None:
    def samples(task: str, file: str) -> tuple[bytes, str]:
        entries = [
            {"doc_id": i, "doc_hash": f"{task}{i}", "resps": [["1"]], "acc": float(i % 2)} for i in range(9)
        ]
        return "\n".join(map(json.dumps, entries)).encode(), file

    assert read_scores([samples("a", "x.jsonl"), samples("a", "y.jsonl")]).systems == ("x", "y")
    with pytest.raises(ScoreFileError, match="other documents under the same doc_id"):
        read_scores([samples("a", "x.jsonl"), samples("b", "y.jsonl")])


def test_tables_of_metrics_by_data_set_are_no_boards() -> None:
    """As the sheets of a forecasting competition: metrics above, frequencies below, a method a row."""
    head = "Method,sMAPE,,MASE,,OWA,\nUser ID,Yearly,Daily,Yearly,Daily,Yearly,Daily"
    body = [
        f"team {i},{13 + i / 7},{3 + i / 9},{3 + i / 8},{3 + i / 5},{0.8 + i / 30},{0.9 + i / 40}"
        for i in range(9)
    ]
    scores = read("\n".join([head, *body]))
    assert "columns-seem-metrics" in codes(scores, "problem")
    ranks = [f"team {i},{4 * i % 9 + 1},{5 * i % 9 + 1}" for i in range(9)]
    with pytest.raises(RolesNeeded, match="seem to hold times, counters or settings, not scores"):
        read("\n".join(["User ID,Rank - Point Forecasts,Rank - Prediction Intervals", *ranks]))


def test_settings_beside_the_metrics_of_a_file_a_model() -> None:
    """One model a file, with dates among numbers, and one metric named in every row."""

    def file(model: str, gap: float) -> tuple[bytes, str]:
        cutoffs = ["2023-05-01T00:00:00" if i == 7 else str(-96 * i) for i in range(9)]
        scores = [(0.5 + i / 9 + gap, 0.3 + i / 9 + gap) for i in range(9)]
        lines = [f"{model},{cutoffs[i]},24,SQL,d{i},{mase},{wql}" for i, (mase, wql) in enumerate(scores)]
        head = "model_name,initial_cutoff,horizon,eval_metric,task_name,MASE,WQL"
        return "\n".join([head, *lines]).encode(), f"{model}.csv"

    scores = read_scores([file("naive", 0), file("drift", 0.1)])
    assert (scores.systems, scores.metric, scores.lower_is_better) == (("naive", "drift"), "MASE", True)
    assert scores.values[2].tolist() == pytest.approx([0.5 + 2 / 9, 0.6 + 2 / 9])


def test_systems_whose_units_three_columns_name() -> None:
    lines = [
        f"{task},{size},{seed},{system},{(len(task) + seed + place) / 40:.3f}"
        for task in ("slcp", "two_moons")
        for size in ("10³", "10⁴")
        for seed in range(1, 6)
        for place, system in enumerate(("NPE", "NLE", "NRE"))
    ]
    text = "\n".join(["task,num_simulations,num_observation,algorithm,C2ST", *lines])
    told = "unit=task+num_simulations+num_observation,system=algorithm"
    said = complaint(text)
    assert "column 'algorithm' seems to name systems, but no column alone names the items of each" in said
    assert f"say roles={told!r} if these are the items." in said
    scores = read(text, roles=told)
    assert (scores.systems, scores.n_units, scores.metric) == (("NPE", "NLE", "NRE"), 20, "C2ST")
    assert scores.present.all()


def test_a_constant_column_without_a_name_counts_for_nothing() -> None:
    lines = [f"0,data {i},{400 + 90 * i},0.{i + 1},0.{9 - i}" for i in range(8)]
    assert read("\n".join([",Data,#Samples,LOF,KNN", *lines])).systems == ("LOF", "KNN")


def test_two_columns_that_make_a_system_of_every_row_are_refused() -> None:
    lines = [f"m{i % 3},p{i},i{i % 40},{i / 1000}" for i in range(120)]
    text = "\n".join(["model,prompt,item,score", *lines])
    said = complaint(text, roles="system=model+prompt,unit=item,score=score")
    assert "'model' and 'prompt' make 120 systems, nearly one per row, that share no item" in said
    assert "say roles='system=model' alone." in said
    assert (
        read(
            "\n".join(
                ["model,style,item,score", *(f"m{i % 2},s{i // 2 % 2},i{i // 4},{i / 99}" for i in range(80))]
            ),
            roles="system=model+style",
        ).n_systems
        == 4
    )


def test_what_is_too_long_is_no_footnote() -> None:
    said = complaint("\n".join([PLAIN, "word " * 200]))
    assert "too few fields (1)" in said
    assert len(said) < 300


def test_marks_of_byte_order_before_a_summary_of_opencompass() -> None:
    lines = [f"set {i},1d7fe4,accuracy,gen,{40 + i},{50 + i}" for i in range(6)]
    text = "\n".join(["dataset,version,metric,mode,A,B", *lines]).encode()
    for marks in (b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"):
        scores = read_scores((marks + text, "summary.csv"))
        assert (scores.systems, scores.n_units) == (("A", "B"), 6)
