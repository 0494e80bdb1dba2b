"""What a paper says of a board in a few sentences: data, test, correction, pairs, the top, software."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.formatting import count_of, listed_names
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.report.wording.documents import units_text
from nlpstat_core.report.wording.few_units import MARK, second_line
from nlpstat_core.report.wording.methods import correction_statements, data_caveats
from nlpstat_core.report.wording.ragged import without_scores
from nlpstat_core.report.wording.runs import runs_statements
from nlpstat_core.report.wording.sentences import answer, mixture, top_claim, withheld
from nlpstat_core.report.wording.statements import RESULTS, Statement, found_statements, named_test
from nlpstat_core.report.wording.titles import with_direction
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.version import VERSION

PAPER_TITLE = "Copy this into your paper"
_SIDES = {"greater": "scores higher than", "less": "scores lower than"}


def paper_statements(analysis: AnalysisData) -> tuple[Statement, ...]:
    """The sentences for a paper; none while how the file was read is in doubt."""
    if withheld(analysis) is not None:
        return ()
    return (
        _compared(analysis),
        *runs_statements(analysis),
        *data_caveats(analysis),
        *correction_statements(analysis),
        *_found(analysis),
        Statement(
            f"Computed with nlpstat {VERSION} (settings {analysis.signature}; scores {analysis.fingerprint})"
        ),
    )


def _compared(analysis: AnalysisData) -> Statement:
    """How many systems, on what, by which tests, seen from which side."""
    units, config, used = analysis.units, analysis.config, mixture(analysis.pairs)
    on = units_text(analysis, "item")
    if config.unit_size > 1:
        on = (
            f"{units_text(analysis, 'item')} (each the {config.unit_metric} of about "
            f"{config.unit_size} rows of the file)"
        )
    tests = " and ".join(
        named_test(key) if len(used) == 1 else f"{named_test(key)} ({count_of(count, 'pair')})"
        for key, count in used.items()
    )
    scored = units.n_systems - len(without_scores(units))
    were = "was" if scored == 1 else "were"
    how = with_direction("compared" if units.metric is None else f"compared by {units.metric}", units)
    text = f"{count_of(scored, 'system')} {were} {how} on {on}"
    text += f", by {tests}" if tests else "; no pair had a test"
    if config.alternative != "two-sided":
        pairs = analysis.pairs
        other = "a system" if config.baseline is not None else pairs.systems[pairs.left[0]]
        text += f", one-sided: that {other} {_SIDES[config.alternative]} {pairs.systems[pairs.right[0]]}"
    if config.delta:
        text += f"; the null hypothesis is a difference of {config.delta:g}"
    return Statement(text, tuple(dict.fromkeys(key for test in used for key in TESTS[test].references)))


def _found(analysis: AnalysisData) -> Iterator[Statement]:
    """How many pairs differ, who is on top or better than the baseline, and what rests on a few units."""
    pairs, board = analysis.pairs, analysis.leaderboard
    if len(pairs) == 1:
        yield Statement(answer(analysis).removesuffix("."), (), RESULTS)
    else:
        yield Statement(next(found_statements(analysis)).text, (), RESULTS)
        if analysis.config.baseline is not None:
            yield from _against_baseline(analysis)
        elif board.rank_interval is not None:
            yield Statement(top_claim(analysis), (), RESULTS)
    if second := second_line(analysis):
        yield Statement(second.replace(f" ({MARK})", "").removesuffix("."), (), RESULTS)


def _against_baseline(analysis: AnalysisData) -> Iterator[Statement]:
    """The systems that are better and worse than the baseline, by name."""
    pairs, baseline = analysis.pairs, analysis.config.baseline
    for code, word in ((1, "better"), (2, "worse")):
        names = [pairs.systems[pairs.left[row]] for row in np.flatnonzero(pairs.verdict_code == code)]
        named = listed_names(names) if names else "no system"
        yield Statement(f"Significantly {word} than {baseline}: {named}", (), RESULTS)
