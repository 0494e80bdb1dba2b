"""Boards that reports are tested on: a plain one, one with hostile names, a big one."""

from functools import cache

import numpy as np

import nlpstat_core as ns

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "$x$ \\input{/etc/passwd} \\write18{id}",
    "a|b\nc`d`*e*_f_[g](h)",
    "🦜 parrot 日本語",
    "שלום \u202eevil",
    "x" * 200,
    "=cmd|' /C calc'!A0",
    "</script><script>alert(2)</script>",
    "100% & #1 ~^ {y} \"quoted\" 'q'",
    "-->]]>&amp;",
)


def matrix(names, seed=3, units=60, spread=0.25):
    """Scores in which earlier systems are better."""
    rng = np.random.default_rng(seed)
    items = rng.normal(size=(units, 1))
    ability = np.linspace(spread, -spread, len(names))
    values = np.round(items + ability + rng.normal(scale=0.4, size=(units, len(names))), 3)
    return ns.ScoreMatrix(values=values, systems=tuple(names), source="board.csv")


@cache
def plain_board():
    return ns.analyse(matrix(("Alpha", "Beta", "Gamma", "Delta")), ns.AnalysisConfig(test="permutation-mean"))


@cache
def hostile_board():
    return ns.analyse(matrix(HOSTILE))


@cache
def big_board():
    names = [f"system-{i:03d}" for i in range(70)]
    return ns.analyse(matrix(names, units=25), ns.AnalysisConfig(test="t", effects=("cohen-d",)))


@cache
def two_board(**settings):
    return ns.analyse(matrix(("Ours", "Baseline"), units=40), ns.AnalysisConfig(**settings))
