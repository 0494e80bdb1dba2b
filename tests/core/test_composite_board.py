"""A composite of tracks is a board: its score is the weighted mean, its test that of composite_p_value."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.board.pairs.track_parts import track_parts
from nlpstat_core.cli import main
from nlpstat_core.readers import read_boards
from nlpstat_core.report.wording.tracks import parts_sentence


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
    # How high tracks are is in no item's score: a system's interval is about items within tracks.
    higher = {
        name: ns.ScoreMatrix(values=one.values + 100 * place, systems=one.systems, units=one.units)
        for place, (name, one) in enumerate(boards.items())
    }
    moved = ns.composite(higher, weights=weights).values - 100 * (shares @ np.arange(len(sizes)))
    assert moved == pytest.approx(board.values, abs=1e-9)
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


def test_the_replay_of_a_composite_is_the_composite(tmp_path, capsys):
    rng = np.random.default_rng(9)
    files = []
    for name in ("en", "de", "ja"):
        path = tmp_path / f"{name}.csv"
        path.write_text(track(rng, 12).to_frame().to_csv(index_label="item"), encoding="utf-8")
        files.append(str(path))
    given = ["--weights", "en=2,ja=0.5", "--combine", "z-score", "--shared-items", "--lower", "none"]
    assert main(["composite", *files, *given, "--out", str(tmp_path / "out")]) == 0
    replay = str(tmp_path / "out" / "analysis.json")
    first = json.loads((tmp_path / "out" / "analysis.json").read_text(encoding="utf-8"))
    told = first["config"]["reading"]["composite"]
    assert (told["weights"], told["combine"]) == ({"en": 2.0, "ja": 0.5}, "z-score")
    assert (told["tracks"], told["shared_items"]) == ("fixed", True)
    methods = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "The score is a composite of several tracks, in which items of one id in several tracks" in methods
    capsys.readouterr()
    assert main(["composite", *files, "--config", replay, "--json", "-"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again == first
    assert main(["composite", *files, "--config", replay, "--tracks", "sampled", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["config"]["reading"]["composite"]["tracks"] == "sampled"
    assert main(["analyse", *files, "--config", replay]) != 0
    assert "command composite" in capsys.readouterr().err
    (tmp_path / "wrong.json").write_text('{"reading": {"composite": {"weight": 1}}}', encoding="utf-8")
    assert main(["composite", *files, "--config", str(tmp_path / "wrong.json")]) != 0
    assert "choice about tracks" in capsys.readouterr().err


def test_weights_by_items_and_tracks_that_all_have():
    rng = np.random.default_rng(10)
    boards = {"en": track(rng, 20), "de": track(rng, 15, "AB"), "ja": track(rng, 5)}
    shared = ns.composite(boards, missing_tracks="shared", weights="items")
    means = np.array([boards[name].values.mean(axis=0) for name in ("en", "ja")])
    assert shared.values.mean(axis=0) == pytest.approx(np.array([0.8, 0.2]) @ means)
    assert any("de" in note.text for note in shared.notes if note.code == "tracks-missing")
    apart = {"en": track(rng, 9, "AB"), "de": track(rng, 9, "BC")}
    with pytest.raises(ns.AnalysisError, match="No track has all systems"):
        ns.composite(apart, missing_tracks="shared")
    with pytest.raises(ns.ConfigError, match='"items"'):
        ns.composite(boards, weights="size")


def test_every_way_to_combine_sampled_tracks_is_its_definition():
    rng = np.random.default_rng(11)
    boards = {f"t{i}": track(rng, 6, "ABCD", shift=10.0, lower_is_better=i == 1) for i in range(7)}
    means = np.array([board.values.mean(axis=0) for board in boards.values()])
    better = np.where(np.arange(7)[:, None] == 1, -means, means)
    ahead = (better[:, :, None] > better[:, None, :]).sum(axis=2)  # no ties here
    weights = np.array([1, 2, 1, 1, 3, 1, 1]) / 10
    direction = np.where(np.arange(7) == 1, -1, 1)
    expected = {
        "geometric": (weights * direction) @ np.log(means),
        "mean-rank": weights @ (4 - ahead),
        "borda": weights @ ahead,
        "win-rate": weights @ ahead / 3,
        "bests": weights @ (ahead == 3),
    }
    for combine, values in expected.items():
        board = ns.composite(boards, combine=combine, tracks="sampled", weights=(10 * weights).tolist())
        assert board.values.mean(axis=0) == pytest.approx(values), combine
        assert board.lower_is_better == (combine == "mean-rank")
        if combine != "geometric":
            with pytest.raises(ns.ConfigError, match="make no board"):
                ns.composite(boards, combine=combine)
    tied = {name: ns.ScoreMatrix(values=[[2, 2, 1]], systems="ABC") for name in ("x", "y")}
    for combine, values in {"borda": [1.5, 1.5, 0], "bests": [0.5, 0.5, 0]}.items():
        assert ns.composite(tied, combine=combine, tracks="sampled").values[0].tolist() == values
    below = {"x": track(rng, 5), "y": ns.ScoreMatrix(values=[[0, 1, 2]], systems="ABC")}
    with pytest.raises(ns.AnalysisError, match="above 0"):
        ns.composite(below, combine="geometric", tracks="sampled")


def test_the_parts_of_tracks_sum_to_the_pairs_difference():
    rng = np.random.default_rng(12)
    boards = {"en": track(rng, 20), "de": track(rng, 8), "ja": track(rng, 1)}
    weights = np.array([0.5, 0.3, 0.2])
    for tracks in ("fixed", "sampled"):
        board = ns.composite(boards, weights=weights.tolist(), tracks=tracks)
        found = track_parts(board, "A", "C")
        means = [one.values[:, 0].mean() - one.values[:, 2].mean() for one in boards.values()]
        assert found.tracks == ("en", "de", "ja")
        assert found.parts == pytest.approx(weights * means)
        assert found.parts.sum() == pytest.approx(ns.analyse(board).pair("A", "C").difference)
        assert np.isnan(found.variance).all()  # one item tells nothing of its track
    board = ns.composite({name: boards[name] for name in ("en", "de")}, weights=[2, 1])
    found = track_parts(board, "A", "C")
    own = [np.var(boards[n].values[:, 0] - boards[n].values[:, 2], ddof=1) for n in ("en", "de")]
    part = np.array([4 / 9 * own[0] / 20, 1 / 9 * own[1] / 8])
    assert found.variance == pytest.approx(part / part.sum())
    assert "higher for" in parts_sentence(found, "A", "C")
    assert track_parts(boards["en"], "A", "C") is None
    assert track_parts(ns.composite(boards, shared_items=True), "A", "C") is None


def test_metrics_of_the_same_items_are_told_of_unless_their_items_are_one():
    rows = [f"{s},{i},{(i * 7 + k) % 5},{(i * 3 + k) % 4}" for k, s in enumerate("ABC") for i in range(12)]
    file = ("\n".join(["system,item,bleu,chrf", *rows]).encode(), "scores.csv")
    boards = read_boards(file, each="metric")
    assert "metrics-of-same-items" in {note.code for note in ns.composite(boards).notes}
    for keywords in ({"shared_items": True}, {"tracks": "sampled"}):
        notes = {note.code for note in ns.composite(boards, **keywords).notes}
        assert "metrics-of-same-items" not in notes


DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.skipif(not DATA.exists(), reason="shared data are not here")
def test_published_overall_rankings_are_reproduced():
    """Averages over WMT's domains and mean ranks over the UCR archive, each also from the file alone."""
    table = pd.read_csv(DATA / "wmt24_ende_chrf.csv")
    names = [name for name in table.columns if name not in ("item", "domain", "doc")]
    by_domain = table.groupby("domain")[names].mean()
    path = str(DATA / "wmt24_ende_chrf.csv")
    board = ns.composite(read_boards(path, each="dataset", dataset_column="domain"))
    found = dict(zip(board.systems, board.values.mean(axis=0), strict=True))
    assert found == pytest.approx(by_domain.mean().to_dict(), abs=1e-9)
    best = by_domain.mean().sort_values(ascending=False).index
    assert tuple(best[:3]) == ("TranssionMT", "ONLINE-B", "ONLINE-W")
    ucr = (
        pd.read_csv(DATA / "ucr128_accuracy_by_dataset.csv", index_col=0)
        .select_dtypes("number")
        .dropna(axis=1)
    )
    boards = {
        str(name): ns.ScoreMatrix(values=row.to_numpy()[None], systems=tuple(ucr.columns))
        for name, row in ucr.iterrows()
    }
    ranks = ns.composite(boards, combine="mean-rank", tracks="sampled")
    expected = ucr.rank(axis=1, ascending=False).mean().to_dict()
    assert dict(zip(ranks.systems, ranks.values.mean(axis=0), strict=True)) == pytest.approx(expected)


