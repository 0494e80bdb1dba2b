"""What columns are: told as roles, guessed from names and content, and asked where the guess isn't sure."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from nlpstat_core.errors import ConfigError, ScoreFileError
from nlpstat_core.readers import Role, RolesNeeded, preview, read_scores, reading_keywords
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.core.reading import read

DATA = Path(__file__).parents[3] / "shared" / "data"
TOOLS = DATA / "tools"
needs_data = pytest.mark.skipif(not TOOLS.exists(), reason="the collection of real score files isn't here")


def replayed(scores: ScoreMatrix, text: str) -> None:
    keywords = reading_keywords(json.loads(json.dumps(dict(scores.reading))))
    again = read(text, **keywords)
    assert again.fingerprint == scores.fingerprint
    assert again.reading == scores.reading


LONG = "who,where,piece,points,style\n" + "".join(
    f"{who},{where},{piece},{piece + len(who)},{piece * 2}\n"
    for who in ("A", "BB")
    for where in ("x", "y")
    for piece in (1, 2, 3)
)


@pytest.mark.parametrize(
    "roles",
    [
        "system=who,unit=where+piece,score=points",
        "system=who,unit=where,unit=piece,score=points",
        {"system": "who", "unit": ["where", "piece"], "score": "points"},
        {"who": "system", "where": "unit", "piece": "unit", "points": "score", "style": "ignored"},
    ],
)
def test_roles_can_be_told_in_many_ways(roles: object) -> None:
    scores = read(LONG, roles=roles)
    assert scores.systems == ("A", "BB")
    assert scores.units == ("x:1", "x:2", "x:3", "y:1", "y:2", "y:3")
    np.testing.assert_array_equal(scores.values[:3], [[2, 3], [3, 4], [4, 5]])
    assert scores.metric == "points"
    replayed(scores, LONG)


def test_two_columns_name_the_systems_together() -> None:
    scores = read(LONG, roles="system=who,system=where,unit=piece,score=style")
    assert scores.systems == ("A / x", "A / y", "BB / x", "BB / y")
    assert scores.units == ("1", "2", "3")
    replayed(scores, LONG)


def test_columns_of_a_wide_table_can_be_told() -> None:
    text = "n,A,B,C,D\n1,0.5,1,7,x\n2,0.25,0,8,y\n"
    scores = read(text, roles="unit=n,system=A,system=B")
    assert (scores.systems, scores.units) == (("A", "B"), ("1", "2"))
    assert "C" not in scores.labels
    replayed(scores, text)
    ignored = read(text, roles="ignored=C")
    assert ignored.systems == ("A", "B")


def test_runs_and_raters_are_averaged() -> None:
    text = "system,item,judge,score\n" + "".join(
        f"{system},{item},{judge},{item + judge}\n" for system in "AB" for item in (1, 2) for judge in (0, 1)
    )
    assert read(text, roles="rater=judge").values.tolist() == [[1.5, 1.5], [2.5, 2.5]]
    assert read(text, roles={"run": "judge"}).values.tolist() == [[1.5, 1.5], [2.5, 2.5]]


def test_one_system_a_file_with_its_score_told() -> None:
    files = [
        (b"q,turn,grade,when\n1,1,5,9\n2,1,4,8\n", "A.csv"),
        (b"q,turn,grade,when\n1,1,3,7\n2,1,2,6\n", "B.csv"),
    ]
    scores = read_scores(files, roles="unit=q,score=grade")  # type: ignore[arg-type]
    assert scores.systems == ("A", "B")
    np.testing.assert_array_equal(scores.values, [[5, 3], [4, 2]])


@pytest.mark.parametrize(
    ("roles", "text"),
    [
        ("unit", "roles are written as unit=utt_id"),
        ("unt=who", "Unknown role 'unt'"),
        (7, "roles must be text"),
        ({"unit": 7}, "columns of a role must be names"),
    ],
)
def test_roles_that_cannot_be(roles: object, text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        read(LONG, roles=roles)


def test_columns_that_are_not_there() -> None:
    with pytest.raises(ScoreFileError, match=r"no column 'whom' .did you mean 'who'"):
        read(LONG, roles="system=whom")
    with pytest.raises(ScoreFileError, match="can't be both system and unit"):
        read(LONG, roles="system=who,unit=who")


@pytest.mark.parametrize(
    "header",
    ["model,utt_id,wer", "agent,task,success", "llm,input_id,acc", "algorithm,image,iou", "arm,guid,score",
     "retriever,qid,ndcg", "approach,pair_id,f1", "run_id,docno,map", "parser,filename,las"],
)  # fmt: skip
def test_names_of_the_field(header: str) -> None:
    rows = "".join(
        f"{system},u{unit},{unit % 3}.{len(system)}\n" for system in ("a", "bb") for unit in range(6)
    )
    scores = read(f"{header}\n{rows}")
    assert (scores.systems, scores.n_units) == (("a", "bb"), 6)
    assert scores.metric in (header.split(",")[2], None)


def test_systems_by_content_only() -> None:
    rows = [f"P{p},{run},t{i},{(p * i + run) % 2}" for p in range(3) for run in (1, 2) for i in range(8)]
    scores = read("\n".join(["prompt_id,run_idx,input_id,correct", *rows]))
    assert (scores.systems, scores.n_units) == (("P0", "P1", "P2"), 8)
    assert "system-column-guessed" in {note.code for note in scores.notes}


NEVER = ["timestamp", "tstamp", "seed", "epoch", "num_tokens", "latency_ms", "cost", "length"]


@pytest.mark.parametrize("name", NEVER)
def test_what_is_never_a_system_nor_the_default_score(name: str) -> None:
    wide = "item,A,B," + name + "\n" + "".join(f"u{i},{i % 2},{i % 3},{1000 + i * 7}\n" for i in range(9))
    scores = read(wide)
    assert scores.systems == ("A", "B")
    assert name in next(note.text for note in scores.notes if note.code == "columns-left-out")
    if name in ("seed", "epoch"):
        return  # runs
    rows = "".join(f"{s},u{i},{1000 + i * 7 + ord(s)},{i % 2}\n" for s in "AB" for i in range(9))
    long = read(f"system,item,{name},quality\n{rows}")
    assert (long.metric, long.values.max()) == ("quality", 1) or long.metric is None


def test_counters_and_means_of_the_others_are_no_systems() -> None:
    rows = [(i, i % 3 / 7, i % 4 / 9) for i in range(12)]
    text = "item,A,B,Average\n" + "".join(f"u{i},{a},{b},{(a + b) / 2:.4f}\n" for i, a, b in rows)
    scores = read(text)
    assert scores.systems == ("A", "B")
    assert [note.code for note in scores.notes] == ["summary-column"]
    counted = read("item,n,A,B\n" + "".join(f"u{i},{i + 100},{a},{b}\n" for i, a, b in rows))
    assert counted.systems == ("A", "B")


def test_spreads_and_differences_of_the_others_are_no_systems() -> None:
    rows = [(i, i % 3 / 8, i % 4 / 8, i % 5 / 8) for i in range(12)]
    text = "item,A,B,C,best,std,delta\n" + "".join(
        f"u{i},{a},{b},{c},{max(a, b, c)},{np.std([a, b, c]):.3f},{c - a}\n" for i, a, b, c in rows
    )
    scores = read(text)
    assert scores.systems == ("A", "B", "C")
    assert "'best', 'std', 'delta'" in next(n.text for n in scores.notes if n.code == "summary-column")
    others = text.replace("best", "std2").replace(",std,", ",max,")  # called so, and something else
    assert read(others).systems == ("A", "B", "C", "std2", "max")


def test_properties_of_the_items_are_no_systems() -> None:
    rows = "".join(f"u{i},{i % 3 > 0},{i % 2 > 0},{i % 5 > 2}\n" for i in range(9))
    assert read(f"item,A,B,is_hard\n{rows}").systems == ("A", "B")
    assert read(f"item,A,B,is_correct\n{rows}").systems == ("A", "B", "is_correct")


def test_ids_of_their_own_in_every_system_are_asked_about() -> None:
    text = "id,system,piece,score\n" + "".join(f"{s}{i},{s},{i},0.{i}\n" for s in "AB" for i in range(9))
    with pytest.raises(RolesNeeded, match="no item is shared by two systems: the ids in 'id'") as raised:
        read(text)
    assert raised.value.guess.of(Role.UNIT) == ("id",)
    assert raised.value.guess.certainty == "unsure"
    assert raised.value.header == ("id", "system", "piece", "score")
    assert raised.value.rows[0] == ("A0", "A", "0", "0.0")
    assert read(text, roles="unit=piece").n_units == 9
    assert read(text, id_column="id").n_units == 18
    seen = preview((text.encode(), "x.csv"))
    assert seen.guess is not None
    assert (seen.guess.of(Role.SYSTEM), seen.header) == (("system",), raised.value.header)


def test_two_columns_of_unlike_ranges_are_asked_about() -> None:
    text = "item,acc,chars\n" + "".join(f"u{i},{i % 2},{900 + i * 37 % 50}\n" for i in range(12))
    with pytest.raises(RolesNeeded, match="don't look like scores of one metric"):
        read(text)
    assert read(text, roles="system=acc,system=chars").systems == ("acc", "chars")


def test_the_refusal_of_repeated_ids_names_the_column_and_the_others() -> None:
    with pytest.raises(ScoreFileError) as raised:
        read("key,question_text,A,B\n1,x,1,2\n2,y,2,3\n1,z,3,4\n3,w,1,1\n4,v,1,1\n")
    assert "line 4: the item '1' was on line 2 already; the ids are from column 'key'" in str(raised.value)
    assert "'question_text'" in str(raised.value)


def test_signs_that_are_understood() -> None:
    percent = read("item,A,B\n1,5%,7%\n2,8.5%,12%\n3,1%,NA\n")
    np.testing.assert_array_equal(percent.values, [[5, 7], [8.5, 12], [1, np.nan]])
    assert "percent-signs" in {note.code for note in percent.notes}
    grouped = read('item;A;B\n1;"1.234,5";7\n2;8,5;12\n')
    assert grouped.values[0, 0] == 1234.5
    english = read('item,A,B\n1,"1,234,567",7\n2,"12,345.5",12\n')
    assert english.values[:, 0].tolist() == [1234567, 12345.5]


def test_titles_units_and_markdown() -> None:
    titled = read("Results of 2024\n\nitem,A,B\ns1,1,0\ns2,0,1\ns3,1,1\n")
    assert (titled.systems, titled.units) == (("A", "B"), ("s1", "s2", "s3"))
    padded = read("Results,,\n,,\nitem,A,B\ns1,1,0\ns2,0,1\ns3,1,1\n")
    assert padded.fingerprint == titled.fingerprint
    unit_row = read("item,A,B\n,(s),(s)\ns1,1,0\ns2,0,1\ns3,1,1\n")
    assert unit_row.fingerprint == titled.fingerprint
    marked = read(
        "# Scores\n\n| item | A | B |\n|---|--:|--:|\n| s1 | 1 | 0 |\n| s2 | 0 | 1 |\n| s3 | 1 | 1 |\n"
    )
    assert marked.fingerprint == titled.fingerprint


def test_quotes_that_may_enclose_cells_or_not() -> None:
    text = 'item\ttext\tA\tB\ns1\t"left\t1\t0\ns2\tright"\t0\t1\ns3\tx\t1\t1\n'
    with_quotes = 'item\ttext\tA\tB\ns1\t"left\t1\t0\ns2\tright"\t1\t0\ns2\tx\t1\t1\n'
    scores = read(text)
    assert scores.units == ("s1", "s2", "s3")
    assert "quotes-ambiguous" in {note.code for note in scores.notes}
    assert read(text, quotes=False).n_units == 3
    assert read(with_quotes, quotes=True).units == ("s1", "s2")


@needs_data
def test_tables_of_tools_that_no_adapter_needs() -> None:
    prompts = read_scores(TOOLS / "prompts_runs_long.csv")
    assert (prompts.values.shape, prompts.metric) == ((120, 8), "correct")
    assert prompts.reading["system_column"] == "prompt_id"
    assert "Scores are means over 5 runs." in {note.text for note in prompts.notes}
    answers = read_scores(TOOLS / "llm_answers_quoted_text.csv")
    assert (answers.values.shape, answers.metric) == ((60, 3), "correct")
    assert answers.reading["id_column"] == "question"
    assert read_scores(TOOLS / "llm_answers_quoted_text.csv", metric="latency").lower_is_better
    with pytest.raises(ScoreFileError, match=r"one row per system: .* seems to name systems"):
        read_scores(TOOLS / "arena_hard_leaderboard.csv")
    assert read_scores(TOOLS / "arena_hard_leaderboard.csv", systems_as_rows=True).n_systems == 60
    reversal = TOOLS / "reversal" / "gpt-3.5-turbo_reversal_test_results.csv"
    with pytest.raises(ScoreFileError, match="the ids are from column 'child'"):
        read_scores(reversal)
    every = read_scores(reversal, roles="unit=none,label=child")
    assert every.values.shape == (1513, 2)


def zipped(**files: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.json", text)
    return target.getvalue()


def test_a_preview_tells_the_role_of_every_column_and_why() -> None:
    text = "system,item,seed,acc,latency,said\n" + "".join(
        f"{s},q{i},{seed},{(i + len(s)) % 2},{i * 7},words {i}{s}{seed}\n"
        for s in ("A", "BB")
        for i in range(6)
        for seed in (1, 2)
    )
    seen = preview((text.encode(), "x.csv"))
    assert seen.guess is not None
    assert {name: str(role) for name, role in seen.guess.roles.items()} == {
        "system": "system",
        "item": "unit",
        "seed": "run",
        "acc": "score",
        "latency": "ignored",
        "said": "label",
    }
    assert seen.guess.reasons["item"] == "its name says so"
    assert seen.guess.reasons["latency"] == "its name says that it is not a score"
    assert (seen.guess.wide, seen.guess.certainty) == (False, "likely")
    words = preview((text.encode(), "x.csv"), roles={"ignored": ["said"]})
    assert words.guess is not None
    assert words.header == seen.header  # what is left out can be brought back
    assert words.guess.reasons["said"] == "as you chose"


def test_a_table_that_cannot_be_read_still_has_a_guess() -> None:
    seen = preview((b"key,A,B\n1,2,x\n2,3,4\n3,4,5\n4,1,2\n", "x.csv"))
    assert seen.problem
    assert seen.guess is not None
    assert [str(role) for role in seen.guess.roles.values()] == ["unit", "system", "system"]
    assert seen.guess.certainty == "unsure"


def test_roles_of_a_tools_table_can_be_told() -> None:
    def results(offset: int) -> str:
        tasks = {
            f"HumanEval/{i}": [
                {
                    "task_id": f"HumanEval/{i}",
                    "base_status": "pass" if (i + offset) % 3 else "fail",
                    "plus_status": "pass" if i % 2 else "fail",
                    "solution": "x",
                }
            ]
            for i in range(8)
        }
        return json.dumps({"date": "2024-01-01", "hash": "x", "eval": tasks})

    data = zipped(tern=results(0), ibis=results(1))
    seen = preview((data, "runs.zip"))
    assert seen.problem == ""
    assert seen.guess is not None
    assert seen.guess.certainty == "sure"
    assert set(seen.guess.reasons.values()) == {"the format of the file says so"}
    scores = seen.guess.of(Role.SCORE)
    assert len(scores) > 1
    one = read_scores((data, "runs.zip"), roles={"score": [scores[1]]})
    both = read_scores((data, "runs.zip"), metric=scores[1])
    np.testing.assert_array_equal(one.values, both.values)
    assert one.metric == scores[1]
    again = read_scores((data, "runs.zip"), **reading_keywords(json.loads(json.dumps(dict(one.reading)))))
    assert again.fingerprint == one.fingerprint
