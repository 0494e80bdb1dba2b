"""`composite`: several tracks as one board, ranked by their weighted mean."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.options import add_reading, add_settings, metrics_turned, reading_choices
from nlpstat_core.cli.output import add_output
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix


def add_composite_options(parser: argparse.ArgumentParser) -> None:
    """What `composite` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="scores of several data sets or metrics, or a file a track")
    add("--each", default="dataset", help="what the tracks are: dataset (default; also files), or metric")
    add("--lower", metavar="NAMES", help="tracks whose lower scores are better, by commas, or none")
    add("--weights", metavar="NAME=W,…", help="weights of tracks (1 each); 0 drops a track")
    add("--combine", default="mean", help="what is averaged: mean (default), z-score, min-max or mean-rank")
    add(
        "--tracks", default="fixed", help="claims about these tracks: fixed (default), or like these: sampled"
    )
    add("--missing-tracks", default="refuse", help="systems that lack a track: refuse, exclude or worst")
    add("--shared-items", action="store_true", help="items of the same id in several tracks are one item")
    add("--out", metavar="DIR", help="write JSON, CSV and reports here")
    add("--workers", default="1", help="threads (1); the numbers don't depend on it")
    add_output(parser, csv=True)
    add_reading(parser)
    add_settings(parser)


def composite_scores(options: argparse.Namespace) -> ScoreMatrix:
    """The tracks that were given, as one board."""
    from nlpstat_core.analysis.composite import composite
    from nlpstat_core.readers import read_boards

    boards = read_boards(
        options.files, each=options.each, lower=metrics_turned(options.lower), **reading_choices(options, {})
    )
    return composite(
        boards,
        weights=_weights(options.weights),
        combine=options.combine,
        tracks=options.tracks,
        missing_tracks=options.missing_tracks,
        shared_items=options.shared_items,
    )


def _weights(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
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
