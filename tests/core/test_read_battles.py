"""Battles from files: arenas, MT-bench's pairwise judgements, Arena-Hard's both orders; refusals."""

import gzip
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from golden.golden import INPUTS

import nlpstat_core as ns

FILE = INPUTS / "battles.csv"
TABLE = pd.read_csv(FILE)
REAL = Path(__file__).parents[3] / "shared" / "data" / "tools" / "mt_bench" / "pairwise_EEVE_vs_Mistral.jsonl"


def lines(records):
    return "\n".join(json.dumps(record) for record in records).encode()


def packed(kind):
    records = TABLE.to_dict("records")
    # As arenas export them: conversations beside the verdict.
    talks = [{**record, "conversation_a": [{"role": "user", "content": "hi"}]} for record in records]
    if kind == "parquet":
        buffer = io.BytesIO()
        TABLE.to_parquet(buffer)
        return buffer.getvalue(), "battles.parquet"
    return {
        "csv": (FILE.read_bytes(), "battles.csv"),
        "tsv": (TABLE.to_csv(index=False, sep="\t").encode(), "battles.tsv"),
        "jsonl": (lines(talks), "battles.jsonl"),
        "json": (json.dumps(talks).encode(), "battles.json"),
        "json-inside": (json.dumps({"version": 3, "battles": talks}).encode(), "battles.json"),
        "gz": (gzip.compress(lines(records)), "battles.jsonl.gz"),
    }[kind]


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json", "json-inside", "gz", "parquet"])
def test_every_format_gives_the_same_battles(kind):
    found = ns.read_battles(packed(kind))
    assert (found.n_battles, found.n_systems, found.notes) == (300, 6, ())
    assert [found.systems[i] for i in found.left] == TABLE["model_a"].tolist()
    assert list(found.labels) == ["prompt"]
    assert found.clusters("prompt")[1] == 40
    assert ns.bradley_terry_difference(found, "ant", "fox", clusters="prompt") == ns.bradley_terry_difference(
        TABLE, "ant", "fox", clusters="prompt"
    )


def test_a_path_and_several_files():
    first, second = TABLE.head(100), TABLE.tail(200).assign(rater="r1")
    files = [(part.to_csv(index=False).encode(), f"{i}.csv") for i, part in enumerate((first, second))]
    found = ns.read_battles(files)
    assert found.n_battles == 300
    assert found.outcome.tolist() == ns.read_battles(FILE).outcome.tolist()
    assert found.labels["rater"][:101] == [None] * 100 + ["r1"]
    with pytest.raises(ns.ScoreError, match="Battle 1 has no cluster of 'rater'"):
        ns.bradley_terry_difference(found, "ant", "fox", clusters="rater")


def test_both_games_of_mt_bench_are_one_battle():
    games = [
        ("model_1", "model_1"),
        ("model_2", "model_2"),
        ("model_1", "model_2"),
        ("tie", "tie"),
        ("model_1", "tie"),
        ("error", "model_1"),
    ]
    records = [
        {"question_id": i, "model_1": "x", "model_2": "y", "g1_winner": one, "g2_winner": two, "turn": 1}
        for i, (one, two) in enumerate(games)
    ]
    found = ns.read_battles((lines(records), "gpt-4_pair.jsonl"))
    assert found.outcome.tolist() == [1, -1, 0, 0, 0]
    assert list(found.labels) == ["question_id", "turn"]
    assert [note.text for note in found.notes] == [
        "Left out: 1 battle without a verdict (the first is number 6)."
    ]


def test_arena_hard_has_the_baseline_first_then_second():
    def judged(question, model, first, second, **more):
        return {
            "question_id": question,
            "model": model,
            "games": [{"score": first}, {"score": second}],
            **more,
        }

    records = [
        judged("q1", "new", "B>>A", "A>B"),
        judged("q2", "new", "A=B", None),
        judged("q2", "old", "A>B", "B>A"),
    ]
    found = ns.read_battles((lines(records), "judgment.jsonl"), baseline="gpt")
    shown = [
        (found.systems[a], found.systems[b], outcome)
        for a, b, outcome in zip(found.left, found.right, found.outcome.tolist(), strict=True)
    ]
    assert shown == [
        ("gpt", "new", -1),
        ("new", "gpt", 1),
        ("gpt", "new", 0),
        ("gpt", "old", 1),
        ("old", "gpt", -1),
    ]
    assert found.labels["game"] == [1, 2, 1, 1, 2]
    named = ns.read_battles((lines([{**record, "baseline": "gpt"} for record in records]), "judgment.jsonl"))
    assert named.outcome.tolist() == found.outcome.tolist()
    with pytest.raises(ns.ScoreFileError, match=r"'judgment.jsonl': Arena-Hard.*baseline"):
        ns.read_battles((lines(records), "judgment.jsonl"))


