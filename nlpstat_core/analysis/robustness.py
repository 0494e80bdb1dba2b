"""How firm a board is: its top group and decisions under other tests, corrections, units and seeds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.arrays import CodeArray
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.errors import Cancelled, NlpstatError
from nlpstat_core.report.wording import top_group
from nlpstat_core.results.columns import PairTable
from nlpstat_core.results.robustness import Robustness, Variant
from nlpstat_core.stopping import ShouldStop

UNIT_SIZES = (5, 15)
FEWEST_UNITS = 20


def variants_of(analysis: Analysis) -> Iterator[tuple[str, object, AnalysisConfig]]:
    """Settings that change one choice of an analysis at a time."""
    config, scores = analysis.config, analysis.scores
    tests = (RECOMMENDED, *(method.key for method in TESTS if _suits(method.design, analysis)))
    wanted: list[tuple[str, object]] = [("test", key) for key in tests]
    wanted += [("correction", key) for key in other_corrections()]
    sizes = (1, *UNIT_SIZES) if scores.measured is None else ()
    wanted += [("unit_size", size) for size in sizes if scores.n_units >= FEWEST_UNITS * size]
    if scores.has_missing:
        wanted += [("missing", policy) for policy in ("pairwise", "complete")]
    wanted.append(("seed", config.seed + 1))
    for name, value in wanted:
        if value == getattr(config, name):
            continue
        try:
            yield name, value, replace(config, **{name: value})  # type: ignore[arg-type]
        except NlpstatError:
            continue  # the correction goes with the analysis' own test only


def other_corrections() -> tuple[str, ...]:
    """Keys of the corrections under which a board is looked at again."""
    return tuple(record.key for record in CORRECTIONS if record.explored)


def _suits(design: str, analysis: Analysis) -> bool:
    """Whether tests of a design can be used on these scores."""
    if design == "blocks":
        return analysis.config.block_column is not None
    if analysis.config.block_column is not None:
        return False  # a test of single units would deny that units of a document are alike
    if analysis.scores.measured is not None:
        return False  # the swap test is the only one
    return design == ("paired" if analysis.scores.counts is None else "counts")


def robustness(
    analysis: Analysis,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Robustness:
    """The analysis again with one choice changed at a time: exploration, not a second verdict.

    workers: As of `analyse`.
    """
    plan = list(variants_of(analysis))
    own = decisions(analysis.pairs)
    tables = [own]
    found = [_variant("", None, analysis, own)]
    for done, (changed, value, config) in enumerate(plan):
        # Effect sizes decide nothing, so no variant computes them.
        lean = replace(config, effects=(), intervals=())
        try:
            other = analyse(analysis.scores, lean, workers=workers, should_stop=should_stop)
        except Cancelled:
            raise
        except NlpstatError as error:
            found.append(
                Variant(
                    changed=changed,
                    value=value,
                    config=config,
                    top=(),
                    separated=0,
                    same=0,
                    problem=str(error),
                )
            )
        else:
            tables.append(decisions(other.pairs))
            found.append(replace(_variant(changed, value, other, own), config=config))
        if progress is not None:
            progress(done + 1, len(plan))
    stacked = np.stack(tables)
    counted = [np.count_nonzero(stacked == side, axis=0).astype(np.int64) for side in (1, -1, 0)]
    return Robustness(
        variants=tuple(found),
        computed=len(tables),
        decision=own,
        for_a=counted[0],
        for_b=counted[1],
        neither=counted[2],
    )


def decisions(pairs: PairTable) -> CodeArray:
    """+1 where a is separated from b and better, −1 where b is, 0 elsewhere."""
    return np.where(pairs.separated, pairs.better_code, 0).astype(np.int8)


def _variant(changed: str, value: object, analysis: Analysis, own: CodeArray) -> Variant:
    decided = decisions(analysis.pairs)
    return Variant(
        changed=changed,
        value=value,
        config=analysis.config,
        top=top_group(analysis.leaderboard),
        separated=int(np.count_nonzero(decided)),
        same=int(np.count_nonzero(decided == own)),
    )
