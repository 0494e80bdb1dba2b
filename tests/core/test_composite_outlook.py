"""How firm a composite's order is: weights, tracks and rules varied, each against ranking anew."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.formula.api import ols

import nlpstat_core as ns
from nlpstat_core.analysis.composite_outlook import composite_outlook, regions
from nlpstat_core.analysis.tracks.combining import COMBINE
from nlpstat_core.analysis.tracks.means import signal_to_noise, track_means
from nlpstat_core.cli import main
from nlpstat_core.report.wording.tracks import outlook_sentence

seeds = st.integers(0, 10**6)


def tracks(seed, n_tracks, n_systems=4, lower=()):
    rng = np.random.default_rng(seed)
    return {
        f"t{t}": ns.ScoreMatrix(
            values=rng.uniform(1, 9, size=(int(rng.integers(3, 8)), n_systems)),
            systems=tuple("ABCDEFG"[:n_systems]),
            lower_is_better=t in lower,
        )
        for t in range(n_tracks)
    }


def first(boards, weights, **more):
    """The best system of a composite, by its mean; none where two share the place."""
    board = ns.composite(boards, weights=weights, tracks="sampled", **more)
    means = board.values.mean(axis=0) * (-1 if board.lower_is_better else 1)
    best = np.flatnonzero(means >= means.max() - 1e-9)
    return board.systems[best[0]] if best.size == 1 else None


@settings(max_examples=20)
@given(seeds, st.integers(2, 4), st.sampled_from(COMBINE), st.booleans())
def test_the_first_stays_first_within_every_range_of_shares_and_not_beyond(seed, n_tracks, combine, turned):
    boards = tracks(seed, n_tracks, lower=(0,) if turned else ())
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(n_tracks))
    found = composite_outlook(track_means(boards), weights=weights.tolist(), combine=combine)
    top = first(boards, weights.tolist(), combine=combine)
    if top is None:
        return
    assert found.systems[0] == top
    for place, one in enumerate(found.ranges):
        assert one.low <= one.share <= one.high
        others = np.delete(weights, place) / (1 - weights[place])
        for share, who in (
            (one.low - 1e-6, one.below),
            (one.low + 1e-6, top),
            (one.high - 1e-6, top),
            (one.high + 1e-6, one.above),
        ):
            if 0 <= share <= 1:
                moved = np.insert(others * (1 - share), place, share)
                assert first(boards, moved.tolist(), combine=combine) in (who, None)


@settings(max_examples=25)
@given(seeds, st.integers(2, 3), st.integers(2, 6))
def test_the_regions_are_the_weights_at_which_each_system_is_first(seed, n_tracks, n_systems):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 6, size=(n_tracks, n_systems)).astype(float)
    found = regions(table)
    weights = rng.dirichlet(np.ones(n_tracks), size=300)
    scores = weights @ table
    for row, score in zip(weights, scores, strict=True):
        ordered = np.sort(score)
        if ordered[-1] - ordered[-2] > 1e-9:
            inside = [system for system, corners in found.items() if _inside(row, corners)]
            assert inside == [int(score.argmax())]
    for system, corners in found.items():
        assert np.allclose(corners.sum(axis=1), 1)
        assert (corners @ table[:, system] >= (corners @ table).max(axis=1) - 1e-9).all()


def _inside(point, corners):
    if len(corners) == 2:
        return corners[:, 0].min() - 1e-12 <= point[0] <= corners[:, 0].max() + 1e-12
    after = np.roll(corners, -1, axis=0)
    cross = (after[:, 0] - corners[:, 0]) * (point[1] - corners[:, 1]) - (after[:, 1] - corners[:, 1]) * (
        point[0] - corners[:, 0]
    )
    return (cross >= -1e-12).all() or (cross <= 1e-12).all()


def test_signal_to_noise_is_that_of_the_analysis_of_variance():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(12, 1)) + rng.normal(size=(12, 4)) + np.array([0, 0.5, 1, 2])
    board = ns.ScoreMatrix(values=values, systems="ABCD")
    long = board.to_frame().reset_index(names="item").melt("item", list("ABCD"), "system", "score")
    table = sm.stats.anova_lm(ols("score ~ C(item) + C(system)", long).fit())
    assert signal_to_noise(board) == pytest.approx(table.loc["C(system)", "F"] - 1, rel=1e-9)
    # An item that one system lacks doesn't count, a system without any score is not there.
    ragged = np.vstack([values, [9, np.nan, 9, 9]])
    ragged = np.column_stack([ragged, np.full(13, np.nan)])
    missing = ns.ScoreMatrix(values=ragged, systems="ABCDE")
    assert signal_to_noise(missing) == pytest.approx(signal_to_noise(board), rel=1e-12)
    same = ns.ScoreMatrix(values=rng.normal(size=(30, 1)) + np.zeros(3), systems="ABC")
    assert np.isnan(signal_to_noise(same))


def test_one_track_fewer_and_rules_for_missing_tracks_are_the_composites_own():
    boards = tracks(1, 3)
    boards["t2"] = boards["t2"].columns([0, 1, 2])
    means = track_means(boards)
    found = composite_outlook(means, missing_tracks="exclude", weights="items")
    sizes = {name: board.n_units for name, board in boards.items()}

    def order(**keywords):
        board = ns.composite(boards, **{"weights": sizes, "missing_tracks": "exclude"} | keywords)
        return tuple(np.array(board.systems)[np.argsort(-board.values.mean(axis=0))].tolist())

    assert found.systems == order()
    assert found.missing == {rule: order(missing_tracks=rule) for rule in ("exclude", "shared", "worst")}
    assert found.without == {name: order(weights={**sizes, name: 0}) for name in boards}
    assert composite_outlook(track_means(tracks(1, 3))).missing == {}
    alone = {}
    for place, (name, board) in enumerate(tracks(2, 3).items()):
        values = np.where(np.arange(4) == place, board.values, np.nan)
        alone[name] = ns.ScoreMatrix(values=values, systems=board.systems)
    with pytest.raises(ns.AnalysisError, match="Fewer than two systems"):
        composite_outlook(track_means(alone), missing_tracks="exclude")


def test_what_is_said_of_the_order():
    board = ns.ScoreMatrix
    near = {
        "en": board(values=[[9, 5], [9, 5]], systems="AB"),
        "de": board(values=[[1, 4], [1, 4]], systems="AB"),
    }
    text = outlook_sentence(composite_outlook(track_means(near)))
    assert text == (
        "Without track en another system than A is first; the smallest change of one track's share that "
        "makes another first is en from 50 % to 42.9 % (B)."
    )
    clear = {**near, "de": near["en"]}
    text = outlook_sentence(composite_outlook(track_means(clear)))
    assert text == "A stays first without any one of the tracks, and at every share of any one track."
    alone = outlook_sentence(composite_outlook(track_means(near), weights={"de": 0}))
    assert alone == "A is first; only one track counts."
    same = {name: board(values=[[1, 1, 0], [1, 1, 0]], systems="ABC") for name in ("en", "de")}
    text = outlook_sentence(composite_outlook(track_means(same)))
    assert text == "A, B share the first place; any change of the weights may separate them."


def test_the_command_tells_what_each_rule_does_to_the_first_ranks(tmp_path, capsys):
    (tmp_path / "en.csv").write_text("item,A,B,C\n1,3,4,9\n2,5,6,8\n3,4,6,9\n", encoding="utf-8")
    (tmp_path / "de.csv").write_text("item,A,B\n1,3,2\n2,5,4\n3,4,1\n", encoding="utf-8")
    files = [str(tmp_path / "en.csv"), str(tmp_path / "de.csv")]
    expected = (
        "exclude (left out of the overall ranking): 1 A, 2 B",
        "shared (ranked over the tracks that all systems have): 1 C, 2 B, 3 A",
        "worst (given the worst mean of the track on each of its items): 1 C, 2 A, 3 B",
    )
    assert main(["composite", *files]) == 2
    refused = capsys.readouterr().err
    assert "--missing-tracks shared" in refused
    assert all(line in refused for line in expected)
    for way in ("mean", "mean-rank"):
        assert main(["composite", *files, "--missing-tracks", "worst", "--combine", way]) == 0
        answer = capsys.readouterr().out
        assert "First ranks under each rule" in answer
        assert all(f"  {line}\n" in f"{answer}\n" for line in expected)
        assert main(["composite", *files, "--missing-tracks", "worst", "--combine", way, "--csv"]) == 0
        told = capsys.readouterr()
        assert "First ranks" not in told.out
        assert expected[0] in told.err
    assert main(["composite", *files, "--weights", "de=0"]) == 0  # no track that counts lacks a system
    assert "First ranks" not in capsys.readouterr().out
