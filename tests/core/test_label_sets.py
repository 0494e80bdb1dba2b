"""Items with several labels each: scikit-learn's values, p by counting swaps, and every way to write them."""

import itertools
import json
import math

import numpy as np
import pytest
from sklearn import metrics

import nlpstat_core as ns
from nlpstat_core import ScoreError, ScoreFileError, measure_values, read_submissions
from nlpstat_core.cli import main

LABELS = ("anger", "fear", "joy", "sadness")
RNG = np.random.default_rng(11)
GOLD = [tuple(label for label in LABELS if RNG.random() < 0.35) for _ in range(40)]


def near(sets, error):
    return [
        tuple(label for label in LABELS if (label in labels) != (RNG.random() < error)) for labels in sets
    ]


SYSTEMS = {"A": near(GOLD, 0.1), "B": near(GOLD, 0.25)}
ITEMS = [f"e{place:02d}" for place in range(40)]


def table(sets, labels=LABELS):
    return np.array([[int(label in own) for label in labels] for own in sets])


def by_sklearn(gold, output):
    right, own = table(gold), table(output)
    return {
        "multilabel-macro-f1": metrics.f1_score(right, own, average="macro", zero_division=0),
        "multilabel-micro-f1": metrics.f1_score(right, own, average="micro", zero_division=0),
        "multilabel-weighted-f1": metrics.f1_score(right, own, average="weighted", zero_division=0),
        "multilabel-jaccard": metrics.jaccard_score(right, own, average="samples", zero_division=1),
        "multilabel-accuracy": metrics.accuracy_score(right, own),
    }


@pytest.mark.parametrize("measure", by_sklearn(GOLD, GOLD))
def test_values_are_scikit_learns(measure):
    for output in SYSTEMS.values():
        assert ns.measure(GOLD, output, measure) == pytest.approx(
            by_sklearn(GOLD, output)[measure], abs=1e-12
        )
    short = measure.removeprefix("multilabel-")
    assert ns.measure([set(labels) for labels in GOLD], SYSTEMS["A"], short) == ns.measure(
        GOLD, SYSTEMS["A"], measure
    )


def test_labels_that_gold_lacks_are_errors():
    """Micro-F1 counts them as given, as scikit-learn's indicators of all labels; macro-F1 is over gold's."""
    odd = [(*labels, "spam") if place % 5 == 0 else labels for place, labels in enumerate(SYSTEMS["A"])]
    every = (*LABELS, "spam")
    right, own = table(GOLD, every), table(odd, every)
    assert ns.measure(GOLD, odd, "multilabel-micro-f1") == pytest.approx(
        metrics.f1_score(right, own, average="micro"), abs=1e-12
    )
    assert ns.measure(GOLD, odd, "multilabel-accuracy") == metrics.accuracy_score(right, own)
    assert ns.measure(GOLD, odd, "multilabel-macro-f1") == ns.measure(
        GOLD, SYSTEMS["A"], "multilabel-macro-f1"
    )


N_SWAPPED = 9


@pytest.fixture(scope="module")
def of_all_swaps():
    """scikit-learn's differences under every swap of the items whose answers differ, none first."""
    gold, a, b = (sets[:N_SWAPPED] for sets in (GOLD, SYSTEMS["A"], SYSTEMS["B"]))
    # Else scikit-learn's mean would be over labels that gold lacks.
    assert all(any(label in own for own in gold) for label in LABELS)
    differ = [place for place in range(N_SWAPPED) if a[place] != b[place]]
    found = []
    with np.errstate(all="ignore"):
        for chosen in itertools.product([False, True], repeat=len(differ)):
            swapped = dict(zip(differ, chosen, strict=True))
            mine = [b[place] if swapped.get(place) else a[place] for place in range(N_SWAPPED)]
            other = [a[place] if swapped.get(place) else b[place] for place in range(N_SWAPPED)]
            one, two = by_sklearn(gold, mine), by_sklearn(gold, other)
            found.append({key: one[key] - two[key] for key in one})
    return gold, a, b, found


@pytest.mark.parametrize("measure", by_sklearn(GOLD, GOLD))
def test_p_by_counting_all_swaps(measure, of_all_swaps):
    gold, a, b, found = of_all_swaps
    differences = np.abs([one[measure] for one in found])
    p = np.mean(differences >= differences[0] - 1e-12)
    assert ns.measure_p_value(gold, a, b, measure) == pytest.approx(p, abs=1e-12)


def lines(sets, sign):
    return "id,labels\n" + "".join(
        f'{item},"{sign.join(own)}"\n' for item, own in zip(ITEMS, sets, strict=True)
    )


def flags(sets):
    rows = [",".join([item, *map(str, row)]) for item, row in zip(ITEMS, table(sets).tolist(), strict=True)]
    return "\n".join([",".join(["id", *LABELS]), *rows])


