"""Places in several tracks: every swap and every resample counted from the definition, and refusals."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.engine.swaps.order import gain

WAYS = ("mean-rank", "borda", "win-rate", "bests")


def tracks(seed, sizes=(3, 4), systems="ABC", decimals=0, lower=False):
    rng = np.random.default_rng(seed)
    return {
        f"t{t}": ns.ScoreMatrix(
            values=rng.normal(2, 1.5, size=(n, len(systems))).round(decimals),
            systems=tuple(systems),
            units=tuple(f"q{i}" for i in range(n)),
            lower_is_better=lower,
        )
        for t, n in enumerate(sizes)
    }


def by_definition(tables, combine, weights, lower=False):
    """The composite of every system, ranked with SciPy."""
    total = 0.0
    for table, weight in zip(tables, weights, strict=True):
        sums = np.round((-table if lower else table).sum(axis=0), 9)
        ranks = stats.rankdata(-sums)
        best = sums == sums.max()
        n = ranks.size
        total = (
            total
            + weight
            * {
                "mean-rank": ranks,
                "borda": n - ranks,
                "win-rate": (n - ranks) / (n - 1),
                "bests": best / best.sum(),
            }[combine]
        )
    return total


def counted(tables, combine, weights, a, b, lower=False):
    """p of a pair by every swap of every item."""

    def difference(signs):
        swapped, start = [], 0
        for table in tables:
            own = table.copy()
            rows = np.flatnonzero(signs[start : start + len(table)])
            own[np.ix_(rows, [a, b])] = own[np.ix_(rows, [b, a])]
            swapped.append(own)
            start += len(table)
        found = by_definition(swapped, combine, weights, lower)
        return found[a] - found[b]

    n = sum(map(len, tables))
    seen = abs(difference(np.zeros(n)))
    every = itertools.product([0, 1], repeat=n)
    return np.mean([abs(difference(np.array(signs))) >= seen - 1e-9 for signs in every])


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.sampled_from(WAYS), st.booleans())
def test_scores_and_p_values_are_those_of_every_swap(seed, combine, lower):
    boards = tracks(seed, lower=lower)
    weights = [3, 1]
    config = ns.AnalysisConfig(correction="none", resamples=100)
    found = ns.rank_tracks(boards, combine=combine, weights=weights, config=config)
    tables = [board.values for board in boards.values()]
    expected = by_definition(tables, combine, [0.75, 0.25], lower)
    by_name = dict(zip(found.systems, found.score, strict=True))
    assert [by_name[name] for name in "ABC"] == pytest.approx(expected, abs=1e-12)
    for row, p in enumerate(found.p_value):
        a, b = ("ABC".index(found.systems[i[row]]) for i in (found.system_a, found.system_b))
        assert found.difference[row] == pytest.approx(expected[a] - expected[b], abs=1e-12)
        assert p == pytest.approx(counted(tables, combine, [0.75, 0.25], a, b, lower), rel=1e-9)
        assert found.p_error[row] == 0


@settings(max_examples=60)
@given(
    st.lists(st.integers(-6, 6), min_size=2, max_size=6),
    st.integers(-12, 12),
    st.sampled_from(["mean-rank", "bests"]),
)
def test_the_steps_of_a_lead_are_those_of_places_made_anew(sums, lead, combine):
    """Two systems with a given mean of their sums and a given lead, ranked with SciPy among the others."""
    middle, others = sums[0], np.array(sums[1:], dtype=float)
    worth = "first" if combine == "bests" else "ahead"
    found = gain(float(middle), others, 0.5, 1e-9, worth).at(np.array([lead]))
    table = np.array([[middle + lead / 2, middle - lead / 2, *others]])
    borda = by_definition([table], "bests" if combine == "bests" else "borda", [0.5])
    assert found[0] == pytest.approx(borda[0] - borda[1], abs=1e-12)


@settings(max_examples=40)
@given(
    st.integers(0, 10**6),
    st.integers(0, 40),
    st.sampled_from(["ahead", "first"]),
    st.sampled_from([1e-12, 1e-3]),
)
def test_many_leads_are_looked_up_as_single_ones_are(seed, many, worth, tie):
    rng = np.random.default_rng(seed)
    others = rng.integers(-9, 9, many) * rng.choice([1.0, 0.1, 1e6])
    one = gain(float(rng.integers(-9, 9)), others, 0.7, tie, worth)
    leads = np.concatenate([rng.normal(0, scale, 700) for scale in (0.1, 5, 1e7)])
    edges = np.repeat(one.edges, 3) * np.tile([1.0, 1 - 1e-15, 1 + 1e-15], one.edges.size)
    leads = np.concatenate([leads, edges, -edges, np.zeros(3)])
    assert leads.size > 2_048
    single = np.concatenate([one.at(part) for part in np.array_split(leads, 60)])
    assert np.array_equal(one.at(leads), single)


@pytest.mark.parametrize("combine", ["mean-rank", "bests"])
def test_drawn_p_values_are_those_of_plain_swaps(combine):
    boards = tracks(5, sizes=(25, 14), systems="ABCD", decimals=2)
    shifted = {
        name: ns.ScoreMatrix(
            values=board.values + np.array([0, 0.3, 0.9, 1.1]), systems="ABCD", units=board.units
        )
        for name, board in boards.items()
    }
    found = ns.rank_tracks(shifted, combine=combine, config=ns.AnalysisConfig(resamples=2_000))
    rng = np.random.default_rng(0)
    tables = [board.values for board in shifted.values()]
    draws = 1_000
    for row in range(0, 6, 2):
        a, b = ("ABCD".index(found.systems[i[row]]) for i in (found.system_a, found.system_b))
        hits = 0
        for _ in range(draws):
            swapped = []
            for table in tables:
                own = table.copy()
                rows = np.flatnonzero(rng.integers(0, 2, len(table)))
                own[np.ix_(rows, [a, b])] = own[np.ix_(rows, [b, a])]
                swapped.append(own)
            one = by_definition(swapped, combine, [0.5, 0.5])
            hits += abs(one[a] - one[b]) >= abs(found.difference[row]) - 1e-9
        p = hits / draws
        error = np.hypot(np.sqrt(p * (1 - p) / draws), found.p_value[row] * found.p_error[row])
        assert abs(found.p_value[row] - p) <= 4 * error + 1e-3


def test_how_often_each_system_is_first_is_that_of_all_resamples():
    boards = tracks(11, sizes=(3, 3), decimals=1)
    first = np.zeros(3)
    tables = [board.values for board in boards.values()]
    every = list(itertools.product(range(3), repeat=3))
    values = []
    for x, y in itertools.product(every, every):
        value = by_definition([tables[0][list(x)], tables[1][list(y)]], "borda", [0.5, 0.5])
        best = np.isclose(value, value.max())
        first += best / best.sum()
        values.append(value)
    first /= len(values)
    found = ns.rank_tracks(boards, combine="borda")
    by_name = dict(zip(found.systems, found.ranks.best, strict=True))
    assert [by_name[name] for name in "ABC"] == pytest.approx(first, abs=0.025)
    ends = np.quantile(values, [0.025, 0.975], axis=0).T
    own = {name: found.interval[place] for place, name in enumerate(found.systems)}
    assert np.array([own[name] for name in "ABC"]) == pytest.approx(ends, abs=0.26)


def test_scale_and_order_change_nothing():
    boards = tracks(3, sizes=(12, 20), systems="ABCD", decimals=2)
    config = ns.AnalysisConfig(resamples=300)
    found = ns.rank_tracks(boards, config=config).to_dict()
    moved = {}
    for name, board in boards.items():
        rows, scale = np.random.default_rng(1).permutation(board.n_units), 100 if name == "t1" else 1
        values = scale * board.values[rows][:, ::-1] + 5
        units = tuple(np.array(board.units)[rows].tolist())
        moved[name] = ns.ScoreMatrix(values=values, systems=tuple("DCBA"), units=units)
    again = ns.rank_tracks(moved, config=config).to_dict()
    for one, other in zip(found["leaderboard"], again["leaderboard"], strict=True):
        assert one["score"] == pytest.approx(other["score"])
        assert one["system"] == other["system"] or one["rank"] == other["rank"]
    by_pair = {frozenset((pair["system_a"], pair["system_b"])): pair["p_value"] for pair in again["pairs"]}
    for pair in found["pairs"]:
        p = by_pair[frozenset((pair["system_a"], pair["system_b"]))]
        assert pair["p_value"] == pytest.approx(p, rel=0.3)


def test_shared_items_and_documents_are_swapped_and_drawn_together():
    boards = tracks(7, sizes=(6, 6))
    found = ns.rank_tracks(boards, shared_items=True, config=ns.AnalysisConfig(resamples=50))
    tables = [board.values for board in boards.values()]
    seen, hits = None, 0
    a, b = ("ABC".index(found.systems[i[0]]) for i in (found.system_a, found.system_b))
    for signs in itertools.product([0, 1], repeat=6):
        swapped = [table.copy() for table in tables]
        rows = np.flatnonzero(signs)
        for own in swapped:
            own[np.ix_(rows, [a, b])] = own[np.ix_(rows, [b, a])]
        value = by_definition(swapped, "mean-rank", [0.5, 0.5])
        seen = abs(value[a] - value[b]) if seen is None else seen
        hits += abs(value[a] - value[b]) >= seen - 1e-9
    assert found.p_value[0] == pytest.approx(hits / 64)
    documents = {
        name: ns.ScoreMatrix(
            values=np.repeat(board.values, 2, axis=0),
            systems=board.systems,
            labels={"doc": tuple(f"d{i // 2}" for i in range(12))},
        )
        for name, board in boards.items()
    }
    config = ns.AnalysisConfig(resamples=50, block_column="doc")
    whole = ns.rank_tracks(documents, config=config)
    single = ns.rank_tracks(boards, config=ns.AnalysisConfig(resamples=50))
    assert whole.documents == "doc"
    assert whole.p_value == pytest.approx(single.p_value)


def test_items_that_a_system_lacks_do_not_count_and_settings_that_say_nothing_are_refused():
    boards = tracks(2, sizes=(8, 9), decimals=1)
    first = boards["t0"]
    hole = first.values.copy()
    hole[0, 1] = np.nan
    ragged = boards | {"t0": ns.ScoreMatrix(values=hole, systems="ABC", units=first.units)}
    found = ns.rank_tracks(ragged, config=ns.AnalysisConfig(resamples=50))
    assert found.items == (7, 9)
    assert any("1 item" in note.text for note in found.notes)
    without = boards | {"t0": first.rows(np.arange(1, 8))}
    same = ns.rank_tracks(without, config=ns.AnalysisConfig(resamples=50))
    assert found.score == pytest.approx(same.score)
    with pytest.raises(ns.ConfigError, match="doesn't use alternative, delta"):
        ns.rank_tracks(boards, config=ns.AnalysisConfig(alternative="less", delta=1.0))
    with pytest.raises(ns.ConfigError, match="correction of a ranking by places"):
        ns.rank_tracks(boards, config=ns.AnalysisConfig(correction="max-t"))
    with pytest.raises(ns.ConfigError, match="way to combine places"):
        ns.rank_tracks(boards, combine="mean")
    with pytest.raises(ns.AnalysisError, match="Systems lack tracks"):
        ns.rank_tracks(boards | {"t1": boards["t1"].columns([0, 1])})
    hole = np.where(np.eye(8, 3)[:, [0, 1, 2]] > 2, 0, np.nan)
    hole[:, 0], hole[0, 1], hole[1, 2] = 1, 1, 1
    empty = boards | {"t0": ns.ScoreMatrix(values=hole, systems="ABC", units=first.units)}
    with pytest.raises(ns.AnalysisError, match="No item of track 't0' has scores of all systems"):
        ns.rank_tracks(empty)


def test_neighbours_over_few_tracks_have_no_small_p():
    """What the legend says: three tracks, three systems far apart, sixty items each."""
    rng = np.random.default_rng(1)
    boards = {
        f"t{t}": ns.ScoreMatrix(values=rng.normal(size=(60, 3)) * 0.1 + [0, 10, 20], systems="ABC")
        for t in range(3)
    }
    found = ns.rank_tracks(boards, config=ns.AnalysisConfig(correction="none", resamples=2_000))
    neighbours = found.system_b - found.system_a == 1
    # An odd difference of items exchanged is never 0, so that each track has one sign or the other.
    assert found.p_value[neighbours] == pytest.approx([0.25, 0.25], abs=0.04)


def test_the_geometric_mean_of_fixed_tracks_is_a_board_with_the_swap_test():
    rng = np.random.default_rng(8)
    boards = {
        f"t{t}": ns.ScoreMatrix(values=rng.integers(1, 9, size=(n, 3)), systems="ABC")
        for t, n in enumerate((4, 3, 5))
    }
    board = ns.composite(boards, combine="geometric", weights=[2, 1, 1])
    tables = [one.values for one in boards.values()]
    analysis = ns.analyse(board, ns.AnalysisConfig(correction="none"))
    score = dict(zip(analysis.leaderboard.system, analysis.leaderboard.score, strict=True))

    def mean(tables):
        return np.prod(
            [table.mean(axis=0) ** w for table, w in zip(tables, (0.5, 0.25, 0.25), strict=True)], axis=0
        )

    assert [score[name] for name in "ABC"] == pytest.approx(mean(tables))
    seen, hits = abs(mean(tables)[0] - mean(tables)[1]), 0
    for signs in itertools.product([0, 1], repeat=12):
        swapped, start = [], 0
        for table in tables:
            own, rows = table.copy(), np.flatnonzero(signs[start : start + len(table)])
            own[np.ix_(rows, [0, 1])] = own[np.ix_(rows, [1, 0])]
            swapped.append(own)
            start += len(table)
        value = mean(swapped)
        hits += abs(value[0] - value[1]) >= seen - 1e-9
    assert analysis.pair("A", "B").p_value == pytest.approx(hits / 2**12, rel=1e-6)
    for boards, sentence in (
        ({"x": tables[0] - 9, "y": tables[1]}, "0 or more"),
        ({"x": tables[0][:1], "y": tables[1]}, "two items of every track"),
    ):
        with pytest.raises(ns.AnalysisError, match=sentence):
            ns.composite(
                {name: ns.ScoreMatrix(values=v, systems="ABC") for name, v in boards.items()},
                combine="geometric",
            )
    with pytest.raises(ns.AnalysisError, match="combine the tracks by a mean"):
        ns.gate(board, baseline="A", margin=0.1)


def test_the_command_ranks_by_places_and_replays(tmp_path, capsys):
    files = []
    for name, board in tracks(4, sizes=(14, 11), decimals=1).items():
        path = tmp_path / f"{name}.csv"
        path.write_text(board.to_frame().to_csv(index_label="item"), encoding="utf-8")
        files.append(str(path))
    given = ["--combine", "win-rate", "--weights", "t0=3,t1=1", "--resamples", "200", "--alpha", "0.1"]
    assert main(["composite", *files, *given, "--out", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "is first by mean win rate over 2 tracks" in text
    assert "t0 75 %, t1 25 %" in text
    assert "over 2 tracks their p can't be below 0.5" in text
    written = json.loads((tmp_path / "out" / "ranking.json").read_text(encoding="utf-8"))
    boards = {name: ns.read_scores(path) for name, path in zip(("t0", "t1"), files, strict=True)}
    config = ns.AnalysisConfig(resamples=200, alpha=0.1)
    found = ns.rank_tracks(boards, combine="win-rate", weights=[3, 1], config=config)
    assert written["leaderboard"] == json.loads(json.dumps(found.to_dict()["leaderboard"]))
    assert main(["composite", *files, "--config", str(tmp_path / "out" / "ranking.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == written
    assert main(["composite", *files, *given, "--csv", "pairs"]) == 0
    assert capsys.readouterr().out.startswith("system_a,system_b,difference")
    assert main(["composite", *files, *given, "--delta", "1"]) != 0
    assert "doesn't use delta" in capsys.readouterr().err
