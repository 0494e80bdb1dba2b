"""The robustness of the board: off at first, marked as exploration, complete, escaped."""

from __future__ import annotations

from ui.driver import finished, go, score_file, unfold, upload, words
from ui.test_several_boards import archive, long_file

from dashboard.leaderboard.robustness import agreement_table, variants_table
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.analysis.robustness import robustness
from nlpstat_core.scores.matrix import ScoreMatrix


def test_variants_are_computed_on_request(app) -> None:
    upload(app, score_file(4))
    unfold(go(app, "leaderboard"))
    assert any("Exploration only" in info.value for info in app.info)
    before = len(app.dataframe)
    assert not any("Variant" in frame.value.columns for frame in app.dataframe)
    finished(app.toggle(key="robustness").set_value(True).run())
    assert not app.exception
    assert len(app.dataframe) == before + 2
    variants, pairs = (frame.value for frame in list(app.dataframe)[-2:])
    assert variants["Variant"].iloc[0] == "As analysed"
    assert {"Correction: Bonferroni", "Test: Paired t test", "Seed: 1"} <= set(variants["Variant"])
    assert len(pairs) == 6
    assert "pairs are decided the same way in all" in words(app)


def test_the_other_metrics_are_variants_too(app) -> None:
    upload(app, long_file())
    unfold(go(app, "leaderboard"))
    assert "The metric is a choice, too: this upload holds 2" in words(app)
    finished(app.toggle(key="robustness").set_value(True).run())
    assert not app.exception
    table = next(
        frame.value for frame in app.dataframe if "Metric: ter" in set(frame.value.get("Variant", ()))
    )
    assert table["Variant"].tolist() == ["As analysed", "Metric: ter"]
    assert table["Decided as on the board"].tolist() == [3, 3]
    assert "3 of 3 pairs are decided the same way by all metrics that compare them" in words(app)
    # The section below asks for the same boards and has them at once.
    go(app, "boards")
    app.toggle(key="across").set_value(True).run()
    assert "sysC is the top group on both metrics" in words(app)


def test_one_metric_is_not_talked_about(app) -> None:
    upload(app, score_file(3))
    unfold(go(app, "leaderboard"))
    assert "metric is a choice" not in words(app)
    assert "other boards" not in words(app)
    upload(go(app, "scores"), archive(), "all.zip")
    unfold(go(app, "leaderboard"))
    assert "This upload holds other boards as well" in words(app)


def test_tables_hold_every_variant_and_pair_least_firm_first() -> None:
    names = ("<b>A</b>", "B", "C")
    values = [[i % 7, (i % 5) + 1, (i % 3) + i % 7] for i in range(40)]
    analysis = analyse(ScoreMatrix(values=values, systems=names))
    found = robustness(analysis)
    variants = variants_table(found.variants)
    assert len(variants) == len(found.variants)
    refused = variants[variants["Variant"].str.contains("McNemar")]
    assert "0 and 1" in refused["Change in the top group"].iloc[0]
    assert refused["Separated pairs"].isna().all()
    pairs = agreement_table(analysis, found)
    assert pairs["Alike"].is_monotonic_increasing
    total = pairs[["System A is better", "System B is better", "Not separated"]].sum(axis=1)
    assert set(total) == {found.computed}
