"""Settings of published analyses by name: a starting point, every setting of which can be changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, unknown


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Settings that belong together.

    key: The name on the command line.
    label: The name people read.
    summary: One sentence: what it does.
    settings (mapping): Fields of AnalysisConfig; those not named are at their default.
    references: Keys of `nlpstat_core.methods.references.REFERENCES`.
    """

    key: str
    label: str
    summary: str
    settings: Mapping[str, Any]
    references: tuple[str, ...] = ()

    @property
    def config(self) -> AnalysisConfig:
        """The settings as a configuration."""
        return AnalysisConfig.from_mapping(self.settings)


PRESETS: tuple[Preset, ...] = (
    Preset(
        key="nlpstattest",
        label="NLPStatTest's procedure",
        summary="Each pair's test by the skewness and normality of its differences: other pairs may be asked "
        "other questions.",
        settings={"test": "recommended", "question": "each-pair", "block_column": None},
        references=("zhu2020",),
    ),
    Preset(
        key="nlpstattest-figure-4",
        label="NLPStatTest figure 4",
        summary="Wilcoxon's test of all pairs on shuffled items of 15 rows each, Bonferroni at 0.05.",
        settings={
            "test": "wilcoxon",
            "correction": "bonferroni",
            "alpha": 0.05,
            "unit_size": 15,
            "unit_metric": "mean",
            "shuffle_seed": 13,
        },
        references=("zhu2020",),
    ),
)


def preset(key: str) -> Preset:
    """The preset of a name.

    Raises ConfigError: No preset has this name.

    >>> preset("nlpstattest-figure-4").config.signature.split("|")[:2]
    ['test:wilcoxon', 'adj:bonferroni']
    """
    found = {entry.key: entry for entry in PRESETS}
    if key not in found:
        raise ConfigError(unknown("preset", key, tuple(found)))
    return found[key]
