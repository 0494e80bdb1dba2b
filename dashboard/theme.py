"""Colours and figure settings of all figures: Okabe–Ito, readable on light and dark, never red/green."""

from __future__ import annotations

import colorsys
from typing import Any

BLUE = "#0072B2"
SKY = "#56B4E9"
ORANGE = "#E69F00"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#8A8F98"

# A line or text that has to be seen on white and on near-black: a middle grey with contrast to both.
NEUTRAL = "#7F858E"
GRID = "rgba(127, 133, 142, 0.25)"

# Heatmap of p-values: pale below no evidence, a clear step at alpha, dark blue for strong evidence;
# brightness falls throughout, so grey print keeps the order.
NO_EVIDENCE = ("#F4EFDC", "#E3DAB8")
EVIDENCE = ("#8AA4C4", "#4A6FA5", "#1F4480", "#00224E")

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

# Streamlit's grey of axes is too pale on white: they are written in the colour of the page's own text.
AXIS_STYLE = (
    "<style>.js-plotly-plot :is(.xtick, .ytick, .cbtitle, .cbaxis) text, "
    ".js-plotly-plot :is(.xtitle, .ytitle, .legendtext, .annotation-text) "
    "{fill: currentColor !important}</style>"
)

CHART_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
    "toImageButtonOptions": {"format": "svg", "scale": 1},
}
STILL_CONFIG: dict[str, Any] = {
    **CHART_CONFIG,
    "displayModeBar": False,
}  # its buttons would cover small figures


def base_layout(**changes: Any) -> dict[str, Any]:
    """Layout shared by all figures; Streamlit's theme adds fonts and background.

    Parameters
    ----------
    **changes
        Entries of a Plotly layout.

    Returns
    -------
    dict
    """
    layout: dict[str, Any] = {
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


def luminance(colour: str) -> float:
    """Perceived brightness of a colour between 0 and 1: what is left of it in grey print.

    Parameters
    ----------
    colour : str
        "#RRGGBB".

    Returns
    -------
    float

    Examples
    --------
    >>> luminance("#000000"), luminance("#FFFFFF")
    (0.0, 1.0)
    """
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return round(colorsys.rgb_to_yiq(red, green, blue)[0], 6)
