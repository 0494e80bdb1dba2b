"""Who is better has one answer everywhere, also where lower is better; one-sided questions need a first."""

import io
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.several_boards.replicability import replicability
from nlpstat_core.board.pairs.other_corrections import other_corrections
from nlpstat_core.board.ranking.rank_distribution import rank_distribution
from nlpstat_core.errors import ConfigError
from nlpstat_core.report.exports.documents.participant import participant_sheets
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.exports.tables.square import BETTER, square
from nlpstat_core.report.wording import headline, verdict_sentence
from nlpstat_core.report.wording.other_corrections import decision_text
from nlpstat_core.scores.direction import advantage


def board(lower_is_better):
    """Error rates: "good" has the fewest errors, "bad" the most; columns in neither order."""
    rng = np.random.default_rng(2)
    shared = rng.normal(size=(60, 1))
    values = np.round(shared + rng.normal(size=(60, 3)) * 0.4 + [2.0, 0.0, 1.0], 3)
    return ns.ScoreMatrix(
        values=values if lower_is_better else -values,
        systems=["bad", "good", "middle"],
        lower_is_better=lower_is_better,
    )


@pytest.fixture(scope="module", params=["t", "wilcoxon", "sign", "permutation-mean"])
def both(request):
    config = ns.AnalysisConfig(test=request.param)
    return [ns.analyse(board(lower), config) for lower in (True, False)]


def test_the_mirrored_board_says_the_same(both):
    errors, scores = both
    assert errors.leaderboard.system == scores.leaderboard.system == ("good", "middle", "bad")
    assert errors.pairs.significant.all()
    assert list(errors.pairs.better) == list(scores.pairs.better)
    assert list(errors.pairs.verdict) == list(scores.pairs.verdict)
    np.testing.assert_allclose(errors.pairs.difference, -scores.pairs.difference)
    assert headline(errors) == headline(scores).removesuffix(".") + "; lower scores are better."
    ranks = [rank_distribution(a.units, resamples=200, seed=1).shares for a in both]
    np.testing.assert_array_equal(*ranks)


def test_every_place_names_the_same_system(both):
    for analysis in both:
        drawn = square(analysis, 10)
        for row, better in enumerate(analysis.pairs.better):
            pair = analysis.pair(analysis.pairs.system_a[row], analysis.pairs.system_b[row])
            assert pair.better == better
            assert verdict_sentence(analysis.pairs, row, analysis.config).startswith(f"{better} is better")
            for item in other_corrections(analysis, row):
                if not item.left_out:
                    assert decision_text(item) == f"{better} is better"
            names = list(drawn.names)
            i = names.index(better)
            j = names.index({pair.system_a, pair.system_b}.difference([better]).pop())
            assert drawn.verdict[i, j] == BETTER
        cells = pairs_table(analysis, 10)
        cells_of = {(row[0].text, row[1].text): row[-1].text for row in cells.rows}
        for row, better in enumerate(analysis.pairs.better):
            assert better in cells_of[analysis.pairs.system_a[row], analysis.pairs.system_b[row]]
        frame = analysis.pairs_frame()
        assert list(frame["better"]) == list(analysis.pairs.better)
        assert [pair["better"] for pair in analysis.to_dict()["pairs"]] == list(analysis.pairs.better)


def test_participants_read_the_same(both):
    for analysis in both:
        with zipfile.ZipFile(io.BytesIO(participant_sheets(analysis))) as pages:
            first, *_, last = (pages.read(name).decode() for name in sorted(pages.namelist()))
        assert re.search(r"better than 2", first)
        assert re.search(r"worse than 2", last)


def test_replicability_counts_the_better_one(both):
    for analysis in both:
        found = replicability({"one": analysis, "two": analysis})
        claims = {
            (found.systems[found.better[i]], found.systems[found.worse[i]])
            for i in np.flatnonzero(found.at_least == 2)
        }
        assert claims == {("good", "bad"), ("good", "middle"), ("middle", "bad")}


def test_advantage():
    assert advantage(2.0, lower_is_better=True) == -2.0
    np.testing.assert_array_equal(advantage(np.array([1, 0, -1], np.int8), False), [1, 0, -1])


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_boards_need_a_first(alternative):
    config = ns.AnalysisConfig(test="t", alternative=alternative)
    with pytest.raises(ConfigError, match="choose a baseline that the others are compared with, or"):
        ns.analyse(board(True), config)
    scores = board(True)
    assert ns.analyse(scores, replace(config, baseline="good")).pairs.p_value.shape == (2,)
    two = ns.ScoreMatrix(values=scores.values[:, :2], systems=["bad", "good"])
    assert ns.analyse(two, config).pairs.p_value.shape == (1,)
    assert ns.compare(scores.values[:, 0], scores.values[:, 1], alternative=alternative).p_value <= 1
