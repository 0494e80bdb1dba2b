"""Metrics judged by people: which metric is human, directions, missing systems and units, all files."""

import json
import math

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core import AnalysisError, Cancelled, ConfigError, ScoreMatrix
from nlpstat_core.analysis.metrics.aligned import human_metric
from nlpstat_core.cli import main
from nlpstat_core.report.exports.documents.metrics import metrics_files
from nlpstat_core.results.metrics import STATISTICS

RNG = np.random.default_rng(3)
N, SYSTEMS = 60, ("A", "B", "C", "D", "E")
HUMAN = np.round(RNG.normal(size=(N, 5)) + np.arange(5) / 3, 1)
UNITS = [f"u{i}" for i in range(N)]


def matrix(values, systems=SYSTEMS, units=UNITS, lower=False):
    return ScoreMatrix(values=values, systems=systems, units=units, lower_is_better=lower)


def boards(**metrics):
    return {"MQM": matrix(HUMAN)} | {name: matrix(values) for name, values in metrics.items()}


def noisy(spread, seed=0):
    return HUMAN + np.random.default_rng(seed).normal(size=HUMAN.shape) * spread


def codes(found):
    return {note.code for note in found.notes}


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["BLEU", "MQM"], "MQM"),
        (["DA", "ESA"], "ESA"),
        (["COMET-22-DA", "da_z"], "da_z"),
        (["XCOMET-MQM", "human_rating"], "human_rating"),
        (["chrF", "gold score"], "gold score"),
        (["metric", "Annotator 1"], "Annotator 1"),
        (["wmt-mqm-human", "DA"], "wmt-mqm-human"),
    ],
)
def test_the_human_metric_is_found_by_name(names, wanted):
    found = human_metric(names)
    assert found.name == wanted
    assert found.word


def test_no_human_metric_is_one_sentence():
    with pytest.raises(AnalysisError, match="human='BLEU'"):
        ns.meta_evaluate({"BLEU": matrix(HUMAN), "COMET-DA": matrix(HUMAN)})
    with pytest.raises(AnalysisError, match="Did you mean 'MQM'"):
        ns.meta_evaluate(boards(x=HUMAN), human="MQN")
    with pytest.raises(AnalysisError, match="only metric"):
        ns.meta_evaluate({"MQM": matrix(HUMAN)})


def test_order_of_agreement_is_recovered():
    found = ns.meta_evaluate(boards(far=noisy(6), near=noisy(0.2), middle=noisy(1.5)), resamples=200)
    for name in ("soft-pairwise-accuracy", "segment-pearson", "segment-kendall", "item-kendall", "acc-eq"):
        far, near, middle = found.values(name)
        assert near > middle > far, name
    assert found.ranks("segment-pearson").tolist() == [3, 1, 2]


def test_intervals_hold_their_estimate_and_are_those_of_resampled_items():
    found = ns.meta_evaluate(boards(x=noisy(1)), resamples=400).found[0]
    for name in ("system-pearson", "segment-pearson", "item-kendall", "acc-eq"):
        assert found.lower[name] <= found.values[name] <= found.upper[name], name
    rng, drawn = np.random.default_rng(1), []
    x = noisy(1)
    for _ in range(400):
        rows = rng.integers(0, N, N)
        drawn.append(np.corrcoef(x[rows].ravel(), HUMAN[rows].ravel())[0, 1])
    assert found.lower["segment-pearson"] == pytest.approx(np.quantile(drawn, 0.025), abs=0.02)
    assert found.upper["segment-pearson"] == pytest.approx(np.quantile(drawn, 0.975), abs=0.02)
    assert math.isnan(found.lower["soft-pairwise-accuracy"])


def test_directions_are_respected():
    x, y = noisy(0.5), noisy(2, seed=1)
    plain = ns.meta_evaluate(boards(x=x, y=y), resamples=99)
    swapped = {"MQM": matrix(-HUMAN, lower=True), "x": matrix(x), "y": matrix(-y, lower=True)}
    found = ns.meta_evaluate(swapped, resamples=99)
    for name in STATISTICS:
        assert found.values(name) == pytest.approx(plain.values(name), abs=1e-12, nan_ok=True), name
        assert found.p_values[name] == pytest.approx(plain.p_values[name], abs=1e-12, nan_ok=True), name
    assert ns.meta_evaluate(boards(x=-x), resamples=99).values("system-accuracy")[0] < 0.3


def test_units_are_matched_by_name_and_rows_may_stand_in_any_order():
    x = noisy(0.5)
    order = np.random.default_rng(0).permutation(N)
    shuffled = {
        "MQM": matrix(HUMAN),
        "x": matrix(x[order][:, ::-1], SYSTEMS[::-1], [UNITS[i] for i in order]),
    }
    plain, found = ns.meta_evaluate(boards(x=x), resamples=99), ns.meta_evaluate(shuffled, resamples=99)
    assert found.found[0].values == pytest.approx(plain.found[0].values, nan_ok=True)


def test_missing_systems_and_units_are_left_out_pairwise_and_said():
    x = noisy(0.5)
    some = {"MQM": matrix(HUMAN), "x": matrix(x), "y": matrix(x[10:, :3], SYSTEMS[:3], UNITS[10:])}
    found = ns.meta_evaluate(some, resamples=99)
    assert {"metric-lacks-systems", "cells-left-out"} <= codes(found)
    assert found.judged.cells == {"x": 300, "y": 150}
    inner = ns.meta_evaluate(
        {"MQM": matrix(HUMAN[10:, :3], "ABC", UNITS[10:]), "y": matrix(x[10:, :3], "ABC", UNITS[10:])},
        resamples=99,
    )
    assert found.found[1].values == pytest.approx(inner.found[0].values, nan_ok=True)
    # On what both have the two metrics are equal.
    assert found.p_values["segment-pearson"].tolist() == [1.0]


