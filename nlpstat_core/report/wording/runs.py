"""What is said about several runs of a system: on the board, and on its pairs."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.runs import FEW_RUNS
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.notes import Note, Severity
from nlpstat_core.report.wording.statements import Statement
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.runs import Runs

UNEQUAL = (
    "where the runs of the one with two differ most, the test finds false differences more often than its "
    "level says (simulated at 5 %: about 10 % with 2 and 10 runs whose standard deviations are 0.3 and "
    "0.05). A third run of every system is worth more than further runs of one."
)
RUN_NOTES: dict[str, tuple[Severity, str]] = {
    "no-runs": ("problem", "The test over items and runs needs several runs of each system."),
    "one-run": (
        "problem",
        "One of the two systems has a single run, and nothing says how much another run would "
        "differ: there is no test. Pooled runs give it the variance of the other systems' runs.",
    ),
    "pooled-runs": (
        "caution",
        "One of the two systems has a single run; the variance of the other systems' runs stands for "
        "its own.",
    ),
    "two-runs": (
        "caution",
        "Each system has two runs: the test is valid, but with so few runs it finds little; three to "
        "five runs per system find far more.",
    ),
    "unequal-runs": ("caution", f"One of the two systems has two runs and the other more: {UNEQUAL}"),
    "unbalanced-runs": ("info", "Some runs lack a few of the items; means are over what is there."),
    "runs-lack-units": (
        "caution",
        "A run lacks more than a tenth of the items; its mean is over the others, which may be "
        "easier or harder.",
    ),
}
# Said once below every sentence on runs that were averaged.
THESE_RUNS_ONLY = "These results hold for these runs only."


def runs_counted(runs: Runs) -> str:
    """How many runs the systems have: "5 runs per system", "2 to 5 runs per system"."""
    few, many = int(runs.numbers.min()), int(runs.numbers.max())
    return f"{count_of(many, 'run')} per system" if few == many else f"{few} to {many} runs per system"


def runs_notes(
    scores: ScoreMatrix, units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable
) -> tuple[Note, ...]:
    """What an analysis did with runs. `units`: what was compared; without runs where these are samples."""
    return () if scores.runs is None else tuple(_notes(scores.runs, units, config, pairs))


def _notes(runs: Runs, units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable) -> Iterator[Note]:
    if units.runs is None:
        text = f"The runs ({runs_counted(runs)}) were averaged before testing. {THESE_RUNS_ONLY}"
        yield Note("runs-averaged", "caution", text)
        return
    yield Note(
        "runs-counted",
        "info",
        f"The runs ({runs_counted(runs)}) count as training runs: tests and intervals ask whether "
        "differences hold for other items and other runs. Effect sizes and the omnibus test take the "
        "means over these runs as they are.",
    )
    if runs.proposal == "samples":
        yield Note(
            "runs-look-like-samples",
            "caution",
            f"The runs come from {runs.column!r}, which suggests repeated samples of one system rather "
            "than separate trainings; if so, say that the runs are samples.",
        )
    if config.test != RECOMMENDED and as_run(config, runs=True).test != config.test:
        yield Note(
            "run-test-used",
            "info",
            f"The systems have training runs, so {TESTS[as_run(config, runs=True).test].label} was "
            f"used instead of {TESTS[config.test].label}: it asks the same question over items and runs.",
        )
    alone = [name for name, number in zip(units.systems, runs.numbers, strict=True) if number == 1]
    if alone:
        yield _alone(alone, config)
    few = [name for name, number in zip(units.systems, runs.numbers, strict=True) if number == FEW_RUNS - 1]
    if "unequal-runs" in pairs.notes and few:
        some = ", ".join(few[:5]) + (" …" if len(few) > 5 else "")
        text = f"{some} {'has' if len(few) == 1 else 'have'} two runs and other systems more: {UNEQUAL}"
        yield Note("unequal-runs", "caution", text)
    lacking = pairs.notes.get("runs-lack-units")
    if lacking is not None and lacking.any():
        yield Note(
            "runs-lack-units",
            "caution",
            f"In {int(np.count_nonzero(lacking)):,} of {count_of(len(pairs), 'pair')} a run lacks "
            "more than a tenth of the items.",
        )


def _alone(alone: list[str], config: AnalysisConfig) -> Note:
    """Systems with one run: no test, or the variance of the others."""
    named = ", ".join(alone[:5]) + (" …" if len(alone) > 5 else "")
    has = "has" if len(alone) == 1 else "have"
    if config.pooled_runs:
        text = f"{named} {has} one run; the pooled variance of the other systems' runs stands for theirs."
        return Note("one-run", "caution", text)
    text = (
        f"{named} {has} one run: nothing says how much another run would differ, so there is no test and no "
        "interval. Pool the variance of runs to give it that of the other systems, or take the runs as "
        "samples to compare these runs only."
    )
    return Note("one-run", "problem", text)


def runs_statements(analysis: AnalysisData) -> Iterator[Statement]:
    """What the methods paragraph says of runs: what they are, how many, and what was done with them."""
    runs = analysis.scores.runs
    if runs is None:
        return
    text = f" told apart by {runs.column}" if runs.column else ""
    if analysis.units.runs is None:
        yield Statement(
            f"There are {runs_counted(runs)}{text}, taken as repeated samples and averaged for each "
            "item before testing, so that the results hold for these runs only"
        )
        return
    alone = analysis.config.pooled_runs and bool((runs.numbers == 1).any())
    pooled = "; systems with one run were given the pooled variance of the others" if alone else ""
    yield Statement(
        f"There are {runs_counted(runs)}{text}, taken as separate trainings: standard errors count "
        f"the variance between items and between runs{pooled}",
        TESTS["crossed-t"].references,
    )
