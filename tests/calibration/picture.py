"""p against the number of units, where the null hypothesis is true and where it is not: docs/p_against_n.svg.

The experiment of Zhu et al. (2020), figure 5: the t test on normal scores and Wilcoxon's test on beta scores,
two-sided, from 30 to 25,000 units, twenty samples for every number of units.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.report.exports.figures.svg import FAINT, GREY, INK, document, element, words
from tests.calibration.populations import batch_of
from tests.calibration.trials import by_key

PATH = Path(__file__).parents[2] / "docs" / "p_against_n.svg"
SEED, SAMPLES, ALPHA = 5, 20, 0.05
SIZES = (30, 60, 120, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 25_000)
BAND, ACCENT = "#DCE3EA", "#41647F"
WIDE, HIGH, LEFT, TOP, ACROSS, DOWN = 250.0, 150.0, 46.0, 34.0, 46.0, 62.0


def normal(rng: np.random.Generator, n: int, gap: float) -> tuple[FloatArray, FloatArray]:
    """Two independent normal scores a unit; differences have standard deviation 1.41."""
    return gap + rng.normal(size=(n, SAMPLES)), rng.normal(size=(n, SAMPLES))


def beta(rng: np.random.Generator, n: int, gap: float) -> tuple[FloatArray, FloatArray]:
    """Two beta scores a unit; their medians lie about `gap`/6 apart."""
    return rng.beta(4 + gap, 4, size=(n, SAMPLES)), rng.beta(4, 4, size=(n, SAMPLES))


PANELS = (
    ("t test, normal scores: no difference", "t", normal, 0.0),
    ("t test, normal scores: means 0.05 apart", "t", normal, 0.05),
    ("Wilcoxon, beta scores: no difference", "wilcoxon", beta, 0.0),
    ("Wilcoxon, beta scores: medians 0.02 apart", "wilcoxon", beta, 0.33),
)


def p_values(test: str, draw: object, gap: float, row: int) -> FloatArray:
    """p of every sample, shape (sizes, samples)."""
    found = []
    for n in SIZES:
        u, v = draw(np.random.default_rng([SEED, row, n]), n, gap)  # type: ignore[operator]
        found.append(by_key(test)(batch_of(u, v, 10), "two-sided", SEED))
    return np.array(found)


def panel(x: float, y: float, name: str, p: FloatArray) -> list[str]:
    """One panel: the range of p as a band, the mean as a line, alpha as a dotted one."""
    first, last = math.log(SIZES[0]), math.log(SIZES[-1])
    across = [x + WIDE * (math.log(n) - first) / (last - first) for n in SIZES]

    def down(value: float) -> float:
        return y + HIGH * (1 - value)

    low, high, mean = p.min(axis=1), p.max(axis=1), p.mean(axis=1)
    edge = [*zip(across, high, strict=True), *reversed([*zip(across, low, strict=True)])]
    parts = [
        words(x, y - 9, name, 12),
        element("polygon", points=" ".join(f"{a:.1f},{down(b):.1f}" for a, b in edge), fill=BAND),
        element(
            "line", x1=x, y1=down(ALPHA), x2=x + WIDE, y2=down(ALPHA), stroke=INK, stroke_dasharray="2 3"
        ),
        element(
            "polyline",
            points=" ".join(f"{a:.1f},{down(b):.1f}" for a, b in zip(across, mean, strict=True)),
            fill="none",
            stroke=ACCENT,
            stroke_width=2,
        ),
        element("rect", x=x, y=y, width=WIDE, height=HIGH, fill="none", stroke=FAINT),
    ]
    parts.append(words(x - 34, down(0.5) + 4, "p", 12, fill=GREY, font_style="italic"))
    for value in (0.0, 0.5, 1.0):
        parts.append(words(x - 6, down(value) + 4, f"{value:g}", 11, fill=GREY, text_anchor="end"))
    for n in (30, 250, 2_000, 25_000):
        at = across[SIZES.index(n)]
        parts.append(words(at, y + HIGH + 15, f"{n:,}", 11, fill=GREY, text_anchor="middle"))
    parts.append(words(x + WIDE / 2, y + HIGH + 30, "units", 11, fill=GREY, text_anchor="middle"))
    return parts


def picture() -> str:
    """The four panels as SVG."""
    parts: list[str] = []
    for row, (name, test, draw, gap) in enumerate(PANELS):
        x = LEFT + (row % 2) * (WIDE + ACROSS)
        y = TOP + (row // 2) * (HIGH + DOWN)
        parts += panel(x, y, name, p_values(test, draw, gap, row))
    wide, high = LEFT + 2 * WIDE + ACROSS + 24, TOP + 2 * HIGH + DOWN + 62
    note = f"Band: range of p over {SAMPLES} samples; line: their mean; dotted: {ALPHA:g}. Seed {SEED}."
    parts.append(words(LEFT, high - 10, note, 11, fill=GREY))
    text = (
        "Where the systems do not differ p ranges freely between 0 and 1 for any number of units; where they "
        "differ it approaches 0 as the units grow."
    )
    return document((wide, high), "p against the number of units", text, parts)


def main() -> None:
    """Write the picture."""
    PATH.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