def test_nothing_in_common():
    with pytest.raises(AnalysisError, match="same names"):
        ns.meta_evaluate({"MQM": matrix(HUMAN), "x": matrix(HUMAN, units=[f"v{i}" for i in range(N)])})
    with pytest.raises(AnalysisError, match="item ids"):
        ns.meta_evaluate({"MQM": matrix(HUMAN), "x": matrix(HUMAN, units=None)})
    with pytest.raises(AnalysisError, match="59 rows"):
        ns.meta_evaluate({"MQM": matrix(HUMAN, units=None), "x": matrix(HUMAN[1:], units=None)})
    one = ns.meta_evaluate(
        boards(y=HUMAN) | {"x": matrix(HUMAN, units=[f"v{i}" for i in range(N)])}, resamples=50
    )
    assert "nothing-shared" in codes(one)
    assert np.isnan(one.p_values["segment-pearson"]).all()


def test_constant_metric_and_metric_equal_to_people():
    found = ns.meta_evaluate(boards(flat=np.ones((N, 5)), same=HUMAN.copy(), x=noisy(1)), resamples=99)
    assert {"constant-metric", "metric-is-human"} <= codes(found)
    flat, same, _ = found.found
    assert math.isnan(flat.values["system-pearson"])
    assert flat.values["system-accuracy"] == 0.0
    for name in STATISTICS:
        assert same.values[name] == pytest.approx(1.0), name


def test_all_ties_and_a_human_constant():
    found = ns.meta_evaluate({"MQM": matrix(np.ones((N, 5))), "x": matrix(noisy(1))}, resamples=50)
    assert math.isnan(found.found[0].values["segment-kendall"])
    assert found.found[0].values["acc-eq"] == 1.0


def test_two_systems_one_unit():
    two = {
        "MQM": matrix(HUMAN[:, :2], "AB"),
        "x": matrix(noisy(1)[:, :2], "AB"),
        "y": matrix(noisy(2)[:, :2], "AB"),
    }
    found = ns.meta_evaluate(two, resamples=99)
    assert "few-judged-systems" in codes(found)
    assert math.isnan(found.found[0].values["system-pearson"])
    assert not math.isnan(found.found[0].values["system-accuracy"])
    single = {name: matrix(board.values[:1], "AB", UNITS[:1]) for name, board in two.items()}
    json.dumps(ns.meta_evaluate(single, resamples=99).to_dict(), allow_nan=False)


def test_disagreements_are_significant_on_both_sides():
    swapped = HUMAN.copy()
    swapped[:, [0, 4]] = HUMAN[:, [4, 0]]
    found = ns.meta_evaluate(boards(x=swapped), resamples=50)
    listed = {(one.people_prefer, one.metric_prefers) for one in found.disagreements}
    assert ("E", "A") in listed
    assert all(max(one.p_human, one.p_metric) <= 0.05 for one in found.disagreements)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"alpha": 2}, "alpha"),
        ({"correction": "shaffer"}, "scores of systems"),
        ({"exchange": "rows"}, "Unknown exchange"),
        ({"resamples": 0}, "resamples"),
    ],
)
def test_settings_are_checked(settings, says):
    with pytest.raises(ConfigError, match=says):
        ns.meta_evaluate(boards(x=HUMAN), **settings)


def test_progress_goes_up_and_work_can_be_cancelled():
    lines = []
    ns.meta_evaluate(
        boards(x=noisy(1), y=noisy(2)),
        resamples=300,
        progress=lambda done, total: lines.append((done, total)),
    )
    assert lines == sorted(lines)
    assert lines[-1][0] == lines[-1][1]
    with pytest.raises(Cancelled):
        ns.meta_evaluate(boards(x=noisy(1)), should_stop=lambda: True)


def test_whole_systems_may_be_exchanged():
    found = ns.meta_evaluate(boards(x=noisy(1), y=noisy(2)), exchange="systems", resamples=99)
    assert "exchange:systems" in found.signature
    assert 0 < found.p_values["system-pearson"][0] <= 1


def test_files_are_the_same_twice_and_names_are_text():
    hostile = boards(**{"a_b%\\x{1}": noisy(1), "=1+1": noisy(2)})
    one, two = (metrics_files(ns.meta_evaluate(hostile, resamples=50)) for _ in range(2))
    assert one == two
    assert "a\\_b\\%" in one["metrics.tex"]
    data = json.loads(one["metrics.json"])
    assert data["human"]["metric"] == "MQM"
    assert len(data["metrics"]) == 2


def test_command_line(tmp_path, capsys):
    lines = ["system,item,MQM,good,bad"]
    x, y = noisy(0.4), noisy(5)
    for s, name in enumerate(SYSTEMS):
        lines += [f"{name},{i},{10 - HUMAN[i, s]:.1f},{x[i, s]:.3f},{y[i, s]:.3f}" for i in range(N)]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(lines))
    out = tmp_path / "out"
    command = ["metrics", str(file), "--human", "MQM", "--resamples", "99", "--lower", "MQM"]
    assert main([*command, "--out", str(out)]) == 0
    assert "'good' agrees best with people" in capsys.readouterr().out
    assert {"metrics.json", "metrics.csv", "metrics.tex"} <= {path.name for path in out.iterdir()}
    assert main([*command, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((out / "metrics.json").read_text())
    assert main(["metrics", str(file), "--human", "nobody"]) == 2
    assert "Unknown metric 'nobody'" in capsys.readouterr().err
