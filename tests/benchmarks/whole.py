"""Whole analyses, each in a process of its own, with their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import nlpstat_core as ns
from nlpstat_core.analysis.submissions import submission_scores
from nlpstat_core.power.board import board_power
from nlpstat_core.scores.battles import Battles
from tests.benchmarks import boards
from tests.benchmarks.clock import Whole, alone, peak_megabytes, seconds


@dataclass(frozen=True)
class Scenario:
    """What is analysed, and what it may cost."""

    task: str
    board: str
    make: Callable[[], Any]
    config: ns.AnalysisConfig
    most_seconds: float
    most_megabytes: float
    warm: bool = True
    work: Callable[[Any, ns.AnalysisConfig], Any] = ns.analyse


def _w1() -> ns.ScoreMatrix:
    return boards.real_board(*boards.W1)


def _w1_grid() -> ns.ScoreMatrix:
    return boards.real_board(*boards.W1, decimals=4)


def _ranked(battles: Battles, config: ns.AnalysisConfig) -> ns.Preferences:
    return ns.rank_preferences(battles, correction=config.correction, alpha=config.alpha)


DATA = Path(__file__).parents[3] / "shared" / "data"
MEAN = ns.AnalysisConfig(test="permutation-mean")


def _real_scenarios() -> dict[str, Scenario]:
    """Files of real scores in a folder beside the checkout, where there is one."""
    return {
        path.stem: Scenario(
            "permutation test of the mean, Holm",
            path.stem,
            lambda path=path: ns.read_scores(path),  # type: ignore[misc]
            MEAN,
            1,
            1000,
        )
        for path in sorted(DATA.glob("wmt*.csv"))
    }


def _other_scenarios() -> dict[str, Scenario]:
    """Boards of other makes than those that the engine was made on."""
    holm = "permutation test of the mean, Holm"
    made = {
        "precision": Scenario(
            holm, "110 × 249, average precisions of 4 decimals", boards.precision_board, MEAN, 1, 1000
        ),
        "preferences": Scenario(
            holm,
            "58 × 805, preferences of 6 decimals, half near 0 or 1",
            boards.preference_board,
            MEAN,
            1,
            1000,
        ),
        "macro-f1": Scenario(
            "swap test of macro-F1, 20 labels, Holm, 780 pairs",
            "40 × 2,000 outputs",
            boards.label_submissions,
            ns.AnalysisConfig(),
            2,
            1000,
        ),
        "bleu-counts": Scenario(
            "n-grams of corpus BLEU, counted by sacreBLEU",
            "26 × 1,000 sentences",
            boards.text_submissions,
            ns.AnalysisConfig(),
            10,
            1000,
            work=lambda board, _: submission_scores(board),
        ),
        "bleu": Scenario(
            "swap test of corpus BLEU, jackknife, Holm, 325 pairs",
            "26 × 1,000 sentences, counted",
            lambda: submission_scores(boards.text_submissions()),
            ns.AnalysisConfig(),
            2,
            1000,
        ),
    }
    made |= {
        "composite": Scenario(
            "composite of fixed tracks: permutation test of the weighted mean, Holm",
            "50 systems × 20 tracks × 500 items",
            boards.tracks,
            MEAN,
            3,
            1000,
            work=lambda tracks, config: ns.analyse(ns.composite(tracks), config),
        ),
        "places": Scenario(
            "mean rank over fixed tracks, p of all pairs by 10,000 swaps",
            "20 systems × 10 tracks × 200 items",
            lambda: boards.tracks(20, 10, 200),
            ns.AnalysisConfig(),
            2,
            1000,
            work=lambda tracks, config: ns.rank_tracks(tracks, config=config),
        ),
        "places-many": Scenario(
            "mean rank over fixed tracks, p of all pairs by 10,000 swaps",
            "50 systems × 20 tracks × 500 items",
            boards.tracks,
            ns.AnalysisConfig(),
            3,
            1000,
            warm=False,
            work=lambda tracks, config: ns.rank_tracks(tracks, config=config),
        ),
    }
    made |= {
        "arena": Scenario(
            "strengths of an arena with errors by 100,000 prompts, Holm, 19,900 pairs",
            "200 × 1,000,000 battles",
            lambda: boards.arena(1_000_000),
            ns.AnalysisConfig(),
            5,
            2000,
            work=_ranked,
        ),
        "arena-raters": Scenario(
            "strengths of an arena with errors by 300 raters, Holm, 19,900 pairs",
            "200 × 1,000,000 battles",
            lambda: boards.arena(1_000_000, prompts=300),
            ns.AnalysisConfig(),
            5,
            2000,
            work=_ranked,
        ),
        "arena-10-million": Scenario(
            "strengths of an arena with errors by 100,000 prompts, Holm, 19,900 pairs",
            "200 × 10,000,000 battles",
            lambda: boards.arena(10_000_000),
            ns.AnalysisConfig(),
            60,
            2000,
            warm=False,
            work=_ranked,
        ),
    }
    for correction, most in (("holm", 0.5), ("max-t", 3)):
        made[f"judged-{correction}"] = Scenario(
            f"a judge corrected by people, {'Holm' if correction == 'holm' else 'max-T over 9,999 flips'}",
            "30 × 2,000, 200 labels",
            boards.judged_board,
            ns.AnalysisConfig(correction=correction),
            most,
            1000,
            work=lambda given, config: ns.judge(given, correction=config.correction),
        )
    chrf, summaries = DATA / "wmt24_ende_chrf.csv", DATA / "realsumm_abs_metrics_long.csv"
    if not (chrf.exists() and summaries.exists()):
        return made
    return made | {
        "domains": Scenario(
            holm,
            "four domains of wmt24_ende_chrf, 26 × 997",
            lambda: ns.read_boards(chrf, each="dataset", dataset_column="domain"),
            MEAN,
            1,
            1000,
            warm=False,
            work=ns.analyse_boards,
        ),
        "power-by-document": Scenario(
            "detectable differences of all pairs by document",
            "wmt24_ende_chrf, 170 documents",
            lambda: ns.analyse(ns.read_scores(chrf)),
            ns.AnalysisConfig(),
            3,
            1000,
            work=lambda analysis, _: board_power(analysis),
        ),
        "metrics": Scenario(
            "metrics beside people, max-T over 1,000 exchanges",
            "REALSumm, 14 metrics, 14 × 100",
            lambda: ns.read_boards(summaries, each="metric"),
            ns.AnalysisConfig(),
            5,
            1000,
            warm=False,
            work=lambda metrics, _: ns.meta_evaluate(metrics, human="litepyramid_recall"),
        ),
    }


SCENARIOS: dict[str, Scenario] = {
    "recommended": Scenario(
        "recommended tests, Holm, effect sizes", "16 × 2,001", _w1, ns.AnalysisConfig(), 1, 1000
    ),
    "recommended-grid": Scenario(
        "the same, scores of 4 decimals", "16 × 2,001", _w1_grid, ns.AnalysisConfig(), 1, 1000
    ),
    "chrf": Scenario(
        "permutation test of the mean, Holm",
        "15 × 1,976, heavy tails",
        boards.chrf_board,
        ns.AnalysisConfig(test="permutation-mean"),
        0.3,
        1000,
    ),
    "chrf-recommended": Scenario(
        "recommended tests, Holm, effect sizes",
        "15 × 1,976, heavy tails",
        boards.chrf_board,
        ns.AnalysisConfig(),
        0.5,
        1000,
    ),
    "large": Scenario(
        "permutation test of the mean, Holm",
        "200 × 805",
        lambda: boards.real_board(*boards.W3),
        ns.AnalysisConfig(test="permutation-mean"),
        2,
        1000,
    ),
    "large-alike": Scenario(
        "recommended tests, Holm, effect sizes; systems alike",
        "200 × 805",
        lambda: boards.real_board(*boards.W3, spread=0.0),
        ns.AnalysisConfig(),
        3,
        1000,
    ),
    "missing": Scenario(
        "permutation test of the mean, 3 % of the scores missing at random",
        "60 × 400",
        boards.holed_board,
        ns.AnalysisConfig(test="permutation-mean"),
        1,
        1000,
    ),
    "missing-recommended": Scenario(
        "recommended tests, 3 % of the scores missing at random",
        "60 × 400",
        boards.holed_board,
        ns.AnalysisConfig(),
        1,
        1000,
    ),
    "half-a-million": Scenario(
        "permutation test of the mean, Holm, 499,500 pairs",
        "1,000 × 500",
        lambda: boards.real_board(500, 1000),
        ns.AnalysisConfig(test="permutation-mean"),
        30,
        4000,
        warm=False,
    ),
    "max-t": Scenario(
        "t, max-T with 10,000 flips",
        "16 × 2,001",
        _w1,
        ns.AnalysisConfig(test="t", correction="max-t"),
        1,
        1000,
    ),
    "bootstrap-max-t": Scenario(
        "bootstrap-t, max-T in 10,000 resamples",
        "16 × 2,001",
        _w1,
        ns.AnalysisConfig(test="bootstrap-mean", correction="max-t"),
        2,
        250,
    ),
    "binary-213": Scenario(
        "recommended tests, Holm, 22,578 pairs",
        "213 × 102, 0/1",
        lambda: boards.binary_board(102, 213),
        ns.AnalysisConfig(),
        5,
        1000,
    ),
    "binary-213-max-t": Scenario(
        "McNemar, max-T with 10,000 flips, 22,578 pairs",
        "213 × 102, 0/1",
        lambda: boards.binary_board(102, 213),
        ns.AnalysisConfig(test="mcnemar", correction="max-t"),
        5,
        1000,
    ),
    "binary-5000": Scenario(
        "McNemar, Holm, 12.7 million pairs",
        "5,041 × 249, 0/1",
        lambda: boards.binary_board(249, 5041),
        ns.AnalysisConfig(test="mcnemar", correction="holm"),
        20,
        1500,
        warm=False,
    ),
    **_real_scenarios(),
}


OTHER_SCENARIOS = _other_scenarios()


def run(name: str) -> dict[str, float]:
    """One scenario in this process: if it is short its second run, so that imports are not timed."""
    scenario = (SCENARIOS | OTHER_SCENARIOS)[name]
    given = scenario.make()
    if scenario.warm:
        scenario.work(given, scenario.config)
    begun = process_time()
    took = seconds(lambda: scenario.work(given, scenario.config))
    return {"seconds": took, "processor": process_time() - begun, "megabytes": peak_megabytes()}


def all_wholes(scenarios: dict[str, Scenario]) -> Iterator[Whole]:
    """A line of the table for each."""
    for name, scenario in scenarios.items():
        bounds = scenario.most_seconds, scenario.most_megabytes
        found = alone(name)
        yield Whole(
            scenario.task, scenario.board, found["seconds"], found["processor"], found["megabytes"], *bounds
        )