def test_what_is_left_out_is_told():
    text = b"model_a,model_b,winner\nx,y,a\nx,x,tie\ny,x,\nx,y,b\ny,x,error\n"
    found = ns.read_battles((text, "log.csv"))
    assert found.outcome.tolist() == [1, -1]
    assert [(note.code, note.severity) for note in found.notes] == [
        ("battles-without-verdict", "caution"),
        ("battles-with-itself", "caution"),
    ]
    assert "2 battles without a verdict (the first is number 3)" in found.notes[0].text


@pytest.mark.skipif(not REAL.exists(), reason="real files stand beside the project only")
def test_a_real_file_of_mt_bench():
    found = ns.read_battles(REAL)
    # 13 for EEVE, 29 for Mistral; 37 where the two orders disagree, and a tie.
    assert np.bincount(found.outcome.astype(int) + 1).tolist() == [29, 38, 13]
    assert found.clusters("question_id")[1] == 80


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"item,S,T\nx,1,2\n", r"'f.csv': .*columns of the two systems.*'item', 'S', 'T'"),
        (b"model_a,model_b\nx,y\n", "column 'winner'"),
        (b"model_a,model_b,winner\nx,y,\n", "none of the 1 battles has a verdict"),
        (b"model_a,model_b,winner\nx,y,z\n", "'z' is not a winner"),
        (b"model_a,model_b,winner\nx,,a\n", "Battle 1 lacks the name"),
        (b"[1, 2]", "no list of battles"),
        (b'{"a": ', "not valid JSON"),
        (b"", "empty"),
        (b"[]", "There is no battle"),
        (b'[{"model_a": "x", "model_b": "y", "winner": ["a"]}]', "Winners must be one row of names"),
        (b'[{"model_a": ["x"], "model_b": "y", "winner": "a"}]', "Systems must be one row of names"),
        (b'[{"model": "x", "baseline": "y", "games": ["a"]}]', "games that are not records"),
    ],
)
def test_files_that_cannot_be_read(data, message):
    with pytest.raises(ns.ScoreFileError, match=message):
        ns.read_battles((data, "f.csv"))


def test_bounds_are_kept():
    with pytest.raises(ns.ScoreFileError, match="max_rows"):
        ns.read_battles(FILE, max_rows=10)
    with pytest.raises(ns.ScoreFileError, match="max_bytes"):
        ns.read_battles(FILE, max_bytes=100)


@pytest.mark.parametrize(
    ("rows", "said"), [("", "no battles below the header"), ("A,A,A\nB,B,tie\n", "a system with itself")]
)
def test_files_without_a_battle_between_two_systems_are_refused(rows, said) -> None:
    with pytest.raises(ns.ScoreFileError, match=said):
        ns.read_battles((f"model_a,model_b,winner\n{rows}".encode(), "battles.csv"))


@pytest.mark.parametrize(
    ("header", "winners", "outcomes"),
    [
        ("model_a,model_b,winner", "1 -1 0", [1, -1, 0]),
        ("model_a,model_b,score_a", "1 0 0.5", [1, -1, 0]),
        ("model_a,model_b,Score", "1 0", [1, -1]),
        ("model_a,model_b,result", "1 0 0.5", [1, -1, 0]),
        ("model_1,model_2,winner", "1 2", [1, -1]),
        ("model_1,model_2,winner", "2 1 0", [-1, 1, 0]),
    ],
)
def test_numbers_that_mean_one_thing(header, winners, outcomes):
    rows = "".join(f"x,y,{winner}\n" for winner in winners.split())
    assert ns.read_battles((f"{header}\n{rows}".encode(), "f.csv")).outcome.tolist() == outcomes


@pytest.mark.parametrize(
    ("header", "winners", "said"),
    [
        ("model_a,model_b,winner", "1 0", "call the column 'score_a'"),
        ("model_1,model_2,label", "1.0 0.0", "call the column 'score_a'"),
        ("model_a,model_b,preference", "1 0 0.5", "(0, 0.5, 1)"),
        ("model_a,model_b,winner", "1 2", "nothing says which system each means"),
        ("model_a,model_b,winner", "1 2 0", "'model_a', 'model_b' and 'tie'."),
        ("model_a,model_b,score", "2 1", "nothing says"),
    ],
)
def test_numbers_that_may_mean_two_things_are_refused(header, winners, said):
    rows = "".join(f"x,y,{winner}\n" for winner in winners.split())
    with pytest.raises(ns.ScoreFileError) as caught:
        ns.read_battles((f"{header}\n{rows}".encode(), "f.csv"))
    assert said in str(caught.value)


