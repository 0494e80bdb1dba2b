"""Arrays and pairs that can't fit are refused at once, with their number and GiB."""

import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core import memory
from nlpstat_core.analysis.analyse import BYTES_OF_A_PAIR, BYTES_OF_AN_EFFECT

ROOT = Path(__file__).parents[2]
GIB = 1 << 30
LINUX = pytest.mark.skipif(memory.free_memory() is None, reason="this system doesn't tell its memory")


def board(systems, units=3):
    values = np.random.default_rng(systems).normal(50, 10, (units, systems))
    return ns.ScoreMatrix(values=values, systems=[f"s{i}" for i in range(systems)])


def long(many):
    """An array of any length that takes eight bytes."""
    return np.broadcast_to(np.float64(1.5), many)


@LINUX
@pytest.mark.parametrize(
    ("refused", "start"),
    [
        (
            lambda: ns.analyse(board(60_000)),
            "The 1,799,970,000 pairs of 60,000 systems take at least 311.8 GiB",
        ),
        (
            lambda: ns.analyse(board(60_000), ns.AnalysisConfig(effects=())),
            "The 1,799,970,000 pairs of 60,000 systems take at least 251.5 GiB",
        ),
        (
            lambda: ns.ScoreMatrix(values=long((10**6, 10**5)), systems=[""] * 10**5),
            "1,000,000 × 100,000 scores take at least 745.1 GiB",
        ),
        (
            lambda: ns.ScoreMatrix(values=np.broadcast_to(True, (10**6, 10**5)), systems=[""] * 10**5),
            "1,000,000 × 100,000 scores take at least 745.1 GiB",
        ),
        (
            lambda: ns.compare(long(10**11), long(10**11)),
            "Two arrays of 100,000,000,000 scores take at least",
        ),
        (lambda: ns.sign_flip_p_value(long(10**11)), "100,000,000,000 differences take at least 1,490.1 GiB"),
    ],
    ids=["pairs", "pairs without effects", "scores", "true or false", "two arrays", "differences"],
)
def test_what_cant_fit_is_refused_at_once(refused, start):
    begun = time.perf_counter()
    with pytest.raises(ns.AnalysisError) as error:
        refused()
    assert str(error.value).startswith(start)
    assert " GiB are free: " in str(error.value)
    assert time.perf_counter() - begun < 10


@LINUX
def test_the_command_line_refuses_pairs(tmp_path):
    """6,000 systems: 18 million pairs in 4.5 GiB, where 4 GiB may be taken."""
    pytest.importorskip("resource", reason="this system bounds no memory")
    lines = [",".join(["item", *(f"s{i}" for i in range(6_000))])]
    lines += [",".join([f"u{row}", *(str((row * i) % 97) for i in range(6_000))]) for row in range(4)]
    (tmp_path / "wide.csv").write_text("\n".join(lines), encoding="utf-8")
    bounded = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)); "
        "import sys; from nlpstat_core.cli import main; sys.exit(main())"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            bounded,
            "analyse",
            str(tmp_path / "wide.csv"),
            "--out",
            str(tmp_path / "out"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    assert "The 17,997,000 pairs of 6,000 systems take at least 3.1 GiB of memory, and " in line
    assert line.endswith("or pairs in files (analyse_blocks, --pairs-out).")
    assert not (tmp_path / "out").exists()


def test_a_baseline_makes_few_pairs_of_many_systems(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: GIB)
    scores = board(3_600)
    with pytest.raises(
        ns.AnalysisError, match=r"^The 6,478,200 pairs of 3,600 systems take at least 1\.1 GiB"
    ):
        ns.analyse(scores)
    analysis = ns.analyse(scores, ns.AnalysisConfig(baseline="s0", test="t", effects=()))
    assert len(analysis.pairs) == 3_599


@pytest.mark.parametrize("effects", [(), ("cohen-d", "hedges-g", "wilcoxon-r")])
def test_pairs_take_at_least_what_is_said_and_not_much_more(effects):
    """A bound that is too high would refuse what fits."""
    config = ns.AnalysisConfig(test="t", correction="none", effects=effects)
    scores = board(700, 6)
    ns.analyse(board(20, 6), config)
    tracemalloc.start()
    try:
        analysis = ns.analyse(scores, config)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    said = (BYTES_OF_A_PAIR + BYTES_OF_AN_EFFECT * len(effects)) * len(analysis.pairs)
    assert said <= most <= 3 * said


def test_the_least_bound_counts(monkeypatch):
    bounds = {"_machine": 9 * GIB, "_container": None, "_process": 5 * GIB}
    for name, value in bounds.items():
        monkeypatch.setattr(memory, name, lambda value=value: value)
    assert memory.free_memory() == 5 * GIB
    memory.refuse_beyond_memory(5 * GIB, "All", "take less")
    with pytest.raises(
        ns.AnalysisError, match=r"^All take at least 5\.1 GiB of memory, and 5\.0 GiB are free: take less\.$"
    ):
        memory.refuse_beyond_memory(5 * GIB + GIB // 10, "All", "take less")
    for name in bounds:
        monkeypatch.setattr(memory, name, lambda: None)
    assert memory.free_memory() is None
    memory.refuse_beyond_memory(10**18, "All", "take less")
