"""JSON and JSON lines: records, systems with their scores, the harnesses' own files."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import Role, preview, read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the collection of real score files isn't here")


def read(data: object, **choices: object) -> ScoreMatrix:
    text = data if isinstance(data, str) else json.dumps(data)
    return read_scores((text.encode(), "scores.json"), **choices)  # type: ignore[arg-type]


def complaint(data: object, **choices: object) -> str:
    with pytest.raises(ScoreFileError) as raised:
        read(data, **choices)
    return str(raised.value)


BY_UNIT = {"A": {"u1": 0.5, "u2": True}, "B": {"u1": None, "u2": 0, "u3": "0.25"}}


def test_systems_with_units() -> None:
    scores = read(BY_UNIT)
    assert (scores.systems, scores.units) == (("A", "B"), ("u1", "u2", "u3"))
    np.testing.assert_array_equal(scores.values, [[0.5, np.nan], [1, 0], [np.nan, 0.25]])
    assert scores.reading["format"] == "json"


def test_systems_with_lists() -> None:
    scores = read({"A": [0.5, 1], "B": [0, None]})
    assert scores.units is None
    np.testing.assert_array_equal(scores.values, [[0.5, 0], [1, np.nan]])
    assert "'A' has 1 scores and 'B' 2" in complaint({"A": [1], "B": [0, 1]})


def test_wide_and_long_records() -> None:
    wide = read([{"item": 7, "doc": "x", "A": 1, "B": 0.5}, {"item": 8, "doc": "x", "A": 0}])
    assert (wide.units, wide.systems, dict(wide.labels)) == (("7", "8"), ("A", "B"), {"doc": ("x", "x")})
    rows = [{"system": s, "item": i, "score": i, "trace": {"deep": [1]}} for s in "AB" for i in (1, 2)]
    long = read({"results": rows})
    assert (long.units, long.systems) == (("1", "2"), ("A", "B"))


def test_what_data_frames_write() -> None:
    frame = read(BY_UNIT).to_frame()
    for orient in ("columns", "split"):
        again = read(frame.to_json(orient=orient))
        assert (again.units, again.systems) == (("u1", "u2", "u3"), ("A", "B"))
        np.testing.assert_array_equal(again.values, frame.to_numpy())
    assert read(frame.reset_index().to_json(orient="records")).units == ("u1", "u2", "u3")
    assert read(frame.reset_index().to_json(orient="records", lines=True)).reading["format"] == "jsonl"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('{"A": {"u": 1},}', "line 1, column 16: this is not valid JSON"),
        ("[1, 2]", "entry 1 of the JSON list is not a record"),
        ("[[1, 2]]", "entry 1 of the JSON list is not a record"),
        ("{}", "no scores in a known shape"),
        ('{"A": 1}', "no scores in a known shape"),
        ("[]", "there are no columns"),
        ('{"A": {"u": 1, "u": 2}, "B": {"u": 1}}', "the name 'u' appears twice"),
        ('{"A": {"u": 1}, "A": {"u": 1}}', "the name 'A' appears twice"),
        ('{"A": {"u": {"v": 1}}, "B": {"u": 1}}', "a list or object is not a score"),
        ('{"A": {"u": Infinity, "v": 1}, "B": {"u": 1, "v": 1}}', "entry 1, column 'A': 'inf' is infinite"),
        ('{"A": {"u": 1e999, "v": 1}, "B": {"u": 1, "v": 1}}', "is infinite"),
        (
            '{"A": {"u": "x", "v": 1, "w": 2}, "B": {"u": 1, "v": 1}}',
            "entry 1, column 'A': 'x' isn't a number",
        ),
        ('{"A": {"u": ' + "1" * 5000 + "}}", "thousands of digits"),
        ('{"A": ' + '{"a":' * 100_000, "nested too deeply"),
        ('{"a": 1, "b": 2}\n{"a": 1, "b": 2}\n[3]', "line 3 is not a JSON record"),
        ('{"a": 1, "b": 2}\n{"a": 1, "b"', "line 2, column"),
        ('{"a": 1, "b": 2}\n{"a": 1, "a": 2}', "line 2: the name 'a' appears twice"),
        ('{"columns": ["A", "B"], "data": [[1, 2], [3]]}', "entry 2 of 'data'"),
        (
            [{"item": 1, "A": 1, "B": 2}, {"item": 1, "A": 3, "B": 4}],
            "record 2: the item '1' was on record 1",
        ),
    ],
)
def test_refused(data: object, text: str) -> None:
    assert text in complaint(data)


def test_rows_by_their_names_are_no_systems() -> None:
    rows = {
        str(i): {"model": m, "item": u, "score": i / 8} for i, (m, u) in enumerate(["Ax", "Ay", "Bx", "By"])
    }
    assert read(rows).systems == ("A", "B")
    assert read(rows).values.tolist() == [[0, 0.25], [0.125, 0.375]]
    verdicts = {"A": {"x": "pass", "y": "fail"}, "B": {"x": "fail", "y": "fail"}}
    assert read(verdicts).values.tolist() == [[1, 0], [0, 0]]


@needs_data
def test_eval_arena() -> None:
    scores = read_scores(DATA / "formats" / "evalarena_mbppplus.jsonl")
    wide = read_scores(DATA / "mbppplus_pass.csv")
    assert (scores.reading["format"], scores.metric) == ("jsonl", "pass1")
    columns = [scores.index(system) for system in wide.systems]
    rows = [scores.units.index(unit) for unit in wide.units]  # type: ignore[union-attr, arg-type]
    np.testing.assert_array_equal(scores.values[np.ix_(rows, columns)], wide.values)
    counted = read_scores(DATA / "formats" / "terminal-bench-1.0.evalarena.jsonl")
    assert (counted.values.shape, counted.metric) == ((80, 25), "pass1")
    assert round(100 * counted.values.mean(axis=0).max(), 2) == 64.25
    assert "'count'" in counted.notes[0].text


@needs_data
def test_lm_eval_samples_of_two_models() -> None:
    path = DATA / "formats" / "lm_eval_samples_winogrande_pythia-14m.jsonl"
    with pytest.raises(ScoreFileError, match="only one system, 'lm_eval_samples_winogrande_pythia-14m'"):
        read_scores(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    changed = "\n".join(line.replace('"acc": 0.0', '"acc": 1.0') for line in reversed(lines)).encode()
    scores = read_scores([path, (changed, "other.jsonl")])
    first = [json.loads(line)["acc"] for line in lines]
    np.testing.assert_array_equal(scores.values, np.column_stack([first, np.ones(len(first))]))
    assert scores.systems == ("lm_eval_samples_winogrande_pythia-14m", "other")
    assert scores.metric == "acc"


def sample(doc: int, **fields: object) -> str:
    return json.dumps({"doc_id": doc, "doc": {"q": "…"}, "target": 1, "resps": [["x"]]} | fields)


def test_lm_eval_metrics_and_filters() -> None:
    text = "\n".join(
        sample(doc, filter=chosen, exact_match=float(chosen == "flexible"), f1=0.5)
        for doc in (0, 1)
        for chosen in ("strict", "flexible")
    ).encode()
    files = [(text, "m1/samples.jsonl"), (text, "m2/other.jsonl")]
    scores = read_scores(files)
    assert (scores.metric, scores.values.max()) == ("exact_match (strict)", 0)
    assert read_scores(files, metric="exact_match (flexible)").values.min() == 1
    assert read_scores(files, metric="f1 (strict)").values.min() == 0.5
    with pytest.raises(ScoreFileError, match=r"no metric 'bleu'"):
        read_scores(files, metric="bleu")


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([sample(0), sample(1)], "no numbers in the records"),
        ([sample(0, acc=1), sample(0, acc=1)], "has item '0' on line 1 already"),
        ([sample(0, acc=1), sample(1, acc="x")], "line 2: 'acc' is 'x', which is not a finite number"),
        (
            [sample(0, acc=1), sample(1, acc=1).replace('"doc_id": 1', '"doc_id": null')],
            "line 2 has no doc_id",
        ),
    ],
)
def test_broken_lm_eval_samples(lines: list[str], text: str) -> None:
    with pytest.raises(ScoreFileError, match=text):
        read_scores([("\n".join(lines).encode(), "a.jsonl"), (b"1\n2\n", "b.txt")])


def test_preview_shows_the_table() -> None:
    seen = preview((json.dumps(BY_UNIT).encode(), "x"))
    assert (seen.header, seen.rows[0]) == (("", "A", "B"), ("u1", "0.5", ""))
    assert seen.guess is not None
    assert seen.guess.of(Role.SYSTEM) == ("A", "B")
    lines = b'{"model": "A", "example_id": 1, "pass1": 1}\n{"model": "B", "example_id": 1, "pass1": 1}\n'
    guess = preview((lines, "x")).guess
    assert guess is not None
    assert list(guess.roles.values()) == ["system", "unit", "score"]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).map(str.strip).filter(bool)
SCORES = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0)


@given(
    systems=st.lists(NAMES, min_size=2, max_size=4, unique=True),
    units=st.lists(NAMES, min_size=2, max_size=5, unique=True),
    values=st.lists(SCORES, min_size=20, max_size=20),
    shape=st.sampled_from(["units", "records", "lines"]),
)
def test_round_trip(systems: list[str], units: list[str], values: list[float], shape: str) -> None:
    table = np.array(values)[: len(units) * len(systems)].reshape(len(units), len(systems))
    records = [
        {"system": system, "item": unit, "score": table[row, column]}
        for column, system in enumerate(systems)
        for row, unit in enumerate(units)
    ]
    if shape == "units":
        text = json.dumps(
            {s: dict(zip(units, table[:, i].tolist(), strict=True)) for i, s in enumerate(systems)}
        )
        scores = read(text, label_columns=[], id_column="")
    elif shape == "records":
        scores = read(json.dumps(records))
    else:
        scores = read("\n".join(map(json.dumps, records)))
    assert (scores.systems, scores.units) == (tuple(systems), tuple(units))
    np.testing.assert_array_equal(scores.values, table)
