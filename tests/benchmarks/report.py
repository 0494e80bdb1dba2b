"""The measurements as a page, without anything that names the machine beyond its processor."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import scipy

from nlpstat_core.version import VERSION
from tests.benchmarks.clock import Row, Whole, seconds
from tests.benchmarks.peers import has_evalstats
from tests.benchmarks.spread import DASK_WORKERS, LOCAL, Spread

INTRODUCTION = """# Benchmarks

Made by `make bench`. Every reference ran in the same process, in turn with ours; figures are medians of
wall-clock seconds, and ratios carry over to other machines better than seconds do; while the machine does
other work even a ratio moves by a quarter. Loops over pairs were timed on one pair and multiplied by the
number of pairs. B = 10,000 wherever something is resampled.

The plain numpy line adds up B random signs per system and stops there: no p-value, and none below 1/(B + 1)
could follow. Our p-values are exact or a contour integral, computed pair by pair; so it is faster on boards
of many systems. Ours run in one thread unless the row says two (`workers=2`: the same digits); a bootstrap
spends nearly half of its time drawing the random resamples. The exact p of 1,000 counts is some 130 calls of
numpy, a microsecond or two each, whatever N: its arithmetic would take a tenth of that.
"""
WITHOUT_EVALSTATS = """
evalstats is not installed here: its row is left out.
Measured once on a busy machine, 15 × 1,976, bootstrap-t with max-T and simultaneous intervals: evalstats
0.3.3 had used 150 s of processor time and 990 MB when it was stopped, unfinished; ours used 1.7 s and 134 MB.
"""
OTHERS = "## Boards of other makes, each in a process of its own\n"
ABOUT_OTHERS = """
One thread. The bound is one of processor time, which says more than the clock where the machine does other
work beside, though it grows by up to a half then, too.
`python -m tests.benchmarks --others` measures these alone.
"""
SPREAD = "## By threads, processes and Dask workers (seconds, and how many times as fast)\n"
ABOUT_SPREAD = """
Processes of joblib, and those of a cluster on this machine with a thread each, are running already: they take
half a second to start, so that they are chosen for long work alone. Chunks of pairs, boards of an audit and
sizes of a power curve travel to them; resamples of max-T, and those of a board that is one chunk, are shared
by threads, or go to Dask workers. More workers than cores gain nothing.
`python -m tests.benchmarks --spread` measures these alone.
"""
GROWTH = "## Growth (seconds of a whole analysis)\n"


def processor() -> str:
    """Model of the processor and how many of its threads this process may use."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{models[0] if models else platform.machine()}, {count} threads"


def brief(seconds: float) -> str:
    """Three digits and a unit."""
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s" if seconds < 1000 else f"{seconds:,.0f} s"


def yardstick() -> str:
    """How fast this machine is, for figures of others made elsewhere: the quickest of several each."""
    numbers = np.random.default_rng(0).standard_normal(1_000_000)
    works = (lambda: sum(n for n in range(1_000_000)), lambda: np.exp(numbers), lambda: np.sort(numbers))
    loop, exponentials, ordered = (min(seconds(work) for _ in range(5)) for work in works)
    return (
        f"This machine adds up a million numbers in a loop of Python in {brief(loop)}, and takes "
        f"{brief(exponentials)} for the exponentials of a million and {brief(ordered)} to sort them: figures "
        "of two machines compare by that."
    )


def page(
    rows: Iterable[Row],
    wholes: Iterable[Whole],
    others: Iterable[Whole],
    spreads: Iterable[Spread],
    growth: Iterable[tuple[str, list[str], dict[str, list[float]]]],
) -> str:
    """The whole page as Markdown."""
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    parts = [INTRODUCTION, f"{processor()}; {versions}, nlpstat_core {VERSION}.\n{yardstick()}\n"]
    parts += ["## Against references\n", *_rows(rows)]
    parts += [] if has_evalstats() else [WITHOUT_EVALSTATS.rstrip()]
    parts += ["\n## Whole analyses, each in a process of its own\n"]
    parts += [
        *_wholes(wholes),
        "\n" + section_of_others(others) + section_of_spreads(spreads) + GROWTH + "\n",
    ]
    for title, steps, found in growth:
        parts += [f"| {title} | {' | '.join(steps)} |", f"| --- |{' ---: |' * len(steps)}"]
        parts += [f"| {name} | {' | '.join(brief(s) for s in times)} |" for name, times in found.items()]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _rows(rows: Iterable[Row]) -> list[str]:
    lines = ["| task | board | ours | reference | its time | ratio | goal | |", "| --- " * 8 + "|"]
    for row in rows:
        lines.append(
            f"| {row.task} | {row.board} | {brief(row.ours)} | {row.reference_name} | {brief(row.reference)} "
            f"| {row.ratio:,.3g} × | {row.goal:,.0f} × | {'reached' if row.reached else 'missed'} |"
        )
    return lines


def section_of_others(others: Iterable[Whole]) -> str:
    """The section of boards of other makes, judged by the processor's time."""
    lines = [OTHERS + ABOUT_OTHERS]
    lines += [
        "| analysis | board | processor time | bound | by the clock | peak memory | |",
        "| --- " * 7 + "|",
    ]
    for whole in others:
        reached = "reached" if whole.processor <= whole.most_seconds else "missed"
        lines.append(
            f"| {whole.task} | {whole.board} | {brief(whole.processor)} | {whole.most_seconds:g} s "
            f"| {brief(whole.seconds)} | {whole.megabytes:,.0f} MB | {reached} |"
        )
    return "\n".join(lines) + "\n\n"


def section_of_spreads(spreads: Iterable[Spread]) -> str:
    """The section of threads, processes and Dask workers; speed-ups over one thread alone."""
    names = [*LOCAL, *(f"{n} Dask worker{'s' * (n > 1)}" for n in DASK_WORKERS)]
    lines = [SPREAD + ABOUT_SPREAD, f"| work | board | {' | '.join(names)} |", "| --- " * 2]
    lines[-1] += f"|{' ---: |' * len(names)}"
    for one in spreads:
        alone, *others = *one.local, *one.dask
        cells = [brief(alone), *(f"{brief(other)} ({alone / other:.2f} ×)" for other in others)]
        lines.append(f"| {one.task} | {one.board} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def with_section(page: str, text: str, heading: str, following: str) -> str:
    """The page with one section measured anew, the next one's heading told."""
    before, _, after = page.partition(following)
    return before.partition(heading)[0] + text + following + after


def _wholes(wholes: Iterable[Whole]) -> list[str]:
    lines = ["| analysis | board | time | bound | peak memory | bound | |", "| --- " * 7 + "|"]
    for whole in wholes:
        lines.append(
            f"| {whole.task} | {whole.board} | {brief(whole.seconds)} | {whole.most_seconds:g} s "
            f"| {whole.megabytes:,.0f} MB | {whole.most_megabytes:,.0f} MB "
            f"| {'reached' if whole.reached else 'missed'} |"
        )
    return lines
