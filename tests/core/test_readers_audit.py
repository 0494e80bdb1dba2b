"""What looks odd is noted, never refused; the direction of a metric is guessed with its reason."""

import numpy as np
import pytest

from nlpstat_core.notes import Note
from nlpstat_core.readers import audit, read_scores
from nlpstat_core.scores import ScoreMatrix

NAN = float("nan")


def notes_of(values: object, **fields: object) -> dict[str, Note]:
    array = np.array(values, dtype=float)
    systems = tuple(f"S{i}" for i in range(array.shape[1]))
    return {note.code: note for note in audit(ScoreMatrix(values=array, systems=systems, **fields))}  # type: ignore[arg-type]


def test_nothing_odd() -> None:
    assert notes_of([[0.5, 0.25], [1, 0]]) == {}


def test_identical_systems_are_named_in_groups() -> None:
    notes = notes_of([[1, 2, 1, 2, 5, NAN], [2, 1, 2, 1, 5.5, 2]])
    assert notes["identical-systems"].text == (
        "Identical scores on every unit: 'S0', 'S2'; 'S1', 'S3'. Are these copies?"
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
    assert notes["constant-systems"].text == "The same score on every unit: 'S0'."
    assert (notes["no-scores"].text, notes["no-scores"].severity) == ("No score at all: 'S2'.", "problem")


def test_mixed_scales() -> None:
    notes = notes_of([[0.5, 45], [0.25, 60]])
    assert notes["mixed-scales"].severity == "problem"
    assert "mixed-scales" not in notes_of([[0, 2], [1, 1]])
    assert "mixed-scales" not in notes_of([[-0.5, 45], [0.25, 60]])


def test_missing_cells_are_counted_by_system() -> None:
    notes = notes_of([[1, 2, NAN], [NAN, 3, NAN], [2, 4, 5], [NAN, NAN, NAN]])
    assert notes["missing-cells"].text == "3 scores are missing in 2 of 3 systems ('S2' 2, 'S0' 1)."
    assert notes["units-without-scores"].text == "1 unit has no score from any system."


def test_pairs_without_shared_units() -> None:
    notes = notes_of([[1, NAN, 3], [NAN, 2, 3], [2, NAN, 5]])
    assert notes["disjoint-pairs"].text == (
        "1 pair shares no unit: no paired test is possible (first: 'S0', 'S1')."
    )


def test_rows_that_sum_up_the_others() -> None:
    values = [[1, 2], [2, 1], [1.5, 1.5]]
    for name in ("average", "Macro Avg", "ALL", "overall"):
        assert notes_of(values, units=("a", "b", name))["summary-row"].severity == "problem"
    assert "summary-row" not in notes_of(values, units=("a", "b", "all in all"))


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
    assert "'doc_id' as the block column" in notes["block-column-proposed"].text
    assert "block-column-proposed" not in notes_of(values, labels={"doc": ("a", "b", "c")})
    assert "block-column-proposed" not in notes_of(values, labels={"doc": ("a", "a", "a")})


def read(metric: str | None, low: float = 0.5, name: str = "scores.csv", **choices: object) -> ScoreMatrix:
    table = f"item,A,B\n1,{low},{low + 0.1}\n2,{low + 0.2},{low + 0.3}\n"
    return read_scores((table.encode(), name), metric=metric, **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "metric", ["TER", "word WER", "cer", "train_loss", "valLoss", "Perplexity", "error-rate", "MetricX"]
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
    "metric", [None, "BLEU", "chrF", "accuracy", "meteor", "terse", "neg TER", "error correction acc"]
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
    turned = read("BLEU", lower_is_better=True)
    assert (turned.lower_is_better, turned.notes[0].code) == (True, "lower-is-better")
    again = read("TER", lower_is_better=True)
    assert again.notes == read("TER").notes
