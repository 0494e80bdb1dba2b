"""What looks odd is noted, never refused; the direction of a metric is guessed with its reason."""

from pathlib import Path

import numpy as np
import pytest

from nlpstat_core.notes import Note, doubts
from nlpstat_core.readers import check_scores, read_scores
from nlpstat_core.readers.checks.oddities import cells_of_one_system
from nlpstat_core.scores.matrix import ScoreMatrix

NAN = float("nan")
DATA = Path(__file__).parents[3] / "shared" / "data"


def notes_of(values: object, **fields: object) -> dict[str, Note]:
    array = np.array(values, dtype=float)
    systems = tuple(f"S{i}" for i in range(array.shape[1]))
    return {note.code: note for note in check_scores(ScoreMatrix(values=array, systems=systems, **fields))}  # type: ignore[arg-type]


def test_nothing_odd() -> None:
    assert notes_of([[0.5, 0.25], [1, 0]]) == {}


def test_identical_systems_are_named_in_groups() -> None:
    notes = notes_of([[1, 2, 1, 2, 5, NAN], [2, 1, 2, 1, 5.5, 2]])
    assert notes["identical-systems"].text == (
        "Identical scores on every item: 'S0', 'S2'; 'S1', 'S3'. Are these copies?"
    )
    assert notes["identical-systems"].severity == "caution"


def test_many_copies_are_cut_short() -> None:
    text = notes_of(np.tile([[0.0], [1.0]], 12))["identical-systems"].text
    assert "'S4' and 7 more" in text
    many = np.repeat(np.arange(16.0).reshape(2, 8) / 3, 2, axis=1)
    assert "; and 3 more groups." in notes_of(many)["identical-systems"].text


def test_the_same_sum_is_not_the_same_system() -> None:
    assert "identical-systems" not in notes_of([[1, 2], [2, 1]])


def test_constant_and_empty_systems() -> None:
    notes = notes_of([[1, 0.5, NAN], [1, 0.25, NAN]])
    assert notes["constant-systems"].text == "The same score on every item: 'S0'."
    assert notes["no-scores"].text == "No scores: 'S2'. This system is not compared with any other."
    assert notes["no-scores"].severity == "problem"


def test_mixed_scales() -> None:
    notes = notes_of([[0.5, 45], [0.25, 60]])
    assert notes["mixed-scales"].severity == "problem"
    assert "mixed-scales" not in notes_of([[0, 2], [1, 1]])
    assert "mixed-scales" not in notes_of([[-0.5, 45], [0.25, 60]])


def test_a_thousandth_of_the_others_is_said() -> None:
    """45.700 beside 45,700: points that group thousands in the file of one system."""
    rows = [[45.7 + place, 45_900 + 990 * place, 45_000 + 1_000 * place] for place in range(12)]
    note = notes_of(rows)["mixed-scales"]
    assert note.severity == "problem"
    assert note.text.startswith("The scores of 'S0' are about a thousandth of those of 'S1', 'S2'")
    assert "mixed-scales" not in notes_of([[row[0], 20 * row[0], 100 * row[0]] for row in rows])
    assert "mixed-scales" not in notes_of([[-row[0], row[1], row[2]] for row in rows])


def test_missing_cells_are_counted_by_system() -> None:
    notes = notes_of([[1, 2, NAN], [NAN, 3, NAN], [2, 4, 5], [NAN, NAN, NAN]])
    assert notes["missing-cells"].text == "3 scores are missing in 2 of 3 systems ('S2' 2, 'S0' 1)."
    assert notes["units-without-scores"].text == "1 item has no score from any system."


def test_pairs_without_shared_units() -> None:
    notes = notes_of([[1, NAN, 3], [NAN, 2, 3], [2, NAN, 5]])
    assert notes["disjoint-pairs"].text == (
        "1 pair shares no item (first: 'S0', 'S1'): no paired test is possible, but they can be compared as "
        "independent samples."
    )


def test_few_pairs_without_shared_units_are_a_caution() -> None:
    values = np.ones((4, 12))
    values[:2, 0] = values[2:, 1] = NAN
    assert notes_of(values.tolist())["disjoint-pairs"].severity == "caution"


