"""Metrics judged by people as plain data and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nlpstat_core.report.exports.data.numbers import number, records
from nlpstat_core.report.wording.metrics import LABELS, headline, reason
from nlpstat_core.results.metrics import MetaEvaluationData

if TYPE_CHECKING:
    import pandas as pd


def metrics_frame(found: MetaEvaluationData) -> pd.DataFrame:
    """One row per metric: every statistic with its interval and cluster."""
    import pandas as pd

    columns: dict[str, Any] = {"metric": list(found.metrics)}
    for name in LABELS:
        columns[name] = found.values(name)
        columns[f"{name} lower"] = [one.lower[name] for one in found.found]
        columns[f"{name} upper"] = [one.upper[name] for one in found.found]
        columns[f"{name} rank"] = found.ranks(name)
    columns["acc-eq threshold"] = [one.threshold for one in found.found]
    columns["cells"] = [found.judged.cells[name] for name in found.metrics]
    return pd.DataFrame(columns)


def comparisons_frame(found: MetaEvaluationData) -> pd.DataFrame:
    """One row per pair of metrics and statistic."""
    import pandas as pd

    parts = [
        {
            "statistic": name,
            "metric_a": [found.metrics[i] for i in found.left],
            "metric_b": [found.metrics[i] for i in found.right],
            "difference": found.values(name)[found.left] - found.values(name)[found.right],
            "p_value": found.p_values[name],
            "p_adjusted": found.p_adjusted[name],
            "significant": found.p_adjusted[name] <= found.alpha,
        }
        for name in LABELS
    ]
    return pd.concat(map(pd.DataFrame, parts), ignore_index=True)


def systems_frame(found: MetaEvaluationData) -> pd.DataFrame:
    """One row per metric and system: both means, higher being better, over the cells both have."""
    import pandas as pd

    rows = [
        (name, system, one.human_scores[place], one.system_scores[place])
        for name, one in zip(found.metrics, found.found, strict=True)
        for place, system in enumerate(found.judged.systems)
    ]
    return pd.DataFrame(rows, columns=["metric", "system", "human", "score"])


def disagreements_frame(found: MetaEvaluationData) -> pd.DataFrame:
    """One row per pair of systems that a metric and people order differently, both significantly."""
    import pandas as pd

    names = ["metric", "people_prefer", "metric_prefers", "p_human", "p_metric"]
    return pd.DataFrame(
        [[getattr(one, name) for name in names] for one in found.disagreements], columns=names
    )


def metrics_to_dict(found: MetaEvaluationData) -> dict[str, Any]:
    """A meta-evaluation as plain data."""
    metrics = []
    for place, (name, one) in enumerate(zip(found.metrics, found.found, strict=True)):
        metrics.append(
            {
                "metric": name,
                "cells": found.judged.cells[name],
                "without_systems": list(found.judged.without.get(name, ())),
                "tie_threshold": number(one.threshold),
                "statistics": {
                    key: {
                        "value": number(one.values[key]),
                        "lower": number(one.lower[key]),
                        "upper": number(one.upper[key]),
                        "rank": int(found.ranks(key)[place]) or None,
                    }
                    for key in LABELS
                },
            }
        )
    tested = comparisons_frame(found).dropna(subset="p_value")
    return {
        "version": found.version,
        "signature": found.signature,
        "human": {"metric": found.human.name, "reason": reason(found), "others": list(found.human.others)},
        "headline": headline(found),
        "alpha": found.alpha,
        "correction": found.correction,
        "systems": list(found.judged.systems),
        "units": found.judged.n_units,
        "notes": [note.to_dict() for note in found.notes],
        "metrics": metrics,
        "comparisons": records(tested.drop(columns="difference")),
        "disagreements": disagreements_frame(found).to_dict("records"),
    }
