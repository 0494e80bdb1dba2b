"""Draws docs/calibration.md and its pictures from the kept simulations of `make calibration`.

python -m docs.make_calibration
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nlpstat_core.report.exports.figures.svg import FAINT, GREY, document, element, title, words

KEPT = Path(__file__).parents[1] / "tests" / "calibration" / "kept"
PAGE = Path(__file__).with_name("calibration.md")
FOLDER = Path(__file__).with_name("calibration")
ACCENT = "#41647F"
MEANS_ONLY = "M: "  # situations in which the means are equal and the null hypothesis of some tests is false
HEAD = """\
# Calibration

Error rates of the tests and coverage of the intervals, simulated on populations whose true values are known: normal, skewed,
heavy-tailed, tied, 0/1 scores, small and large. A dot is one situation with 2,000 to 10,000 simulations; open the picture itself
and hover over a dot to see which. A hollow dot is a situation in which the means are equal but the distributions are not: a test
of signs, ranks or medians then finds a difference that is there, and tests of the mean on few and very skewed items exceed their
level. A note in the analysis and the Methods page of the app explain what lies off the dashed line; the test suite checks these
explanations against the same figures."""
# Picture, group, what is drawn, its nominal value, the ends of the axis.
PICTURES = (
    ("type-one", "Type I error rates at a level of 0.05", "two-sided", 0.05, (0.0, 0.12)),
    (
        "unpaired",
        "Unpaired tests: type I error rates at a level of 0.05",
        "two-sided",
        0.05,
        (0.0, 0.12),
    ),
    ("documents", "By document: type I error rates at a level of 0.05", "two-sided", 0.05, (0.0, 0.12)),
    ("intervals", "Coverage of 95 % intervals", "95 %", 0.95, (0.88, 1.0)),
)
LEFT, WIDE, ROW, TOP, RIGHT = 190.0, 420.0, 20.0, 46.0, 24.0


def figures(group: str, name: str, nominal: float) -> dict[str, list[tuple[float, str]]]:
    """Measured values by procedure, with what each was measured on."""
    rows: list[dict[str, Any]] = json.loads((KEPT / f"{group}.json").read_text(encoding="utf-8"))["rows"]
    found: dict[str, list[tuple[float, str]]] = {}
    for row in rows:
        for label, level, value, error in row["figures"]:
            if label == name and level == nominal and value is not None:
                told = f"{row['situation']}, {row['size']}: {value:.4f} ± {error:.4f}"
                found.setdefault(row["subject"], []).append((value, told))
    return found


def picture(
    name: str, found: dict[str, list[tuple[float, str]]], nominal: float, ends: Sequence[float]
) -> str:
    """A row a procedure, a dot a situation, the promise as a line."""
    low, high = ends

    def x(value: float) -> float:
        return LEFT + WIDE * (min(max(value, low), high) - low) / (high - low)

    bottom = TOP + ROW * len(found)
    parts = [words(12, 24, name, 13, font_weight="bold")]
    parts.append(
        element(
            "line", x1=x(nominal), x2=x(nominal), y1=TOP - 6, y2=bottom, stroke=GREY, stroke_dasharray="3 3"
        )
    )
    for place, (subject, values) in enumerate(found.items()):
        y = TOP + ROW * (place + 0.5)
        parts.append(words(LEFT - 12, y + 4, subject, 11, text_anchor="end"))
        parts.append(element("line", x1=LEFT, x2=LEFT + WIDE, y1=y, y2=y, stroke=FAINT, stroke_width=0.5))
        parts += [
            element("circle", title(told), cx=x(value), cy=y, r=3, stroke=ACCENT, **_filled(told))
            for value, told in values
        ]
    parts += [
        words(x(value), bottom + 16, f"{value:g}", 11, text_anchor="middle") for value in (low, nominal, high)
    ]
    size = (LEFT + WIDE + RIGHT, bottom + 28)
    return document(
        size,
        name,
        f"One dot per situation; nominal value {nominal:g}; values beyond the axis are drawn at its end.",
        parts,
    )


def _filled(told: str) -> dict[str, object]:
    return {"fill": "#FFFFFF" if told.startswith(MEANS_ONLY) else ACCENT, "fill_opacity": 0.45}


def page() -> Iterator[tuple[Path, str]]:
    """Every file with what it holds."""
    sections = []
    for group, name, label, nominal, ends in PICTURES:
        found = figures(group, label, nominal)
        yield FOLDER / f"{group}.svg", picture(name, found, nominal, ends)
        every = [value for values in found.values() for value, _ in values]
        half = f"{_quantile(every, 0.25):.4f} and {_quantile(every, 0.75):.4f}"
        sections.append(
            f"## {name}\n\n{len(every):,} simulations of {len(found)} procedures, half of them between {half}."
            f"\n\n![{name}](calibration/{group}.svg)"
        )
    yield PAGE, "\n\n".join([HEAD, *sections]) + "\n"


def _quantile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[round(share * (len(ordered) - 1))]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in page():
        path.write_text(text, encoding="utf-8")