def test_data_sets_in_one_board() -> None:
    rows = "".join(f"{name}{i},{name},{i % 2},{i % 3}\n" for name in "xyz" for i in range(4))
    codes = {note.code for note in read_scores((f"item,dataset,A,B\n{rows}".encode(), "x.csv")).notes}
    assert "datasets-mixed" in codes
    one = read_scores((f"item,dataset,A,B\n{rows}".encode(), "x.csv"), dataset="x")
    assert "datasets-mixed" not in {note.code for note in one.notes}


def test_rows_that_sum_up_the_others() -> None:
    values = [[1, 2], [2, 1], [1.5, 1.5]]
    for name in ("average", "Macro Avg", "ALL", "overall"):
        assert notes_of(values, units=("a", "b", name))["summary-row"].severity == "problem"
    assert "summary-row" not in notes_of(values, units=("a", "b", "all in all"))


def test_a_row_that_is_the_mean_of_all_others_sums_them_up_under_any_name() -> None:
    values = np.array([[i % 3, i % 4] for i in range(9)], dtype=float)
    board = np.vstack([values, values.mean(axis=0).round(2), values.std(axis=0), [9, 9]])
    units = [*(f"u{i}" for i in range(9)), "Mittelwert", "Std. Dev.", "N"]
    note = notes_of(board.tolist(), units=tuple(units))["summary-row"]
    assert note.severity == "problem"
    assert "'Mittelwert', 'Std. Dev.', 'N'" in note.text
    first = np.vstack([values.mean(axis=0), values])
    assert "summary-row" in notes_of(first.tolist(), units=("Ø", *units[:9]))
    assert "summary-row" not in notes_of(values.tolist(), units=(*units[:8], "sd"))  # a language


def random_board(rng: np.random.Generator) -> ScoreMatrix:
    """Scores as tools write them, of systems that agree more or less."""
    k, n = int(rng.integers(2, 31)), round(float(np.exp(rng.uniform(np.log(2), np.log(500)))))
    shared = rng.choice([0, 0.5, 0.9, 0.99])
    scores = np.sqrt(shared) * rng.normal(size=(n, 1)) + np.sqrt(1 - shared) * rng.normal(size=(n, k))
    scores += rng.normal(0, rng.choice([0, 0.3]), k)
    kind = rng.choice(["0/1", "1 to 5", "percent", "any"])
    if kind == "0/1":
        scores = (scores > rng.uniform(-1, 1)).astype(float)
    elif kind == "1 to 5":
        scores = np.clip(np.round(3 + scores * rng.choice([0.5, 1])), 1, 5)
    elif kind == "percent":
        places, spread = rng.integers(0, 3), rng.choice([3, 10, 20])
        scores = np.clip(np.round(rng.uniform(30, 80) + spread * scores, places), 0, 100)
    return ScoreMatrix(
        values=scores, systems=[f"S{i}" for i in range(k)], units=tuple(f"u{i}" for i in range(n))
    )


def test_boards_that_are_right_are_in_no_doubt() -> None:
    rng = np.random.default_rng(0)
    asked = [note.code for _ in range(2000) for note in doubts(check_scores(random_board(rng)))]
    assert len(asked) <= 2, asked


@pytest.mark.parametrize("places", [1, 2, 4])
def test_a_mean_of_enough_digits_is_known_by_value_alone(places: int) -> None:
    rng = np.random.default_rng(places)
    for shared in (0, 0.5):
        scores = 50 + 20 * (shared * rng.normal(size=(40, 1)) + rng.normal(size=(40, 4)))
        board = np.vstack([scores.round(1), scores.round(1).mean(axis=0).round(places)])
        units = tuple(f"u{i}" for i in range(41))
        assert "summary-row" in notes_of(board.tolist(), units=units)
    alike = np.repeat(np.arange(1.0, 6), 9)[:, None] * np.ones(8)  # one direction: 3 is a usual row
    board = np.vstack([alike, np.full(8, 3.0)])
    assert "summary-row" not in notes_of(board.tolist(), units=tuple(f"u{i}" for i in range(46)))


def shuffled_board(noise: float) -> np.ndarray:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 1)) + noise * rng.normal(size=(200, 6))
    rng.shuffle(values[:, 2])
    return values


