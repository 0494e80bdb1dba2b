"""WMT24's AutoRank: two metrics on one scale, made again for all language pairs, and what they separate."""

import functools
import os
from pathlib import Path

import pandas as pd
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.composite_outlook import under_each_rule
from nlpstat_core.analysis.tracks.means import track_means

HERE = Path(__file__).parents[2] / "../shared/data/formats/wmt24_AutoRank.xlsx"
# humeval/AutoRank.xlsx of github.com/wmt-conference/wmt24-news-systems, which is not part of the project.
WORKBOOK = Path(os.environ.get("NLPSTAT_AUTORANK") or HERE)
PAIRS = ("en-de", "ja-zh", "cs-uk", "en-is", "en-ja", "en-zh", "en-uk", "en-ru", "en-es", "en-cs", "en-hi")

pytestmark = pytest.mark.skipif(not WORKBOOK.exists(), reason="WMT24's AutoRank.xlsx isn't here")


@functools.cache
def published():
    """A row a language pair and system; lower is better on all three."""
    sheets = pd.read_excel(WORKBOOK, sheet_name=list(PAIRS), engine="calamine")
    tables = [
        table.rename(columns={table.columns[0]: "system", "AutoRank": "autorank"}).assign(pair=pair)
        for pair, table in sheets.items()
    ]
    return pd.concat(tables)[["pair", "system", "metricx", "cometkiwi", "autorank"]]


def track(rows, column):
    """One number a system."""
    return ns.ScoreMatrix(
        values=rows[[column]].to_numpy().T, systems=tuple(rows["system"]), lower_is_better=True
    )


@pytest.mark.parametrize("pair", PAIRS)
def test_autorank_is_the_mean_of_min_max_scores_of_two_metrics(pair):
    """Published on a scale from 1 for the best on both metrics to one more than there are systems."""
    rows = published()
    rows = rows[rows["pair"] == pair]
    boards = {metric: track(rows, metric) for metric in ("metricx", "cometkiwi")}
    found = ns.composite(boards, combine="min-max", tracks="sampled")
    ours = 1 + len(rows) * (1 - found.values.mean(axis=0))
    assert ours == pytest.approx(rows["autorank"].to_numpy(), abs=1e-9)


@pytest.fixture(scope="module")
def language_pairs():
    table = published()
    return {pair: track(table[table["pair"] == pair], "autorank") for pair in PAIRS}


def test_the_overall_order_under_each_rule_is_that_of_plain_means(language_pairs):
    table = published().pivot(index="system", columns="pair", values="autorank")
    complete = table.dropna().mean(axis=1).sort_values()
    worst = table.fillna(table.max()).mean(axis=1).sort_values()
    found = under_each_rule(track_means(language_pairs))
    assert found["exclude"] == tuple(complete.index)
    assert found["worst"] == tuple(worst.index)
    assert "No track has all systems" in found["shared"]
    assert len(complete) == 14
    assert found["worst"][:9] == found["exclude"][:9]
    assert found["worst"][9] == "Gemini-1.5-Pro"
    assert found["exclude"][:4] == ("Unbabel-Tower70B", "Claude-3.5", "GPT-4", "IOL-Research")


def test_what_eleven_language_pairs_separate(language_pairs):
    """As docs/examples.md has it."""
    board = ns.composite(language_pairs, tracks="sampled", missing_tracks="exclude")
    holm = ns.analyse(board)
    assert not holm.pairs.separated.any()
    # The smallest p of eleven signs, times the pairs.
    assert holm.pairs_frame()["p_adjusted"].min() == pytest.approx(91 * 2.0**-10)
    assert any("can't be significant whatever their scores" in note.text for note in holm.notes)
    together = ns.analyse(board, ns.AnalysisConfig(correction="max-t"))
    assert int(together.pairs.separated.sum()) == 38
    ranks = dict(zip(together.leaderboard.system, together.leaderboard.rank_interval.tolist(), strict=True))
    assert ranks["Unbabel-Tower70B"] == [1, 3]
    assert [name for name, (low, _) in ranks.items() if low == 1] == [
        "Unbabel-Tower70B",
        "CommandR-plus",
        "Aya23",
    ]
    score = dict(zip(together.leaderboard.system, together.leaderboard.score.tolist(), strict=True))
    assert score["GPT-4"] == pytest.approx(2.204, abs=5e-4)
