"""`python -m tests.calibration [group …]`: measure everything or some groups, and write RESULTS.md."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import statsmodels.stats.multitest  # noqa: F401 (before gc.freeze)

from nlpstat_core.catalogue import CORRECTIONS, EFFECTS, TESTS
from tests.benchmarks.report import processor
from tests.calibration import (
    audits,
    boards,
    composites,
    default,
    designs,
    documents,
    gates,
    interval_designs,
    intervals,
    judged,
    measures,
    metrics,
    others,
    picture,
    posterior_ranks,
    posteriors,
    preference_boards,
    preferences,
    runs,
    ties,
    type_one,
    whole_boards,
)
from tests.calibration.explained import unexplained
from tests.calibration.report import page
from tests.calibration.rows import Row, load, merged, only_subject, save

RESULTS = Path(__file__).parent / "RESULTS.md"

GROUPS: dict[str, Callable[[], Iterator[list[Row]]]] = {
    "type-one": type_one.rows,
    "blocks": designs.block_rows,
    "documents": documents.rows,
    "unpaired": designs.unpaired_rows,
    "counts": designs.count_rows,
    "scores": interval_designs.score_rows,
    "designs": interval_designs.design_rows,
    "intervals": intervals.paired_rows,
    "inversion": intervals.inversion_rows,
    "omnibus": others.omnibus_rows,
    "categorical": others.categorical_rows,
    "boards": boards.rows,
    "default": default.rows,
    "ranks": whole_boards.whole_rows,
    "simultaneous": whole_boards.simultaneous_rows,
    "runs": runs.rows,
    "runs-intervals": runs.interval_rows,
    "power": others.power_rows,
    "power-ties": ties.rows,
    "posteriors": posteriors.rows,
    "posterior-ranks": posterior_ranks.rows,
    "audits": audits.rows,
    "metrics": metrics.rows,
    "gates": gates.rows,
    "measures": measures.rows,
    "preferences": preferences.rows,
    "preference-boards": preference_boards.rows,
    "judged": judged.rows,
    "composites": composites.rows,
}


# Where a procedure is tried, by the design of a test or by its kind.
OF_TESTS = {
    "paired": ("type-one", "intervals", "inversion"),
    "blocks": ("blocks", "documents", "designs"),
    "unpaired": ("unpaired", "designs"),
    "counts": ("counts", "designs"),
    "measure": ("measures",),
}


def groups_of(key: str) -> tuple[str, ...]:
    """The groups in which a procedure of the catalogues is tried."""
    if key in TESTS:
        return OF_TESTS[TESTS[key].design]
    if key in EFFECTS:
        return ("intervals", "designs")
    if key in CORRECTIONS:
        return ("boards",)
    raise SystemExit(f"{key}: no test, effect size or correction; name the group to measure (GROUP=…).")


def _cells(group: str, subject: str | None) -> Iterator[list[Row]]:
    """The measured rows of a group's cells; of one procedure only those that try it."""
    with only_subject(subject):
        yield from (rows for rows in GROUPS[group]() if rows)


def main() -> int:
    """Measure groups in turn; each is saved as it grows. Fails where a figure is off and unexplained."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibration", description=__doc__)
    parser.add_argument("groups", nargs="*", choices=[[], *GROUPS], help="groups to measure; none means all")
    parser.add_argument(
        "--page", action="store_true", help="measure nothing, write RESULTS.md from what is kept"
    )
    parser.add_argument("--subject", help="key of one procedure: measure its rows only and keep the others")
    asked = parser.parse_args()
    gc.freeze()  # statsmodels collects garbage in every correction; what is loaded by now stays anyhow
    groups = asked.groups or (GROUPS if asked.subject is None else groups_of(asked.subject))
    for group in () if asked.page else groups:
        start = time.perf_counter()
        found: list[Row] = [] if asked.subject is None else load(group)
        for rows in _cells(group, asked.subject):
            found = merged(found, rows)
            save(group, found, processor(), asked.subject)
            print(
                f"{group}: {rows[-1].situation}, {rows[-1].size}, {time.perf_counter() - start:,.0f} s",
                flush=True,
            )
    RESULTS.write_text(page(), encoding="utf-8")
    picture.main()
    found_off = [line for group in GROUPS for row in load(group) for line in unexplained(row)]
    for line in found_off:
        print(
            f"off and unexplained: {line}; a defect, or a Rule in tests/calibration/explained.py and its "
            "Finding in nlpstat_core/report/wording/calibration_*.py, then `make calibration GROUP=--page`"
        )
    return int(bool(found_off))


if __name__ == "__main__":
    sys.exit(main())