def test_a_system_in_another_order() -> None:
    note = notes_of(shuffled_board(0.5))["order-suspect"]
    assert note.text.startswith("The scores of 'S2' are unrelated")
    assert note.severity == "caution"
    assert "order-suspect" not in notes_of(shuffled_board(5))  # nobody agrees there
    assert "order-suspect" not in notes_of(shuffled_board(0.5)[:40])
    board = shuffled_board(0.5)
    board[:, 2] = 1
    assert "order-suspect" not in notes_of(board)
    assert "order-suspect" in notes_of(shuffled_board(0.5) * 1e200)
    guesser = shuffled_board(0.5)
    guesser[:, 2] -= 2  # far below the others
    assert "order-suspect" not in notes_of(guesser)


def test_documents_are_proposed_as_blocks() -> None:
    values = [[1, 2], [2, 1], [3, 5]]
    notes = notes_of(values, labels={"domain": ("x", "x", "y"), "doc_id": ("a", "a", "b")})
    assert "Column 'doc_id' groups" in notes["block-column-proposed"].text
    assert "block-column-proposed" not in notes_of(values, labels={"doc": ("a", "b", "c")})
    assert "block-column-proposed" not in notes_of(values, labels={"doc": ("a", "a", "a")})


def read(metric: str | None, low: float = 0.5, name: str = "scores.csv", **choices: object) -> ScoreMatrix:
    table = f"item,A,B\n1,{low},{low + 0.1}\n2,{low + 0.2},{low + 0.3}\n"
    return read_scores((table.encode(), name), metric=metric, **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "metric",
    [
        *("TER", "word WER", "cer", "train_loss", "valLoss", "Perplexity", "error-rate", "MetricX"),
        *("rank", "AutoRank", "edit distance", "latency_ms"),
    ],
)
def test_lower_is_better_by_name(metric: str) -> None:
    scores = read(metric)
    assert scores.lower_is_better
    assert scores.notes[0] == Note(
        "direction-guessed",
        "caution",
        f"Lower scores count as better because the metric is called {metric!r}.",
    )


@pytest.mark.parametrize(
    "metric",
    [None, "BLEU", "chrF", "accuracy", "meteor", "terse", "neg TER", "error correction acc", "recip_rank"],
)
def test_higher_is_better_otherwise(metric: str | None) -> None:
    assert not read(metric).lower_is_better
    assert read(metric).notes == ()


def test_negated_metrics_are_not_turned_again() -> None:
    assert not read("TER", low=-5).lower_is_better
    assert read("TER", low=-0.05).lower_is_better


def test_the_file_name_may_say_it() -> None:
    assert read(None, name="wmt20_TER.seg.csv").lower_is_better
    assert not read(None, name="error_analysis.csv").lower_is_better
    assert not read("BLEU", name="ter.csv").lower_is_better


def test_the_user_decides() -> None:
    kept = read("TER", lower_is_better=False)
    assert (kept.lower_is_better, kept.notes[0].code) == (False, "direction-doubtful")
    transposed = read("BLEU", lower_is_better=True)
    assert (transposed.lower_is_better, transposed.notes[0].code) == (True, "lower-is-better")
    again = read("TER", lower_is_better=True)
    assert again.notes == read("TER").notes


def test_missing_that_differs_between_systems() -> None:
    values = np.arange(120.0).reshape(40, 3)
    values[:10, 1] = NAN
    notes = notes_of(values)
    assert notes["missing-uneven"].text.startswith(
        "Systems lack different numbers of scores (0 to 10), so pairs are compared on different items; "
        "'S0' and 'S1' share the fewest, 30."
    )
    values[:10] = NAN
    assert "missing-uneven" not in notes_of(values)
    values[:] = np.arange(120.0).reshape(40, 3)
    values[[0, 1, 2], [0, 1, 2]] = NAN  # one each
    assert "missing-uneven" not in notes_of(values)


def test_numbers_that_stand_for_no_score() -> None:
    rng = np.random.default_rng(3)
    values = rng.random((30, 3))
    assert notes_of(values) == {}
    values[4, 1] = values[7, 2] = -1
    note = notes_of(values)["stand-in-values"]
    assert note.severity == "problem"
    assert note.text.startswith("-1 appears 2 times among scores from 0.")
    assert "first: system 'S1', row 5" in note.text
    values[values == -1] = 999
    assert "999 appears 2 times" in notes_of(values, units=tuple(map(str, range(30))))["stand-in-values"].text
    votes = rng.integers(-1, 2, (30, 3)).astype(float)
    assert "stand-in-values" not in notes_of(votes)  # −1, 0 and 1 are votes
    assert "stand-in-values" not in notes_of(rng.random((30, 3)) * 1000)
    assert "stand-in-values" not in notes_of(rng.random((30, 3)) * 3 - 2)


