"""Long tables whose rows repeat a system and unit, units under odd names, and numbers that are no scores."""

import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.core.toolcheck import cells


def read(head: str, rows: list[str]) -> ScoreMatrix:
    return read_scores(("\n".join([head, *rows]).encode(), "x.csv"))


@pytest.mark.parametrize("name", ["No.", "prompt_hash", "Aufgabe", "题目", "k", "uuid"])
@pytest.mark.parametrize("prefix", ["u", ""])
def test_units_of_any_name_are_found_where_they_come_back_under_each_system(name: str, prefix: str) -> None:
    rows = [f"{system},{prefix}{i},{(i + place) / 8}" for place, system in enumerate("AB") for i in range(6)]
    found = cells(read(f"model,{name},score", rows))
    assert found["B"] == {f"{prefix}{i}": (i + 1) / 8 for i in range(6)}


@pytest.mark.parametrize("name", ["sample_idx", "completion_id", "generation", "k"])
def test_samples_of_a_problem_are_runs(name: str) -> None:
    rows = [f"{s},{k},p{i},{int(i > k)}" for s in "AB" for i in range(5) for k in range(2)]
    scores = read(f"system,{name},problem_id,passed", rows)
    assert cells(scores)["A"] == {f"p{i}": (i > 0) / 2 + (i > 1) / 2 for i in range(5)}
    assert any(note.code == "averaged-runs" for note in scores.notes)


def test_samples_of_a_few_tasks_are_units() -> None:
    rows = [f"{s},t{t},{i},{(i + t) / 8}" for s in "AB" for t in range(2) for i in range(5)]
    assert read("system,task,sample_id,score", rows).n_units == 10


@pytest.mark.parametrize("name", ["criterion", "variable", "what"])
def test_a_column_of_known_metrics_names_the_metric(name: str) -> None:
    rows = [f"{s},{i},{m},{i / 8}" for s in "AB" for i in range(4) for m in ("TER", "BLEU")]
    scores = read(f"system,segment,{name},value", rows)
    assert scores.metric == "TER"
    assert scores.several["metrics"] == ["TER", "BLEU"]


def test_rows_that_repeat_are_refused_with_the_column_that_tells_them_apart() -> None:
    rows = [f"{s},{i},{k},{i / 8}" for s in "AB" for i in range(4) for k in ("one", "two")]
    with pytest.raises(ScoreFileError, match=r"'round' tells these rows apart.*roles='run=round'"):
        read("system,item,round,score", rows)
    scores = read_scores(("\n".join(["system,item,round,score", *rows]).encode(), "x.csv"), roles="run=round")
    assert scores.n_units == 4


@pytest.mark.parametrize(
    "beside",
    [
        "temperature,top_p",  # a setting of each system
        "confidence,time_spent",
        "flavour,cost",  # a number of each system under a name that says nothing
        "hops,num_words",  # unknown numbers before a known metric
    ],
)
def test_what_is_told_beside_the_score_is_not_the_default(beside: str) -> None:
    def other(place: int, i: int) -> str:
        return f"{place}" if beside[0] in "tf" else f"{(i * 7 + place) % 5}.5"

    rows = [
        f"{s},{other(place, i)},{i % 3},q{i},{'yes' if (i + place) % 3 else 'no'}"
        for place, s in enumerate("AB")
        for i in range(6)
    ]
    scores = read(f"model,{beside},question,correct", rows)
    assert cells(scores)["B"] == {f"q{i}": float((i + 1) % 3 > 0) for i in range(6)}


def test_the_scores_themselves_tell_no_rows_apart_and_parts_of_the_systems_may() -> None:
    rows = [
        f"{s},{p},q{i},{i % 2 == (p == 'few'):d}" for s in "AB" for p in ("zero", "few") for i in range(9)
    ]
    text = "\n".join(["model,style,qid,correct", *rows]).encode()
    with pytest.raises(ScoreFileError, match=r"'style' tells these rows apart.*'system=model\+style'"):
        read_scores((text, "x.csv"))
    told = read_scores((text, "x.csv"), roles="system=model+style")
    assert told.systems == ("A / zero", "A / few", "B / zero", "B / few")
    plain = text.replace(b",zero", b"").replace(b",few", b"").replace(b",style", b"")
    with pytest.raises(ScoreFileError, match=r"already; give each \(system, item\) once"):
        read_scores((plain, "x.csv"))


def test_a_table_of_folds_is_refused_with_the_columns_that_may_be_units() -> None:
    rows = [f"{s},{fold},{fold / 16}" for s in "AB" for fold in range(9)]
    with pytest.raises(ScoreFileError, match=r"no column names items.*roles='unit=fold,system=model'"):
        read("model,fold,accuracy", rows)


@pytest.mark.parametrize(("kind", "code"), [("rater", "averaged-raters"), ("run", "averaged-runs")])
def test_a_column_for_each_run_or_rater_is_averaged(kind: str, code: str) -> None:
    rows = [f"{s},{i},{(i + p) % 4},{i % 3},{p}" for p, s in enumerate("AB") for i in range(6)]
    head = f"system,item,{kind}1,{kind}2,{kind} 3"
    scores = read(head, rows)
    assert cells(scores)["B"] == {str(i): pytest.approx(((i + 1) % 4 + i % 3 + 1) / 3) for i in range(6)}
    assert {code, "numbered-columns"} <= {note.code for note in scores.notes}
    text = "\n".join([head, *rows]).encode()
    assert read_scores((text, "x.csv"), metric=f"{kind}2").values[:, 0].tolist() == [0, 1, 2, 0, 1, 2]
    known = read(f"{head},bleu", [f"{row},0.{place}" for place, row in enumerate(rows)])
    assert known.metric == "bleu"
