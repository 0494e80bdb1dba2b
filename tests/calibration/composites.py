"""Level of the exact test of a weighted mean over tracks of unequal sizes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpstat_core.methods.composite.weighted_mean import composite_p_value
from tests.calibration.rows import LEVELS, Row, measured, share

REPLICATIONS = 1_000
SIZES = {3: (15, 40, 100), 5: (10, 15, 25, 40, 60), 20: tuple(range(4, 24))}


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Three, five and twenty tracks."""
    for tracks in SIZES:
        yield cell(tracks, replications)


def cell(tracks: int, replications: int) -> list[Row]:
    """Equal weights, and weights by place."""

    def measure(many: int, seed: int, only: object) -> list[Row]:
        weights = {"weighted-mean": None, "weighted-mean (unequal weights)": list(range(1, tracks + 1))}
        p = {name: np.empty(many) for name in weights}
        for place in range(many):
            rng = np.random.default_rng([seed, place])
            scales = 10.0 ** (np.arange(tracks) % 3 - 1)  # tracks on unlike scales
            differences = [scale * rng.normal(size=n) for scale, n in zip(scales, SIZES[tracks], strict=True)]
            for name, given in weights.items():
                p[name][place] = composite_p_value(differences, given)
        blank = Row.blank("composites", "E: normal", f"{tracks} tracks", many, seed)
        found = []
        for name, values in p.items():
            figures = tuple(
                share(f"{100 * level:g} %", level, np.count_nonzero(values <= level), many)
                for level in LEVELS
            )
            found.append(blank.of(name, "at-most", figures))
        return found

    return measured(f"composites|E: normal|{tracks}", replications, measure)
