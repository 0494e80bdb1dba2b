"""Sections that can be added to the report of an analysis, each computed when somebody chooses it."""

from collections.abc import Callable, Iterable

from nlpstat_core.analysis.audit import audit
from nlpstat_core.analysis.cost import score_against_cost
from nlpstat_core.analysis.posterior import posterior
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.report.exports.documents.blocks import Section
from nlpstat_core.report.exports.documents.sections import (
    audit_section,
    cost_section,
    posterior_section,
)
from nlpstat_core.report.exports.folder import EXTRAS
from nlpstat_core.stopping import ShouldStop

Computes = Callable[["Analysis", Progress | None, ShouldStop | None], Section]


def _posterior(analysis: Analysis, progress: Progress | None, should_stop: ShouldStop | None) -> Section:
    return posterior_section(posterior(analysis, should_stop=should_stop))


def _audit(analysis: Analysis, progress: Progress | None, should_stop: ShouldStop | None) -> Section:
    return audit_section(audit(analysis, progress=progress, should_stop=should_stop))


def _cost(analysis: Analysis, progress: Progress | None, should_stop: ShouldStop | None) -> Section:
    named = tuple(analysis.units.costs)
    found = [
        score_against_cost(analysis.units, name, config=analysis.config, should_stop=should_stop)
        for name in named or (None,)  # without any, the refusal says so
    ]
    return cost_section(found)


# Key, what it is for help and documentation, and who computes it.
SECTIONS: dict[str, tuple[str, Computes]] = {
    "posterior": ("a section of the report with Bayesian answers, and their tables", _posterior),
    "audit": ("a section on how often the procedure claims something where nothing differs", _audit),
    "cost": ("a section on score against every cost of the file, and its tables", _cost),
}


def split_keys(keys: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keys of `--also` by what they name.

    Returns: Keys of SECTIONS, which "all" doesn't stand for, and of EXTRAS.
    Raises ConfigError: An unknown key, with the nearest one that exists.
    """
    asked, files = tuple(dict.fromkeys(keys)), [extra.key for extra in EXTRAS]
    for key in asked:
        if key not in (*files, *SECTIONS, "all"):
            raise ConfigError(unknown("file for --also", key, [*files, *SECTIONS, "all"]))
    return tuple(key for key in asked if key in SECTIONS), tuple(key for key in asked if key not in SECTIONS)


def sections(
    analysis: Analysis,
    keys: Iterable[str],
    *,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> tuple[Section, ...]:
    """Compute the sections that were chosen."""
    chosen = tuple(keys)
    return tuple(
        compute(analysis, progress, should_stop) for key, (_, compute) in SECTIONS.items() if key in chosen
    )
