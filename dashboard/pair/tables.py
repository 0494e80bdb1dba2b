"""What is told of one pair, as small frames for the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dashboard.text import markdown
from nlpstat_core.formatting import format_interval, format_p, format_score

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.methods.diagnosis.lists import Diagnosis
    from nlpstat_core.results.pair import Estimate

NORMALITY = {
    "shapiro-wilk": "Shapiro–Wilk",
    "anderson-darling": "Anderson–Darling",
    "dagostino-pearson": "D'Agostino–Pearson",
    "lilliefors": "Lilliefors",
    "cramer-von-mises": "Cramér–von Mises",
}


def summary_table(diagnosis: Diagnosis, a: str, b: str) -> pd.DataFrame:
    """Summary statistics of a, b and, on shared units, of the difference, one column each."""
    rows = {
        "Items": "n",
        "Mean": "mean",
        "Median": "median",
        "Standard deviation": "sd",
        "Smallest": "min",
        "Lower quartile": "lower_quartile",
        "Upper quartile": "upper_quartile",
        "Largest": "max",
        "Skewness": "skewness",
        "Share of zeros (ties)": "zeros",
    }
    found = []
    keys = ("a", "b", "difference") if diagnosis.variances is None else ("a", "b")
    for key in keys:
        summary = diagnosis.summaries[key]
        found.append(
            [
                f"{summary.n:,}" if field == "n" else format_score(float(getattr(summary, field)))
                for field in rows.values()
            ]
        )
    titles = [markdown(a), markdown(b), "Difference"][: len(keys)]
    return pd.DataFrame(dict(zip(titles, found, strict=True)), index=list(rows))


def normality_table(diagnosis: Diagnosis, alpha: float) -> pd.DataFrame:
    """Tests of normality of the differences."""
    return pd.DataFrame(
        {
            "Test of normality": [NORMALITY.get(test.test, test.test) for test in diagnosis.normality],
            "Statistic": [format_score(test.statistic) for test in diagnosis.normality],
            "p": [format_p(test.p_value, alpha=alpha) for test in diagnosis.normality],
        }
    )


def simultaneous_facts(pair: PairResult, level: float) -> dict[str, str]:
    """The interval of the difference that holds together with those of all pairs, where it was asked for.

    level: Confidence level of the family.
    """
    ends = pair.interval_simultaneous
    if ends is None:
        return {}
    return {
        f"Mean difference, simultaneous {100 * level:g}% interval (all pairs at once)": format_interval(*ends)
    }


def estimate_text(estimate: Estimate | None) -> str:
    """An estimate with its interval as text."""
    if estimate is None:
        return ""
    return f"{estimate.of} {format_score(estimate.value)} {format_interval(*estimate.interval)}"
