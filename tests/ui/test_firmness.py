"""The robustness of the board: off at first, marked as exploration, complete, escaped."""

from __future__ import annotations

from ui.driver import finished, go, score_file, upload, words

from dashboard.firmness import agreement_table, variants_table
from nlpstat_core.analysis import analyse
from nlpstat_core.ranking.robustness import robustness
from nlpstat_core.scores import ScoreMatrix


def test_variants_are_computed_on_request(app) -> None:
    upload(app, score_file(4))
    go(app, "leaderboard")
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
    assert "pairs are decided alike in all" in words(app)


def test_tables_hold_every_variant_and_pair_least_firm_first() -> None:
    names = ("<b>A</b>", "B", "C")
    values = [[i % 7, (i % 5) + 1, (i % 3) + i % 7] for i in range(40)]
    analysis = analyse(ScoreMatrix(values=values, systems=names))
    found = robustness(analysis)
    variants = variants_table(found)
    assert len(variants) == len(found.variants)
    refused = variants[variants["Variant"].str.contains("McNemar")]
    assert "0 and 1" in refused["Change in the top group"].iloc[0]
    assert refused["Separated pairs"].isna().all()
    pairs = agreement_table(analysis, found)
    assert pairs["Alike"].is_monotonic_increasing
    total = pairs[["a is better", "b is better", "Not separated"]].sum(axis=1)
    assert set(total) == {found.computed}
