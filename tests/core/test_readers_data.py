"""Real files: shapes, first and last scores as their own descriptions and lines say them."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores, reading_keywords
from nlpstat_core.scores.matrix import ScoreMatrix

DATA = Path(__file__).parents[3] / "shared" / "data"
EXAMPLES = Path(__file__).parents[2] / "data"
NAN = float("nan")

needs_data = pytest.mark.skipif(not DATA.exists(), reason="the collection of real score files isn't here")

# file: units, systems, first and last score, first and last unit id, labels, missing cells
WIDE = {
    "alpacaeval1_gpt4_pref.csv": (805, 53, 1.0, 1.0, "ae000", "ae804", ["dataset"], 61),
    "mbppplus_pass.csv": (378, 59, 1.0, 1.0, "Mbpp/2", "Mbpp/809", [], 0),
    "metabench_mmlu_213models.csv": (
        *(102, 213, 0.0, 0.0, "high_school_mathematics.236", "miscellaneous.10", ["subject"], 0),
    ),
    "testsignificancenlp_resA_resB.csv": (1000, 2, 46.1726, 68.6109, "1", "1000", [], 0),
    "trec_adhoc8_ap.csv": (50, 129, 0.0007, 0.4743, "t1", "t50", [], 0),
    "formats/trec_adhoc8_ap.original.csv": (50, 129, 0.0007, 0.4743, None, None, [], 0),
    "ucr128_accuracy_by_dataset.csv": (128, 8, 0.334, 0.625667, "ACSF1", "Yoga", [], 0),
    "wmt20_toen_ter.csv": (
        *(7431, 38, NAN, -0.5, "cs-en:novinky.cz.121062:1", "zh-en:chinanews.com.102503:14"),
        *(["lang_pair", "doc"], 180411),
    ),
    "wmt24_ende_chrf.csv": (997, 26, 45.8398, 58.6924, "en-de:2", "en-de:998", ["domain", "doc"], 0),
    "wmt24_ende_sentbleu.csv": (997, 26, 12.2231, 33.3077, "en-de:2", "en-de:998", ["domain", "doc"], 0),
    "wmt_mqm_newstest2021_zhen.csv": (1948, 15, NAN, NAN, "1", "1948", [], 19470),
}
SAMPLES = {
    "data-file.txt": (2001, 0.262025, 0.165717),
    "data-file-3.txt": (6003, 0.262025, 0.165717),
    "data-h0-equal-beta": (100, 0.13790091401813723, 0.16147193290655937),
    "data-h0-equal-normal": (100, -0.414650758938832, 0.32778346391976937),
    "data-h1-greater-beta": (100, 0.9962440205643947, None),
    "data-h1-greater-normal": (100, 1.2784277985410808, 0.6786031072072338),
    "data-h1-less-beta": (100, 0.35643776324408716, 0.9897732981603573),
    "data-h1-less-normal": (100, -0.34126621913817967, 1.9724092789613696),
    "data-h1-less-normal-speed": (100_000, 0.6234809823441307, 0.5775983213632337),
}


def expected_values(path: Path, systems: tuple[str, ...]) -> np.ndarray:
    """The scores of some columns, read the plain way."""
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    columns = [header.index(system) for system in systems]
    return np.array([[float(row[column] or "nan") for column in columns] for row in rows])


def check_replay(scores: ScoreMatrix, path: Path) -> None:
    """What was understood, through JSON and given back, reads the same matrix with the same remarks."""
    keywords = reading_keywords(json.loads(json.dumps(dict(scores.reading))))
    again = read_scores((path.read_bytes(), "other name"), **keywords)
    assert again.fingerprint == scores.fingerprint
    assert again.reading == scores.reading
    assert [note.code for note in again.notes] == [note.code for note in scores.notes]


@needs_data
@pytest.mark.parametrize("name", WIDE)
def test_wide(name: str) -> None:
    n_units, n_systems, first, last, first_unit, last_unit, labels, missing = WIDE[name]
    scores = read_scores(DATA / name)
    assert scores.values.shape == (n_units, n_systems)
    np.testing.assert_array_equal(scores.values, expected_values(DATA / name, scores.systems))
    np.testing.assert_array_equal(scores.values[[0, -1], [0, -1]], [first, last])
    assert (
        scores.units is None
        if first_unit is None
        else scores.units[:: n_units - 1] == (first_unit, last_unit)
    )
    assert list(scores.labels) == labels
    assert int((~scores.present).sum()) == missing
    assert (scores.reading["format"], scores.lower_is_better) == ("wide-csv", False)
    check_replay(scores, DATA / name)


@needs_data
@pytest.mark.parametrize("name", SAMPLES)
def test_columns_of_nlpstattest(name: str) -> None:
    n_units, first, last = SAMPLES[name]
    path = DATA / "nlpstattest_samples" / name
    scores = read_scores(path)
    assert scores.values.shape == (n_units, 2)
    assert scores.systems == ("system 1", "system 2")
    assert scores.units is None
    np.testing.assert_array_equal(scores.values, np.loadtxt(path))
    assert scores.values[0, 0] == first
    assert last is None or scores.values[-1, 1] == last
    check_replay(scores, path)


@needs_data
def test_summaries_with_many_metrics() -> None:
    path = DATA / "realsumm_abs_metrics_long.csv"
    scores = read_scores(path)
    assert (scores.values.shape, scores.metric) == ((100, 14), "rouge_1_f_score")
    assert scores.systems[0] == "presumm_out_trans_abs"
    assert scores.units is not None
    assert scores.units[0] == "52"
    human = read_scores(path, metric="litepyramid_recall")
    means = dict(zip(human.systems, human.values.mean(axis=0).round(3).tolist(), strict=True))
    assert means["semsim_out"] == 0.562  # both as published
    assert means["bottom_up_out"] == 0.317
    assert human.values[human.units.index("63"), human.index("semsim_out")] == 0.4  # type: ignore[union-attr]
    check_replay(human, path)


@needs_data
@pytest.mark.parametrize("name", ["ucr128_accuracy_runs.csv", "formats/ucr128_results_runs.csv"])
def test_runs_are_averaged(name: str) -> None:
    scores = read_scores(DATA / name, metric="accuracy")
    by_dataset = read_scores(DATA / "ucr128_accuracy_by_dataset.csv")
    columns = [scores.index(system) for system in by_dataset.systems]
    rows = [scores.units.index(unit) for unit in by_dataset.units]  # type: ignore[union-attr, arg-type]
    np.testing.assert_allclose(scores.values[np.ix_(rows, columns)], by_dataset.values, atol=2e-6)
    assert "Scores are means over 5 runs." in [note.text for note in scores.notes]
    check_replay(scores, DATA / name)


@needs_data
def test_mqm_ratings_in_their_own_layout() -> None:
    path = DATA / "formats" / "mqm_newstest2021_zhen.avg_seg_scores.tsv"
    scores = read_scores(path)
    wide = read_scores(DATA / "wmt_mqm_newstest2021_zhen.csv")
    assert (scores.units, scores.systems) == (wide.units, wide.systems)
    np.testing.assert_allclose(scores.values, wide.values, atol=1e-4)
    assert not scores.lower_is_better  # penalties written as negative numbers
    check_replay(scores, path)


@needs_data
def test_one_of_the_counts_can_be_the_score() -> None:
    scores = read_scores(DATA / "terminalbench1_0_counts.csv", metric="correct")
    assert scores.values.shape == (80, 25)
    rates = 100 * scores.values.mean(axis=0) / 5
    assert rates.max() == pytest.approx(64.25)  # 20251019_apex_agent_claude-4-5-sonnet, as published
    assert rates.min() == pytest.approx(12.75)


@needs_data
@pytest.mark.parametrize(
    "name", ["trec_qrels.test", "trec_run.results.test", "trec_eval_summary.out.test", "wmt20_TER.sys.score"]
)
def test_files_without_scores_of_units(name: str) -> None:
    with pytest.raises(ScoreFileError):
        read_scores(DATA / "formats" / name)


@pytest.mark.parametrize(
    "entry",
    [
        entry
        for entry in json.loads((EXAMPLES / "examples.json").read_text(encoding="utf-8"))
        if "measures" not in entry  # no scores, but gold and outputs
    ],
    ids=lambda entry: entry["key"],
)
def test_examples_of_the_app(entry: dict) -> None:
    scores = read_scores(EXAMPLES / entry["file"])
    assert scores.values.shape == (entry["units"], entry["systems"])
    assert scores.units is not None
    codes = {note.code for note in scores.notes}
    assert ("block-column-proposed" in codes) == (entry["block_column"] is not None)
    check_replay(scores, EXAMPLES / entry["file"])


@needs_data
def test_every_file_of_the_collection_is_in_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    found = (path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".md")
    files = [path for path in found if "submissions" not in path.parts]  # outputs of systems, no scores
    assert len(files) > 30
    named = [path for path in files if path.name in tests or f'"{path.parent.name}"' in tests]
    assert [path.name for path in files if path not in named] == []
