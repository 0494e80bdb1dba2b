"""Several metrics or data sets: families, agreement, replicability, pooling; each from a second source."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import nlpstat_core as ns
from nlpstat_core.analysis.several_boards import replicability as of_replicability
from nlpstat_core.analysis.several_boards.agreement import other_metrics, rank_dependence
from nlpstat_core.methods.omnibus.nemenyi import nemenyi
from nlpstat_core.report.wording.robustness import dependence_sentence, people_sentence
from nlpstat_core.report.wording.several_boards import always_on_top, boards_headline

NAMES = ("A", "B", "C", "D")


def board(seed, shift=(0.0, 0.0, 0.4, 0.8), units=60, names=NAMES, **more):
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (units, 1)) + rng.normal(0, 1, (units, len(names))) + np.array(shift)
    ids = tuple(f"u{i}" for i in range(units))
    return ns.ScoreMatrix(values=values.round(3), systems=names, units=ids, **more)


METRICS = {"bleu": board(1), "chrf": board(2), "ter": board(3, (0.0, 0.0, 0.9, 1.2), lower_is_better=True)}
SETS = {f"set {i}": board(10 + i, units=40 + 5 * i) for i in range(5)}
CONFIG = ns.AnalysisConfig(test="t")


def test_a_family_each_is_the_analysis_of_that_board_alone():
    found = ns.analyse_boards(METRICS, CONFIG)
    assert found.family_size is None
    for name, scores in METRICS.items():
        assert found[name].to_dict() == ns.analyse(scores, CONFIG).to_dict()


def test_another_metric_changes_nothing_of_the_others_in_families_of_their_own():
    few = ns.analyse_boards(dict(list(METRICS.items())[:2]), CONFIG)
    many = ns.analyse_boards(METRICS, CONFIG)
    for name in few.analyses:
        assert few[name].to_dict() == many[name].to_dict()


def test_other_metrics_beside_one_of_them():
    """Decisions by name, on boards whose systems stand in another order and are not all the same."""
    boards = dict(METRICS)
    boards["few"] = board(4, (1.5, 0.0, 0.0), names=("D", "A", "C"))
    boards["ter"] = board(3, (1.2, 0.0, 0.9, 0.0), names=("D", "A", "C", "B"), lower_is_better=True)
    found = ns.analyse_boards(boards, CONFIG)
    own = ns.analyse(replace(boards["bleu"], metric="bleu"), CONFIG)

    def verdicts(analysis):
        pairs = analysis.pairs
        return {
            frozenset((pairs.system_a[row], pairs.system_b[row])): pairs.better[row]
            if pairs.separated[row]
            else None
            for row in range(len(pairs))
        }

    variants = other_metrics(own, found)
    assert [(variant.changed, variant.value) for variant in variants] == [
        ("metric", "chrf"),
        ("metric", "ter"),
        ("metric", "few"),
    ]
    wanted = verdicts(own)
    for variant in variants:
        theirs = verdicts(found[variant.value])
        assert variant.separated == sum(better is not None for better in theirs.values())
        assert variant.same == sum(theirs[pair] == wanted[pair] for pair in theirs)
        beaten = {name for pair, better in theirs.items() if better is not None for name in pair - {better}}
        assert set(variant.top) == set(found[variant.value].units.systems) - beaten
    assert len({variant.same for variant in variants}) > 1


@pytest.mark.parametrize(
    ("key", "theirs"),
    [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini-hochberg", "fdr_bh"), ("hommel", "hommel")],
)
def test_one_family_over_all_boards(key, theirs):
    config = replace(CONFIG, correction=key)
    found = ns.analyse_boards(METRICS, config, family="all")
    alone = [ns.analyse(scores, config) for scores in METRICS.values()]
    p = np.concatenate([analysis.pairs.p_value for analysis in alone])
    wanted = np.split(multipletests(p, method=theirs)[1], len(METRICS))
    assert found.family_size == 3 * 6
    for analysis, adjusted, before in zip(found.analyses.values(), wanted, alone, strict=True):
        assert analysis.family_size == 18
        np.testing.assert_allclose(analysis.pairs.p_adjusted, adjusted, rtol=1e-12)
        np.testing.assert_array_equal(analysis.pairs.significant, adjusted <= 0.05)
        np.testing.assert_array_equal(analysis.pairs.p_value, before.pairs.p_value)
        np.testing.assert_array_equal(analysis.pairs.interval, before.pairs.interval)
        assert any(note.code == "joint-family" and "18" in note.text for note in analysis.notes)
        beaten = [int(analysis.pairs.separated[row]) for row in range(6)]
        low = analysis.leaderboard.rank_interval[:, 0] - 1
        assert low.sum() == sum(beaten)


def test_order_of_metrics_does_not_matter():
    swapped = dict(reversed(METRICS.items()))
    for family in ("each", "all"):
        first = ns.analyse_boards(METRICS, CONFIG, family=family)
        second = ns.analyse_boards(swapped, CONFIG, family=family)
        for name in METRICS:
            assert first[name].to_dict() == second[name].to_dict()
        np.testing.assert_array_equal(first.agreement.for_a, second.agreement.for_a)


def test_shaffer_over_all_boards_is_holm_and_says_so():
    found = ns.analyse_boards(METRICS, replace(CONFIG, correction="shaffer"), family="all")
    holm = ns.analyse_boards(METRICS, replace(CONFIG, correction="holm"), family="all")
    for name in METRICS:
        np.testing.assert_array_equal(found[name].pairs.p_adjusted, holm[name].pairs.p_adjusted)
    assert "shaffer-as-holm" in {note.code for note in found.notes}
    assert "shaffer-as-holm" in {note.code for note in found["bleu"].notes}


def test_max_t_over_metrics_flips_a_unit_in_all_of_them():
    rng = np.random.default_rng(5)
    names, ids = ("A", "B"), tuple("abcdefghij")
    boards = {
        name: ns.ScoreMatrix(
            values=rng.normal(0, 1, (10, 2)).round(1) + np.array([0, 0.9]), systems=names, units=ids
        )
        for name in ("x", "y")
    }
    config = ns.AnalysisConfig(test="permutation-mean", correction="max-t", resamples=20_000)
    found = ns.analyse_boards(boards, config, family="all")
    z = np.column_stack([scores.values[:, 0] - scores.values[:, 1] for scores in boards.values()])
    signs = 1 - 2 * ((np.arange(2**10)[:, None] >> np.arange(10)) & 1)  # all of them
    scaled = np.abs(signs @ z) / np.sqrt((z**2).sum(axis=0))
    seen = np.abs(z.sum(axis=0)) / np.sqrt((z**2).sum(axis=0))
    first = int(np.argmax(seen))
    joint = np.mean(scaled.max(axis=1) >= seen[first] - 1e-12)
    adjusted = [analysis.pairs.p_adjusted[0] for analysis in found.analyses.values()]
    assert adjusted[first] == pytest.approx(joint, abs=4 * np.sqrt(joint * (1 - joint) / 20_000))
    assert adjusted[1 - first] >= adjusted[first]


def test_max_t_over_boards_with_other_units_is_refused():
    config = replace(CONFIG, correction="max-t")
    with pytest.raises(ns.ConfigError, match="choose another correction"):
        ns.analyse_boards(SETS, config, family="all")
    assert ns.analyse_boards(SETS, replace(config, resamples=199), family="each").family_size is None


def test_equivalence_over_all_boards():
    config = replace(CONFIG, equivalence_margin=0.7)
    found = ns.analyse_boards(METRICS, config, family="all")
    p = []
    for scores in METRICS.values():
        for a, b in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
            z = scores.values[:, a] - scores.values[:, b]
            low = stats.ttest_1samp(z, -0.7, alternative="greater").pvalue
            high = stats.ttest_1samp(z, 0.7, alternative="less").pvalue
            p.append(max(low, high))
    pairs = [analysis.pairs for analysis in found.analyses.values()]
    both = np.concatenate([*(table.p_value for table in pairs), p])
    steps = np.sort(both) * np.minimum(len(p), np.arange(both.size, 0, -1))  # at most 18 of 36 are true
    cut = np.sort(both)[np.maximum.accumulate(steps) <= 0.05].max()
    wanted = np.array(p) <= cut
    np.testing.assert_allclose(np.concatenate([table.p_equivalence for table in pairs]), p, rtol=1e-9)
    np.testing.assert_array_equal(np.concatenate([table.significant for table in pairs]), both[:18] <= cut)
    got = np.concatenate([analysis.pairs.equivalent for analysis in found.analyses.values()])
    np.testing.assert_array_equal(got, wanted)
    assert got.any()
    assert not got.all()


def test_agreement_counts_decisions_by_name_whatever_the_order_of_columns():
    swapped = METRICS["chrf"]
    swapped = ns.ScoreMatrix(values=swapped.values[:, ::-1], systems=NAMES[::-1], units=swapped.units)
    without = ns.ScoreMatrix(
        values=METRICS["ter"].values[:, :3],
        systems=NAMES[:3],
        units=METRICS["ter"].units,
        lower_is_better=True,
    )
    found = ns.analyse_boards({"bleu": METRICS["bleu"], "chrf": swapped, "ter": without}, CONFIG)
    agreed = found.agreement
    for row in range(len(agreed)):
        a, b = agreed.system_a[row], agreed.system_b[row]
        wins = {a: 0, b: 0}
        there = 0
        for analysis in found.analyses.values():
            if {a, b} <= set(analysis.units.systems):
                there += 1
                pair = analysis.pair(a, b)
                if pair.better is not None:
                    wins[pair.better] += 1
        assert (agreed.boards[row], agreed.for_a[row], agreed.for_b[row]) == (there, wins[a], wins[b])
        assert agreed.neither[row] == there - wins[a] - wins[b]
    assert agreed.contradicting.any()  # a low TER is good, and the better systems score high on it here
    assert always_on_top(found) == ()


def test_counts_of_data_sets_by_hand():
    found = ns.analyse_boards(SETS, CONFIG, each="dataset").replicability
    assert len(found) == 12
    m = 12
    for row in range(m):
        better, worse = found.better[row], found.worse[row]
        p = [
            stats.ttest_rel(scores.values[:, better], scores.values[:, worse], alternative="greater").pvalue
            for scores in SETS.values()
        ]
        np.testing.assert_allclose(found.p_values[:, row], p, rtol=1e-9)
        assert found.at_least[row] == np.sum(multipletests(p, method="holm")[1] <= 0.05)
        assert found.at_least_together[row] == np.sum(multipletests(p, method="holm")[1] <= 0.05 / m)
        np.testing.assert_array_equal(found.named[:, row], multipletests(p, method="holm")[0])
    counts = found.matrix(together=False)
    assert counts[3, 0] == 5
    assert counts[0, 3] == 0
    assert np.isnan(np.diag(counts)).all()


@pytest.mark.parametrize("decimals", [0, 3, 9])
@pytest.mark.parametrize("block_column", ["none", "document"])
def test_one_sided_p_values_kept_are_those_of_a_test_of_either_side(decimals, block_column, monkeypatch):
    """Missing scores, equal systems, both orders; whole numbers, a fine grid and none."""
    sets = {}
    for name, scores in SETS.items():
        values = np.column_stack([scores.values * math.pi, scores.values[:, 0] * math.pi]).round(decimals)
        values[3, 1] = np.nan
        documents = tuple(f"d{i // 2}" for i in range(len(values)))
        sets[name] = ns.ScoreMatrix(
            values=values, systems=(*NAMES, "again A"), units=scores.units, labels={"document": documents}
        )
    config = ns.AnalysisConfig(test="permutation-mean", block_column=block_column)
    tested, slow = [], {name: ns.analyse(scores, config) for name, scores in sets.items()}
    assert all(analysis.pairs.one_sided is None for analysis in slow.values())
    expected = of_replicability.replicability(slow)
    again = of_replicability.decided_pairs

    def counted(units, config, *, chosen, progress):
        tested.append(len(chosen[0]))
        return again(units, config, chosen=chosen, progress=progress)

    monkeypatch.setattr(of_replicability, "decided_pairs", counted)
    found = ns.analyse_boards(sets, config, each="dataset").replicability
    np.testing.assert_allclose(found.p_values, expected.p_values, rtol=1e-12)
    np.testing.assert_array_equal(found.at_least_together, expected.at_least_together)
    assert sum(tested) < 0.6 * 2 * 10 * 5


def test_direction_of_the_metric_turns_the_counts():
    flipped = {name: replace(scores, lower_is_better=True) for name, scores in SETS.items()}
    up = ns.analyse_boards(SETS, CONFIG, each="dataset").replicability.matrix(together=True)
    down = ns.analyse_boards(flipped, CONFIG, each="dataset").replicability.matrix(together=True)
    np.testing.assert_array_equal(up, down.T)


def test_independent_data_sets_by_fisher():
    # The counts are about both directions of 0.
    config = replace(CONFIG, alternative="less", delta=0.3, baseline=NAMES[1])
    found = ns.analyse_boards(SETS, config, each="dataset", combination="fisher")
    plain = ns.analyse_boards(SETS, replace(CONFIG, baseline=NAMES[1]), each="dataset")
    np.testing.assert_array_equal(found.replicability.p_values, plain.replicability.p_values)
    assert (found.replicability.at_least >= plain.replicability.at_least).all()
    assert "independence-assumed" in {note.code for note in found.notes}
    assert "combination:fisher" in found.signature


def test_systems_that_some_data_sets_lack():
    some = dict(SETS)
    first = some["set 0"]
    some["set 0"] = ns.ScoreMatrix(values=first.values[:, :3], systems=NAMES[:3], units=first.units)
    found = ns.analyse_boards(some, CONFIG, each="dataset")
    rows = (found.replicability.better == 3) | (found.replicability.worse == 3)
    assert set(found.replicability.n_datasets[rows]) == {4}
    assert set(found.replicability.n_datasets[~rows]) == {5}
    assert np.isnan(found.replicability.p_values[0, rows]).all()
    assert found.pooled.everywhere == ("A", "B", "C")
    assert found.pooled.analysis.units.n_systems == 4
    assert found.pooled.analysis.pairs.n_units.min() == 4


def test_over_data_sets_every_data_set_is_one_unit():
    sets = {f"set {i}": board(30 + i, units=30 + i) for i in range(12)}
    found = ns.analyse_boards(sets, CONFIG, each="dataset").pooled
    means = np.array([scores.values.mean(axis=0) for scores in sets.values()])
    np.testing.assert_allclose(found.analysis.units.values, means, rtol=1e-12)
    assert found.analysis.units.units == tuple(sets)
    pairs = found.analysis.pairs
    p = [
        stats.wilcoxon(means[:, a] - means[:, b]).pvalue for a, b in zip(pairs.left, pairs.right, strict=True)
    ]
    np.testing.assert_allclose(pairs.p_value, p, rtol=1e-10)
    np.testing.assert_allclose(pairs.p_adjusted, multipletests(p, method="holm")[1], rtol=1e-10)
    theirs = stats.friedmanchisquare(*means.T)
    assert found.omnibus.statistic == pytest.approx(theirs.statistic)
    f = 11 * theirs.statistic / (12 * 3 - theirs.statistic)
    assert found.omnibus.also[0].test == "iman-davenport"
    assert found.omnibus.also[0].p_value == pytest.approx(stats.f.sf(f, 3, 33))
    np.testing.assert_allclose(found.ranks.average_rank, stats.rankdata(-means, axis=1).mean(axis=0))
    assert found.ranks.critical_difference == nemenyi(found.analysis.units).critical_difference


def test_data_sets_of_opposite_directions_are_not_pooled():
    mixed = SETS | {"set 0": replace(SETS["set 0"], lower_is_better=True)}
    found = ns.analyse_boards(mixed, CONFIG, each="dataset")
    assert found.pooled is None
    assert "not-pooled" in {note.code for note in found.notes}


def test_baseline_on_every_board():
    found = ns.analyse_boards(SETS, replace(CONFIG, baseline="A"), each="dataset", family="all")
    assert found.family_size == 5 * 3
    assert len(found.replicability) == 6
    assert set(found.agreement.system_b) == {"A"}
    assert boards_headline(found).startswith("5 data sets, each system against A")


def test_contradicting_tests_count_for_nobody():
    # Most differences are a little above 0, their mean is below: the sign test would say that A is better.
    z = np.where(np.arange(200) % 10 == 0, -50.0, 1.0)
    scores = ns.ScoreMatrix(values=np.column_stack([z, np.zeros(200)]), systems=("A", "B"))
    found = ns.analyse_boards({"x": scores, "y": scores}, ns.AnalysisConfig(test="sign"), each="dataset")
    assert found.replicability.matrix(together=False)[0, 1] == 0
    assert ns.analyse(scores, ns.AnalysisConfig(test="sign")).pairs.significant[0]


def test_progress_counts_every_pair_of_every_round_and_cancel_stops():
    lines = []
    ns.analyse_boards(SETS, CONFIG, each="dataset", progress=lambda done, total: lines.append((done, total)))
    assert lines[-1] == (3 * 5 * 6, 3 * 5 * 6)
    assert [done for done, _ in lines] == sorted(done for done, _ in lines)
    with pytest.raises(ns.Cancelled):
        ns.analyse_boards(SETS, CONFIG, each="dataset", should_stop=lambda: True)


def test_what_is_refused_names_the_board():
    with pytest.raises(ns.AnalysisError, match="'bleu': McNemar"):
        ns.analyse_boards(METRICS, ns.AnalysisConfig(test="mcnemar"))
    with pytest.raises(ns.ConfigError, match="Unknown family"):
        ns.analyse_boards(METRICS, family="both")
    with pytest.raises(ns.AnalysisError, match="no boards"):
        ns.analyse_boards({})
    with pytest.raises(ns.AnalysisError, match="Did you mean 'chrf'"):
        ns.analyse_boards(METRICS, CONFIG)["chrff"]


def test_more_p_values_than_memory_holds_are_left_out_with_a_word(monkeypatch):
    monkeypatch.setattr(
        "nlpstat_core.analysis.several_boards.boards.MOST_P_VALUES", 59
    )  # 2 × 6 pairs × 5 data sets are 60
    found = ns.analyse_boards(SETS, CONFIG, each="dataset")
    assert found.replicability is None
    assert found.pooled is not None
    assert "counts-left-out" in {note.code for note in found.notes}


def test_long_lists_of_pairs_are_left_out_of_json(monkeypatch):
    found = ns.analyse_boards(SETS, CONFIG, each="dataset")
    assert len(found.to_dict()["agreement"]) == 6
    monkeypatch.setattr("nlpstat_core.report.exports.data.several_boards.MOST_PAIRS_IN_FULL", 5)
    data = found.to_dict()
    assert data["agreement"] == data["replicability"]["pairs"] == []
    assert data["notes"][-1]["code"] == "pairs-left-out"


def test_how_much_a_ranking_hangs_on_the_metric():
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(30, 4)) + np.arange(4.0)
    systems = ("A", "B", "C", "D")

    def scores(values, metric, names=systems, lower=False):
        return ns.ScoreMatrix(values=values, systems=names, metric=metric, lower_is_better=lower)

    boards = ns.analyse_boards(
        {
            "one": scores(rows, "one"),
            "same": scores(-rows, "same", lower=True),
            "other": scores(rows[:, ::-1], "other"),
        }
    )
    own = boards["one"]
    found = rank_dependence(own, boards)
    assert found.agreement == {"same": pytest.approx(1.0), "other": pytest.approx(-1.0)}
    assert (found.best, found.worst) == (1, 4)
    assert set(found.first) == {"A", "D"}
    text = dependence_sentence(found)
    assert "from -1.00 ('other') to 1.00 ('same')" in text
    assert "from rank 1 to rank 4" in text
    apart = ns.analyse_boards({"one": scores(rows, "one"), "x": scores(rows, "x", ("E", "F", "G", "H"))})
    assert "too few systems" in dependence_sentence(rank_dependence(apart["one"], apart))


def test_what_people_say_of_a_metric():
    rng = np.random.default_rng(9)
    rows = rng.normal(size=(40, 5)) + np.arange(5.0)
    boards = {
        name: ns.ScoreMatrix(values=values, systems="ABCDE")
        for name, values in {"MQM": rows, "good": rows * 2, "turned": -rows}.items()
    }
    found = ns.meta_evaluate(boards, resamples=99)
    assert "decides 10 pairs of systems against them" in people_sentence(found, "turned")
    assert "decides 0 pairs" in people_sentence(found, "good")
    assert "the one that people gave" in people_sentence(found, "MQM")
    assert people_sentence(found, None).startswith("'good' agrees best")
    doubtful = [note.text for note in found.notes if note.code == "direction-doubtful"]
    assert len(doubtful) == 1
    assert "'turned' goes against people" in doubtful[0]


def by_item(language, n, seed):
    values = np.random.default_rng(seed).normal(size=(n, 2)).tolist()
    return {
        name: {f"{language}-{row}": both[k] for row, both in enumerate(values)} for k, name in enumerate("AB")
    }


def test_boards_of_a_script_are_taken_as_analyse_takes_them(tmp_path):
    languages = {name: by_item(name, 30, seed) for seed, name in enumerate(("de", "fr", "ja"))}
    found = ns.analyse_boards(languages)
    assert (found.each, found.replicability is not None) == ("dataset", True)
    assert found["fr"].pairs.p_value.tolist() == ns.analyse(languages["fr"]).pairs.p_value.tolist()
    assert ns.analyse_boards(languages, each="metric").each == "metric"
    assert ns.analyse_boards({"bleu": languages["de"], "chrf": by_item("de", 30, 5)}).each == "metric"
    assert ns.analyse_boards({"de": languages["de"]}).each == "metric"
    written = found.write(tmp_path / "out", also="table")
    assert tmp_path / "out" / "1-de" / "table.tex" in written
    assert tmp_path / "out" / "boards.html" in written
    with pytest.raises(ns.ScoreFileError, match=r"^'ja': .*'A' has 2 entries and 'B' 1;"):
        ns.analyse_boards({**languages, "ja": {"A": [0.1, 0.2], "B": [0.1]}})
    with pytest.raises(ns.ConfigError, match="Unknown further file"):
        found.write(tmp_path, also="exel")
