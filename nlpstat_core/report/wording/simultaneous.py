"""What simultaneous intervals are, where they come from, and how they go with the decisions."""

from collections.abc import Iterator

from nlpstat_core.board.pairs.decision import simultaneous_method
from nlpstat_core.config import SIMULTANEOUS, AnalysisConfig
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.notes import Note
from nlpstat_core.report.wording.statements import Statement
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.scores.matrix import ScoreMatrix


def simultaneous_statements(analysis: AnalysisData) -> Iterator[Statement]:
    """The sentence of a methods section on simultaneous intervals; nothing where there are none."""
    config, family = analysis.config, analysis.family_size
    if SIMULTANEOUS not in config.intervals or family < 2:
        return
    text = (
        f"Simultaneous intervals of the {count_of(family, 'mean difference')} are meant to contain all "
        f"of them together with a probability of {100 * config.level:g} %"
    )
    if simultaneous_method(analysis.units, config) == "max-t":
        kind = "bootstrap resamples" if config.test == "bootstrap-mean" else "random sign flips"
        yield Statement(
            f"{text}; they come from the distribution of the largest statistic of all pairs in "
            f"{config.resamples:,} {kind}",
            CORRECTIONS["max-t"].references,
        )
    else:
        error = f"{100 * (1 - config.level) / family:.3g} %"
        yield Statement(
            f"{text}; by Bonferroni's inequality each may miss its difference in {error} of the cases"
        )


def simultaneous_notes(units: ScoreMatrix, config: AnalysisConfig, family: int) -> Iterator[Note]:
    """That decisions and simultaneous intervals may differ where they come from different procedures."""
    if SIMULTANEOUS not in config.intervals or family < 2:
        return
    if config.correction == "bonferroni":
        return
    if simultaneous_method(units, config) == "max-t":
        origin = "come from the same resamples in one step, the adjusted p-values step by step"
    else:
        origin = f"are Bonferroni's, the decisions follow from “{CORRECTIONS[config.correction].label}”"
    text = (
        f"The simultaneous intervals {origin}: a pair may be significant although its simultaneous interval "
        f"includes a difference of {config.delta:g}."
    )
    yield Note("simultaneous-intervals", "info", text)
