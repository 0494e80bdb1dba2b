"""The gate: one-sided tests at the margin, intervals that agree with them, exit statuses for builds."""

import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.report.exports.documents.gate import gate_junit
from nlpstat_core.report.wording.gate import gate_line


def board(*columns, lower=False, **fields):
    names = ["main", *(f"new{i}" for i in range(1, len(columns)))]
    return ns.ScoreMatrix(values=np.column_stack(columns), systems=names, lower_is_better=lower, **fields)


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shift", [-2.0, -0.5, 0.0, 0.4, 3.0])
def test_p_and_interval_are_scipys(lower, shift):
    random = np.random.default_rng(3)
    old = random.normal(50, 5, 60)
    new = old + shift + random.normal(0, 1.5, 60)
    found = ns.gate(
        board(old, new, lower=lower), baseline="main", margin=0.7, config=ns.AnalysisConfig(test="t")
    ).candidates[0]
    gain = (old - new) if lower else (new - old)
    assert found.p_non_inferior == pytest.approx(
        stats.ttest_1samp(gain, -0.7, alternative="greater").pvalue, rel=1e-9
    )
    assert found.p_inferior == pytest.approx(
        stats.ttest_1samp(gain, -0.7, alternative="less").pvalue, rel=1e-9
    )
    assert found.p_superior == pytest.approx(
        stats.ttest_1samp(gain, 0, alternative="greater").pvalue, rel=1e-9
    )
    ends = stats.ttest_1samp(new - old, 0).confidence_interval(0.9)
    assert found.interval == pytest.approx((ends.low, ends.high), rel=1e-9)
    low = -ends.high if lower else ends.low
    high = -ends.low if lower else ends.high
    expected = "pass" if low > -0.7 else "fail" if high < -0.7 else "undecided"
    assert found.decision == expected
    assert found.superior == (low > 0)


@given(seed=st.integers(0, 10_000), margin=st.one_of(st.just(0.0), st.floats(1e-3, 2)), n=st.integers(2, 40))
def test_the_interval_never_contradicts_the_decision(seed, margin, n):
    random = np.random.default_rng(seed)
    old = np.round(random.normal(0, 1, n), 1)
    found = ns.gate(
        board(old, old + np.round(random.normal(-margin, 1, n), 1), np.round(random.normal(0, 1, n), 1)),
        baseline="main",
        margin=margin,
    )
    for one in found.candidates:
        low, high = one.interval
        if one.decision == "pass":
            assert low > -margin
        if one.decision == "fail":
            assert high < -margin
        assert not (one.superior and one.decision == "fail")
        assert one.units_to_decide is None or (one.decision == "undecided" and one.units_to_decide > n)


def test_planned_units_decide_four_times_in_five():
    random = np.random.default_rng(5)
    old = random.normal(0, 1, 50)
    difference = random.normal(-0.1, 1, 50)
    difference += -0.1 - difference.mean()
    found = ns.gate(
        board(old, old + difference), baseline="main", margin=0.3, config=ns.AnalysisConfig(test="t")
    ).candidates[0]
    assert found.decision == "undecided"
    sd = difference.std(ddof=1)
    passed = 0
    for _ in range(2_000):
        sample = random.normal(-0.1, sd, found.units_to_decide)
        passed += stats.ttest_1samp(sample, -0.3, alternative="greater").pvalue <= 0.05
    assert passed / 2_000 == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("losses", [False, True])
