"""assert_better, assert_not_worse and the plugin of pytest say what the gate says."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.testing import assert_better, assert_not_worse

ROOT = Path(__file__).parents[2]


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.02, 0.2]), st.booleans(), st.booleans())
def test_the_assertion_is_the_gate(seed, margin, lower, by_id):
    rng = np.random.default_rng(seed)
    new, old = rng.normal(rng.choice([-0.5, 0, 0.5]), 1, 40).round(2), rng.normal(0, 1, 40).round(2)
    scores = ns.ScoreMatrix(values=np.column_stack([new, old]), systems=("new", "old"), lower_is_better=lower)
    expected = ns.gate(scores, baseline="old", margin=margin)
    if by_id:
        order = rng.permutation(40)
        given_new, given_old = dict(enumerate(new)), pd.Series(old[order], index=order)
    else:
        given_new, given_old = new.tolist(), old
    if expected.decision == "pass":
        found = assert_not_worse(given_new, given_old, margin=margin, lower_is_better=lower)
        assert found.candidates[0].interval == pytest.approx(expected.candidates[0].interval, rel=1e-12)
    else:
        word = {"fail": "^FAIL", "undecided": "^UNDECIDED"}[expected.decision]
        with pytest.raises(AssertionError, match=word):
            assert_not_worse(given_new, given_old, margin=margin, lower_is_better=lower)


def test_undecided_may_be_an_expected_failure():
    rng = np.random.default_rng(3)
    new = rng.normal(size=30)
    old = new + rng.normal(size=30)
    with pytest.raises(AssertionError, match=r"about [\d,]+ (units|items) would decide"):
        assert_better(new, old)
    with pytest.raises(pytest.xfail.Exception, match="would decide"):
        assert_better(new, old, undecided="xfail")


def test_documents_and_runs_are_compared():
    rng = np.random.default_rng(4)
    items = [f"q{i}" for i in range(60)]
    documents = {item: f"d{i // 5}" for i, item in enumerate(items)}
    new = dict(zip(items, rng.normal(1, 1, 60), strict=True))
    old = dict(zip(items, rng.normal(0, 1, 60), strict=True))
    assert assert_better(new, old, documents=documents).candidates[0].test == "block-permutation"
    runs = assert_better(rng.normal(3, 1, (60, 3)), rng.normal(0, 1, (60, 4)))
    assert runs.candidates[0].test == "crossed-t"
    ragged = {item: [1.0 + i % 3, 1.25 + i % 2][: 1 + i % 2] for i, item in enumerate(items)}
    assert assert_not_worse(ragged, ragged, margin=5).analysis.scores.runs is not None


@pytest.mark.parametrize(
    ("new", "old", "keywords", "said"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "c": 2}, {}, "lacks items that the baseline has: 'c'"),
        ({"a": 1, "b": 2, "c": 0}, {"a": 1, "b": 2}, {}, "has items that the baseline lacks: 'c'"),
        ([1, 2], [1], {}, "ids that pair them"),
        ({"a": 1}, [1], {}, "Only one of the two has ids"),
        (["x", 1], [1, 2], {}, "'x' is not a score"),
        ([], [], {}, "has no scores"),
        ([1, 2, 3], [1, 2, 3], {"documents": {"a": "d"}}, "Documents have ids and the scores have none"),
        ([1, 2, 3], [1, 2, 3], {"undecided": "maybe"}, "Unknown way to take undecided"),
        ([1, 2, 3], [1, 2, 3], {"alhpa": 0.1}, "alhpa"),
    ],
)
def test_what_does_not_belong_together_is_said(new, old, keywords, said):
    with pytest.raises(ns.NlpstatError) as refused:
        assert_not_worse(new, old, margin=0.5, **keywords)
    assert said in str(refused.value)


TESTS = """
import random
import pytest

RNG = random.Random(1)
SCORES = [(i, RNG.gauss(1, 1), RNG.gauss(0, 1)) for i in range(60)]

@pytest.mark.parametrize(("item", "new", "old"), SCORES, ids=[str(i) for i, *_ in SCORES])
def test_answer(item, new, old, nlpstat_score):
    nlpstat_score("new", item, new, f"d{item // 4}")
    nlpstat_score("old", item, old, f"d{item // 4}")
"""


def run(folder, *options):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "nlpstat_core.testing.plugin",
    ]
    return subprocess.run(
        [*command, *options, "test_it.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    )


def test_the_plugin_decides_over_what_tests_collected(tmp_path):
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")
    gate = ("--nlpstat-baseline", "old", "--nlpstat-margin", "0")
    one = run(tmp_path, *gate, "--nlpstat-markdown", "gate.md", "--nlpstat-junit", "gate.xml")
    assert one.returncode == 0, one.stdout + one.stderr
    assert "PASS: new is better than old" in one.stdout
    assert "documents" in one.stdout
    assert "PASS" in (tmp_path / "gate.md").read_text(encoding="utf-8")
    assert 'failures="0"' in (tmp_path / "gate.xml").read_text(encoding="utf-8")
    several = run(tmp_path, *gate, "-n", "2", "--nlpstat-scores", "scores.csv")
    line = next(line for line in one.stdout.splitlines() if line.startswith("PASS"))
    assert line in several.stdout
    turned = run(tmp_path, "--nlpstat-baseline", "new", "--nlpstat-margin", "0.1")
    assert turned.returncode == 1
    assert "FAIL: old is worse than new" in turned.stdout
    rows = (tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 121
    (tmp_path / "earlier.csv").write_text("\n".join(row for row in rows if not row.startswith("new,")) + "\n")
    of_file = run(tmp_path, "--nlpstat-baseline", "earlier.csv", "--nlpstat-margin", "0", "-k", "test_answer")
    assert "old (baseline)" in of_file.stdout
    assert of_file.returncode in (0, 1)
    wrong = run(tmp_path, "--nlpstat-baseline", "gone.csv", "--nlpstat-margin", "0")
    assert wrong.returncode == 4
    assert "nor a file that can be opened" in wrong.stderr
