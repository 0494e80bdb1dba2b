"""`python -m tests.benchmarks`: run everything, print it and write RESULTS.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.benchmarks.growth import all_growth
from tests.benchmarks.report import page, with_others
from tests.benchmarks.rows import all_rows
from tests.benchmarks.whole import OTHERS, SCENARIOS, all_wholes, run

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> int:
    """Time everything, or one scenario. Missed goals stand in the page; a busy machine is no failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--scenario", choices=SCENARIOS | OTHERS, help="one whole analysis, as JSON")
    parser.add_argument(
        "--others", action="store_true", help="only boards of other makes, entered in the page"
    )
    given = parser.parse_args()
    chosen = given.scenario
    if chosen:
        print(json.dumps(run(chosen)))
        return 0
    if given.others:
        text = with_others(RESULTS.read_text(encoding="utf-8"), list(all_wholes(OTHERS)))
    else:
        rows, wholes, others = list(all_rows()), list(all_wholes(SCENARIOS)), list(all_wholes(OTHERS))
        text = page(rows, wholes, others, all_growth())
    RESULTS.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
