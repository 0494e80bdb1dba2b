"""Heads of tables begin alike on all pages and in all reports, and with small letters on the command line."""

import numpy as np

import nlpstat_core as ns
from nlpstat_core.cli.terminal import small
from nlpstat_core.report.exports.tables import cost, judge, preferences, tracks
from nlpstat_core.report.exports.tables.board import board_table
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.exports.tables.table import counts, names

RNG = np.random.default_rng(0)


def tables():
    values = (RNG.random((60, 3)) < [0.3, 0.5, 0.7]).astype(float)
    people = values.copy()
    people[30:] = np.nan
    scores = ns.ScoreMatrix(values=values, systems="ABC", costs={"tokens": RNG.integers(9, 99, values.shape)})
    found = ns.judge({"human": ns.ScoreMatrix(values=people, systems="ABC"), "judge": scores})
    yield from (judge.board_table(found), judge.pairs_table(found))
    yield from (judge.bias_table(found), judge.checks_table(found))
    yield from (judge.zero_one_table(found), judge.calibration_table(found))
    battles = [(a, b, w) for a in "uvw" for b in "uvw" if a != b for w in ("a", "b", "tie")]
    board = ns.rank_preferences(battles * 3)
    checks = ns.check_preferences(battles * 3, board)
    yield from (*preferences.preference_tables(board), preferences.misfit_table(checks, 9))
    yield from (preferences.effects_table(checks), preferences.variants_table(checks))
    yield preferences.plan_table(checks)
    ranking = ns.rank_tracks({"en": scores, "de": scores}, config=ns.AnalysisConfig(resamples=99))
    yield from (tracks.ranking_table(ranking), tracks.tracks_table(ranking))
    yield tracks.ranking_pairs_table(ranking)
    yield cost.front_table(ns.score_against_cost(scores, "tokens"))
    analysis = ns.analyse(scores)
    yield from (board_table(analysis, 9), pairs_table(analysis, 9))


def test_heads_begin_with_a_capital():
    """But for p, which is no word, and the names that the user's file has."""
    own = {"tokens (mean)", "score"}
    for table in tables():
        heads = [column.label for column in table.columns if column.label not in own]
        assert [one for one in heads if one[0].islower() and one.split()[0] != "p"] == [], table.title


def test_the_command_line_begins_heads_small():
    columns = [counts(label, []) for label in ("Rank", "A − B", "F1", "A", "p", "± error", "1 and 0")]
    assert [one.label for one in small(columns)] == ["rank", "A − B", "F1", "A", "p", "± error", "1 and 0"]
    assert [one.label for one in small([names("Latency", [])], keep=("Latency",))] == ["Latency"]
