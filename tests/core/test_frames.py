"""Scores from data frames: the same board as from the file, ids never systems in silence."""

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.scores.frames import columns_of

BOARD = {
    "item": ["s1", "s2", "s3", "s4"],
    "doc": ["d1", "d1", "d2", "d2"],
    "A": [0.1, 0.25, None, 0.75],
    "B": [1, 0, 1, 1],
    "C": [True, False, True, True],
}
KINDS = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "pandas with nullable types": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas with an index": lambda columns: pd.DataFrame(columns).set_index("item"),
    "polars": polars.DataFrame,
    "arrow": pa.table,
    "arrays": lambda columns: {
        name: np.array([np.nan if cell is None else cell for cell in cells])
        for name, cells in columns.items()
    },
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_every_library_gives_the_board_of_the_file(make):
    text = pd.DataFrame(BOARD).to_csv(index=False).replace("True", "1").replace("False", "0")
    of_file = ns.read_scores((text.encode(), "scores.csv"))
    own = ns.read_scores(make(BOARD))
    named = {} if make is KINDS["pandas with an index"] else {"item": "item"}
    for scores in (own, ns.ScoreMatrix.from_frame(make(BOARD), labels=["doc"], **named)):
        assert scores.fingerprint == of_file.fingerprint
    assert ns.analyse(make(BOARD)).to_dict()["pairs"] == ns.analyse(of_file).to_dict()["pairs"]
    records = [dict(zip(BOARD, row, strict=True)) for row in zip(*BOARD.values(), strict=True)]
    assert ns.analyse(records).fingerprint == of_file.fingerprint


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=6))
def test_single_precision_is_the_shortest_number(values):
    single = np.array(values, dtype=np.float32)
    expected = [float(str(value)) for value in single]
    for frame in (
        pd.DataFrame({"A": single}),
        {"A": single},
        pa.table({"A": single}),
        polars.DataFrame({"A": single}),
    ):
        assert columns_of(frame)["A"].tolist() == expected


def test_long_frames_are_what_reading_them_gives():
    long = pd.DataFrame(BOARD).melt(id_vars=["item", "doc"], var_name="system", value_name="score")
    long = long.sample(frac=1, random_state=1)
    scores = ns.ScoreMatrix.from_long(long, system="system", item="item", score="score", labels=["doc"])
    wide = ns.ScoreMatrix.from_frame(BOARD, item="item", labels="doc")
    for name in "ABC":
        of_long = dict(zip(scores.units, scores.values[:, scores.index(name)], strict=True))
        assert np.array_equal(
            [of_long[unit] for unit in wide.units], wide.values[:, wide.index(name)], equal_nan=True
        )
    assert dict(zip(scores.units, scores.labels["doc"], strict=True)) == dict(
        zip(BOARD["item"], BOARD["doc"], strict=True)
    )
    twice = pd.concat([long, long.head(1)])
    with pytest.raises(ns.ScoreError, match="has two rows for item"):
        ns.ScoreMatrix.from_long(twice, system="system", item="item", score="score")
    other = long.assign(doc=[f"d{i}" for i in range(len(long))])
    with pytest.raises(ns.ScoreError, match="differs between its rows"):
        ns.ScoreMatrix.from_long(other, system="system", item="item", score="score", labels=["doc"])


@pytest.mark.parametrize("ids", [[4, 2, 9, 1], [1, 2, 3, 4]])
def test_ids_are_never_a_system_in_silence(ids):
    frame = pd.DataFrame({"number": ids, "A": [0.5, 0.25, 0.75, 1], "B": [0.1, 0.3, 0.4, 1]})
    with pytest.raises(ns.ScoreError, match="say item='number'"):
        ns.ScoreMatrix.from_frame(frame)
    assert ns.ScoreMatrix.from_frame(frame, item="number").units == tuple(map(str, ids))
    assert ns.ScoreMatrix.from_frame(frame, systems=["A", "B"]).units is None
    read = ns.read_scores(frame)
    problems = [note for note in read.notes if note.severity == "problem"]
    assert "number" not in read.systems or any("number" in note.text for note in problems)