def test_a_narrow_decision_on_few_skewed_units_stays_open(lower, losses):
    random = np.random.default_rng(3)
    old, moved = random.normal(size=100), 0.2 * random.lognormal(0, 1, 100)
    sign = -1 if losses else 1
    scores = replace(board(old, old + (-1 if lower else 1) * sign * moved), lower_is_better=lower)
    if not losses:  # large gains, but worse by more than the margin: a failure is what comes too easily
        scores = replace(scores, values=scores.values - (-1 if lower else 1) * np.array([0.0, 2.0]))
    mean = (scores.values[:, 1] - scores.values[:, 0]).mean() * (-1 if lower else 1)
    wide, narrow = (
        ns.gate(scores, baseline="main", margin=-mean - sign * by).candidates[0] for by in (0.5, 0.09)
    )
    skewness = stats.skew(sign * moved)
    assert wide.decision == ("pass" if losses else "fail")
    assert not wide.too_skewed
    assert narrow.decision == "undecided"
    assert narrow.too_skewed
    assert narrow.skewness == pytest.approx(skewness)
    assert narrow.units_to_decide == math.ceil(25 * skewness**2)
    line = gate_line(ns.gate(scores, baseline="main", margin=-mean - sign * 0.09))
    assert f"a few items {'lose' if losses else 'gain'} much" in line
    turned = replace(scores, values=-scores.values, lower_is_better=not lower)
    assert ns.gate(turned, baseline="main", margin=-mean - sign * 0.09).candidates[0].too_skewed


def test_skewness_the_other_way_and_right_or_wrong_answers_are_decided():
    random = np.random.default_rng(3)
    old, gained = random.normal(size=100), 0.2 * random.lognormal(0, 1, 100)
    found = ns.gate(board(old, old + gained), baseline="main", margin=0.09 - gained.mean() + 0.5).candidates[
        0
    ]
    assert found.decision == "pass"
    right = (np.arange(200) < 120).astype(float)
    lost = np.where(np.arange(200) < 3, 0.0, right)
    for margin, test, decision in [
        (0.046, "permutation-mean", "pass"),
        (0.035, "t", "undecided"),
        (0.07, "t", "pass"),
    ]:
        config = ns.AnalysisConfig(test=test)
        found = ns.gate(board(right, lost), baseline="main", margin=margin, config=config).candidates[0]
        assert found.skewness < -5
        assert found.decision == decision
        assert found.too_skewed == (decision == "undecided")


def test_several_candidates_share_alpha():
    random = np.random.default_rng(7)
    old = random.normal(0, 1, 30)
    others = [old + random.normal(0, 1, 30) for _ in range(4)]
    found = ns.gate(board(old, *others), baseline="main", margin=0.2)
    assert found.analysis.config.level == pytest.approx(1 - 2 * 0.05 / 4)
    assert all((one.p_non_inferior <= 0.05 / 4) or one.decision != "pass" for one in found.candidates)


def test_documents_are_honoured():
    random = np.random.default_rng(8)
    documents = np.repeat([f"d{i:02}" for i in range(12)], 20)
    effect = np.repeat(random.normal(0, 1, 12), 20)
    old = random.normal(0, 1, 240)
    scores = board(old, old + effect + random.normal(0, 0.2, 240), labels={"doc": tuple(documents)})
    independent = ns.AnalysisConfig(block_column=None)
    alone = ns.gate(scores, baseline="main", margin=0.1, config=independent).candidates[0]
    whole = ns.gate(scores, baseline="main", margin=0.1).candidates[0]
    assert whole.test == "block-permutation"
    assert np.diff(whole.interval)[0] > 2 * np.diff(alone.interval)[0]


def test_right_and_wrong_answers_and_counts():
    random = np.random.default_rng(9)
    old = (random.random(400) < 0.6).astype(float)
    new = np.where(random.random(400) < 0.05, 1 - old, old)
    assert ns.gate(board(old, new), baseline="main", margin=0.05).decision == "pass"
    correct = np.column_stack([random.binomial(20, 0.6, 50), random.binomial(20, 0.6, 50)])
    counts = ns.accuracy_matrix(correct, 20, systems=["main", "new"])
    found = ns.gate(counts, baseline="main", margin=0.2).candidates[0]
    assert found.decision == "pass"
    assert np.isnan(found.p_non_inferior)


