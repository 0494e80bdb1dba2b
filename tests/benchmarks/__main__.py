"""`python -m tests.benchmarks`: run everything, print it and write RESULTS.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.benchmarks.growth import all_growth
from tests.benchmarks.report import (
    GROWTH,
    OTHERS,
    SPREAD,
    page,
    section_of_others,
    section_of_spreads,
    with_section,
)
from tests.benchmarks.rows import all_rows
from tests.benchmarks.spread import all_spreads
from tests.benchmarks.whole import OTHER_SCENARIOS, SCENARIOS, all_wholes, run

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> int:
    """Time everything, or one scenario. Missed goals stand in the page; a busy machine is no failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--scenario", choices=SCENARIOS | OTHER_SCENARIOS, help="one whole analysis, as JSON")
    parser.add_argument(
        "--others", action="store_true", help="only boards of other makes, entered in the page"
    )
    parser.add_argument(
        "--spread", action="store_true", help="only threads, processes and Dask workers, entered so"
    )
    given = parser.parse_args()
    chosen = given.scenario
    if chosen:
        print(json.dumps(run(chosen)))
        return 0
    if given.others:
        text = section_of_others(all_wholes(OTHER_SCENARIOS))
        text = with_section(RESULTS.read_text(encoding="utf-8"), text, OTHERS, SPREAD)
    elif given.spread:
        text = section_of_spreads(all_spreads())
        text = with_section(RESULTS.read_text(encoding="utf-8"), text, SPREAD, GROWTH)
    else:
        rows, wholes = list(all_rows()), list(all_wholes(SCENARIOS))
        others, spreads = list(all_wholes(OTHER_SCENARIOS)), list(all_spreads())
        text = page(rows, wholes, others, spreads, all_growth())
    RESULTS.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
