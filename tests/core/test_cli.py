"""The command line: what goes to standard output, exit statuses, one line for bad input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nlpstat_core import cli
from nlpstat_core.cli.options import OPTIONS, option_of
from nlpstat_core.report.exports.folder import EXTRAS, FILES

ROOT = Path(__file__).parents[2]
WIDE = "item,A,B,C\n" + "".join(
    f"s{i},{0.5 + i % 7 / 20:.2f},{0.45 + i % 5 / 20:.2f},{0.2 + i % 3 / 20:.2f}\n" for i in range(40)
)


@pytest.fixture
def score_file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(WIDE, encoding="utf-8")
    return path


def run(capfdbinary, *arguments):
    """Exit status, standard output and standard error of one command."""
    status = cli.main([str(argument) for argument in arguments])
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def test_json_alone_on_standard_output(score_file, capfdbinary):
    status, out, err = run(capfdbinary, "analyse", score_file, "--test", "t", "--json", "-")
    assert (status, err) == (0, "")
    data = json.loads(out)
    assert data["systems"] == 3
    assert data["units"] == 40
    assert data["family_size"] == 3
    assert {pair["test"] for pair in data["pairs"]} == {"t"}


def test_out_writes_the_files(score_file, tmp_path, capfdbinary):
    out = tmp_path / "results"
    status, text, _ = run(capfdbinary, "analyse", score_file, "--out", out)
    assert status == 0
    assert "rank" in text
    assert {path.name for path in out.iterdir()} >= {"analysis.json", "leaderboard.csv", "pairs.csv"}
    written = json.loads((out / "analysis.json").read_text(encoding="utf-8"))
    _, printed, _ = run(capfdbinary, "analyse", score_file, "--json", "-")
    assert written == json.loads(printed)


def test_the_config_of_the_json_replays(score_file, tmp_path, capfdbinary):
    _, first, _ = run(
        capfdbinary,
        "analyse",
        score_file,
        "--test",
        "wilcoxon",
        "--alpha",
        "0.1",
        "--unit-size",
        "2",
        "--json",
        "-",
    )
    replay = tmp_path / "replay.json"
    replay.write_text(json.dumps(json.loads(first)["config"]), encoding="utf-8")
    _, second, _ = run(capfdbinary, "analyse", score_file, "--config", replay, "--json", "-")
    assert json.loads(first) == json.loads(second)


def test_options_win_over_the_configuration(score_file, tmp_path, capfdbinary):
    config = tmp_path / "run.yml"
    config.write_text("test: t\nalpha: 1e-3\n", encoding="utf-8")  # 1e-3 is text in YAML 1.1
    _, out, _ = run(capfdbinary, "analyse", score_file, "--config", config, "--test", "sign", "--json", "-")
    assert json.loads(out)["config"]["test"] == "sign"
    assert json.loads(out)["config"]["alpha"] == 0.001


BAD_OPTIONS = [
    ("--alpha", "0"),
    ("--alpha", "1.5"),
    ("--alpha", "abc"),
    ("--unit-size", "0"),
    ("--unit-size", "41"),
    ("--unit-size", "1.5"),
    ("--baseline", "Nobody"),
    ("--test", "wilcoxn"),
    ("--test", "mcnemar"),
    ("--correction", "bonf"),
    ("--alternative", "both"),
    ("--missing", "zero"),
    ("--confidence-level", "95"),
    ("--seed", "-1"),
    ("--resamples", "0"),
    ("--workers", "0"),
    ("--block-column", "doc"),
    ("--effects", "cohen"),
    ("--format", "parchment"),
    ("--id-column", "nothing"),
    ("--max-bytes", "10"),
    ("--config", "missing.yml"),
    ("--equivalence-margin", "-1"),
    ("--delta", "nan"),
    ("--no-such-option", "1"),
    ("--json", "file.json"),
]


@pytest.mark.parametrize(("option", "value"), BAD_OPTIONS)
def test_bad_options_are_one_line_and_status_2(option, value, score_file, tmp_path, capfdbinary):
    out = tmp_path / "never"
    status, text, err = run(capfdbinary, "analyse", score_file, option, value, "--out", out)
    assert status == 2
    assert text == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not out.exists()


BAD_FILES = {
    "empty": b"",
    "nul": b"a,b\n\x00,1\n2,3\n",
    "one-system": b"item,A\nx,1\ny,2\n",
    "one-unit": b"item,A,B\nx,1,2\n",
    "letter": b"item,A,B\nx,1,2\ny,3a,4\n",
    "infinite": b"item,A,B\nx,1,2\ny,inf,4\n",
    "twice": b"item,A,A\nx,1,2\ny,3,4\n",
    "same-unit": b"item,A,B\nx,1,2\nx,3,4\n",
    "ragged": b"item,A,B\nx,1,2\ny,3,4,5\n",
    "prose": b"This is not a table.\nAt all.\n",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_one_line_and_status_2(name, tmp_path, capfdbinary):
    path = tmp_path / f"{name}.csv"
    path.write_bytes(BAD_FILES[name])
    status, text, err = run(capfdbinary, "analyse", path, "--json", "-")
    assert (status, text) == (2, "")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_stray_letter_names_line_column_and_value(tmp_path, capfdbinary):
    path = tmp_path / "letter.csv"
    path.write_bytes(BAD_FILES["letter"])
    _, _, err = run(capfdbinary, "analyse", path)
    assert "line 3" in err
    assert "'A'" in err
    assert "'3a'" in err


def test_a_missing_file_and_no_command(tmp_path, capfdbinary):
    assert run(capfdbinary, "analyse", tmp_path / "nothing.csv")[0] == 2
    assert run(capfdbinary)[0] == 2
    assert run(capfdbinary, "dance")[0] == 2


@pytest.mark.parametrize(
    "content", ["[1, 2]", "just text", "a: [", "{" * 50_000, "? !!python/object:os.system x"]
)
def test_bad_configurations(content, score_file, tmp_path, capfdbinary):
    config = tmp_path / "bad.yml"
    config.write_text(content, encoding="utf-8")
    status, text, err = run(capfdbinary, "analyse", score_file, "--config", config)
    assert (status, text, err.count("\n")) == (2, "", 1)


def test_teaching_commands(capfdbinary):
    status, methods, _ = run(capfdbinary, "methods")
    assert status == 0
    assert "wilcoxon" in methods
    assert "holm" in methods
    for key in ("skillings-mack", "variance-ratio", "fisher-exact"):
        assert f"\n  {key} " in methods
    status, formats, _ = run(capfdbinary, "formats")
    assert status == 0
    assert "wide" in formats


def test_an_example_can_be_analysed(tmp_path, capfdbinary):
    _, text, _ = run(capfdbinary, "example")
    path = tmp_path / "example.csv"
    path.write_text(text, encoding="utf-8")
    assert run(capfdbinary, "analyse", path)[0] == 0


def test_as_a_module():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "nlpstat_core", "analyse", "no-such-file.csv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


# --- files besides, renamed settings, interruptions ---


def test_also_writes_what_it_names(score_file, tmp_path, capfdbinary):
    out = tmp_path / "out"
    status, _, err = run(
        capfdbinary, "analyse", score_file, "--out", out, "--also", "xlsx, figures,replay", "-q"
    )
    assert (status, err) == (0, "")
    named = (extra for extra in EXTRAS if extra.key in ("xlsx", "figures", "replay"))
    more = {name for extra in named for name, _ in extra.files}
    assert {"analysis.xlsx", "leaderboard.svg", "pairs.svg", "replay.json"} <= more
    assert {path.name for path in out.iterdir()} == {name for name, _ in FILES} | more


def test_also_all_is_every_file_and_is_told_by_the_help(score_file, tmp_path, capfdbinary):
    out = tmp_path / "out"
    assert run(capfdbinary, "analyse", score_file, "--out", out, "--also", "all")[0] == 0
    every = {name for extra in EXTRAS for name, _ in extra.files}
    assert {path.name for path in out.iterdir()} == {name for name, _ in FILES} | every
    with pytest.raises(SystemExit):
        cli.main(["analyse", "--help"])
    text = capfdbinary.readouterr().out.decode()
    assert all(extra.key in text.replace("\n", " ") for extra in EXTRAS)


def test_renamed_settings_are_notes_in_every_output(score_file, tmp_path, capfdbinary):
    config = tmp_path / "theirs.yml"
    config.write_text("sig_test_name: wilcoxon\nsig_test_alpha: 0.01\neval_unit_size: 2\n", encoding="utf-8")
    options = ("--config", config)
    _, out, err = run(capfdbinary, "analyse", score_file, *options, "--json", "-")
    lines = [note["text"] for note in json.loads(out)["notes"] if note["code"] == "setting-renamed"]
    assert lines == [
        "sig_test_name is now called test.",
        "sig_test_alpha is now called alpha.",
        "eval_unit_size is now called unit_size.",
    ]
    assert err == ""
    for command in (("analyse", score_file), ("compare", score_file, "A", "B", "--points", 2)):
        assert "sig_test_alpha is now called alpha" in run(capfdbinary, *command, *options)[2]
    curve = ("power", "curve", score_file, "A", "B", *options, "--points", 2, "--iterations", 20)
    assert "is now called alpha" in run(capfdbinary, *curve)[2]
    _, out, err = run(capfdbinary, *curve, "--json", "-")
    assert json.loads(out)
    assert "is now called alpha" in err


def test_compare_is_the_whole_procedure(tmp_path, capfdbinary):
    path = tmp_path / "two.txt"
    path.write_text("".join(f"{0.5 + i % 7 / 20:.2f} {0.4 + i % 5 / 20:.2f}\n" for i in range(40)), "utf-8")
    _, text, _ = run(capfdbinary, "compare", path, "--points", 3, "--iterations", 50)
    for step in ("Step 1: data", "Step 2: significance", "Step 3: effect sizes", "Step 4: power"):
        assert step in text
    assert "Minimum detectable difference" in text
    _, out, _ = run(capfdbinary, "compare", path, "--points", 3, "--iterations", 50, "--json", "-")
    data = json.loads(out)
    assert len(data["power"]["sizes"]) == 3
    assert data["config"]["test"] == "recommended"
    assert data["fingerprint"] in text
    assert {"p_value", "effects", "diagnosis", "verdict"} <= set(data)


BAD = {
    "seed": "x",
    "delta": "a lot",
    "confidence_level": "1",
    "unit_metric": "mode",
    "unit_remainder": "keep",
    "shuffle_seed": "-1",
    "normality_alpha": "2",
    "zero_method": "none",
    "mcnemar": "fast",
    "intervals": "all",
    "resamples": "many",
    "equivalence_margin": "0",
    "preset": "nobody",
}


@pytest.mark.parametrize("setting", [one for one in OPTIONS if one.kind != "flag"], ids=lambda one: one.name)
@pytest.mark.parametrize("command", ["analyse", "compare", "diagnose"])
def test_no_setting_takes_a_bad_value(setting, command, score_file, capfdbinary):
    option = option_of(setting.name)
    systems = ("A", "B") if command == "compare" else ()
    # An unknown word is bad for every setting that is a name; numbers have bad values of their own.
    status, out, err = run(
        capfdbinary, command, score_file, *systems, option, BAD.get(setting.name, "no-such-thing")
    )
    assert (status, out) == (2, ""), option
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "option", ["--test", "--correction", "--sizes", "--points", "--iterations", "--method"]
)
@pytest.mark.parametrize("value", ["", "x", "-1"])
def test_power_curves_take_no_bad_value(option, value, score_file, capfdbinary):
    curve = ("power", "curve", score_file, "A", "B", "--points", "2", "--iterations", "5")
    status, out, err = run(capfdbinary, *curve, option, value)
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("option", "value"),
    [("--also", "pdf"), ("--out", ""), ("--also", "xlsx,"), ("--out", "scores.csv"), ("--points", "3")],
)
def test_output_options_that_cannot_be_used(option, value, score_file, tmp_path, capfdbinary, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    status, out, err = run(capfdbinary, "analyse", score_file, option, value)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sorted(tmp_path.iterdir()) == before


def test_a_reader_that_has_seen_enough_is_no_error(score_file):
    command = f"{sys.executable} -m nlpstat_core methods | head -1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_and_too_little_memory_are_one_line(score_file, capfdbinary, monkeypatch):
    for error, status in ((KeyboardInterrupt, 130), (MemoryError, 2)):

        def fails(*_, error=error, **__):
            raise error

        monkeypatch.setattr("nlpstat_core.readers.read_scores", fails)
        found, out, err = run(capfdbinary, "analyse", score_file)
        assert (found, out, err.count("\n")) == (status, "", 1)