@pytest.mark.parametrize(
    ("frame", "keywords", "said"),
    [
        ({"A": [1, 2], "B": [1, 2], "C": [1]}, {}, "'A' has 2 entries and 'C' 1;"),
        ({"A": {"q1": 1, "q2": 2}, "B": [1, 2]}, {}, "'A' names its items and 'B' doesn't"),
        ({"A": {"q1": 1, "q2": 2}, "B": {"q1": [1, 2]}}, {}, "'B', 'q1': '[1, 2]' is not a score"),
        ({"A": {"1": 1, 1: 2}, "B": {"1": 1}}, {}, "The item '1' appears twice"),
        ({"A": [1, 2], "B": "xy"}, {}, "must be a list"),
        ({"A": [1, 2], "B": ["x", "y"]}, {}, "Column 'B' holds text ('x')"),
        ({"A": [1, 2], "B": [2, 3]}, {"item": "id"}, "column 'id'"),
        ({"A": [1, 2], "B": [2, 3]}, {"item": "A", "labels": ["A"]}, "named twice"),
        ({"A": [1, 2], "B": [2, 3]}, {"item": True}, "name of a column"),
        (pd.DataFrame([[1, 2]], columns=["A", "A"]), {}, "Two columns are called 'A'"),
        (
            pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("bleu", "A"), ("bleu", "B")])),
            {},
            "levels",
        ),
        (polars.DataFrame({"A": [1.0]}).lazy(), {}, "collect"),
        (pd.DataFrame(), {}, "at least two systems"),
    ],
)
def test_what_is_no_board_is_said_in_a_sentence(frame, keywords, said):
    with pytest.raises(ns.ScoreError) as refused:
        ns.ScoreMatrix.from_frame(frame, **keywords)
    assert said in str(refused.value)
    if not keywords and "text" not in said:
        with pytest.raises(ns.ScoreFileError):
            ns.read_scores(frame)


_SCORES = st.dictionaries(st.integers(0, 6), st.integers(0, 100), min_size=2)


@given(st.dictionaries(st.sampled_from("ABCD"), _SCORES, min_size=2))
def test_scores_by_item_are_joined_by_the_items_whatever_their_order(by_system):
    named = {name: {f"q{item}": score for item, score in cells.items()} for name, cells in by_system.items()}
    series = {name: pd.Series(cells) for name, cells in named.items()}
    counted = {name: pd.Series(cells) for name, cells in by_system.items()}
    for frame, sign in ((named, "q"), (series, "q"), (counted | {"E": pd.Series({9: 1})}, "")):
        scores = ns.ScoreMatrix.from_frame(frame)
        for name, cells in by_system.items():
            there = {
                unit: score
                for unit, score in zip(scores.units, scores.values[:, scores.index(name)], strict=True)
                if not np.isnan(score)
            }
            assert there == {f"{sign}{item}": score for item, score in cells.items()}


def test_a_board_by_item_is_that_of_its_frame():
    rng = np.random.default_rng(3)
    by_item = {name: {f"q{i}": float(rng.normal()) for i in rng.permutation(30)} for name in ("new", "old")}
    del by_item["new"]["q4"]
    frame = pd.DataFrame(by_item)  # which joins by the index, too
    assert ns.analyse(by_item).pairs.p_value.tolist() == pytest.approx(ns.analyse(frame).pairs.p_value)
    assert ns.analyse(by_item).pairs.n_units.tolist() == [29]
    assert ns.gate(by_item, baseline="old", margin=9).decision == "pass"
    labelled = {"doc": {item: "d" + item[-1] for item in by_item["old"]}, **by_item}
    assert ns.ScoreMatrix.from_frame(labelled, labels="doc").labels["doc"][0][0] == "d"


def boards_by_item():
    """Two boards of the same items, as mappings by item and as matrices."""
    frames = {
        name: pd.DataFrame(np.random.default_rng(seed).normal(size=(60, 3)), columns=list("ABC")).rename(
            index="q{}".format
        )
        for seed, name in enumerate(("human", "judge"))
    }
    by_item = {name: frame.to_dict() for name, frame in frames.items()}
    return by_item, {name: ns.read_scores(frame) for name, frame in frames.items()}