def test_impossible_values_of_a_known_metric() -> None:
    values = np.linspace(0, 1, 60).reshape(20, 3)
    values[3, 2] = 1.5
    note = notes_of(values, metric="Accuracy")["impossible-values"]
    assert note.text == (
        "1 score is below 0 or above 1, which 'Accuracy' can't be (first: system 'S2', row 4)."
    )
    assert "impossible-values" not in notes_of(values, metric="MetricX")
    assert "impossible-values" not in notes_of(100 * np.linspace(0, 1, 60).reshape(20, 3), metric="chrF")
    assert "impossible-values" in notes_of(np.linspace(-20, 100, 60).reshape(20, 3), metric="BLEU")


def test_a_system_far_from_all_others() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(50, 10, (60, 5)) + np.arange(5)
    assert "far-system" not in notes_of(values)
    values[:, 3] -= 45
    note = notes_of(values)["far-system"]
    assert (note.severity, "The mean of 'S3'" in note.text) == ("caution", True)
    assert "far-system" not in notes_of(values[:, :3])  # too few to say who is odd
    values[:, 1] -= 45
    assert "far-system" not in notes_of(values)


def test_scores_near_the_ends_of_a_float_are_looked_at_without_a_warning() -> None:
    assert "repeated-units" not in notes_of([[1e308, -1e308, 5e-324]] * 3, metric="accuracy")


def test_units_that_stand_in_the_file_twice() -> None:
    rng = np.random.default_rng(8)
    values = rng.random((50, 4)).round(4)
    assert "repeated-units" not in notes_of(values)
    values[30] = values[3]
    units = tuple(f"u{i}" for i in range(50))
    note = notes_of(values, units=units)["repeated-units"]
    assert (note.severity, "1 item has the same scores" in note.text) == ("info", True)
    assert "first: 'u3' and 'u30'" in note.text
    assert "repeated-units" not in notes_of(rng.integers(0, 2, (50, 4)))  # right and wrong repeat by chance
    assert "repeated-units" not in notes_of(rng.integers(0, 5, (50, 4)))


# Real files and the remarks on them: each was looked at and is true of the file.
REMARKS = {
    "alpacaeval1_gpt4_pref.csv": {"datasets-mixed", "identical-systems", "missing-cells"},
    "mbppplus_pass.csv": set(),
    "metabench_mmlu_213models.csv": {"identical-systems"},
    "testsignificancenlp_resA_resB.csv": set(),
    "trec_adhoc8_ap.csv": {"identical-systems"},
    "ucr128_accuracy_by_dataset.csv": set(),
    "wmt20_toen_ter.csv": {
        "datasets-mixed",
        "missing-cells",
        "missing-uneven",
        "disjoint-pairs",
        "block-column-proposed",
    },
    "wmt24_ende_chrf.csv": {"identical-systems", "block-column-proposed"},
    "wmt24_ende_sentbleu.csv": {"identical-systems", "block-column-proposed"},
    "wmt_mqm_newstest2021_zhen.csv": {"units-without-scores"},
    "realsumm_abs_metrics_long.csv": {"metric-chosen"},
    "ner_conll03_tp_fp_fn.csv": {"counts-read"},
    "terminalbench1_0_counts.csv": {"counts-read"},
    "ucr128_accuracy_runs.csv": {"metric-chosen", "averaged-runs"},
    # tlenet scores 0.13 where the others score 0.7, and so it was published.
    "formats/ucr128_results_runs.csv": {"metric-chosen", "averaged-runs", "far-system", "costs-kept"},
    "formats/evalarena_mbppplus.jsonl": set(),
    "formats/terminal-bench-1.0.evalarena.jsonl": {"metric-chosen"},
}


@pytest.mark.skipif(not DATA.exists(), reason="the collection of real score files isn't here")
@pytest.mark.parametrize("name", REMARKS)
def test_remarks_on_real_files(name: str) -> None:
    assert {note.code for note in read_scores(DATA / name).notes} == REMARKS[name]


MODELS = ("GPT-4", "Claude-3.5", "ONLINE-B", "Llama3-70B")


