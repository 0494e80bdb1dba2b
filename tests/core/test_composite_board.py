"""A composite of tracks is a board: its score is the weighted mean, its test that of composite_p_value."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main


def track(rng, n, systems="ABC", shift=0.0, **more):
    values = rng.normal(size=(n, 1)) + rng.normal(size=(n, len(systems))) + shift
    return ns.ScoreMatrix(
        values=values.round(2), systems=tuple(systems), units=tuple(f"q{i}" for i in range(n)), **more
    )


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(2, 9), min_size=2, max_size=4),
    st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=4, max_size=4),
)
def test_the_board_is_the_weighted_mean_and_its_test(seed, sizes, weights):
    rng = np.random.default_rng(seed)
    boards = {f"t{i}": track(rng, n) for i, n in enumerate(sizes)}
    weights = weights[: len(sizes)]
    board = ns.composite(boards, weights=weights)
    shares = np.array(weights) / sum(weights)
    means = np.array([one.values.mean(axis=0) for one in boards.values()])
    assert board.values.mean(axis=0) == pytest.approx(shares @ means, abs=1e-12)
    analysis = ns.analyse(board, ns.AnalysisConfig(test="permutation-mean", correction="none"))
    for a, b in ("AB", "AC", "BC"):
        differences = [one.values[:, one.index(a)] - one.values[:, one.index(b)] for one in boards.values()]
        expected = ns.composite_p_value(differences, weights)
        assert analysis.pair(a, b).p_value == pytest.approx(expected, rel=1e-9)


def test_directions_and_dropped_tracks():
    rng = np.random.default_rng(1)
    up, down = track(rng, 30), track(rng, 20, lower_is_better=True)
    board = ns.composite({"chrF": up, "TER": down, "none": track(rng, 5)}, weights=[1, 1, 0])
    assert board.values.mean(axis=0) == pytest.approx((up.values.mean(axis=0) - down.values.mean(axis=0)) / 2)
    assert not board.lower_is_better
    assert set(board.labels["track"]) == {"chrF", "TER"}
    assert "tracks-turned" in {note.code for note in board.notes}


def test_scores_of_a_track_by_its_own_unit():
    rng = np.random.default_rng(2)
    boards = {"small": track(rng, 40), "large": track(rng, 30)}
    large = boards["large"]
    boards["large"] = ns.ScoreMatrix(values=100 * large.values, systems=large.systems, units=large.units)
    assert "one-track-decides" in {note.code for note in ns.composite(boards).notes}
    means = np.array([one.values.mean(axis=0) for one in boards.values()])
    z = ns.composite(boards, combine="z-score").values.mean(axis=0)
    assert z == pytest.approx(stats.zscore(means, axis=1, ddof=1).mean(axis=0), abs=1e-12)
    span = ns.composite(boards, combine="min-max").values.mean(axis=0)
    expected = (means - means.min(axis=1, keepdims=True)) / np.ptp(means, axis=1)[:, None]
    assert span == pytest.approx(expected.mean(axis=0), abs=1e-12)


def test_tracks_as_a_sample_are_the_items():
    rng = np.random.default_rng(3)
    boards = {f"t{i}": track(rng, 12 + i) for i in range(7)}
    board = ns.composite(boards, tracks="sampled")
    assert board.units == tuple(boards)
    assert board.values == pytest.approx(np.array([one.values.mean(axis=0) for one in boards.values()]))
    ranks = ns.composite(boards, tracks="sampled", combine="mean-rank")
    assert ranks.lower_is_better
    assert ranks.values == pytest.approx(np.array([stats.rankdata(-row) for row in board.values]))
    few = ns.composite(dict(list(boards.items())[:3]), tracks="sampled")
    note = next(note for note in few.notes if note.code == "composite")
    assert note.severity == "caution"
    with pytest.raises(ns.ConfigError, match="sampled"):
        ns.composite(boards, combine="mean-rank")


def test_missing_tracks_are_never_filled_in_silence():
    rng = np.random.default_rng(4)
    boards = {"en": track(rng, 20), "de": track(rng, 15, "AB")}
    with pytest.raises(ns.AnalysisError, match=r"C \(de\)"):
        ns.composite(boards)
    left = ns.composite(boards, missing_tracks="exclude")
    assert left.systems == ("A", "B")
    worst = ns.composite(boards, missing_tracks="worst")
    means = boards["de"].values.mean(axis=0)
    expected = (boards["en"].values[:, 2].mean() + means.min()) / 2
    assert worst.values[:, 2].mean() == pytest.approx(expected)
    for board in (left, worst):
        assert "tracks-missing" in {note.code for note in board.notes}


def test_shared_items_are_flipped_together():
    rng = np.random.default_rng(5)
    en, de = track(rng, 8), track(rng, 8)
    board = ns.composite({"en": en, "de": de}, shared_items=True, weights=[2, 1])
    assert board.n_units == 8
    joined = (2 * en.values + de.values) / 3
    assert board.values == pytest.approx(joined, abs=1e-12)
    analysis = ns.analyse(board, ns.AnalysisConfig(test="permutation-mean", correction="none"))
    assert analysis.pair("A", "B").p_value == pytest.approx(
        ns.sign_flip_p_value(joined[:, 0] - joined[:, 1]), rel=1e-9
    )
    ragged = ns.composite({"en": en, "de": en.rows(np.arange(5))}, shared_items=True)
    assert ragged.n_units == 8
    assert ragged.values.mean(axis=0) == pytest.approx(
        (en.values.mean(axis=0) + en.values[:5].mean(axis=0)) / 2
    )


def test_documents_stay_and_belong_to_their_track():
    rng = np.random.default_rng(6)
    documents = tuple(f"d{i // 3}" for i in range(45))
    boards = {
        "en": track(rng, 45, labels={"doc": documents}),
        "de": track(rng, 45, labels={"doc": documents}),
    }
    analysis = ns.analyse(ns.composite(boards))
    assert analysis.config.block_column == "doc"
    assert len(set(analysis.units.labels["doc"])) == 30


@pytest.mark.parametrize(
    "keywords", [{"weights": [1]}, {"weights": [-1, 2]}, {"combine": "sum"}, {"tracks": "x"}]
)
def test_choices_that_cannot_be_used(keywords):
    rng = np.random.default_rng(7)
    with pytest.raises(ns.ConfigError):
        ns.composite({"a": track(rng, 5), "b": track(rng, 5)}, **keywords)
    with pytest.raises(ns.AnalysisError, match="two tracks"):
        ns.composite({"a": track(rng, 5)})


def test_the_command_ranks_files_and_data_sets(tmp_path, capsys):
    rng = np.random.default_rng(8)
    files = []
    for name, shift in (("en", [0, 1, 2]), ("de", [0, 0.5, 3])):
        board = track(rng, 25, shift=np.array(shift))
        path = tmp_path / f"{name}.csv"
        path.write_text(board.to_frame().to_csv(index_label="item"), encoding="utf-8")
        files.append(str(path))
    assert main(["composite", *files, "--weights", "en=3,de=1", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    boards = {name: ns.read_scores(path) for name, path in zip(("en", "de"), files, strict=True)}
    again = ns.analyse(ns.composite(boards, weights={"en": 3, "de": 1})).to_dict()
    assert found["pairs"] == json.loads(json.dumps(again["pairs"]))
    assert main(["composite", *files, "--combine", "z-score", "--out", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "mean z-score over 2 tracks" in text
    assert (tmp_path / "out" / "report.html").exists()
    assert main(["composite", *files, "--weights", "en=x"]) != 0
    assert "--weights" in capsys.readouterr().err
