"""`composite`: several tracks as one board, ranked by their weighted mean."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.options import add_reading, add_settings, metrics_turned, reading_choices
from nlpstat_core.cli.output import add_output
from nlpstat_core.errors import ConfigError, shown, unknown

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix

# What is told without an option, by keyword; `composite` in a configuration has the same names.
TOLD = {
    "each": "dataset",
    "lower": None,
    "weights": None,
    "combine": "mean",
    "tracks": "fixed",
    "missing_tracks": "refuse",
    "shared_items": False,
}


def add_composite_options(parser: argparse.ArgumentParser) -> None:
    """What `composite` is given."""
    from nlpstat_core.analysis.tracks.combining import COMBINE

    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="scores of several data sets or metrics, or a file a track")
    add("--each", help="what the tracks are: dataset (default; also files), or metric")
    add("--lower", metavar="NAMES", help="tracks whose lower scores are better, by commas, or none")
    add("--weights", metavar="NAME=W,…", help="weights of tracks (1 each; 0 drops one), or items: by size")
    add("--combine", help=f"what is averaged: mean (default), {', '.join(COMBINE[1:])}")
    add("--tracks", help="claims about these tracks: fixed (default), or like these: sampled")
    add("--missing-tracks", help="systems that lack a track: refuse (default), exclude, shared or worst")
    add("--shared-items", action="store_const", const=True, help="items of one id in several tracks are one")
    add("--out", metavar="DIR", help="write JSON, CSV and reports here")
    add("--workers", default="1", help="threads (1); the numbers don't depend on it")
    add_output(parser, csv=True)
    add_reading(parser)
    add_settings(parser)


def composite_scores(options: argparse.Namespace, reading: Mapping[str, Any]) -> ScoreMatrix:
    """The tracks that were given, as one board.

    reading: Of a configuration, `composite` among it where it is of one.
    """
    from nlpstat_core.analysis.composite import composite
    from nlpstat_core.readers import read_boards

    left = dict(reading)
    chosen = {**TOLD, **_told(left.pop("composite", {}))}
    if "lower" in left:
        chosen["lower"] = left.pop("lower")
    for name in TOLD:
        given = getattr(options, name)
        if given is not None:
            chosen[name] = given
    if options.lower is not None:
        chosen["lower"] = metrics_turned(options.lower)
    if options.weights is not None:
        chosen["weights"] = _weights(options.weights)
    each, lower = chosen.pop("each"), chosen.pop("lower")
    boards = read_boards(options.files, each=each, lower=lower, **reading_choices(options, left))
    return composite(boards, **chosen)


def _told(found: Any) -> dict[str, Any]:
    """What a configuration says of tracks."""
    if not isinstance(found, Mapping):
        raise ConfigError("composite must be a mapping, for example {combine: mean, weights: {en: 2}}.")
    for name in found:
        if name not in TOLD:
            raise ConfigError(unknown("choice about tracks", name, TOLD))
    return dict(found)


def _weights(text: str) -> dict[str, float] | str:
    if text == "items":
        return text
    found = {}
    for part in text.split(","):
        name, _, weight = part.rpartition("=")
        try:
            found[name.strip()] = float(weight)
        except ValueError:
            raise ConfigError(f"--weights takes NAME=NUMBER by commas, not {shown(part)}.") from None
        if not name.strip():
            raise ConfigError(f"--weights takes NAME=NUMBER by commas, not {shown(part)}.")
    return found
