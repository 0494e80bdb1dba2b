"""The command line in a shell: pipes, forms of the answer, quiet, examples of every help, completion."""

import io
import json
import shlex
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.cli.completion import SHELLS
from nlpstat_core.cli.examples import EXAMPLES
from nlpstat_core.cli.output import tell
from nlpstat_core.cli.program import _parser
from nlpstat_core.readers import example_text
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.frames import leaderboard_frame, pairs_frame

SCORES = example_text() + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What the examples of all commands read."""
    monkeypatch.chdir(tmp_path)
    scores = pd.read_csv(io.StringIO(SCORES))
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    scores.assign(Birch=scores["Birch"] + 1).round(2).to_csv("before.csv", index=False)
    scores[["item", "Alder"]].to_csv("new.csv", index=False)
    scores[["item", "Cedar"]].to_csv("main.csv", index=False)
    for name in ("Alder", "Birch", "Cedar"):
        scores[["item", name]].to_csv(f"{name.lower()}.txt", sep="\t", index=False, header=False)
    for language in ("en", "de"):
        scores.drop(columns="domain").to_csv(f"{language}.csv", index=False)
    long = scores.melt(["item", "domain"], var_name="system", value_name="chrF")
    long.rename(columns={"domain": "dataset"}).to_csv("tracks.csv", index=False)
    random = np.random.default_rng(5)
    noise = random.normal(0, 2, (2, len(long)))
    costs = long.drop(columns="domain").assign(tokens=(40 + long["chrF"] + 9 * noise[0]).round())
    costs.to_csv("costs.csv", index=False)
    metrics = long.drop(columns="domain").assign(
        TER=90 - long["chrF"] + noise[0], people=long["chrF"] + noise[1]
    )
    metrics.round(2).to_csv("metrics.csv", index=False)
    judged = long.drop(columns="domain").rename(columns={"chrF": "GEMBA"})
    judged["people"] = (judged["GEMBA"] + noise[1]).round(2).where(judged["item"] < "s13")
    judged.to_csv("labels.csv", index=False)
    pairs = [("Alder", "Birch"), ("Alder", "Cedar"), ("Birch", "Cedar")]
    battles = [
        {"model_a": a, "model_b": b, "winner": ("model_a", "model_b", "tie")[(i + j) % 3], "question_id": i}
        for i in range(12)
        for j, (a, b) in enumerate(pairs)
    ]
    (tmp_path / "battles.jsonl").write_text("\n".join(map(json.dumps, battles)), encoding="utf-8")
    labels = np.array(["yes", "no"])
    gold = random.integers(0, 2, 30)
    outputs = {
        name: labels[np.where(random.random(30) < right, gold, 1 - gold)]
        for name, right in (("A", 0.9), ("B", 0.6))
    }
    ids = [f"i{i:02d}" for i in range(30)]
    pd.DataFrame({"id": ids, "gold": labels[gold]}).to_csv("gold.csv", index=False)
    pd.DataFrame({"id": ids, **outputs}).to_csv("outputs.csv", index=False)
    return tmp_path


def piped(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))


# These open a server, need a database or are for other programs.
NOT_RUN = ("serve", "boards", "completion")
LINES = [line for name, lines in EXAMPLES.items() if name not in NOT_RUN for line in lines]


@pytest.mark.parametrize("line", LINES)
def test_every_example_of_the_help_runs(line, folder, monkeypatch, capfd):
    for part in line.partition(" > ")[0].split(" | "):
        program, *words = shlex.split(part)
        assert program == "nlpstat"
        status = main(words)
        out, err = capfd.readouterr()
        assert status == 0, err
        assert out
        piped(monkeypatch, out)


def test_every_command_has_examples_at_the_end_of_its_help():
    below = next(action for action in _parser()._actions if action.dest == "command").choices
    for name, parser in below.items():
        text = parser.format_help()
        last = EXAMPLES["power board" if name == "power" else name][-1]
        assert text.rstrip().endswith(last), name
        assert len(text.partition("\n\n")[0].splitlines()) == 1, f"{name}: usage in a line"
    for line in (line for name in ("serve", "boards") for line in EXAMPLES[name]):
        _parser().parse_args(shlex.split(line)[1:])


@pytest.mark.parametrize(
    "given",
    [["-", "--json"], ["--json", "-"], ["--json", "-", "--test", "t"], ["--test", "t", "--json", "-"]],
)
def test_standard_input_is_a_file(given, folder, monkeypatch, capfd):
    test = ["--test", "t"] if "t" in given else []
    assert main(["analyse", "scores.csv", *test, "--json", "-"]) == 0  # as JSON was asked for before 0.2.0
    expected = json.loads(capfd.readouterr().out)
    piped(monkeypatch, SCORES)
    assert main(["analyse", *given]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found == {**expected, "reading": found.get("reading")} or found["pairs"] == expected["pairs"]
    assert found["fingerprint"] == expected["fingerprint"]


def test_pipes_of_other_commands_and_what_is_refused(folder, monkeypatch, capfd):
    for words in (
        ["gate", "-", "--baseline", "main.csv", "--margin", "1", "--candidate", "Alder"],
        ["gate", "-", "--baseline", "Cedar", "--margin", "1"],
        ["changes", "before.csv", "-"],
        ["compare", "-", "Alder", "Cedar", "--points", "2", "--iterations", "20"],
        ["diagnose", "-"],
    ):
        piped(monkeypatch, SCORES if "main.csv" not in words else SCORES.replace("Cedar", "Dogwood"))
        assert main(words) == 0, (words, capfd.readouterr().err)
    piped(monkeypatch, (folder / "battles.jsonl").read_text())
    assert main(["preferences", "-"]) == 0
    capfd.readouterr()
    for words, said in (
        (["analyse", "-", "-"], "- is standard input, which can be read only once"),
        (["gate", "-", "--baseline", "nobody", "--margin", "1"], "nor a system of 'standard input'"),
        (["analyse", "-", "--max-bytes", "10"], "'standard input' is larger than"),
        (["analyse", "--json"], "The following arguments are required: FILE"),
        (["analyse", "scores.csv", "--csv", "--json"], "not allowed with"),
        (["analyse", "tracks.csv", "--each", "dataset", "--csv"], "leave out --each"),
    ):
        piped(monkeypatch, SCORES)
        assert main(words) in (2, 3)
        out, err = capfd.readouterr()
        assert not out
        assert said in err
        assert len(err.splitlines()) == 1


def test_csv_is_the_frame(folder, capfd):
    analysis = ns.analyse(ns.read_scores("scores.csv"))
    for words, frame in ((["--csv"], leaderboard_frame), (["--csv", "pairs"], pairs_frame)):
        for given in (["scores.csv", *words], [*words, "scores.csv"]):
            assert main(["analyse", *given]) == 0
            out, err = capfd.readouterr()
            assert out == csv_text(frame(analysis))
            assert "info: " in err


def test_quiet_prints_the_answer_alone(folder, capfd):
    assert main(["analyse", "scores.csv"]) == 0
    out, err = capfd.readouterr()
    assert "Copy this into your paper" in out
    assert err.startswith("info: ")
    assert "info: " not in out
    assert main(["analyse", "scores.csv", "--quiet"]) == 0
    short, err = capfd.readouterr()
    assert err == ""
    assert out.startswith(short.rstrip("\n"))
    assert short.splitlines()[-1].split()[:2] == ["3", "Cedar"]


def test_notes_are_wrapped_for_eyes_and_whole_for_logs(monkeypatch):
    line = "caution: " + " ".join(["nineteen characters"] * 12)
    for terminal in (True, False):
        written = io.StringIO()
        monkeypatch.setattr(written, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr(sys, "stderr", written)
        monkeypatch.setenv("COLUMNS", "60")
        tell([line])
        lines = written.getvalue().splitlines()
        assert " ".join(part.strip() for part in lines) == line
        assert (len(lines) > 1) == terminal
        assert max(map(len, lines)) <= 60 or not terminal
        assert all(part.startswith("  ") for part in lines[1:])


def test_a_gate_of_many_is_a_table_with_rounded_numbers(tmp_path, capfd):
    random = np.random.default_rng(8)
    old = random.normal(50, 9, 60)
    others = {f"c{i}": old - 0.5 + random.normal(0, 6, 60) for i in range(3)}
    path = tmp_path / "many.csv"
    pd.DataFrame({"item": range(60), "main": old, **others}).round(3).to_csv(path, index=False)
    given = ["gate", str(path), "--baseline", "main", "--margin", "1"]
    assert main(given) == 2
    first, _, head, *rows = capfd.readouterr().out.splitlines()
    assert first.startswith("UNDECIDED (required: at most 1 worse than main): of 3 candidates ")
    assert head.split()[-2:] == ["would", "decide"]
    assert len(rows) == 3
    assert main([*given, "--csv"]) == 2
    table = pd.read_csv(io.StringIO(capfd.readouterr().out))
    for row, exact in zip(rows, table["units_to_decide"], strict=True):
        said = int(row.rpartition("about ")[2].removesuffix(" items").replace(",", ""))
        assert exact <= said < 1.1 * exact + 1
        assert len(str(said).rstrip("0")) <= 2


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_commands_options_and_values(shell, tmp_path, capfd):
    assert main(["completion", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capfd.readouterr().out, encoding="utf-8")
    if shutil.which(shell) is None:
        assert shell != "bash"
        text = script.read_text(encoding="utf-8")
        assert all(word in text for word in ("analyse", "permutation-mean", "lower-is-better"))
        return
    for line, expected in (
        ("nlpstat ana", {"analyse"}),
        ("nlpstat power ", {"plan", "curve", "board"}),
        ("nlpstat analyse x.csv --lower-", {"--lower-is-better"}),
        (
            "nlpstat analyse x.csv --test permutation-",
            {f"permutation-{name}" for name in ("mean", "median", "unpaired")},
        ),
        ("nlpstat completion ", set(SHELLS)),
    ):
        words = " ".join(map(shlex.quote, [*line.split(), *([""] if line.endswith(" ") else [])]))
        code = {
            "bash": f"source {script}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
            '_nlpstat; printf "%s\\n" "${COMPREPLY[@]}"',
            "fish": f"source {script}; complete -C {shlex.quote(line)}",
            # What zsh's own completion of bash scripts calls, with the arrays it hands over.
            "zsh": f"autoload -U compinit; compinit -u -D; source {script}; COMP_WORDS=({words}); "
            "COMP_CWORD=$((${#COMP_WORDS}-1)); compgen -F _nlpstat -- ${COMP_WORDS[-1]}",
        }[shell]
        done = subprocess.run([shell, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert not done.stderr, line
        found = {part.split("\t")[0] for part in done.stdout.splitlines()} - {"script"}
        if shell == "zsh":  # which takes those that fit when it shows them
            found = {word for word in found if word.startswith(line.rpartition(" ")[2])}
        assert found == expected, line
