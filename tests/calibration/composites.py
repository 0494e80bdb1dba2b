"""Composites over tracks of unequal sizes: level, coverage of intervals and of ranks, for both claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.analysis.composite import composite
from nlpstat_core.analysis.rank_tracks import rank_tracks
from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.methods.composite.weighted_mean import composite_p_value
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.rows import LEVELS, Figure, Row, measured, share, standard_error

REPLICATIONS = 1_000
BOARDS = 600
RESAMPLES = 999
SIZES = {3: (15, 40, 100), 5: (10, 15, 25, 40, 60), 20: tuple(range(4, 24))}


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Three, five and twenty tracks."""
    for tracks in SIZES:
        yield cell(tracks, replications)
    for tracks in SIZES:
        for situation in SITUATIONS:
            yield board_cell(tracks, situation, min(replications, BOARDS))


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


SYSTEMS = "ABCD"
MEANS = np.array([0.0, 0.0, 0.5, 0.5])
LOWEST, HIGHEST = np.array([3, 3, 1, 1]), np.array([4, 4, 2, 2])
# How systems do on the tracks: alike; A and B by turns, whose composites are equal still; tracks drawn.
SITUATIONS = ("E: tracks alike", "E: tracks unlike", "E: tracks drawn")


def tracks_of(tracks: int, situation: str, rng: np.random.Generator) -> dict[str, ScoreMatrix]:
    """Four systems in two groups, items of unlike difficulty."""
    found = {}
    for track, n in enumerate(SIZES[tracks]):
        means = MEANS.copy()
        if situation == "E: tracks unlike" and track < tracks - tracks % 2:
            means[:2] += [0.3, -0.3] if track % 2 else [-0.3, 0.3]
        if situation == "E: tracks drawn":
            means = means + rng.normal(0, 0.3, means.size)
        values = means + rng.normal(size=(n, 1)) + rng.normal(size=(n, means.size))
        found[f"t{track}"] = ScoreMatrix(values=values, systems=tuple(SYSTEMS))
    return found


def hold(low: IntArray, high: IntArray) -> FloatArray:
    """Which systems' rank intervals, in the order of the systems, leave their true ranks open."""
    return np.asarray((low <= LOWEST) & (high >= HIGHEST), dtype=np.float64)


def board_cell(tracks: int, situation: str, replications: int) -> list[Row]:
    """A board as users make it, of either claim; ranks by places where the claim is about these tracks."""
    claim = "sampled" if situation == "E: tracks drawn" else "fixed"

    def measure(many: int, seed: int, only: object) -> list[Row]:
        counted: Counter[object] = Counter()
        for place in range(many):
            boards = tracks_of(tracks, situation, np.random.default_rng([seed, place]))
            config = AnalysisConfig(seed=(seed + place) % 2**31)
            found = analyse(composite(boards, tracks=claim), config)
            pair, board = found.pair("A", "B"), found.leaderboard
            counted.update(("p", level) for level in LEVELS if pair.p_value <= level)
            counted["interval"] += pair.interval[0] <= 0 <= pair.interval[1]
            assert board.rank_interval is not None
            back = np.argsort(board.column)
            counted["ranks"] += hold(*board.rank_interval[back].T).all()
            if claim == "fixed":
                config = AnalysisConfig(seed=(seed + place) % 2**31, resamples=RESAMPLES)
                ranked = rank_tracks(boards, config=config)
                row = [{*pair} for pair in zip(ranked.system_a, ranked.system_b, strict=True)].index(
                    {ranked.systems.index("A"), ranked.systems.index("B")}
                )
                counted.update(("places", level) for level in LEVELS if ranked.p_value[row] <= level)
                back = np.array([ranked.systems.index(name) for name in SYSTEMS])
                counted["place ranks"] += hold(*ranked.rank_interval[back].T).all()
                low, high = ranked.ranks.middle(ranked.level)[back].T
                counted["middle"] += np.mean((low <= HIGHEST) & (high >= LOWEST))
        blank = Row.blank("composites", situation, f"{tracks} tracks", many, seed)

        def levels(key: str) -> tuple[Figure, ...]:
            return tuple(share(f"{100 * level:g} %", level, counted[key, level], many) for level in LEVELS)

        def held(key: str) -> tuple[Figure, ...]:
            return (share("95 %", 0.95, counted[key], many),)

        rows = [
            blank.of(f"mean over tracks ({claim})", "at-most", levels("p")),
            blank.of(f"mean over tracks ({claim}): interval", "at-least", held("interval")),
            blank.of(f"mean over tracks ({claim}): rank intervals", "at-least", held("ranks")),
        ]
        if claim == "fixed":
            middle = counted["middle"] / many
            rows += [
                blank.of("mean-rank", "at-most", levels("places")),
                blank.of("mean-rank: rank intervals", "at-least", held("place ranks")),
                blank.of(
                    "mean-rank: ranks in resamples",
                    "equal",
                    (Figure("95 %", None, middle, standard_error(middle, many)),),
                ),
            ]
        return rows

    return measured(f"composites|{situation}|{tracks}|boards", replications, measure)
