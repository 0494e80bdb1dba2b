"""How long an analysis takes is said before, from a few of its pairs, and how far it is on a pipe."""

import time

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.estimates import FEWEST_SEEN, seconds_of_analysis, seconds_of_pairs
from nlpstat_core.cli import configured, progress
from nlpstat_core.cli.program import main


def board(n_units, n_systems, decimals=2):
    rng = np.random.default_rng(n_units)
    values = rng.normal(size=(n_units, 1)) + rng.normal(size=(n_units, n_systems))
    return ns.ScoreMatrix(values=values.round(decimals), systems=tuple(f"s{i}" for i in range(n_systems)))


def test_what_twice_as_many_pairs_take_more_is_theirs():
    times = iter([10.0, 11.0, 20.0, 23.0])  # one second, then three for twice as many
    found = seconds_of_pairs(
        board(30, 20), ns.AnalysisConfig(test="t", block_column=None), 190, lambda: next(times)
    )
    assert found == 3.0 + 2.0 / FEWEST_SEEN * (190 - 2 * FEWEST_SEEN)


def test_small_boards_and_few_resampled_pairs_are_not_looked_at():
    def clock():
        raise AssertionError("looked")

    for scores, test in ((board(30, 6), "t"), (board(30, 20), "t"), (board(800, 16), "bootstrap-mean")):
        assert seconds_of_analysis(scores, ns.AnalysisConfig(test=test), clock) is None
    with_baseline = ns.AnalysisConfig(test="t", baseline="s1")
    assert seconds_of_analysis(board(800, 60), with_baseline, clock) is None


def test_the_estimate_is_about_right():
    scores, config = board(300, 40), ns.AnalysisConfig(test="permutation-mean", effects=())
    ns.analyse(scores, config)
    begun = time.process_time()
    ns.analyse(scores, config)
    taken = time.process_time() - begun
    found = seconds_of_analysis(scores, config, time.process_time)
    assert found == pytest.approx(taken, rel=3.0, abs=0.5)


def test_progress_on_a_pipe_is_lines(tmp_path, capsys, monkeypatch):
    scores, file = board(700, 12), tmp_path / "scores.csv"
    rows = [",".join(scores.systems), *(",".join(map(str, row)) for row in scores.values)]
    file.write_text("\n".join(rows))
    assert main(["analyse", str(file), "--test", "t"]) == 0
    assert capsys.readouterr().err == ""
    ticks = iter(np.arange(0.0, 1e6, 11.0))
    for module in (configured, progress):
        monkeypatch.setattr(module, "perf_counter", lambda: float(next(ticks)))
    assert main(["analyse", str(file), "--test", "t", "--progress"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == ["This takes about 11 seconds by one thread.", "66 of 66 pairs"]
    ticks = iter(np.arange(0.0, 1e3, 0.1))  # soon done: nothing to say
    assert main(["analyse", str(file), "--test", "t", "--progress"]) == 0
    assert capsys.readouterr().err == ""
