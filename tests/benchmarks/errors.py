"""`python -m tests.benchmarks.errors`: p-values of searched pairs against a count from the definition."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

from nlpstat_core.engine.signflip.columns import sign_flip_columns
from nlpstat_core.engine.signflip.outcome import KINDS
from tests.core.searched_pairs import counted, searched_pair

SMALLEST = 1e-280
# Of the count itself: a rounding for every sign.
ROUNDING = 1e-11


@dataclass(frozen=True)
class Checked:
    """One pair: what was stated, and how far from the count it is, relative to the count."""

    number: int
    kind: str
    stated: float
    apart: float

    @property
    def times(self) -> float:
        """How many times the stated error the p-value is off."""
        return self.apart / (self.stated + ROUNDING)


def check(number: int, most_units: int) -> Checked | None:
    """One pair of the search; None where counting takes too long or p is too small for it."""
    z = searched_pair(number, most_units)
    p = counted(z)
    if p is None or p < SMALLEST:
        return None
    found = sign_flip_columns(z[:, None])
    apart = abs(math.expm1(found.log10_p[0] * math.log(10.0) - math.log(p)))
    return Checked(number, KINDS[found.kind[0]], float(found.error[0]), apart)


def main() -> None:
    """Check pairs until so many were counted; print how far p-values are off, by kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.errors", description=__doc__)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--units", type=int, default=200, help="most units of a pair")
    parser.add_argument("--start", type=int, default=0, help="number of the first pair")
    asked = parser.parse_args()
    done: list[Checked] = []
    number = asked.start
    while len(done) < asked.pairs:
        one = check(number, asked.units)
        done += [one] if one else []
        number += 1
    for kind in KINDS:
        own = sorted((one for one in done if one.kind == kind), key=lambda one: -one.times)
        if own:
            over = sum(one.times > 1.0 for one in own)
            worst = ", ".join(f"{one.times:.2g} × {one.stated:.2g} (pair {one.number})" for one in own[:5])
            print(f"{kind}: {len(own):,} pairs, {over:,} beyond the stated error; farthest {worst}")


if __name__ == "__main__":
    main()