def test_numbers_may_be_names_of_systems():
    text = b"model_a,model_b,winner\n7,8,7\n8,7,7\n"
    assert ns.read_battles((text, "f.csv")).outcome.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("columns", "cautioned"),
    [
        ({}, True),
        ({"question_id": range(40)}, False),
        ({"question_id": range(40), "judge": ["gpt-4"] * 40}, False),
        ({"question_id": range(40), "judge": ["ann", "bob"] * 20}, True),
        ({"judge": range(40)}, True),
    ],
)
def test_battles_of_prompts_that_never_repeat_stand_alone(columns, cautioned):
    table = pd.DataFrame(
        {"model_a": ["x"] * 40, "model_b": ["y"] * 40, "winner": ["a", "b", "a", "tie"] * 10}
    )
    found = ns.rank_preferences(table.assign(**columns))
    assert ("battles-alone" in {note.code for note in found.notes}) == cautioned


@pytest.mark.parametrize("header", ["winner,loser", "Chosen_Model,Rejected_Model"])
def test_names_of_winner_and_loser(header):
    found = ns.read_battles((f"{header},prompt\nx,y,1\ny,x,2\nz,x,2\n".encode(), "f.csv"))
    battles = [(found.systems[a], found.systems[b]) for a, b in zip(found.left, found.right, strict=True)]
    assert battles == [("x", "y"), ("y", "x"), ("z", "x")]
    assert found.outcome.tolist() == [1, 1, 1]
    assert list(found.labels) == ["prompt"]


@pytest.mark.parametrize("orient", ["list", "columns"])
def test_json_of_columns(orient):
    data = TABLE.to_dict("list") if orient == "list" else json.loads(TABLE.to_json())
    found = ns.read_battles((json.dumps(data).encode(), "f.json"))
    assert found.outcome.tolist() == ns.read_battles(FILE).outcome.tolist()
    assert list(found.labels) == ["prompt"]


def empty(kind):
    frame, buffer = TABLE.head(0), io.BytesIO()
    if kind == "json":
        return json.dumps(frame.to_dict("list")).encode()
    {"parquet": frame.to_parquet, "xlsx": lambda file: frame.to_excel(file, index=False)}[kind](buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["parquet", "xlsx", "json"])
def test_a_table_of_nothing_but_names_of_columns(kind):
    with pytest.raises(ns.ScoreFileError, match="no battles below the header"):
        ns.read_battles((empty(kind), f"f.{kind}"))


def test_verdicts_in_columns_of_their_own_are_numbers():
    head = "model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"
    found = ns.read_battles((f"{head}x,y,1,0,0\nx,y,0,0,1\n".encode(), "f.csv"))
    assert found.outcome.tolist() == [1, 0]
    for row, said in (("1,1,0", "Battle 1: one of"), ("won,0,0", "must be 1 and the others 0")):
        with pytest.raises(ns.ScoreFileError, match=said):
            ns.read_battles((f"{head}x,y,{row}\n".encode(), "f.csv"))


# As judges, arenas and people write who won; each is one win, whatever the margin.
SPELLINGS = {
    1: [
        "model_a",
        "Model A",
        "A",
        "left",
        "A>B",
        "A>>B",
        "[[A]]",
        "[[A>B]]",
        "[[A>>B]]",
        "A is better",
        "system_1",
    ],
    -1: [
        "model_b",
        "response_b",
        "B",
        "RIGHT",
        "B>A",
        "A<<B",
        "[[B]]",
        "[[B>>A]]",
        "B wins",
        "b better",
        "second",
    ],
    0: [
        "tie",
        "tie (bothbad)",
        "both_bad",
        "both are bad",
        "[[C]]",
        "[[A=B]]",
        "A=B",
        "Draw",
        "no preference",
    ],
}


@pytest.mark.parametrize(
    ("outcome", "word"), [(side, word) for side, words in SPELLINGS.items() for word in words]
)
def test_spellings_of_winners(outcome, word):
    assert ns.read_battles((f"model_a,model_b,winner\nx,y,{word}\n".encode(), "f.csv")).outcome.tolist() == [
        outcome
    ]


def read(text, name="b.csv"):
    found = ns.read_battles((text.encode(), name))
    sides = ([found.systems[i] for i in side] for side in (found.left, found.right))
    return list(zip(*sides, found.outcome.tolist(), strict=True)), [note.code for note in found.notes]


