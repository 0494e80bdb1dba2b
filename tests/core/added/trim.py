"""A setting, in three steps: the lines of its record, which belong into AnalysisConfig, and what uses it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.added import trimmed_t

from nlpstat_core import config
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes
from nlpstat_core.settings import setting


@dataclass(frozen=True, kw_only=True)
class AnalysisConfig(config.AnalysisConfig):
    """The settings with one more; `test_how_to_add.py` puts its lines where all the others stand."""

    trim: float = setting(
        0.2,
        kind="number",
        label="Trimmed at each end",
        help="share of the differences that the trimmed t test leaves out at each end, 0.2 being 20 %",
        hint="Of the trimmed t test only.",
        bounds=(0, 0.5),
        formerly=("trimmed_share",),
    )


def trimmed_as_set(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """The trimmed t test with the share of the settings."""
    return trimmed_t.trimmed_t(batch, config, config.trim)


METHOD = replace(trimmed_t.METHOD, run=trimmed_as_set)
