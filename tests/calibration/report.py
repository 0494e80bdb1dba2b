"""The kept figures as one page: every rate with its error, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable

from nlpstat_core.report.wording.calibration import FINDINGS
from tests.calibration.designs import FEWER
from tests.calibration.explained import UNEXPLAINED, verdicts
from tests.calibration.rows import Figure, Row, load, made
from tests.calibration.trials import RESAMPLES, TOGETHER

INTRODUCTION = """# Calibration

Made by `make calibration`; one group alone by `python -m tests.calibration GROUP`. How often tests reject
null hypotheses that are true, boards find differences that are not there, and intervals hold the truth.
Everything is in per cent with its Monte Carlo standard error; three rates stand for the levels 1, 5 and 20 %
or 80, 95 and 99 %. Bootstrap and Monte Carlo tests draw {resamples} resamples ({fewer} for independent
samples); replications share them in groups of {together}, which raises the standard errors by about one per
cent. Intervals that are undefined (no spread, no untied unit) count neither way.

Three null hypotheses: **E**, the two systems are exchangeable, so differences are symmetric about 0; **M**,
the means are equal and the differences skewed (or the spreads unequal); **D**, the median difference is 0
and the differences are skewed.

Verdicts follow from the numbers (`rows.distance`): *kept* within 3 standard errors of nominal, or on the
safe side where the procedure promises no more than that (exact tests of discrete data, intervals between
order statistics); otherwise the key of the one sentence that explains it. These sentences stand below
every table, and the app shows them on the Methods page, beside the procedure and under Calibration. A row
with a figure 3 to 4.5 standard errors off was measured once more with a fresh seed and four times as many
replications, and only the second measurement counts: of some thousand figures a few lie three standard
errors off by chance. Seconds are a row's share of its cell, on one core of a machine that was busy with
other work.

A picture of p against the number of units: [p against n](../../docs/p_against_n.svg).
"""

TITLES = {
    "type-one": "Type I error of paired tests of units",
    "blocks": "Type I error of tests of whole documents (intraclass correlation 0.3)",
    "documents": "Tests of whole documents at 5 % and their 95 % intervals, by number and sizes of documents",
    "unpaired": "Type I error of tests of independent samples",
    "counts": "Type I error of the exact tests of counts",
    "runs": "Type I error of systems with several training runs",
    "omnibus": "Type I error of tests of all systems together",
    "categorical": "Type I error of tests of counts in categories",
    "power": "Power of the t test and of Wilcoxon's against what planning states",
    "power-ties": "Power predicted from tied scores: mean absolute error, directions anew against all moved",
    "boards": "Boards of 8 systems: family-wise error and false discovery rate at 5 %",
    "default": "The default procedure on boards resampled from real ones, and on three designs",
    "posteriors": "Posteriors: truths from the prior inside credible intervals, and claims that are right",
    "posterior-ranks": "Posteriors: truths from the prior in each tenth of their posterior (nominal 10 %)",
    "audits": "Audits of three procedures with Holm's correction on real boards",
    "metrics": "Metrics judged by people: comparisons of metrics that agree with people equally well",
    "gates": "Gates: a candidate worse by exactly the margin that passes, or fails, at 5 %",
    "measures": "Measures that are no means: level and power of the swap test, coverage of the jackknife",
    "preferences": "Preferences: level of the comparison of two equal systems of eight",
    "preference-boards": "Boards of preferences: level, family-wise error, coverage of intervals and ranks",
    "judged": "A judge corrected by people: coverage of the mean, family-wise error of boards",
    "composites": "Composites: level of tests, coverage of intervals and of ranks, of both claims",
    "ranks": "Whole analyses: rank intervals that hold all true ranks",
    "simultaneous": "Simultaneous intervals: boards on which all 28 hold",
    "intervals": "Coverage of intervals of paired differences, estimates and effect sizes",
    "inversion": "Coverage of the interval that inverts the permutation test",
    "designs": "Coverage of intervals by document, of independent samples and of counts",
    "scores": "Coverage of the intervals of scores on the board",
    "runs-intervals": "Coverage of intervals of differences over items and runs",
}


def page() -> str:
    """All groups that have been measured."""
    parts = [INTRODUCTION.format(resamples=RESAMPLES, fewer=FEWER, together=TOGETHER)]
    for group, title in TITLES.items():
        rows = load(group)
        if not rows:
            continue
        seconds = sum(row.seconds for row in rows)
        parts += [
            f"## {title}\n",
            f"Group `{group}`: {seconds / 60:,.1f} minutes on one core of {made(group)}.\n",
            *table(rows),
            "",
            *legend(rows),
        ]
    return "\n".join(parts).rstrip() + "\n"


def table(rows: Iterable[Row]) -> list[str]:
    """One line a row."""
    lines = [
        "| procedure | situation | size | rates | replications | seed | s | verdict |",
        "| --- " * 8 + "|",
    ]
    for row in sorted(rows, key=lambda row: (row.subject, row.situation)):
        again = " (again)" if row.again else ""
        lines.append(
            f"| {row.subject} | {row.situation} | {row.size} | {figures_text(row.figures)} "
            f"| {row.replications:,}{again} | {row.seed} | {row.seconds:g} "
            f"| {', '.join(verdicts(row)) or 'kept'} |"
        )
    return lines


def figures_text(figures: tuple[Figure, ...]) -> str:
    """Rates with errors; what they have in common is said once."""
    parts: dict[str, list[str]] = {}
    for figure in figures:
        what = "" if figure.what.endswith("%") else figure.what
        parts.setdefault(what, []).append(f"{100 * figure.rate:.1f} ± {100 * figure.error:.2f}")
    return "; ".join(f"{what} {' / '.join(rates)}".strip() for what, rates in parts.items())


def legend(rows: Iterable[Row]) -> list[str]:
    """The sentences behind the verdicts of a table."""
    keys = sorted({key for row in rows for key in verdicts(row)} - {UNEXPLAINED})
    return [*(f"* **{key}**: {FINDINGS[key].sentence}" for key in keys), ""] if keys else []
