"""Battles from ranked lists (WMT, Pearmut, Appraise) and from scores: every two systems, none invented."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import nlpstat_core as ns

NAMES = "VWXYZ"
HEAD = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{i}Number,system{i}Id" for i in range(1, 6))
    + ","
    + ",".join(f"system{i}rank" for i in range(1, 6))
)


def told(battles):
    """Every battle as (loser or first of a tie, other, whether it is a tie), in any order."""
    found = []
    for a, b, outcome in zip(battles.left, battles.right, battles.outcome.tolist(), strict=True):
        first, second = battles.systems[a], battles.systems[b]
        found.append((first, second, outcome) if first < second else (second, first, -outcome))
    return sorted(found)


def expected(lists):
    """The same from lists of values by system, larger is better."""
    return sorted(
        (a, b, int(np.sign(values[a] - values[b])))
        for values in lists
        for a, b in itertools.combinations(sorted(values), 2)
    )


ranked = st.lists(
    st.lists(st.integers(-1, 5).filter(bool), min_size=5, max_size=5), min_size=1, max_size=4
).filter(lambda rows: any(sum(rank > 0 for rank in row) > 1 for row in rows))


@given(ranked)
def test_rankings_of_wmt(rows):
    lines = [
        f"ces,eng,{n},doc,{n},j{n % 2},"
        + ",".join(f"{i},{name}" for i, name in enumerate(NAMES))
        + ","
        + ",".join(map(str, row))
        for n, row in enumerate(rows, start=1)
    ]
    found = ns.read_battles(("\n".join([HEAD, *lines]).encode(), "wmt14.csv"))
    lists = [{n: -r for n, r in zip(NAMES, row, strict=True) if r > 0} for row in rows]
    assert told(found) == expected(lists)
    blank = sum(rank < 0 for row in rows for rank in row)
    assert [note.code for note in found.notes] == ["ranks-left-blank"] * bool(blank)
    kept = [str(n) for n, one in enumerate(lists, 1) for _ in itertools.combinations(one, 2)]
    assert found.labels["srcIndex"] == kept
    assert len(set(found.labels["ranked_list"])) == len(set(kept))


scores = st.lists(
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 4), min_size=1), min_size=1, max_size=5
).filter(lambda lists: any(len(one) > 1 for one in lists))


@given(scores)
def test_scores_side_by_side_of_pearmut(lists):
    records = [
        {
            "annotation": [{name: {"score": score, "error_spans": []} for name, score in one.items()}],
            "item": [{"item_id": f"i{n}", "src": "x", "tgt": {}}],
            "user_id": f"u{n % 2}",
            "item_i": n,
        }
        for n, one in enumerate(lists)
    ]
    aside = {**records[0], "item_i": "welcome_0"}
    text = "\n".join(map(json.dumps, [aside, {"action": "load"}, *records, records[-1]]))
    found = ns.read_battles((text.encode(), "campaign.jsonl"))
    assert told(found) == expected(lists)
    assert [note.code for note in found.notes] == ["pages-left-out", "scored-again"]


@given(scores)
def test_scores_side_by_side_of_appraise(lists):
    lines = [
        f"eng01,{name},{n},TGT,eng,deu,{score}" for n, one in enumerate(lists) for name, score in one.items()
    ]
    lines.append("eng01,V,77,CHK,eng,deu,3")
    found = ns.read_battles(("\n".join(lines).encode(), "scores.csv"))
    assert told(found) == expected(lists)
    assert [note.code for note in found.notes] == ["checks-left-out"]


def test_documents_of_appraise_keep_their_segments_apart():
    rows = [
        f"u,{system},0,TGT,eng,deu,{score},{document},{whole}"
        for document, system, score, whole in [
            ("d1", "A", 1, False),
            ("d1", "B", 2, False),
            ("d2", "A", 5, False),
            ("d2", "B", 3, False),
            ("d1", "A", 4, True),
            ("d1", "B", 4, True),
        ]
    ]
    found = ns.read_battles(("\n".join(rows).encode(), "scores.csv"))
    assert found.outcome.tolist() == [-1, 1, 0]
    assert found.labels["segment"] == ["d1 0", "d2 0", "d1 0"]


def test_battles_of_one_list_are_not_taken_as_independent():
    rng = np.random.default_rng(3)
    rows = [
        f"ces,eng,1,d,1,j,1,A,2,B,3,C,4,D,5,E,{','.join(map(str, rng.integers(1, 6, 5)))}" for _ in range(40)
    ]
    files = [("\n".join([HEAD, *part]).encode(), f"{n}.csv") for n, part in enumerate((rows[:20], rows[20:]))]
    board = ns.rank_preferences(ns.read_battles(files))
    assert (board.clusters, board.degrees_of_freedom, board.n_battles) == ("ranked_list", 39, 400)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}\n", "there are no battles"),
        (f"{HEAD}\na,b,1,d,1,j,1,A,2,B,3,C,4,D,5,E,1,2,x,4,5", "line 2: 'x' is not a rank"),
        (f"{HEAD}\na,b,1,d,1,j,1,A,2,B,3,C,4,D,5,E,1,2,0,4,5", "line 2: '0' is not a rank"),
        (f"{HEAD}\na,b,1,d,1,j,1,A,2,B,3,C,4,D,5,E,1,-1,-1,-1,-1", "there are no battles"),
        ("u,A,1,TGT,eng,deu,5\nu,B,1,TGT,eng,deu,high", "line 2: 'high' is not a score"),
        ("u,A,1,TGT,eng,deu,5\nu,B,1", "line 2: 'u,B,1' is not a record of Appraise's export"),
        ("u,A,1,TGT,eng,deu,5\nu,B,2,TGT,eng,deu,6", "there are no battles"),
        ('[{"annotation": [{"A": {"score": "5"}}], "item": [{}]}]', "the score of 'A' is '5'"),
        ('[{"annotation": [{}, {}], "item": [{}]}]', "don't belong together"),
        ('[{"annotation": [["A"]], "item": [{}]}]', "is not a record of systems"),
    ],
)
def test_lists_that_cannot_be_read(text, said):
    with pytest.raises(ns.ScoreFileError) as caught:
        ns.read_battles((text.encode(), "lists.csv"))
    assert said in str(caught.value)
    assert str(caught.value).startswith("'lists.csv'")


def test_more_battles_than_may_be_read_are_not_made():
    with pytest.raises(ns.ScoreFileError, match="10 battles are more than 5"):
        ns.read_battles((f"{HEAD}\na,b,1,d,1,j,1,A,2,B,3,C,4,D,5,E,1,2,3,4,5".encode(), "f.csv"), max_rows=5)


@given(
    hnp.arrays(
        float, st.tuples(st.integers(1, 4), st.integers(2, 4)), elements=st.sampled_from([0, 1, 2, np.nan])
    ),
    st.booleans(),
)
def test_the_better_of_two_scores_wins(values, lower):
    systems = NAMES[: values.shape[1]]
    rows = [dict(zip(systems, row, strict=True)) for row in (-values if lower else values)]
    lists = [{name: value for name, value in row.items() if value == value} for row in rows]
    scores = ns.ScoreMatrix(values=values, systems=tuple(systems), lower_is_better=lower)
    if not expected(lists):
        with pytest.raises(ns.ScoreError, match="There is no battle"):
            ns.battles_of_scores(scores)
        return
    found = ns.battles_of_scores(scores)
    assert told(found) == expected(lists)
    assert set(found.labels["item"]) <= {str(n + 1) for n in range(len(values))}


def test_the_command_makes_battles_of_scores(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    pd.DataFrame({"item": range(30), "A": np.arange(30) % 7, "B": np.arange(30) % 5}).to_csv(
        file, index=False
    )
    from nlpstat_core.cli import main

    assert main(["preferences", str(file), "--from-scores"]) == 0
    assert "30 battles of 2 systems" in capsys.readouterr().out
