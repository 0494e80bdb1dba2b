"""The board of files under a configuration: of scores, or of a composite that the configuration tells of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nlpstat_core.errors import ConfigError

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix


def board_of(files: Any, reading: Mapping[str, Any]) -> ScoreMatrix:
    """The scores of files; the composite of their tracks where `reading` has rules for one.

    files: As for `read_scores`.
    reading: Its keywords, and under "composite" those of `composite`, as analysis.json has them.
    Raises NlpstatError: Files or rules that can't be used.
    """
    from nlpstat_core.readers import read_boards, read_scores

    left = dict(reading)
    told = left.pop("composite", None)
    if told is None:
        return read_scores(files, **left)
    from nlpstat_core.analysis.composite import composite
    from nlpstat_core.cli.composite import TOLD, by_places, told_of_tracks

    chosen = {**TOLD, **told_of_tracks(told)}
    if by_places(chosen):
        raise ConfigError(
            "A ranking by places over fixed tracks makes no board: places are among all systems together. "
            "The command composite ranks by them; tracks as a sample make a board of them."
        )
    each, lower = chosen.pop("each"), chosen.pop("lower")
    return composite(read_boards(files, each=each, lower=lower, **left), **chosen)
