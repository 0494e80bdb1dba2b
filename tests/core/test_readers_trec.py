"""Output of trec_eval: values by topic, one run per file, or several in one file."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

DATA = Path(__file__).parents[3] / "shared" / "data" / "formats"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the collection of real score files isn't here")


def read(text: str, **choices: object) -> ScoreMatrix:
    return read_scores((text.encode(), "x"), **choices)  # type: ignore[arg-type]


def output(run: str | None, values: dict[str, dict[str, object]]) -> str:
    """What trec_eval -q prints: measures by topic, then the summary."""
    lines = [f"{m:22}\t{topic}\t{value}" for m, column in values.items() for topic, value in column.items()]
    lines += [f"{'runid':22}\tall\t{run}"] if run else []
    return "\n".join([*lines, f"{'map':22}\tall\t0.5"]) + "\n"


@needs_data
def test_two_real_runs() -> None:
    path = DATA / "trec_eval_per_topic.out.test.aq"
    with pytest.raises(ScoreFileError, match="only one system, 'STANDARD'"):
        read_scores(path)
    other = path.read_bytes().replace(b"STANDARD", b"OTHER").replace(b"0.0324", b"0.5")
    scores = read_scores([path, (other, "other.out")])
    assert (scores.systems, scores.units) == (("STANDARD", "OTHER"), ("301", "302", "303"))
    assert (scores.metric, scores.values[0].tolist()) == ("map", [0.0324, 0.5])
    assert "relstring" not in scores.notes[0].text
    assert read_scores([path, (other, "x")], metric="P_5").metric == "P_5"
    same = read_scores([path, (path.read_bytes(), "again.out")])
    assert same.systems == ("trec_eval_per_topic.out.test", "again")
    with pytest.raises(ScoreFileError, match="no values by topic; run trec_eval with -q"):
        read_scores(DATA / "trec_eval_summary.out.test")
    with pytest.raises(ScoreFileError, match="ranked list, not scores"):
        read_scores(DATA / "trec_run.results.test")


def test_runs_one_after_the_other() -> None:
    text = output("A", {"map": {"1": 0.5, "2": 0}}) + output("B", {"map": {"2": 1, "1": 0.25}})
    scores = read(text)
    assert (scores.systems, scores.units) == (("A", "B"), ("1", "2"))
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [0, 1]])


def test_the_usual_measure_is_read_first() -> None:
    values = {"num_ret": {"1": 5, "2": 6}, "recip_rank": {"1": 1, "2": 0}, "ndcg": {"1": 0.5, "2": 0.25}}
    text = output("A", values) + output("B", values)
    assert read(text).metric == "ndcg"
    assert read(text, metric="num_ret").values[0, 0] == 5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("map 1 0.5\nmap\n", "line 2 has too few fields"),
        ("map 1 x\nmap 2 y\n", "no values by topic"),
        ("map 1 0.5\nmap 1 0.6\n", "'x' has item '1' on line 1 already"),
        ("map 1 1e999\nmap 2 1\n", "line 1, column 'map': '1e999' is infinite"),
        ("map all 0.5\n", "no values by topic"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(ScoreFileError, match=sentence):
        read(text)


TOPICS = st.lists(st.integers(1, 999).map(str), min_size=2, max_size=5, unique=True)


@given(TOPICS, st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=2, max_size=4))
def test_round_trip(topics: list[str], columns: list[list[float]]) -> None:
    text = ""
    for i, column in enumerate(columns):
        text += output(
            f"run{i}", {"map": {topic: value + 0.0 for topic, value in zip(topics, column, strict=False)}}
        )
    scores = read(text)
    assert scores.units == tuple(topics)
    np.testing.assert_array_equal(scores.values, np.array(columns).T[: len(topics)])
