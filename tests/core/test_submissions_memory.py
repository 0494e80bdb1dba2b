"""Gold and outputs that a script already has: lists, mappings, series and frames are what files are."""

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

import nlpstat_core as ns

GOLD = ["yes", "no", "yes", "maybe", "no", "yes"]
A = ["yes", "no", "no", "maybe", "no", "yes"]
B = ["no", "no", "yes", "yes", "no", "yes"]
IDS = ["q1", "q2", "q3", "q4", "q5", "q6"]
TURNED = [5, 3, 0, 1, 4, 2]


def by_item(answers):
    return {IDS[row]: answers[row] for row in TURNED}


def series(answers):
    return pd.Series(by_item(answers))


COLUMNS = {"id": IDS, "gold": GOLD, "A": A, "B": B}
OTHERS = {
    "id": [IDS[row] for row in TURNED],
    "A": [A[row] for row in TURNED],
    "B": [B[row] for row in TURNED],
}
SHAPES = {
    "lists": (GOLD, {"A": A, "B": B}),
    "arrays": (np.array(GOLD), {"A": np.array(A), "B": np.array(B)}),
    "counted series": (pd.Series(GOLD), {"A": pd.Series(A), "B": pd.Series(B)}),
    "by item": (dict(zip(IDS, GOLD, strict=True)), {"A": by_item(A), "B": by_item(B)}),
    "series": (pd.Series(dict(zip(IDS, GOLD, strict=True))), {"A": series(A), "B": series(B)}),
    "columns": (COLUMNS, None),
    "columns beside": ({"id": IDS, "gold": GOLD}, OTHERS),
    "records": (
        [{"id": item, "gold": right} for item, right in zip(IDS, GOLD, strict=True)],
        {
            name: [{"id": IDS[row], "answer": own[row]} for row in TURNED]
            for name, own in (("A", A), ("B", B))
        },
    ),
    "pandas": (pd.DataFrame(COLUMNS), None),
    "pandas with an index": (pd.DataFrame(COLUMNS).set_index("id"), pd.DataFrame(OTHERS).set_index("id")),
    "polars": (polars.DataFrame({"id": IDS, "gold": GOLD}), polars.DataFrame(OTHERS)),
    "arrow": (pa.table(COLUMNS), None),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_the_board_of_the_files(shape):
    gold, systems = SHAPES[shape]
    if shape == "pandas with an index":
        gold = gold[["gold"]]
    board = ns.read_submissions(gold, systems, measure="macro-f1")
    assert board.kind == "labels"
    assert board.gold == tuple(GOLD)
    assert dict(board.outputs) == {"A": tuple(A), "B": tuple(B)}
    with_ids = not {"lists", "arrays", "counted series"} & {shape}
    assert board.items == (tuple(IDS) if with_ids else ("1", "2", "3", "4", "5", "6"))
    assert ns.measure_values(board)[0][0] == pytest.approx(ns.measure(GOLD, A, measure="macro-f1"))


def test_numbers_tags_and_references_are_lists_of_their_kind():
    assert ns.read_submissions([1.5, 2, 3.25], {"A": [1, 2, 3.5]}).kind == "numbers"
    assert ns.read_submissions([1, 0, 1], {"A": np.array([1, 1, 0])}).outputs["A"] == ("1", "1", "0")
    tags = [["B-PER", "O"], ["O", "O", "B-LOC"]]
    assert ns.read_submissions(tags, {"A": tags}).gold == tuple(map(tuple, tags))
    by_item = {"s1": ["B-PER", "O"], "s2": ["O", "B-LOC"]}  # no table with the columns s1 and s2
    board = ns.read_submissions(by_item, {"A": by_item, "B": {"s2": ["O", "O"], "s1": ["B-PER", "O"]}})
    assert (board.kind, board.items, board.outputs["B"][1]) == ("tags", ("s1", "s2"), ("O", "O"))
    named = ns.read_submissions(
        {"utt": IDS, "right": GOLD}, {"utt": IDS, "A": A, "B": B}, id_column="utt", gold_column="right"
    )
    assert (named.items, dict(named.outputs)) == (tuple(IDS), {"A": tuple(A), "B": tuple(B)})
    texts = [["a cat sat on the mat", "the cat sat down here"], ["dogs ran fast", "dogs were running fast"]]
    assert ns.read_submissions(texts, {"A": ["a cat", "dogs ran"]}, measure="chrf").kind == "texts"


@pytest.mark.parametrize(
    ("gold", "systems", "said"),
    [
        (GOLD, {"A": A, "B": B[:-1]}, "'B': it has 5 outputs and gold 6 items"),
        (GOLD, {"A": [*A[:-1], None], "B": B}, "'A' has no output for 1 of 6 items ('6')"),
        ({"id": IDS, "gold": GOLD[:-1]}, {"A": A}, "'id' has 6 entries and 'gold' 5"),
        (GOLD, {"A": A, "B": 3}, "'B': int is neither a file nor a table"),
        (3, {"A": A}, "'gold': int is neither a file"),
        (np.array(3), {"A": A}, "'gold': ndarray is neither a file"),
        ([[(2, "nsubj"), (0, "root")]], {"A": [[(2, "nsubj"), (0, "root")]]}, 'ns.Submissions(kind="trees"'),
        (polars.DataFrame(COLUMNS).lazy(), None, "collect()"),
        ({"q1": "yes", "q2": "no"}, {"A": {"x1": "yes", "x2": "no"}}, "none of its ids"),
        (["there.txt"], {"A": "nowhere.txt"}, "'there.txt' can't be opened"),
    ],
)
def test_what_is_no_board_is_said_with_its_system(gold, systems, said):
    with pytest.raises(ns.ScoreFileError) as refused:
        ns.read_submissions(gold, systems)
    assert said in str(refused.value)
