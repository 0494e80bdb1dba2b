"""What mends a problem is data: every front has words of its own for every remedy that the core knows."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import pytest

from dashboard.background.failures import failure_of, raised_again
from dashboard.background.packets import pack, unpack
from dashboard.text import in_app
from nlpstat_core import read_scores
from nlpstat_core.cli.options import as_option
from nlpstat_core.cli.program import main
from nlpstat_core.errors import BoundsExceeded, NlpstatError, Remedy, ScoreFileError, Sentence

CORE = Path(__file__).resolve().parents[2] / "nlpstat_core"
# A hostile file, keywords, and the end of its refusal in Python, at the command line and in the app.
REFUSED = {
    "a bad cell": (
        b"item,A,B\nx,1,2\ny,3a,4\nz,1,5\n",
        {},
        "leave the cell empty, or say bad_cells='missing'; if the column holds no scores, make it a label.",
        "leave the cell empty, or say --bad-cells missing; if the column holds no scores, make it a label.",
        "or treat such cells as missing; if the column holds no scores, make it a label.",
    ),
    "one row per system": (
        b"model,bleu,chrf,ter\nA,1,2,3\nB,3,4,5\nC,5,6,7\n",
        {},
        "say systems_as_rows=True if every other column is an item, or say id_column='model' if it names "
        "items.",
        "say --systems-as-rows if every other column is an item, or say --id-column model if it names items.",
        "read every row as one system if every other column is an item, or choose 'model' as test item if it "
        "names items.",
    ),
    "metrics for systems": (
        b"item,bleu,chrf\nx,1,2\ny,3,4\nz,5,6\n",
        {},
        "say what the columns are (roles='score=bleu' for one system per file, or "
        "roles='system=bleu,system=chrf' if they are systems).",
        "say what the columns are (--roles score=bleu for one system per file, or --roles "
        "system=bleu,system=chrf if they are systems).",
        "say what the columns are.",
    ),
    "right answers": (
        b"id,gold,other\nx,1,2\ny,3,4\nz,5,6\n",
        {},
        "or say roles='ignored=gold' if they are scores.",
        "or say --roles ignored=gold if they are scores.",
        "or choose its role below if they are scores.",
    ),
    "too many rows": (
        b"item,A,B\nx,1,2\ny,3,4\n",
        {"max_rows": 2},
        "split the file or raise max_rows.",
        "split the file or raise --max-rows.",
        "split the file or raise max_rows. max_rows is a setting of this server, and an option of the "
        "command line.",
    ),
    "no data sets": (
        b"item,A,B\nx,1,2\ny,3,4\n",
        {"dataset": "news"},
        "no column names data sets; say dataset_column.",
        "no column names data sets; say --dataset-column.",
        "no column names data sets; choose the column of data sets.",
    ),
    "own items": (
        b"system,item,score\nA,a1,1\nA,a2,2\nB,b1,3\nB,b2,4\n",
        {},
        "differ in every system; give shared ids (roles='unit=item' if that is right).",
        "differ in every system; give shared ids (--roles unit=item if that is right).",
        "differ in every system; give shared ids.",
    ),
}


@pytest.mark.parametrize(("data", "choices", "python", "line", "app"), REFUSED.values(), ids=REFUSED)
def test_every_front_has_its_words(data, choices, python, line, app, tmp_path, capsys) -> None:
    with pytest.raises(ScoreFileError) as refused:
        read_scores((data, "scores.csv"), **choices)
    sentence = refused.value.sentence
    assert str(refused.value) == sentence
    assert sentence.endswith(python)
    assert in_app(sentence).endswith(app)
    (tmp_path / "scores.csv").write_bytes(data)
    options = [text for key, value in choices.items() for text in (f"--{key.replace('_', '-')}", str(value))]
    assert main(["analyse", str(tmp_path / "scores.csv"), *options]) == 2
    assert capsys.readouterr().err.rstrip("\n").endswith(line)


def remedies_of_the_core() -> list[Remedy]:
    """Every remedy written in the core; values that are computed stand as text."""
    found = []
    for path in CORE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Remedy":
                given = [arg.value if isinstance(arg, ast.Constant) else "any" for arg in call.args]
                named = {word.arg: "any" for word in call.keywords} | {
                    word.arg: word.value.value
                    for word in call.keywords
                    if isinstance(word.value, ast.Constant)
                }
                found.append(Remedy(*given, **named))
    return found


def test_the_app_has_words_for_every_remedy() -> None:
    found = remedies_of_the_core()
    assert len(found) > 20
    for remedy in found:
        said = in_app(Sentence(remedy))
        assert remedy.keyword not in said or remedy.is_bound
        assert (said == "") == (remedy.form != "said")
        assert str(remedy).count(remedy.keyword) == (remedy.form != "unsaid")


def test_the_command_line_has_an_option_for_every_remedy(capsys) -> None:
    for command in ("analyse", "submissions", "composite", "judge"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
    known = capsys.readouterr().out
    for remedy in remedies_of_the_core():
        if remedy.form != "unsaid":
            assert next(word for word in as_option(remedy).split() if word.startswith("--")) in known


def test_text_of_a_file_is_no_remedy() -> None:
    odd = "say system_column (--x), or say roles='a' raise max_rows"
    sentence = Sentence(f"there is no column {odd}; ", Remedy("system_column"), ".")
    assert in_app(sentence) == f"there is no column {odd}; choose the column of systems."
    hostile = b"model,\"b; $(rm) 'x'\",c,d\nA,1,2,3\nB,3,4,5\nC,5,6,7\n".replace(b"model", b"system name")
    with pytest.raises(ScoreFileError) as refused:
        read_scores((hostile, "scores.csv"))
    assert "--id-column 'system name'" in refused.value.sentence.in_words(as_option)


def test_remedies_cross_processes() -> None:
    with pytest.raises(BoundsExceeded) as refused:
        read_scores((b"item,A,B\nx,1,2\n", "scores.csv"), max_rows=1)
    pipe = io.BytesIO()
    pack(failure_of(refused.value), pipe)
    pipe.seek(0)
    again = raised_again(unpack(pipe), "{error}")
    assert type(again) is BoundsExceeded
    assert isinstance(again, NlpstatError)
    assert again.sentence.parts == refused.value.sentence.parts
    assert again.sentence.remedies == (Remedy("max_rows"),)


def test_sentences_within_sentences_keep_their_remedies() -> None:
    inner = Sentence("add it, or ", Remedy("id_column"))
    outer = Sentence("'x.csv': ", inner, ".")
    assert outer.remedies == inner.remedies
    assert outer == "'x.csv': add it, or say id_column."
