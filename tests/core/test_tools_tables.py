"""Tables and folders as tools leave them: cell by cell, or refused with what they are."""

import io
import json

import openpyxl
import pytest

from nlpstat_core.readers import RolesNeeded, read_boards, read_scores
from tests.core.toolcheck import board, cells, dumped, refused

ONE = "one score per system: nothing to test"


def test_promptfoo_tables() -> None:
    old = (
        'question,[openai:a] Say {{q}},[openai:b] Say {{q}}\n"1, 2?","[PASS] (0.75) yes\n[FAIL]",[FAIL] no\n'
    )
    old += "q2,[ERROR] time out,[PASS] well\n"
    read = board([(old.encode(), "out.csv")])
    assert read == {"openai:a": {"1, 2?": 0.75, "q2": None}, "openai:b": {"1, 2?": 0.0, "q2": 1.0}}
    more = "Status,Score,Named Scores,Metric: wit,Grader Reason,Comment"
    new = f"Description,q,[a] One,{more},[a] Two,{more}\n"
    new += "d,q1,x,PASS,0.90,,,,,y,FAIL,0.20,,,,\nd,q2,x,ERROR,0.00,,,,,y,PASS,1.00,,,,\n"
    expected = {"a | One": {"q1": 0.9, "q2": None}, "a | Two": {"q1": 0.2, "q2": 1.0}}
    assert board([(new.encode(), "out.csv")]) == expected
    assert board([(new.encode(), "out.csv")], metric="success")["a | One"] == {"q1": 1.0, "q2": None}
    refused([(old.replace("[PASS] well", "well").encode(), "out.csv")], "well")


def test_folders_of_mt_metrics_eval() -> None:
    def scores(values: str) -> bytes:
        given = values.split()
        return "".join(f"{s}\t{v}\n" for s, v in zip("AAABBB", given, strict=True)).encode()

    files = [
        (scores("1 2 3 4 5 6"), "wmt22/metric-scores/en-de/chrF-refA.seg.score"),
        (scores("-1 None -3 -4 -5 0"), "wmt22/human-scores/en-de.mqm.seg.score"),
        (b"A\t2\nB\t5\n", "wmt22/metric-scores/en-de/chrF-refA.sys.score"),
        (b"news d1\nnews d1\nchat d2\n", "wmt22/documents/en-de.docs"),
        (b"Eins.\nZwei.\nDrei.\n", "wmt22/system-outputs/en-de/A.txt"),
        (scores("7 8 9 1 2 3"), "wmt22/metric-scores/zh-en/chrF-refA.seg.score"),
    ]
    one = read_scores(files[:5])
    assert cells(one) == {"A": {"1": 1, "2": 2, "3": 3}, "B": {"1": 4, "2": 5, "3": 6}}
    assert one.labels == {"domain": ("news", "news", "chat"), "document": ("d1", "d1", "d2")}
    human = read_scores(files[:5], metric="mqm")
    assert not human.lower_is_better
    assert cells(human)["A"] == {"1": -1, "2": None, "3": -3}
    both = read_scores(files)
    assert cells(both)["B"] == {
        **{f"en-de:{i}": 3.0 + i for i in (1, 2, 3)},
        **{f"zh-en:{i}": float(i) for i in (1, 2, 3)},
    }
    refused([(b"A\t1\nA\t2\nB\t1\n", "en-de/x.seg.score")], "'A' has 2 scores and 'B' 1")
    refused([files[4], (b"One.\nTwo.\n", "wmt22/sources/en-de.txt")], "not scores of segments")


def test_tasks_of_the_harness_in_one_file() -> None:
    def sample(of: str, i: int, **more: object) -> bytes:
        return dumped({"doc_id": i, "doc_hash": f"{of}{i}", "resps": [["x"]], "target": "x", **more}) + b"\n"

    named = [
        (
            b"".join(
                sample(task, i, task=task, acc=float(i == own)) for task in ("law", "art") for i in (0, 1)
            ),
            f"{system}.jsonl",
        )
        for own, system in enumerate(("tern", "heron"))
    ]
    expected = {"law:0": 1.0, "law:1": 0.0, "art:0": 1.0, "art:1": 0.0}
    assert board(named)["tern"] == expected
    unnamed = [
        (data.replace(b'"task": "law", ', b"").replace(b'"task": "art", ', b""), at) for data, at in named
    ]
    assert list(board(unnamed)["tern"].values()) == list(expected.values())
    mixed = [
        (sample("a", 0, acc=1.0) + sample("a", 1, acc=0.0), f"{s}/samples_a_2024-07-01T10-00-00.1.jsonl")
        for s in ("tern", "heron")
    ] + [
        (sample("b", 0, em=0.5) + sample("b", 1, em=0.25), f"{s}/samples_b_2024-07-01T10-00-00.1.jsonl")
        for s in ("tern", "heron")
    ]
    assert cells(read_scores(mixed, dataset="b"))["heron"] == {"b:0": 0.5, "b:1": 0.25}
    boards = read_boards(mixed, each="dataset")
    assert {name: scores.metric for name, scores in boards.items()} == {"a": "acc", "b": "em"}


