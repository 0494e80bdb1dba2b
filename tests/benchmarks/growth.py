"""How time grows with units, systems and resamples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import nlpstat_core as ns
from tests.benchmarks import boards
from tests.benchmarks.clock import typical

SETTINGS = {
    "recommended": ns.AnalysisConfig(),
    "t, max-T": ns.AnalysisConfig(test="t", correction="max-t"),
    "permutation-mean": ns.AnalysisConfig(test="permutation-mean", effects=()),
    "bootstrap-mean": ns.AnalysisConfig(test="bootstrap-mean", effects=()),
}
RESAMPLING = ("t, max-T", "bootstrap-mean")


def all_growth() -> Iterator[tuple[str, list[str], dict[str, list[float]]]]:
    """(what grows, its steps, seconds by setting)."""
    for title, sizes in (
        ("units N, 8 systems", [(500, 8), (1000, 8), (2000, 8), (4000, 8), (8000, 8)]),
        ("systems S, 1,000 units", [(1000, 5), (1000, 10), (1000, 20), (1000, 40)]),
    ):
        varied = 0 if title.startswith("units") else 1
        made = [boards.real_board(*size) for size in sizes]
        found = {
            name: [typical(partial(ns.analyse, scores, config)) for scores in made]
            for name, config in SETTINGS.items()
        }
        yield title, [f"{size[varied]:,}" for size in sizes], found
    steps = (1000, 4000, 16_000, 64_000)
    scores = boards.real_board(1000, 8)
    found = {}
    for name in RESAMPLING:
        fields = SETTINGS[name].to_dict()
        configs = [ns.AnalysisConfig.from_mapping({**fields, "resamples": step}) for step in steps]
        found[name] = [typical(partial(ns.analyse, scores, config)) for config in configs]
    yield "resamples B, 8 systems × 1,000 units", [f"{step:,}" for step in steps], found