WAYS = {
    "bars": (lambda sets: lines(sets, "|"), "csv", {"kind": "label-sets"}),
    "semicolons": (lambda sets: lines(sets, "; "), "csv", {"kind": "label-sets"}),
    "commas": (lambda sets: lines(sets, ", "), "csv", {"measure": "multilabel-macro-f1"}),
    "lists in cells": (
        lambda sets: lines([[str(list(own))] for own in sets], ""),
        "csv",
        {"kind": "label-sets"},
    ),
    "lists of JSON": (
        lambda sets: "".join(
            json.dumps({"id": item, "labels": own}) + "\n" for item, own in zip(ITEMS, sets, strict=True)
        ),
        "jsonl",
        {"measure": "macro-f1"},
    ),
    "columns of 0 and 1": (flags, "csv", {}),
    "columns of yes": (lambda sets: flags(sets).replace(",1", ",True").replace(",0", ",False"), "csv", {}),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_write_them(way):
    written, ending, choices = WAYS[way]
    files = [(written(sets).encode(), f"{name}.{ending}") for name, sets in SYSTEMS.items()]
    board = read_submissions((written(GOLD).encode(), f"gold.{ending}"), files, **choices)
    assert board.kind == "label-sets"
    assert board.measures == ("multilabel-macro-f1",)
    assert board.gold == tuple(GOLD)
    assert {name: list(sets) for name, sets in board.outputs.items()} == SYSTEMS
    expected = [by_sklearn(GOLD, sets)["multilabel-macro-f1"] for sets in SYSTEMS.values()]
    assert measure_values(board)[:, 0] == pytest.approx(expected, abs=1e-12)


def test_an_empty_cell_is_no_label_and_an_absent_row_is_no_output():
    gold = (lines(GOLD, ";").encode(), "gold.csv")
    short = (
        lines(SYSTEMS["A"], ";").split("\n", 2)[0] + "\n" + lines(SYSTEMS["A"], ";").split("\n", 2)[2]
    ).encode()
    with pytest.raises(ScoreFileError, match="'A' has no output for 1 of 40 items"):
        read_submissions(gold, [(short, "A.csv")], kind="label-sets")
    wrong = read_submissions(
        gold, [(short, "A.csv")], kind="label-sets", missing_outputs="wrong", measure="accuracy"
    )
    assert measure_values(wrong)[0, 0] == pytest.approx(
        np.mean([x == y for x, y in zip(GOLD[1:], SYSTEMS["A"][1:], strict=True)]) * 39 / 40
    )


def test_what_is_said_of_them():
    with pytest.raises(ScoreFileError, match=r"'A\.csv': it has none for 'joy'|has none for 'joy'"):
        read_submissions(
            (flags(GOLD).encode(), "gold.csv"),
            [(flags(SYSTEMS["A"]).replace("joy", "Joy!").encode(), "A.csv")],
        )
    with pytest.raises(ScoreFileError, match=r"column 'anger': '0\.7' is neither 1 nor 0"):
        read_submissions(
            (flags(GOLD).encode(), "gold.csv"),
            [(flags(SYSTEMS["A"]).replace("e00,0", "e00,0.7").replace("e00,1", "e00,0.7").encode(), "A.csv")],
        )
    with pytest.raises(ScoreFileError, match="kind='label-sets' if items have several labels or none"):
        read_submissions(
            (lines(GOLD, ";").encode(), "gold.csv"),
            [(lines(GOLD, ";").encode(), "A.csv")],
            measure="macro-f1",
        )
    shouted = [tuple(label.upper() for label in own) for own in SYSTEMS["A"]]
    board = read_submissions(
        (lines(GOLD, ";").encode(), "gold.csv"), [(lines(shouted, ";").encode(), "A.csv")], kind="label-sets"
    )
    assert list(board.outputs["A"]) == SYSTEMS["A"]
    with pytest.raises(ScoreError, match="is not sorted"):
        ns.Submissions(kind="label-sets", items=["1"], gold=[("b", "a")], outputs={"A": [("a",)]})


def test_a_board_of_them_by_the_command_line(tmp_path, capsys):
    """All pairs, with the reports' files; p is that of the two systems alone."""
    (tmp_path / "gold.csv").write_text(flags(GOLD))
    for name, sets in SYSTEMS.items():
        (tmp_path / f"{name}.csv").write_text(flags(sets))
    files = [str(tmp_path / name) for name in ("gold.csv", "A.csv", "B.csv")]
    assert (
        main(["submissions", *files, "--measure", "micro-f1", "--json", "--out", str(tmp_path / "out")]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["measure"]["name"] == "multilabel-micro-f1"
    p = ns.measure_p_value(GOLD, SYSTEMS["A"], SYSTEMS["B"], "multilabel-micro-f1")
    assert math.isclose(found["pairs"][0]["p_value"], p, rel_tol=0.1)
    assert (tmp_path / "out" / "report.html").exists()
