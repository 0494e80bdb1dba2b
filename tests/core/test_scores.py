"""ScoreMatrix: checked once at the border, the same scores have the same fingerprint."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreError
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix, first_repeat

NAN = float("nan")


def matrix(
    values: object = ((1, 2), (3, 4)), systems: tuple[str, ...] = ("A", "B"), **fields: object
) -> ScoreMatrix:
    return ScoreMatrix(values=values, systems=systems, **fields)  # type: ignore[arg-type]


def test_what_it_holds() -> None:
    scores = matrix([[1, NAN], [0, 1], [1, 1]], units=("x", "y", "z"), labels={"doc": ["a", "a", "b"]})
    assert (scores.n_units, scores.n_systems) == (3, 2)
    assert scores.present.tolist() == [[True, False], [True, True], [True, True]]
    assert scores.has_missing
    assert scores.is_binary
    assert scores.labels == {"doc": ("a", "a", "b")}
    assert scores.index("B") == 1


def test_values_are_a_copy_that_cannot_be_written() -> None:
    values = np.ones((2, 2))
    scores = matrix(values)
    values[0, 0] = 5
    assert scores.values[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        scores.values[0, 0] = 5


def test_negative_zero_is_zero() -> None:
    assert not np.signbit(matrix([[-0.0, 1], [0, 1]]).values).any()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"values": [1, 2]}, "two dimensions"),
        ({"systems": ("A",)}, "1 system names for 2 columns"),
        ({"values": [[1], [2]], "systems": ("A",)}, "at least two systems"),
        ({"systems": ("A", " ")}, "empty name"),
        ({"systems": ("A", "A")}, "Two systems are called 'A'"),
        ({"units": ("x",)}, "1 item ids for 2 rows"),
        ({"units": ("x", "x")}, "item 'x' appears twice"),
        ({"labels": {"doc": ("a",)}}, "'doc' has 1 entries for 2 items"),
        ({"values": [[1, 2], [3, np.inf]]}, "System 'B', row 2: a score is infinite"),
    ],
)
def test_refused(fields: dict[str, object], text: str) -> None:
    with pytest.raises(ScoreError, match=text):
        matrix(**fields)  # type: ignore[arg-type]


def test_unknown_systems_come_with_the_nearest_name() -> None:
    with pytest.raises(ScoreError, match="Did you mean 'Heron'"):
        matrix(systems=("Heron", "Tern")).index("Herno")


@given(st.integers(0, 14), st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=30))
def test_decimals_are_those_the_scores_were_written_with(places: int, whole: list[int]) -> None:
    written = [f"{number / 10**places:.{places}f}" for number in whole]
    needed = max(len(text.partition(".")[2].rstrip("0")) for text in written)
    scores = matrix(np.array([[float(text), 0.0] for text in written]))
    assert scores.decimals == min(needed, MOST_DECIMALS)


@pytest.mark.parametrize(("places", "largest"), [(2, 1.0), (4, 1.0), (6, 0.99), (3, 100.0)])
def test_decimals_survive_single_precision(places: int, largest: float) -> None:
    rng = np.random.default_rng(places)
    written = np.round(rng.uniform(-largest, largest, size=(60, 2)), places)
    written[0, 0] = round(largest - 10.0**-places, places)
    rounded = written.astype(np.float32).astype(np.float64)
    assert ScoreMatrix(values=written, systems=("A", "B")).decimals == places
    assert ScoreMatrix(values=rounded, systems=("A", "B")).decimals == places
    one_other = rounded.copy()
    one_other[5, 1] = np.nextafter(np.float32(rounded[5, 1]), np.float32(2 * largest))
    assert ScoreMatrix(values=one_other, systems=("A", "B")).decimals == 10


def test_single_precision_without_decimals_has_none() -> None:
    values = np.random.default_rng(0).random((60, 2)).astype(np.float32).astype(np.float64)
    assert ScoreMatrix(values=values, systems=("A", "B")).decimals == 10
    values[0, 0] = 1e300
    assert ScoreMatrix(values=values, systems=("A", "B")).decimals == 10


def test_decimals_of_other_numbers_are_the_most() -> None:
    assert matrix([[1 / 3, 1], [0, 1]]).decimals == MOST_DECIMALS
    assert matrix([[NAN, NAN], [NAN, NAN]]).decimals == 0


def test_canonical_order_follows_ids_or_the_file() -> None:
    assert matrix([[1, 2]] * 3, units=("b", "c", "a")).canonical_order.tolist() == [2, 0, 1]
    assert matrix([[1, 2]] * 3).canonical_order.tolist() == [0, 1, 2]


def test_fingerprint_changes_with_whatever_changes_a_number() -> None:
    base = matrix(units=("x", "y"), labels={"doc": ("a", "b")})
    changes: list[dict[str, object]] = [
        {"values": ((1, 2), (3, 4.0000001))},
        {"values": ((1, 2), (3, NAN))},
        {"systems": ("A", "C")},
        {"systems": ("AB", "B")},
        {"units": ("x", "z")},
        {"units": None},
        {"labels": {"doc": ("a", "c")}},
        {"labels": {"document": ("a", "b")}},
        {"labels": {}},
        {"lower_is_better": True},
    ]
    prints = {base.fingerprint}
    for change in changes:
        prints.add(matrix(**{"units": ("x", "y"), "labels": {"doc": ("a", "b")}, **change}).fingerprint)  # type: ignore[arg-type]
    assert len(prints) == 1 + len(changes)
    same = matrix(units=("x", "y"), labels={"doc": ("a", "b")}, source="other", metric="TER")
    assert same.fingerprint == base.fingerprint


def test_fingerprint_keeps_names_apart() -> None:
    assert matrix(systems=("AB", "C")).fingerprint != matrix(systems=("A", "BC")).fingerprint


def test_rows_by_mask_and_by_number() -> None:
    scores = matrix([[1, 2], [3, 4], [5, 6]], units=("x", "y", "z"), labels={"doc": ("a", "b", "c")})
    chosen = scores.rows(np.array([True, False, True]))
    assert (chosen.units, chosen.labels, chosen.values.tolist()) == (
        ("x", "z"),
        {"doc": ("a", "c")},
        [[1, 2], [5, 6]],
    )
    assert scores.rows(np.array([2, 0])).units == ("z", "x")


def test_frame() -> None:
    frame = matrix(units=("x", "y"), labels={"doc": ("a", "b")}).to_frame()
    assert list(frame.columns) == ["doc", "A", "B"]
    assert frame.loc["y", "B"] == 4
    assert matrix().to_frame().shape == (2, 2)


def test_first_repeat() -> None:
    assert first_repeat(["a", "b", "b", "a"]) == "b"
    assert first_repeat([]) is None


def test_only_what_nobody_can_write_to_is_taken_without_a_copy() -> None:
    values = np.array([[0.5, 1.0], [0.0, 0.25]])
    first = ScoreMatrix(values=values, systems=("A", "B"))
    values[0, 0] = 9.0
    assert first.values[0, 0] == 0.5
    assert ScoreMatrix(values=first.values, systems=("B", "A")).values is first.values
    negative = np.array([[0.5, 1.0], [-0.0, 0.25]])
    negative.setflags(write=False)
    copied = ScoreMatrix(values=negative, systems=("A", "B"))
    assert not np.signbit(copied.values).any()
    assert copied.fingerprint == first.fingerprint