@pytest.mark.parametrize(
    ("margin", "config", "words"),
    [
        (-1, {}, "margin must be 0"),
        (1e-300, {}, "margin must be 0"),
        (np.nan, {}, "margin must be 0"),
        (1, {"alternative": "greater"}, "leave both out"),
        (1, {"delta": 0.1}, "leave both out"),
        (1, {"alpha": 0.6}, "alpha below 0.5"),
    ],
)
def test_what_a_gate_refuses(margin, config, words):
    with pytest.raises(ns.ConfigError, match=words):
        ns.gate(
            board([1, 2, 3], [2, 2, 4]), baseline="main", margin=margin, config=ns.AnalysisConfig(**config)
        )


def test_no_such_baseline_and_no_shared_unit():
    with pytest.raises(ns.ConfigError, match="main"):
        ns.gate(board([1, 2, 3], [2, 2, 4]), baseline="mian", margin=1)
    with pytest.raises(ns.NlpstatError, match="shares an item"):
        ns.gate(board([1, 2, np.nan, np.nan], [np.nan, np.nan, 1, 2]), baseline="main", margin=1)


def write(path, **columns):
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    lines = [f"id,{','.join(names)}", *(f"u{i},{','.join(map(str, row))}" for i, row in enumerate(rows))]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path):
    random = np.random.default_rng(2)
    old = random.normal(50, 8, 200).round(3)
    near = (old + 0.2 + random.normal(0, 2, 200)).round(3)
    far = (old - 3 + random.normal(0, 2, 200)).round(3)
    wide = (old - 0.5 + random.normal(0, 9, 200)).round(3)
    return {
        "main": write(tmp_path / "main.csv", score=old),
        "near": write(tmp_path / "near.csv", score=near),
        "far": write(tmp_path / "far.csv", score=far),
        "wide": write(tmp_path / "wide.csv", score=wide),
        "board": write(tmp_path / "board.csv", base=old, near=near, far=far),
    }


@pytest.mark.parametrize(("name", "status"), [("near", 0), ("far", 1), ("wide", 2)])
def test_exit_statuses(files, capfd, name, status):
    assert main(["gate", files[name], "--baseline", files["main"], "--margin", "0.5"]) == status
    out, err = capfd.readouterr()
    assert out.startswith({0: "PASS: near", 1: "FAIL: far", 2: "UNDECIDED: wide"}[status])
    assert len(out.splitlines()) == 1
    assert not err


@pytest.mark.parametrize(
    "rest",
    [
        [],
        ["--margin", "0.5"],
        ["--baseline", "{main}"],
        ["--baseline", "{main}", "--margin", "-1"],
        ["--baseline", "{main}", "--margin", "half"],
        ["--baseline", "nobody", "--margin", "1"],
        ["--baseline", "{main}", "--margin", "1", "--alpha", "2"],
        ["--baseline", "{main}", "--margin", "1", "--no-such-option"],
        ["--baseline", "{main}", "--margin", "1", "--junit", "{main}/x.xml"],
        ["--baseline", "{board}", "--margin", "1"],
    ],
)
def test_broken_input_is_three(files, capfd, rest):
    assert main(["gate", files["near"], *(part.format(**files) for part in rest)]) == 3
    out, err = capfd.readouterr()
    assert not out
    assert len(err.splitlines()) == 1


def test_markdown_is_printed_and_takes_no_file(files, capfd):
    parts = ["gate", files["near"], "--baseline", files["main"], "--margin", "0.5", "--markdown"]
    assert main([*parts, "gate.md"]) == 3
    assert "to keep what is printed, use > gate.md" in capfd.readouterr().err
    assert main(parts) in (0, 1, 2)
    assert capfd.readouterr().out.startswith("#")


