"""`read_submissions` with measures, and `nlpstat score`: values by hand, and every refusal in one line."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sklearn import metrics

import nlpstat_core as ns
from nlpstat_core import cli

REAL = Path(__file__).parents[2] / "../shared/data/submissions"
ITEMS = [str(i) for i in range(1, 13)]
RIGHT = ["yes", "no", "yes", "maybe"] * 3
GOLD = ("\n".join(["id\tlabel", *map("\t".join, zip(ITEMS, RIGHT, strict=True))]).encode(), "gold.tsv")


def answers(wrong):
    own = ["no" if i < wrong else label for i, label in enumerate(RIGHT)]
    return "\n".join(["id\tlabel", *map("\t".join, zip(ITEMS, own, strict=True))])


def archive(members):
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w") as packed:
        for name, text in members.items():
            packed.writestr(name, text)
    return store.getvalue(), "export.zip"


ATTEMPTS = archive({f"T{team}/{n}/answer.txt": answers(n + team) for team in (1, 2) for n in (0, 4)})


@pytest.mark.parametrize(("attempts", "expected"), [("best", [1, 2]), ("last", [5, 6]), ("first", [1, 2])])
def test_attempts_by_the_measure(attempts, expected):
    board = ns.read_submissions(GOLD, ATTEMPTS, attempts=attempts, measure="accuracy")
    assert board.systems == ("T1", "T2")
    wrong = [
        sum(answers(n).splitlines()[i + 1] != answers(0).splitlines()[i + 1] for i in range(12))
        for n in expected
    ]
    np.testing.assert_allclose(ns.measure_values(board)[:, 0], 1 - np.array(wrong) / 12)
    assert [note.code for note in board.notes] == ["several-attempts"]


def test_values_are_those_of_each_system_on_its_own_items():
    gone = answers(3).splitlines()
    del gone[5]
    files = [(answers(2).encode(), "A.tsv"), ("\n".join(gone).encode(), "B.tsv")]
    board = ns.read_submissions(
        GOLD, files, missing_outputs="leave-out", measure=["macro-f1", "accuracy", "f1"]
    )
    values = ns.measure_values(board, positive="yes")
    for row, system in enumerate(board.systems):
        kept = [(g, o) for g, o in zip(board.gold, board.outputs[system], strict=True) if o is not None]
        right, own = zip(*kept, strict=True)
        assert len(kept) == 12 - row
        assert values[row, 1] == pytest.approx(np.mean([g == o for g, o in kept]), abs=1e-15)
        for column, key in enumerate(("macro-f1", "accuracy")):
            assert values[row, column] == pytest.approx(ns.measure(right, own, key), abs=1e-15)
    with pytest.raises(ns.ConfigError, match="has the option 'beta'"):
        ns.measure_values(board, beta=2)


def test_measures_that_do_not_fit_are_refused():
    files = [(answers(2).encode(), "A.tsv")]
    with pytest.raises(ns.ConfigError, match="RMSE is a measure of numbers, and the outputs are labels"):
        ns.read_submissions(GOLD, files, measure="rmse")
    with pytest.raises(ns.ConfigError, match="Did you mean 'macro-f1'"):
        ns.read_submissions(GOLD, files, measure="macrof1")
    with pytest.raises(ns.ConfigError, match="named twice"):
        ns.read_submissions(GOLD, files, measure=["accuracy", "accuracy"])
    assert ns.read_submissions(GOLD, files).measures == ("accuracy",)


def score(capfdbinary, *arguments):
    status = cli.main(["score", *map(str, arguments)])
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def test_the_command(capfdbinary, tmp_path):
    gold, folder = tmp_path / "gold.tsv", tmp_path / "teams"
    gold.write_bytes(GOLD[0])
    for n, team in ((5, "worse"), (1, "better.1")):
        (folder / team).mkdir(parents=True)
        (folder / team / "answer.txt").write_text(answers(n))
    status, out, err = score(capfdbinary, gold, folder, "--measure", "accuracy,macro-f1")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["system", "better.1", "worse"]
    assert rows[0][1:] == ["accuracy", "macro-F1"]
    status, out, err = score(capfdbinary, gold, folder, "--measure", "accuracy", "--json", "-")
    found = json.loads(out)
    assert (found["kind"], found["items"], found["measures"]) == ("labels", 12, ["accuracy"])
    assert [one["system"] for one in found["systems"]] == ["better.1", "worse"]
    for arguments, match in {
        (gold,): "has gold and no systems",
        (gold, folder, "--missing-outputs", "never"): "leave-out",
        (gold, folder, "--measure", ","): "--measure needs",
        (gold, folder, "--positive", "yes"): "has the option 'positive'",
        (gold, folder, "--max-rows", "3"): "--max-rows",
        (gold, tmp_path / "nowhere"): "can't be opened",
        (gold, folder, "--file", "x.txt"): "no file is called",
    }.items():
        status, out, err = score(capfdbinary, *arguments)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert match in err


def test_all_pairs_by_the_items_own_scores(capfdbinary, tmp_path):
    gold, outputs = tmp_path / "gold.tsv", tmp_path / "export.zip"
    gold.write_bytes(GOLD[0])
    outputs.write_bytes(archive({f"{team}/answer.txt": answers(n) for team, n in (("A", 0), ("B", 9))})[0])
    board = ns.read_submissions(GOLD, (outputs.read_bytes(), "export.zip"), measure="accuracy")
    found = ns.analyse(board, ns.AnalysisConfig(test="mcnemar"))
    right = np.array(
        [[out == g for out in row] for g, *row in zip(board.gold, *board.outputs.values(), strict=True)]
    )
    np.testing.assert_array_equal(found.scores.values, right)
    differ = int((right[:, 0] != right[:, 1]).sum())
    assert found.pairs.p_value[0] == pytest.approx(2 * 0.5**differ, rel=1e-12)
    status = cli.main(
        ["submissions", str(gold), str(outputs), "--test", "mcnemar", "-q", "--out", str(tmp_path / "out")]
    )
    assert (status, capfdbinary.readouterr().err) == (0, b"")
    written = json.loads((tmp_path / "out/analysis.json").read_text(encoding="utf-8"))
    assert written["pairs"][0]["p_value"] == found.pairs.p_value[0]
    assert written["config"]["reading"]["measure"] == ["accuracy"]
    replay = tmp_path / "replay.json"
    replay.write_text(json.dumps(written["config"]), encoding="utf-8")
    assert cli.main(["submissions", str(gold), str(outputs), "--config", str(replay), "--json", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == written
    assert cli.main(["submissions", str(gold), str(outputs), "--measure", "macro-f1", "--test", "t"]) == 2
    assert b"macro-F1 is not a mean of item scores, and the paired t test" in capfdbinary.readouterr().err


@pytest.mark.skipif(not REAL.exists(), reason="the data of published shared tasks are not here")
def test_published_accuracies():
    task = REAL / "arct2018"
    board = ns.read_submissions(task / "gold.tsv", task / "submissions", measure="accuracy")
    published = (
        "GIST .712, blcu_nlp .606, ECNU .604, NLITrans .590, Joker .586, YNU_Deep .583, mingyan .581, "
        "ArcNet .577, UniMelb .577, TRANSRW .570, lyb3b .568, SNU_IDS .565, ArgEns-GRU .556, ITNLP-ARC .552, "
        "YNU-HPCC .550, TakeLab .541, HHU .534, Random_bsl. .527, Deepfinder .525, ART .518, RW2C .500, "
        "ztangfdu .464"
    )
    told = {name: float(value) for name, value in (one.split(" ") for one in published.split(", "))}
    found = dict(zip(board.systems, ns.measure_values(board)[:, 0].round(3).tolist(), strict=True))
    assert found == told


def test_options_of_measures_on_the_command_line(tmp_path, capsys):
    gold = ["yes", "no", "yes", "no", "yes"]
    sides = {"A": ["yes", "yes", "no", "no", "yes"], "B": ["yes"] * 5}
    for name, column in {"gold": gold, **sides}.items():
        text = "id,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(column))
        (tmp_path / f"{name}.csv").write_text(text)
    files = [str(tmp_path / f"{name}.csv") for name in ("gold", "A", "B")]
    options = ["--measure", "f-beta", "--positive", "yes", "--beta", "2", "--json"]
    assert cli.main(["score", *files, *options]) == 0
    found = {row["system"]: row["f-beta"] for row in json.loads(capsys.readouterr().out)["systems"]}
    for name, column in sides.items():
        assert found[name] == pytest.approx(metrics.fbeta_score(gold, column, beta=2, pos_label="yes"))
    assert cli.main(["submissions", *files, *options]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["measure"]["signature"] == "f-beta|positive:yes|beta:2.0"
    for wrong, sentence in (("x", "--beta must be a finite number"), ("-1", "beta must be a number above 0")):
        assert cli.main(["score", *files, *options[:4], "--beta", wrong]) != 0
        assert sentence in capsys.readouterr().err


def test_options_of_texts_on_the_command_line(tmp_path, capsys):
    (tmp_path / "gold.txt").write_text("Ein Haus\nzwei Hunde bellen laut heute\n")
    (tmp_path / "X.txt").write_text("ein haus\nzwei Hunde bellen laut hier\n")
    files = [str(tmp_path / "gold.txt"), str(tmp_path / "X.txt"), "--measure", "bleu", "--json"]
    assert cli.main(["score", *files, "--tokenize", "char", "--lowercase"]) == 0
    found = json.loads(capsys.readouterr().out)["systems"][0]["bleu"]
    outputs, references = ((tmp_path / name).read_text().splitlines() for name in ("X.txt", "gold.txt"))
    expected = BLEU(tokenize="char", lowercase=True).corpus_score(outputs, [references]).score
    assert found == pytest.approx(expected, abs=1e-9)


def test_by_label_stands_below_the_measures(capsys, tmp_path):
    gold = ["a", "b", "a", "c"] * 10
    column = ["a", "b", "b", "c"] * 9 + ["a", "a", "a", "a"]
    for name, cells in (("gold", gold), ("X", column)):
        lines = ["id,label", *(f"{place},{cell}" for place, cell in enumerate(cells))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "X.csv"), "--measure", "macro-f1", "--by-label"]
    assert cli.main(["score", *files]) == 0
    head, _, below = capsys.readouterr().out.partition("label  system")
    assert "macro-F1" in head
    assert [line.split()[0] for line in below.splitlines()[1:4]] == ["a", "b", "c"]
    assert cli.main(["score", *files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["by_label"]
    expected = metrics.f1_score(gold, column, average=None)
    assert [row["f1"] for row in found] == pytest.approx(expected.tolist(), abs=1e-12)
    assert all(row["low"] <= row["f1"] <= row["high"] for row in found)
    assert [row["support"] for row in found] == [20, 10, 10]


@pytest.mark.parametrize("measure", ["accuracy", "macro-f1"])
def test_further_files_of_a_board_of_outputs(tmp_path, capsys, measure):
    rng = np.random.default_rng(2)
    gold = [str(label) for label in rng.choice(["a", "b"], 40)]
    for name, share in (("gold", 1.0), ("A", 0.9), ("B", 0.6)):
        column = [label if rng.random() < share else "a" for label in gold]
        text = "id,label\n" + "".join(f"{place},{label}\n" for place, label in enumerate(column))
        (tmp_path / f"{name}.csv").write_text(text)
    files = [str(tmp_path / f"{name}.csv") for name in ("gold", "A", "B")]
    out = tmp_path / "out"
    command = ["submissions", *files, "--measure", measure, "--out", str(out), "--also", "all,posterior"]
    assert cli.main(command) == 0
    written = {path.name for path in out.iterdir()}
    assert {"analysis.json", "analysis.xlsx", "participants.zip", "replay.json", "everything.zip"} <= written
    assert "A Bayesian answer" in (out / "report.md").read_text()
    capsys.readouterr()
    assert cli.main(["submissions", *files, "--also", "xlsx"]) == 2
    assert "--also needs --out" in capsys.readouterr().err