def test_a_column_of_ties_beside_winner_and_loser_makes_ties():
    rows, _ = read("winner,loser,tie\nA,B,0\nB,A,1\nA,C,false\nC,A,True\n")
    assert rows == [("A", "B", 1), ("B", "A", 0), ("A", "C", 1), ("C", "A", 0)]
    with pytest.raises(ns.ScoreFileError, match="'tie' beside 'winner' must be 1 for a tie"):
        read("winner,loser,tie\nA,B,perhaps\n")
    rows, _ = read("model_a,model_b,winner,is_tie\nA,B,model_a,0\nA,B,model_a,1\n")
    assert rows == [("A", "B", 1), ("A", "B", 0)]


def test_two_scores_are_compared():
    """Both may be right: the score of the first alone would call that a win."""
    rows, codes = read("model_a,model_b,score_a,score_b\nA,B,1,1\nB,A,0,1\nA,B,0.5,0\nA,B,,1\n")
    assert rows == [("A", "B", 0), ("B", "A", -1), ("A", "B", 1)]
    assert codes == ["winners-by-scores", "battles-without-verdict"]
    assert ns.bradley_terry_strengths(
        {"a": ["u", "v", "u"], "b": ["v", "u", "v"], "score_a": [1, 0, 0], "score_b": [1, 0, 1]}
    ) == ns.bradley_terry_strengths([("u", "v", "tie"), ("v", "u", "tie"), ("u", "v", "b")])


def test_spaces_around_names_make_no_systems_in_any_format():
    records = [
        {"model_a": "GPT ", "model_b": " Claude", "winner": "GPT"},
        {"model_a": "GPT", "model_b": "GPT ", "winner": "tie"},
        {"model_a": "Claude", "model_b": "GPT", "winner": "Claude "},
    ]
    rows, codes = read(json.dumps(records), "b.json")
    assert rows == [("GPT", "Claude", 1), ("Claude", "GPT", 1)]
    assert codes == ["battles-with-itself"]


def test_names_that_look_like_one_are_told():
    found = ns.read_battles((b"model_a,model_b,winner\nGPT-4,b,a\ngpt 4,b,b\n", "b.csv"))
    assert found.systems == ("GPT-4", "b", "gpt 4")
    assert [note.text.split(": ")[1] for note in found.notes] == [
        "'GPT-4' and 'gpt 4'. Give a system one name everywhere."
    ]
    assert read("model_a,model_b,winner\nGPT,Claude,gpt\n")[0] == [("GPT", "Claude", 1)]


def test_rows_that_are_copies_or_counts_are_told():
    text = "model_a,model_b,winner,judge\nA,B,a,j\nA,B,a,j\nA,B,b,j\n"
    assert read(text)[1] == ["battles-repeated"]
    assert read(text.replace(",judge", ",topic"))[1] == []  # one prompt may have the same verdict twice
    assert read("model_a,model_b,winner,count\nA,B,a,10\nA,B,b,1\n")[1] == ["counts-not-used"]
    assert read("model_a,model_b,winner,count\nA,B,a,1\nA,B,b,1\n")[1] == []


@pytest.mark.parametrize(
    "tie",
    ["ties", "indifferent", "can't decide", "no difference", "Tie (both bad)", "both_bad", "A≈B", "[[C]]"],
)
def test_more_spellings_of_a_tie(tie):
    assert read(f"Model A,Model B,Winner\nu,v,Response 1\nv,u,{tie}\n")[0][1] == ("v", "u", 0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *(("output_1", "output_2"), ("Option A", "Option B"), ("Response 1", "Response 2")),
        *(("A is much better", "B is slightly better"), ("left wins", "right wins"), ("a_wins", "b_wins")),
    ],
)
def test_more_spellings_of_a_side(left, right):
    rows, _ = read(f"system1,system2,preferred\nq1,q2,{left}\nq2,q3,{right}\n")
    assert [row[2] for row in rows] == [1, -1]


def test_both_better_is_no_side():
    with pytest.raises(ns.ScoreFileError, match="is not a winner"):
        read("model_a,model_b,winner\nu,v,both better\n")


def test_alpaca_evals_annotations_are_battles_with_the_baseline():
    """Probabilities go to the likelier side, as AlpacaEval's discrete win rate; 0 is an old tie."""
    given = [1, 2, 1.5, 0, 1.93, 1.2, None]
    records = [
        {
            "instruction": f"i{i}",
            "generator_1": "base",
            "generator_2": "new",
            "output_1": "t",
            "preference": p,
        }
        for i, p in enumerate(given)
    ]
    found = ns.read_battles((json.dumps(records).encode(), "annotations.json"))
    assert found.outcome.tolist() == [1, -1, 0, 0, -1, 1]
    assert [note.code for note in found.notes] == ["battles-without-verdict", "preferences-rounded"]
    whole = [record for record in records if record["preference"] in (1, 2)]
    assert ns.read_battles((json.dumps(whole).encode(), "annotations.json")).notes == ()
