"""Boards in blocks against the same boards in memory: numbers, decisions, leaderboard, pairs on demand."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.analysis import in_blocks
from nlpstat_core.analysis.block_bounds import CORRECTIONS_IN_BLOCKS as CORRECTIONS
from nlpstat_core.board.blocks import thresholds
from nlpstat_core.board.blocks.thresholds import N_BINS, bins_of, largest_significant
from nlpstat_core.cli.program import main
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.report.exports.data.frames import pairs_frame


def board(n_units=60, n_systems=24, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_units, 1)) + rng.normal(0.0, 1.0, (n_units, n_systems))
    values += np.linspace(0, 1, n_systems)[rng.permutation(n_systems)]
    return ns.ScoreMatrix(values=values.round(2), systems=tuple(f"s{i}" for i in range(n_systems)))


def binary():
    rng = np.random.default_rng(3)
    right = rng.random((80, 20)) < np.linspace(0.3, 0.8, 20)
    return ns.ScoreMatrix(values=right.astype(float), systems=tuple(f"s{i}" for i in range(20)))


def holed():
    values = board().values.copy()
    values[np.random.default_rng(1).random(values.shape) < 0.1] = np.nan
    return ns.ScoreMatrix(values=values, systems=board().systems, lower_is_better=True)


def empties():
    values = board().values.copy()
    values[:, [0, 7]] = np.nan
    return ns.ScoreMatrix(values=values, systems=board().systems)


SCORES = {"scores": board(), "right and wrong": binary(), "missing": holed(), "two without scores": empties()}


@st.composite
def families(draw):
    """p-values with ties, at the steps of the procedures and a rounding beside them."""
    m = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    steps = 0.05 / m * rng.integers(1, m + 1, m) * (1 + 1e-16 * rng.integers(-2, 3, m))
    kinds = (rng.random(m) ** 4, np.round(rng.random(m) ** 3, 2), 10.0 ** rng.uniform(-300, 0, m), steps)
    return np.clip(draw(st.sampled_from(kinds)), 0.0, 1.0)


@given(p=families(), alpha=st.sampled_from([0.001, 0.05, 0.2]), at_once=st.sampled_from([2, 1 << 20]))
def test_the_largest_significant_p_decides_as_the_correction_does(p, alpha, at_once):
    looked = []

    def look(bins):
        looked.append(bins)
        return np.unique(p[np.isin(bins_of(p), bins)], return_counts=True)

    counts = np.bincount(bins_of(p), minlength=N_BINS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thresholds, "_AT_ONCE", at_once)
        for correction in CORRECTIONS:
            last = largest_significant(correction, alpha, counts, look)
            assert ((p <= last) == (adjust_p_values(p, correction) <= alpha)).all()
    assert len(looked) <= 2 * p.size


def test_nothing_is_significant_of_nothing():
    assert largest_significant("holm", 0.05, np.zeros(N_BINS, dtype=np.int64), lambda bins: None) == -1.0


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("kind", SCORES)
def test_blocks_say_what_the_whole_says(kind, correction, tmp_path, monkeypatch):
    monkeypatch.setattr(in_blocks, "PAIRS_OF_A_BLOCK", 100)
    scores, config = SCORES[kind], ns.AnalysisConfig(correction=correction)
    whole = ns.analyse(scores, config)
    told = []
    found = ns.analyse_blocks(scores, tmp_path / "new", config, progress=lambda *step: told.append(step))
    files = sorted((tmp_path / "new").iterdir())
    assert [path.name for path in files] == [f"pairs-{i:06}.parquet" for i in range(len(files))]
    frame = pd.concat([pd.read_parquet(path).astype(object) for path in files], ignore_index=True)
    expected = pairs_frame(whole)
    expected["better"] = np.where(whole.pairs.separated, whole.pairs.better, None)
    assert len(frame) == len(expected) == found.n_pairs == told[-1][0] == told[-1][1]
    for name in frame:
        here, there = frame[name], expected[name]
        if expected[name].dtype.kind == "f":  # the last digit of an interval hangs on the size of a piece
            here, there = here.astype(float), there.astype(float)
            assert here.to_numpy() == pytest.approx(there.to_numpy(), rel=1e-12, abs=1e-12, nan_ok=True), name
        else:
            assert (here.isna() & there.isna() | (here == there)).all(), name
    assert (frame["p_value"].astype(float) <= found.largest_significant).equals(
        frame["significant"].astype(bool)
    )
    board, expected_board = found.leaderboard, whole.leaderboard
    assert board.system == expected_board.system
    for name in ("rank", "score", "interval", "rank_interval", "cluster"):
        np.testing.assert_array_equal(board[name], expected_board[name])
    assert (found.separated, found.family_size) == (whole.pairs.separated.sum(), whole.family_size)
    assert found.top_group == tuple(
        name for name, ranks in zip(board.system, board.rank_interval, strict=True) if ranks[0] == 1
    )
    for a, b in ((0, 1), (3, 17), (scores.n_systems - 1, 5)):
        row = found.pair(scores.systems[a], scores.systems[b])
        pair = whole.pairs.find(a, b)
        assert (row["system_a"], row["system_b"]) == tuple(expected.loc[pair, ["system_a", "system_b"]])
        assert row["p_value"] == pytest.approx(whole.pairs.p_value[pair], nan_ok=True)
    with pytest.raises(ns.AnalysisError, match="no pair"):
        found.pair("s1", "s1")


def test_what_needs_all_pairs_at_once_is_refused(tmp_path):
    for settings, said in (
        ({"correction": "max-t"}, "benjamini-hochberg"),
        ({"baseline": "s1"}, "without blocks"),
        ({"equivalence_margin": 0.1}, "equivalence"),
        ({"intervals": ("simultaneous",)}, "simultaneous"),
        ({"test": "mcnemar"}, "scores of 0 and 1"),
    ):
        with pytest.raises(ns.NlpstatError, match=said):
            ns.analyse_blocks(board(), tmp_path / "new", ns.AnalysisConfig(**settings))
        assert not (tmp_path / "new").exists()


def test_frames_are_read_and_other_measures_refused(tmp_path):
    scores = board()
    frame = pd.DataFrame(scores.values, columns=list(scores.systems))
    assert ns.block_bounds(frame).pairs == ns.analyse_blocks(frame, tmp_path / "new").n_pairs == 276
    file = tmp_path / "outputs.csv"
    file.write_text("id,gold,x,y\n" + "".join(f"{i},{'abc'[i % 3]},a,{'ba'[i % 2]}\n" for i in range(30)))
    submitted = ns.read_submissions(file, measure="macro-f1")
    with pytest.raises(ns.AnalysisError, match="compare means"):
        ns.analyse_blocks(submitted, tmp_path / "other")
    with pytest.raises(TypeError):
        ns.block_bounds(3)


def test_a_folder_that_is_not_empty_and_a_full_disk_are_refused(tmp_path, monkeypatch):
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(ns.AnalysisError, match="isn't empty"):
        ns.analyse_blocks(board(), tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "kept"
    monkeypatch.setattr("nlpstat_core.memory.shutil.disk_usage", lambda _: type("Disk", (), {"free": 10}))
    with pytest.raises(ns.AnalysisError, match="GiB are free"):
        ns.analyse_blocks(board(), tmp_path / "new")


def test_cancelled_work_takes_its_files_back(tmp_path, monkeypatch):
    monkeypatch.setattr(in_blocks, "PAIRS_OF_A_BLOCK", 100)
    written = []
    with pytest.raises(ns.Cancelled):
        ns.analyse_blocks(
            board(),
            tmp_path / "new",
            progress=lambda *_: written.append(len(list((tmp_path / "new").iterdir()))),
            should_stop=lambda: len(written) > 1,
        )
    assert written == [1, 2]
    assert not (tmp_path / "new").exists()


def test_bounds_are_known_before(tmp_path):
    ticks = iter(range(100))
    bounds = ns.block_bounds(board(), clock=lambda: float(next(ticks)))
    assert bounds.pairs == 276
    assert bounds.minutes is not None
    assert ns.block_bounds(board()).minutes is None
    ns.analyse_blocks(board(200, 100), tmp_path / "new")
    written = sum(path.stat().st_size for path in (tmp_path / "new").iterdir())
    assert written <= ns.block_bounds(board(200, 100)).gib * 2**30


def test_the_command_says_bounds_and_answer(tmp_path, capsys):
    scores = board()
    file, folder = tmp_path / "scores.csv", tmp_path / "pairs"
    rows = [",".join(scores.systems), *(",".join(map(str, row)) for row in scores.values)]
    file.write_text("\n".join(rows))
    assert main(["analyse", str(file), "--pairs-out", str(folder)]) == 0
    said = capsys.readouterr()
    assert re.match(r"276 pairs: files of 0\.01 GiB at most, about \d+ seconds? by one thread\.", said.err)
    assert "of 276 pairs decided; in the top group" in said.out
    assert str(folder) in said.out
    for more in (["--out", str(tmp_path / "other")], ["--json", "-"]):
        assert main(["analyse", str(file), "--pairs-out", str(folder), *more]) == 2
        assert "--pairs-out can't be combined with" in capsys.readouterr().err
    assert main(["analyse", str(file), "--pairs-out", ""]) == 2
    assert main(["analyse", str(file), "--pairs-out", str(folder)]) == 2
    assert "isn't empty" in capsys.readouterr().err