def test_a_board_with_its_baseline_inside(files, capfd, tmp_path):
    junit = tmp_path / "gate.xml"
    given = [files["board"], "--baseline", "base", "--margin", "0.5"]
    assert main(["gate", *given, "--markdown", "--junit", str(junit)]) == 1
    out, _ = capfd.readouterr()
    assert "| near | ✅ PASS |" in out
    assert "| far | ❌ FAIL |" in out
    suite = xml.fromstring(junit.read_text(encoding="utf-8"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert main(["gate", *given, "--candidate", "near", "--json", "-"]) == 0
    found = json.loads(capfd.readouterr()[0])
    assert found["decision"] == "pass"
    assert [one["system"] for one in found["candidates"]] == ["near"]


def test_names_are_text_everywhere():
    random = np.random.default_rng(4)
    old = random.normal(0, 1, 20)
    name = "<b>|x`\x07y"
    scores = ns.ScoreMatrix(values=np.column_stack([old, old]), systems=["main", name])
    found = ns.gate(scores, baseline="main", margin=1)
    assert xml.fromstring(gate_junit(found)).find("testcase").get("name") == "<b>|x` y"
    assert name in gate_line(found)


@pytest.mark.parametrize(
    ("name", "undecided", "status", "decision"),
    [
        ("near", "fail", 0, "pass"),
        ("far", "fail", 1, "fail"),
        ("wide", "fail", 2, "undecided"),
        ("wide", "pass", 0, "undecided"),
        ("nobody", "fail", 3, None),
    ],
)
def test_the_action_runs_its_gate(files, tmp_path, name, undecided, status, decision):
    root = Path(__file__).parents[2]
    action = yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))
    step = next(step for step in action["runs"]["steps"] if step.get("id") == "gate")
    given = {
        "scores": files.get(name, "nobody.csv"),
        "baseline": files["main"],
        "margin": "0.5",
        "undecided": undecided,
    }
    values = {key: given.get(key, entry.get("default", "")) for key, entry in action["inputs"].items()}
    environment = {
        key: values[text.removeprefix("${{ inputs.").removesuffix(" }}")] for key, text in step["env"].items()
    }
    command = tmp_path / "nlpstat"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m nlpstat_core "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    outputs, summary = tmp_path / "outputs", tmp_path / "summary"
    done = subprocess.run(
        ["bash", "-c", step["run"]],
        env={
            **os.environ,
            **environment,
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(root),
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(summary),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    if decision is None:
        assert not summary.exists()
        assert len(done.stderr.splitlines()) == 1
    else:
        assert outputs.read_text(encoding="utf-8") == f"decision={decision}\n"
        assert "| system | decision |" in summary.read_text(encoding="utf-8")


@pytest.fixture
def documents_file(tmp_path):
    random = np.random.default_rng(12)
    document = np.repeat([f"d{i:02}" for i in range(30)], 10)
    old = random.normal(50, 8, 300).round(3)
    new = (old + np.repeat(random.normal(0.5, 1, 30), 10) + random.normal(0, 1, 300)).round(3)
    return write(tmp_path / "documents.csv", document=document, main=old, new=new)


def test_a_gate_passes_on_the_cautions_of_its_analysis(documents_file, capfd):
    """Units of one document were taken for independent without a word, though `analyse` warns."""
    given = ["gate", documents_file, "--baseline", "main", "--candidate", "new", "--margin", "2"]
    warned = "caution: Items of the same document may be alike"
    by_document = given
    given = [*given, "--block-column", "none"]
    assert main(given) == 0
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 1
    assert [line[: len(warned)] for line in err.splitlines()] == [warned]
    assert main([*given, "--json", "-"]) == 0
    notes = json.loads(capfd.readouterr()[0])["notes"]
    assert [note["severity"] for note in notes if "document" in note["text"]] == ["caution"]
    assert main([*given, "--markdown"]) == 0
    assert f"\n* {warned}" in capfd.readouterr()[0]
    assert main(by_document) == 0
    out, err = capfd.readouterr()
    assert "; 300 items in 30 documents; " in out
    assert not err


def test_help_says_what_is_required_and_the_exit_statuses(capsys):
    with pytest.raises(SystemExit):
        main(["gate", "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert words.startswith(
        "usage: nlpstat gate FILE [FILE …] --baseline FILE|SYSTEM --margin POINTS [options]"
    )
    required = words.partition(" required: ")[2].partition(" reading: ")[0]
    assert "--margin POINTS largest loss that doesn't matter" in required
    assert "--baseline FILE|SYSTEM score file of the baseline, or a system of FILE" in required
    assert "Exit status: 0 pass, 1 fail, 2 undecided, 3 invalid input." in words


@pytest.fixture
def versions(files, tmp_path):
    """The same systems before a change and after it, as a build has them."""
    random = np.random.default_rng(6)
    acme, other = random.normal(50, 8, (2, 200)).round(3)
    better = (acme + 0.3 + random.normal(0, 1, 200)).round(3)
    third = (acme - 9).round(3)
    return {
        "old": write(tmp_path / "old.csv", AcmeMT=acme, Other=other),
        "new": write(tmp_path / "new.csv", AcmeMT=better, Other=other),
        "partly": write(tmp_path / "partly.csv", AcmeMT=better, Third=third),
    }


def test_systems_of_the_same_names_in_both_files(versions, capfd):
    """The usual case of a build was refused: the file's systems were taken for metrics of one system."""
    given = ["gate", versions["new"], "--baseline", versions["old"], "--margin", "1"]
    for rest in (["--baseline-system", "AcmeMT", "--candidate", "AcmeMT"], ["--candidate", "AcmeMT"]):
        assert main([*given, *rest]) == 0
        out, err = capfd.readouterr()
        assert out.startswith("PASS: AcmeMT (new) is better than AcmeMT (old); ")
        assert "; 200 items; " in out
        assert not err
    given[1] = versions["partly"]
    assert main([*given, "--candidate", "AcmeMT", "--candidate", "Third", "--baseline-system", "AcmeMT"]) == 1
    first, _, head, *rows = capfd.readouterr()[0].splitlines()
    assert (
        first
        == "FAIL (required: at most 1 worse than AcmeMT (old)): of 2 candidates 1 passes, 1 fails; 200 items."
    )
    assert head.split()[:4] == ["system", "decision", "score", "AcmeMT"]
    assert [row.split("  ")[0] for row in rows] == ["AcmeMT (partly)", "Third"]
    assert ["PASS" in row for row in rows] == [True, False]


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ([], "--baseline-system and --candidate"),
        (["--baseline-system", "AcmeMT"], "--baseline-system and --candidate"),
        (["--baseline-system", "Acme", "--candidate", "AcmeMT"], "old.csv' has no system 'Acme'"),
        (["--baseline-system", "AcmeMT", "--candidate", "Third"], "new.csv' has no system 'Third'"),
    ],
)
def test_what_to_name_where_both_files_have_the_same_systems(versions, capfd, rest, words):
    assert main(["gate", versions["new"], "--baseline", versions["old"], "--margin", "1", *rest]) == 3
    out, err = capfd.readouterr()
    assert not out
    assert words in err
    assert len(err.splitlines()) == 1


def test_a_baseline_is_no_candidate(files, capfd):
    given = ["gate", files["board"], "--baseline", "base", "--margin", "1", "--candidate", "base"]
    assert main(given) == 3
    assert capfd.readouterr()[1].startswith("--candidate 'base' is the baseline itself")


def test_a_frame_is_gated_as_it_is_and_a_gate_shows_itself_in_a_line():
    random = np.random.default_rng(3)
    old = random.normal(50, 5, 60)
    new = {f"c{i}": (old + random.normal(1, 1, 60)).round(2) for i in range(7)}
    frame = pd.DataFrame({"item": range(60), "main": old.round(2), **new})
    found = ns.gate(frame, baseline="main", margin=1)
    read = ns.gate(ns.read_scores(frame), baseline="main", margin=1)
    assert found.to_dict() == read.to_dict()
    assert repr(found).startswith("<Gate: pass (at most 1 worse than main: c0 pass, c1 pass, ")
    assert repr(found).endswith(", …)>")
    assert len(repr(found)) < 150
    with pytest.raises(TypeError, match=r"an array is ScoreMatrix\(values=array"):
        ns.gate(frame.to_numpy(), baseline="main", margin=1)
