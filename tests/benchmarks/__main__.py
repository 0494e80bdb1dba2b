"""`python -m tests.benchmarks`: run everything, print it and write RESULTS.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.benchmarks.growth import all_growth
from tests.benchmarks.report import page
from tests.benchmarks.rows import all_rows
from tests.benchmarks.whole import SCENARIOS, all_wholes, run

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> int:
    """Time everything, or one scenario. Missed goals stand in the page; a busy machine is no failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--scenario", choices=SCENARIOS, help="one whole analysis, as JSON")
    chosen = parser.parse_args().scenario
    if chosen:
        print(json.dumps(run(chosen)))
        return 0
    rows, wholes = list(all_rows()), list(all_wholes())
    text = page(rows, wholes, all_growth())
    RESULTS.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