def test_gate_changes_power_and_posterior_take_the_configuration_of_a_composite(tmp_path, capsys):
    rng = np.random.default_rng(3)

    def write(name, shift):
        rows = ["dataset,item,system,bleu"]
        for dataset, n in (("news", 30), ("wiki", 20)):
            for i in range(n):
                hard = rng.normal(0, 3)
                for k, system in enumerate("ABC"):
                    score = 50 + hard + 2 * k + shift * (system == "A") + rng.normal(0, 2)
                    rows.append(f"{dataset},{dataset}{i},{system},{score:.1f}")
        (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
        return str(tmp_path / name)

    old, new = write("old.csv", 0), write("new.csv", 3)
    out = tmp_path / "out"
    assert main(["composite", old, "--each", "dataset", "--weights", "wiki=2", "--out", str(out)]) == 0
    config = ["--config", str(out / "analysis.json")]
    capsys.readouterr()

    def board(path):
        return ns.composite(ns.read_boards(path, each="dataset"), weights={"wiki": 2})

    assert main(["gate", new, *config, "--baseline", "B", "--margin", "1", "--json"]) in (0, 1, 2)
    expected = ns.gate(board(new), baseline="B", margin=1).to_dict()
    assert json.loads(capsys.readouterr().out)["candidates"] == json.loads(json.dumps(expected["candidates"]))
    assert main(["changes", old, new, *config, "--json"]) == 0
    expected = ns.changes(ns.analyse(board(old)), ns.analyse(board(new))).to_dict()
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(expected))
    assert main(["posterior", old, *config, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fingerprint"] == board(old).fingerprint
    for command in (["power", "board", old], ["power", "curve", old, "A", "B", "--points", "2"]):
        assert main([*command, *config]) == 0
    capsys.readouterr()
    assert main(["composite", old, "--each", "dataset", "--combine", "borda", "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["gate", new, "--config", str(out / "ranking.json"), "--baseline", "B", "--margin", "1"]) == 3
    assert "makes no board" in capsys.readouterr().err