def given_transposed(units: tuple[str, ...], systems: tuple[str, ...], **reading: object) -> bool:
    values = np.random.default_rng(0).random((len(units), len(systems)))
    scores = ScoreMatrix(values=values, systems=systems, units=units, reading=reading)
    return any(note.code == "rows-seem-systems" for note in check_scores(scores))


@pytest.mark.parametrize(
    ("units", "systems", "seem"),
    [
        (MODELS, ("metricx", "cometkiwi", "AutoRank"), True),
        (MODELS, ("ours", "theirs"), True),
        (("Ours", "Theirs", "Others"), ("cs-en", "en-de", "ja-zh"), True),
        (("Ours", "Theirs", "Others"), ("MMLU", "GSM8K", "HellaSwag"), True),
        (("s1", "s2", "s3", "s4"), ("BLEU", "chrF", "COMET"), False),  # metrics compared as systems
        (("mmlu", "gsm8k", "arc"), MODELS, False),
        (("doc a", "doc b", "doc c"), ("Tern", "Heron", "Ibis"), False),
        (("news", "speech"), ("BERT", "T5", "Bloom"), False),
    ],
)
def test_rows_that_seem_to_be_systems(units: tuple[str, ...], systems: tuple[str, ...], seem: bool) -> None:
    assert given_transposed(units, systems) == seem
    assert not given_transposed(units, systems, systems_as_rows=True)
    assert not given_transposed(units, systems, system_column="model")


def test_scores_near_the_largest_number_are_no_mean():
    rows = "".join(f"u{i},{value},{value}\n" for i, value in enumerate([1, 2, -9e307, 3, 4, 9e307, 0]))
    found = read_scores((f"item,A,B\n{rows}".encode(), "x.csv"))
    assert found.n_units == 7
    assert "summary-row" not in {note.code for note in found.notes}
    assert read_scores((f"item,A,B,best\n{rows.replace(chr(10), ',9e307' + chr(10))}".encode(), "x.csv"))


ORDINARY = np.round(
    np.clip(
        np.random.default_rng(5).normal(0.6, 0.12, (50, 1))
        + np.random.default_rng(6).normal(0, 0.05, (50, 4)),
        0.15,
        0.95,
    ),
    3,
)
BEST = np.argsort(-ORDINARY[:, 3])[:5]


@pytest.mark.parametrize(
    ("rows", "factor", "said"),
    [
        (BEST, -1, "5 scores (first: system 'S3', row {}) are below 0"),
        (BEST[:2], -1, "2 scores (first: system 'S3', row {}) are below 0"),
        (BEST, 1000, "a thousand times as large"),
        (BEST, 0.001, "a thousandth of the others"),
        (BEST, 0, "exactly 0, as no other system's are"),
        (range(50), 0, "exactly 0, as no other system's are"),
    ],
)
def test_cells_of_one_system_that_are_written_otherwise_are_asked_about(rows, factor, said):
    values = ORDINARY.copy()
    values[list(rows), 3] *= factor
    notes = {note.code: note for note in check_scores(board_of(values))}
    assert notes["cells-of-one-system"].severity == "problem"
    assert said.format(min(rows) + 1) in notes["cells-of-one-system"].text


@pytest.mark.parametrize("seed", range(4))
def test_ordinary_boards_have_no_such_cells(seed):
    """Right or wrong, BLEU with true zeros, ratings, unbounded losses, rewards of both signs, gaps."""
    rng = np.random.default_rng(seed)
    for _ in range(125):
        n_units, n_systems = int(rng.integers(10, 200)), int(rng.integers(3, 10))
        z = (
            rng.normal(0, 1, (n_units, 1))
            + rng.normal(0, 0.7, n_systems)
            + rng.normal(0, 1, (n_units, n_systems))
        )
        share = 1 / (1 + np.exp(-z))
        for values in (
            (share > rng.random(z.shape)).astype(float),
            np.where(z < -1, 0, np.round(100 * share**2, 2)),
            np.clip(np.rint(3 + z), 0, 5),
            np.exp(3 + z),
            30 * z,
            np.round(0.8 + 0.12 * z, 4),
        ):
            gaps = values.copy()
            gaps[rng.random(z.shape) < 0.1] = np.nan
            for one in (values, gaps):
                assert not list(cells_of_one_system(board_of(one)))


def board_of(values):
    return ScoreMatrix(values=values, systems=tuple(f"S{i}" for i in range(values.shape[1])))
