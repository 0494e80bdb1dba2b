"""Colours and figure settings of all figures: Okabe–Ito, readable on light and dark, never red/green."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

BLUE = "#0072B2"
SKY = "#56B4E9"
ORANGE = "#E69F00"
PURPLE = "#CC79A7"
GREY = "#8A8F98"

# A line or text that has to be seen on white and on near-black: a middle grey with contrast to both.
NEUTRAL = "#7F858E"
GRID = "rgba(127, 133, 142, 0.25)"

# Heatmap of p-values: pale below no evidence, a clear step at alpha, dark blue for strong evidence;
# brightness falls throughout, so grey print keeps the order.
NO_EVIDENCE = ("#F4EFDC", "#E3DAB8")
EVIDENCE = ("#6C8DBB", "#4A6FA5", "#1F4480", "#00224E")

# Diverging scale of effects and differences (PuOr without its palest ends): orange below, purple above.
DIVERGING = (
    (0.0, "#7F3B08"),
    (0.2, "#D98B2B"),
    (0.4, "#F6D9A8"),
    (0.5, "#F2F1EE"),
    (0.6, "#CFCBE3"),
    (0.8, "#8073AC"),
    (1.0, "#2D004B"),
)


@dataclass(frozen=True)
class Palette:
    """Colours of cells on a page that is light or dark: what is significant stands out, the rest recedes.

    page: The background.
    no_evidence, evidence: From p = 1 to just above the level; from the level to the strongest evidence.
    diverging (tuple of (float, str)): From 0 to 1; the neutral value lies at 0.5.
    """

    name: str
    page: str
    no_evidence: tuple[str, str]
    evidence: tuple[str, ...]
    diverging: tuple[tuple[float, str], ...]


LIGHT = Palette("light", "#FFFFFF", NO_EVIDENCE, EVIDENCE, DIVERGING)
DARK = Palette(
    "dark",
    "#0E1117",
    ("#171C25", "#262E3B"),
    ("#4C7DB8", "#79A8DC", "#A9CDF2", "#E2F0FF"),
    (
        (0.0, "#FFC971"),
        (0.2, "#C97B22"),
        (0.4, "#4F3A22"),
        (0.5, "#1B2029"),
        (0.6, "#353250"),
        (0.8, "#8376BE"),
        (1.0, "#DCD2FF"),
    ),
)
INKS = ("#FFFFFF", "#000000")


def palette_of(theme: str | None) -> Palette:
    """The colours of cells for a theme. `theme`: "light", "dark", or None where the browser hasn't told."""
    return DARK if theme == "dark" else LIGHT


def contrast(first: str, second: str) -> float:
    """How well one colour is read on another: 1 for the same colour, 21 for black on white.

    first, second: "#RRGGBB".

    >>> contrast("#FFFFFF", "#000000")
    21.0
    """
    low, high = sorted((_light(first), _light(second)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(colour: str) -> str:
    """White or black, whichever is read better on a colour: always at least 4.5 to 1. `colour`: "#RRGGBB"."""
    return max(INKS, key=lambda ink: contrast(ink, colour))


def colour_at(scale: Sequence[tuple[float, str]], place: float) -> str:
    """The colour of a value on a colour scale, as Plotly mixes it.

    scale: Rising from 0 to 1; a place that stands twice is a step.
    place: In [0, 1].

    >>> colour_at([(0.0, "#000000"), (1.0, "#FF0000")], 0.5)
    '#800000'
    """
    at = min(1.0, max(0.0, place))
    for (low, first), (high, second) in pairwise(scale):
        if low <= at <= high and high > low:
            share = (at - low) / (high - low)
            ends = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (first, second))
            return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in zip(*ends, strict=True))
    return str(scale[-1][1])


# With more systems than this the cells would be slivers on a phone: there a list by system stands instead.
MOST_ON_A_PHONE = 12
LIST_ON_A_PHONE = (
    "<style>.st-key-{key}-list {{display: none}} @media (max-width: 640px) "
    "{{.st-key-{key}-list {{display: flex}} "
    ".st-key-{key}-chart, .st-key-{key}-legend {{display: none}}}}</style>"
)

# Streamlit's grey of axes is too pale on white: they are written in the colour of the page's own text.
AXIS_STYLE = (
    "<style>.js-plotly-plot :is(.xtick, .ytick, .cbtitle, .cbaxis) text, "
    ".js-plotly-plot :is(.xtitle, .ytitle, .legendtext, .annotation-text) "
    "{fill: currentColor !important} "
    # A phone has no pointer to leave a figure with: its buttons would always cover names.
    "@media (max-width: 640px) {.js-plotly-plot .modebar-container {display: none}}</style>"
)

CHART_CONFIG: dict[str, object] = {
    "displaylogo": False,
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
    "toImageButtonOptions": {"format": "svg", "scale": 1},
}
STILL_CONFIG: dict[str, object] = {
    **CHART_CONFIG,
    "displayModeBar": False,
}  # its buttons would cover small figures


def base_layout(**changes: object) -> dict[str, object]:
    """Layout shared by all figures; Streamlit's theme adds fonts and background."""
    layout: dict[str, object] = {
        "margin": {"l": 8, "r": 8, "t": 40, "b": 8},
        "dragmode": False,
        "showlegend": False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": NEUTRAL, "activecolor": BLUE},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {
            "align": "left",
            "namelength": -1,
            "bgcolor": "#FFFFFF",
            "bordercolor": GREY,
            "font": {"color": "#1A1A1A", "size": 13},
        },
    }
    return {**layout, **changes}