TWO_ROWS = {
    "merged": ",BLEU,,TER,\nitem,A,B,A,B\n",
    "systems above": "item,A,A,B,B\n,BLEU,TER,BLEU,TER\n",
    "seven columns": ",BLEU,,,TER,,\nitem,A,B,C,A,B,C\n",
    "a data frame": "measure,x,x,y,y\nsystem,A,B,A,B\nitem,,,,\n",
}


@pytest.mark.parametrize("name", TWO_ROWS)
def test_headers_of_two_rows(name: str) -> None:
    head = TWO_ROWS[name]
    width = head.split("\n")[1].count(",")
    rows = [[f"s{i}", *(str(10 * i + j) for j in range(width))] for i in range(3)]
    text = head + "".join(",".join(row) + "\n" for row in rows)
    scores = read_scores((text.encode(), "x.csv"))
    step = 2 if name == "systems above" else 1
    systems = "ABC"[: width // 2]
    expected = {system: {f"s{i}": 10.0 * i + step * j for i in range(3)} for j, system in enumerate(systems)}
    assert cells(scores) == expected
    second = scores.several["metrics"][1]
    other = cells(read_scores((text.encode(), "x.csv"), metric=second))
    assert other["A"]["s0"] == (1 if step == 2 else len(systems))
    again = read_scores((text.encode(), "x.csv"), **read_keywords(scores))
    assert cells(again) == expected
    book = openpyxl.Workbook()
    for line in text.splitlines():
        book.active.append([float(cell) if cell.isdigit() else cell or None for cell in line.split(",")])
    target = io.BytesIO()
    book.save(target)
    assert cells(read_scores((target.getvalue(), "x.xlsx"))) == expected


def read_keywords(scores: object) -> dict[str, object]:
    from nlpstat_core.readers import reading_keywords

    return reading_keywords(scores.reading)  # type: ignore[attr-defined,no-any-return]


def test_headers_of_two_rows_that_say_too_little() -> None:
    body = "".join(f"s{i},1,2,3,4\n" for i in range(3))
    refused([(f"item,A,A,B,B\n,x,y,x,y\n{body}".encode(), "x.csv")], "neither names metrics")
    refused([(f"item,A,A,B,B\n,acc,acc,acc,f1\n{body}".encode(), "x.csv")], "'A / acc' appears there twice")
    refused([(f"item,A,A,B,B\n{body}".encode(), "x.csv")], "both called 'A'")


SUMMARIES = {
    "question_id,model_a,model_b,winner\n1,tern,heron,model_a\n2,tern,heron,tie\n": "verdicts on pairs",
    "Start Time,Duration,Run ID,Name,acc\n2024-01-01,1s,a,r1,0\n2024-01-02,1s,b,r2,1\n": "MLflow",
    '"Name","State","Created","Runtime","Sweep","val/acc"\n"r1","finished","2024","10","","0.5"\n': "Weights",
    '"Step","a - acc","a - acc__MIN","a - acc__MAX"\n"0","1","1","1"\n"1","2","2","2"\n': "steps of training",
    "accuracy: 0.71\nf1: 0.65\n": ONE,
    "     precision    recall  f1-score   support\n\n  LOC   0.9   0.8   0.85   100\n": "a classification",
    "processed 100 tokens with 20 phrases; found: 20 phrases; correct: 18.\n": "conlleval",
    '{"exact": 80.1, "f1": 88.2, "total": 100}': ONE,
    '{"bleu": 0.3, "precisions": [0.6, 0.4, 0.2, 0.1], "brevity_penalty": 1.0}': ONE,
    '{"accuracy": 0.5, "correct_count": 5, "total_count": 10}\n{"id": "s_1", "valid": false}\n': "BFCL",
}


@pytest.mark.parametrize("text", SUMMARIES)
def test_one_score_a_system(text: str) -> None:
    refused([(text.encode(), "x.txt")], SUMMARIES[text])
    refused([(text.encode(), "a.txt"), (text.encode(), "b.txt")], SUMMARIES[text])
    scores = [(b"item,score\ns1,0.5\ns2,0.25\n", f"{name}.csv") for name in ("tern", "heron")]
    if not text.startswith("{"):
        assert set(board([*scores, (text.encode(), "summary.txt")])) == {"tern", "heron"}


def test_columns_that_every_file_has_are_metrics() -> None:
    def table(shift: float) -> bytes:
        return "".join(
            ["id,P,R,F1\n", *(f"{i},{i / 8},{i / 4},{i / 2 + shift}\n" for i in range(4))]
        ).encode()

    files = [(table(0), "tern.csv"), (table(1), "heron.csv")]
    scores = read_scores(files)
    assert scores.metric == "F1"
    assert cells(scores)["heron"] == {"0": 1.0, "1": 1.5, "2": 2.0, "3": 2.5}
    assert cells(read_scores(files, metric="R"))["tern"] == {"0": 0.0, "1": 0.25, "2": 0.5, "3": 0.75}
    passed = [(b"id,starter,contest,pass@1\n1,,7,1\n2,,9,0\n", f"{name}.csv") for name in ("a", "b")]
    assert read_scores(passed).metric == "pass@1"
    other = [(data.replace(b"P,R,F1", b"wit,pun,joke"), name) for data, name in files]
    with pytest.raises(RolesNeeded, match="every file has the columns 'wit' and 'pun'") as error:
        read_scores(other)
    assert error.value.metrics == ("wit", "pun", "joke")
    assert cells(read_scores(other, roles="score=joke"))["tern"]["2"] == 1.0
    listed = {"precision": [0.5] * 3, "recall": [0.25] * 3, "f1": [1, 2, 3], "hashcode": "roberta"}
    both = [(dumped(listed), "a.json"), (dumped({**listed, "f1": [3, 2, 1]}), "b.json")]
    assert read_scores(both).values.tolist() == [[1, 3], [2, 2], [3, 1]]
    flat = [(dumped({"q1": 0.5, "q2": True}), "a.json"), (dumped({"q1": 1, "q2": None}), "b.json")]
    assert board(flat) == {"a": {"q1": 0.5, "q2": 1.0}, "b": {"q1": 1.0, "q2": None}}


def test_logs_of_openai_evals() -> None:
    def log(model: str, *correct: bool) -> bytes:
        lines = [{"spec": {"completion_fns": [model], "eval_name": "x.dev.v0"}}]
        for i, one in enumerate(correct):
            event = {"run_id": "r", "event_id": 2 * i, "sample_id": f"x.{i}"}
            lines.append({**event, "type": "sampling", "data": {"prompt": "?", "sampled": "5"}})
            lines.append({**event, "type": "match", "data": {"correct": one, "picked": "5"}})
        return b"\n".join(map(dumped, [*lines, {"final_report": {"accuracy": 0.5}}]))

    read = board([(log("a", True, False), "1.jsonl"), (log("b", True, True), "2.jsonl")])
    assert read == {"a": {"x.0": 1.0, "x.1": 0.0}, "b": {"x.0": 1.0, "x.1": 1.0}}
    twice = (
        log("a", True)
        + b"\n"
        + json.dumps(
            {"run_id": "s", "event_id": 9, "sample_id": "x.0", "type": "match", "data": {"correct": True}}
        ).encode()
    )
    refused([(twice, "1.jsonl")], "judged on line 3 already")


def workbook(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_formulas_without_results() -> None:
    rows = [[f"s{i}", i / 10, f"=B{i + 2}*2"] for i in range(4)]
    refused(
        [(workbook([["item", "A", "B"], *rows]), "x.xlsx")], "column 'B' has nothing else; open it in Excel"
    )
    plain = [["item", "A", "B"], *([f"s{i}", i, i / 2] for i in range(9)), ["s9", 1, "=B2"]]
    scores = read_scores((workbook(plain), "x.xlsx"))
    lines = [note.text for note in scores.notes if note.code == "formulas-without-results"]
    assert lines == [
        "1 cell of the workbook holds a formula whose result wasn't saved, and counts as missing."
    ]


def test_grades_in_words_are_named() -> None:
    text = "id,A,B\n1,CORRECT,ok\n2,NOT_ATTEMPTED,bad\n3,INCORRECT,ok\n"
    refused(
        [(text.encode(), "x.csv")], "'A' holds 'CORRECT', 'NOT_ATTEMPTED', 'INCORRECT': write 1 for right"
    )
