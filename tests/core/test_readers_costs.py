"""Columns of cost, time, tokens and length: kept beside the scores, never as systems or scores."""

import numpy as np
import pytest

from nlpstat_core import ScoreError, ScoreMatrix, read_scores
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_boards
from nlpstat_core.scores.units import evaluation_units
from tests.core.reading import read

LONG = (
    "model,item,accuracy,cost,latencyMs,output_tokens,price_usd\n"
    "A,q1,1,0.5,100,10,1\nA,q2,0,0.25,300,20,1\nB,q1,1,0.125,50,5,2\nB,q2,1,0.75,70,,2\n"
)


def test_costs_of_a_long_table_stand_beside_its_scores() -> None:
    scores = read(LONG)
    assert (scores.systems, scores.metric, scores.several) == (("A", "B"), "accuracy", {})
    assert list(scores.costs) == ["cost", "latencyMs", "output_tokens", "price_usd"]
    assert scores.costs["cost"].tolist() == [[0.5, 0.125], [0.25, 0.75]]
    assert scores.costs["latencyMs"].tolist() == [[100, 50], [300, 70]]
    assert np.isnan(scores.costs["output_tokens"][1, 1])
    said = next(note for note in scores.notes if note.code == "costs-kept")
    assert "'cost', 'latencyMs'" in said.text
    with pytest.raises(ValueError, match="read-only"):
        scores.costs["cost"][0, 0] = 1


def test_a_cost_that_is_asked_for_as_the_metric_is_the_score() -> None:
    scores = read(LONG, metric="latencyMs")
    assert scores.values.tolist() == [[100, 50], [300, 70]]
    assert scores.lower_is_better
    assert "latencyMs" not in scores.costs
    alone = read("model,item,latency\nA,1,3\nA,2,4\nB,1,5\nB,2,6\n")
    assert (alone.values.tolist(), dict(alone.costs)) == ([[3, 5], [4, 6]], {})


def test_what_is_told_of_items_and_times_of_day_are_no_costs() -> None:
    text = "model,item,score,length,time\nA,1,1,9,1700000001\nA,2,0,7,1700000002\n"
    scores = read(text + "B,1,0,9,1700000003\nB,2,1,7,1700000009\n")
    assert dict(scores.costs) == {}


def test_told_roles_make_costs_and_unmake_them() -> None:
    assert list(read(LONG, roles="cost=price_usd").costs) == ["price_usd"]
    text = "model,item,score,energy\nA,1,1,3\nA,2,0,4\nB,1,0,5\nB,2,1,6\n"
    assert dict(read(text).costs) == {}
    assert read(text, roles={"cost": "energy"}).costs["energy"].tolist() == [[3, 5], [4, 6]]


def test_rows_of_a_metric_that_is_a_cost() -> None:
    rows = [("A", 1, "bleu", 3), ("A", 2, "bleu", 4), ("B", 1, "bleu", 5), ("B", 2, "bleu", 6)]
    rows += [("B", 2, "latency", 9), ("A", 1, "latency", 7), ("A", 2, "latency", 8)]
    rows += [(system, item, "ter", value + 1) for system, item, metric, value in rows if metric == "bleu"]
    text = "system,item,metric,value\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in rows)
    scores = read(text)
    assert scores.several["metrics"] == ["bleu", "ter"]
    assert scores.costs["latency"].tolist()[0][0] == 7
    assert np.isnan(scores.costs["latency"][0, 1])
    assert scores.costs["latency"][1].tolist() == [8, 9]
    boards = read_boards((text.encode(), "x.csv"), each="metric")
    assert list(boards) == ["bleu", "ter"]