PROCEDURES = {
    "judge": lambda boards: ns.judge(boards, human="human").to_dict(),
    "composite": lambda boards: ns.composite(boards).fingerprint,
    "meta_evaluate": lambda boards: ns.meta_evaluate(boards, human="human", resamples=99).to_dict(),
    "plan_labels": lambda boards: ns.plan_labels(boards, 9, human="people", judge="judge").chosen.tolist(),
    "analyse_boards": lambda boards: ns.analyse_boards(boards).to_dict()["boards"],
}


@pytest.mark.parametrize("name", PROCEDURES)
def test_procedures_over_boards_take_what_analyse_takes(name):
    by_item, matrices = boards_by_item()
    assert PROCEDURES[name](by_item) == PROCEDURES[name](matrices)
    with pytest.raises(TypeError, match=f"{name} takes a mapping of names to scores, not list"):
        PROCEDURES[name](list(matrices.values()))


def test_two_systems_by_item_are_joined():
    u, v = {"q1": 3, "q2": 5, "q3": 4}, {"q3": 2, "q1": 2, "q2": 4.5}
    in_order = ns.compare([3, 5, 4], [2, 4.5, 2], test="t")
    for a, b in ((u, v), (pd.Series(u), pd.Series(v)), (u, pd.Series(v))):
        assert ns.compare(a, b, test="t").p_value == in_order.p_value
    assert ns.compare({**u, "q4": 1}, v, test="t").n_units == 3
    with pytest.raises(ns.AnalysisError, match="Only one of the two names its items"):
        ns.compare(u, [1, 2, 3])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda frame: ns.analyse(frame, {"test": "t"}), "config must be an AnalysisConfig, not dict"),
        (lambda frame: ns.analyse([1, 2]), "two lists are compare(u, v)"),
        (lambda frame: ns.posterior(frame), "posterior takes an Analysis, as analyse gives it, not dict"),
        (lambda frame: ns.audit(frame), "audit takes an Analysis"),
        (lambda frame: ns.power_curve(frame, "A", "B"), "power_curve takes a ScoreMatrix, not dict"),
        (lambda frame: ns.battles_of_scores(frame), "battles_of_scores takes a ScoreMatrix"),
    ],
)
def test_what_takes_no_frame_says_what_it_takes(wrong, said):
    with pytest.raises(TypeError) as refused:
        wrong(BOARD)
    assert said in str(refused.value)


def test_bounds_hold_for_frames():
    with pytest.raises(ns.ScoreFileError, match="max_rows"):
        ns.read_scores(BOARD, max_rows=3)
    with pytest.raises(ns.ScoreFileError, match="max_columns"):
        ns.read_scores(BOARD, max_columns=3)


def test_a_matrix_says_what_it_is_in_a_line():
    scores = ns.ScoreMatrix.from_frame(BOARD, item="item", labels="doc", metric="accuracy")
    assert repr(scores) == "<ScoreMatrix: 4 items × 3 systems, accuracy>"
    assert repr(scores.to_frame()["A"].tolist()) == "[0.1, 0.25, nan, 0.75]"


def test_an_analysis_of_a_frame_answers_and_writes_without_the_command_line(tmp_path):
    rng = np.random.default_rng(5)
    analysis = ns.analyse({"A": rng.normal(size=40), "B": rng.normal(size=40), "C": rng.normal(3, 1, 40)})
    assert analysis.top_group == ("C",)
    assert analysis.headline in repr(analysis)
    assert "C is significantly better than every other system" in analysis.headline
    written = analysis.write(tmp_path / "out", also="table")
    assert {"analysis.json", "pairs.csv", "report.html"} < {path.name for path in written}
    assert (tmp_path / "out" / "report.html").read_text(encoding="utf-8") == analysis.report_html()
    with pytest.raises(ns.ConfigError, match="Unknown further file 'exel'"):
        analysis.write(tmp_path, also=["exel"])