def test_costs_of_a_wide_table_are_found_by_their_systems() -> None:
    text = "item,A,B,A_cost,B_cost,A_tokens,B_tokens\n" + "".join(
        f"{i},{i / 40},{1 - i / 40},{0.01 * i},{0.02 * i},{100 + i},{90 + i}\n" for i in range(1, 9)
    )
    scores = read(text)
    assert (scores.systems, list(scores.costs)) == (("A", "B"), ["cost", "tokens"])
    assert scores.costs["tokens"][0].tolist() == [101, 91]
    assert not [note for note in scores.notes if note.code == "columns-left-out"]
    told = read(text, roles="system=A,system=B")
    assert told.costs["cost"].tolist() == scores.costs["cost"].tolist()
    both = read(text, roles="system=A,system=B,system=A_cost,system=B_cost")
    assert both.systems == ("A", "B", "A_cost", "B_cost")
    assert list(both.costs) == ["tokens"]


def test_systems_with_a_penalty_of_length_are_still_asked_about() -> None:
    text = "item,A,B,A_length,B_length\n" + "".join(
        f"{i},{i / 40},{1 - i / 40},{i / 50},{1 - i / 50}\n" for i in range(1, 9)
    )
    scores = read(text)
    assert dict(scores.costs) == {}
    assert any(note.severity == "problem" for note in scores.notes)


def test_a_file_a_system_with_its_costs() -> None:
    files = [
        (b"item,score,latency\n1,1,30\n2,0,40\n", "a.csv"),
        (b"item,score,latency\n2,1,60\n1,1,50\n", "b.csv"),
    ]
    scores = read_scores(files)
    assert scores.systems == ("a", "b")
    assert scores.costs["latency"].tolist() == [[30, 50], [40, 60]]
    files[1] = (b"item,score\n2,1\n1,1\n", "b.csv")
    assert np.isnan(read_scores(files).costs["latency"][:, 1]).all()


def test_runs_of_a_cell_are_averaged_and_one_data_set_is_cut_out() -> None:
    text = "system,item,dataset,seed,score,seconds\n" + "".join(
        f"{s},{d}{i},{d},{r},{(i + r) % 2},{i + 10 * r}\n"
        for s in "AB"
        for d in "xy"
        for i in range(3)
        for r in (1, 2)
    )
    scores = read(text)
    assert scores.costs["seconds"][1].tolist() == [16, 16]
    one = read(text, dataset="y")
    assert one.costs["seconds"].shape == one.values.shape == (3, 2)


def test_a_matrix_carries_its_costs() -> None:
    values = np.arange(6.0).reshape(3, 2)
    scores = ScoreMatrix(values=values, systems="AB", costs={"s": values * 2})
    assert scores.rows(np.array([2, 0])).costs["s"].tolist() == [[8, 10], [0, 2]]
    assert scores.columns([1, 0]).costs["s"][0].tolist() == [2, 0]
    plain = ScoreMatrix(values=values, systems="AB")
    assert scores.fingerprint != plain.fingerprint
    assert evaluation_units(
        ScoreMatrix(values=np.ones((4, 2)), systems="AB", costs={"s": np.arange(8.0).reshape(4, 2)}), size=2
    ).costs["s"].tolist() == [[1, 2], [5, 6]]
    with pytest.raises(ScoreError, match="cost 's'"):
        ScoreMatrix(values=values, systems="AB", costs={"s": values[:2]})


def test_a_told_cost_that_holds_no_number_is_refused() -> None:
    with pytest.raises(ScoreFileError, match="isn't a number"):
        read("model,item,score,fee\nA,1,1,x3y\nA,2,0,4\nB,1,0,5\nB,2,1,6\n", roles="cost=fee")


def test_a_wide_table_with_runs_averages_their_costs() -> None:
    text = "item,seed,A,B,A_tokens,B_tokens\n" + "".join(
        f"q{i},{run},{i / 7:.3f},{i / 9:.3f},{i + 10 * run},{2 * i + 10 * run}\n"
        for run in (1, 2)
        for i in range(1, 7)
    )
    scores = read(text)
    assert scores.runs is not None
    assert scores.costs["tokens"][:2].tolist() == [[16, 17], [17, 19]]
