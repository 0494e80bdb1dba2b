"""Settings files of every kind of damage, and what must come of them: one sentence, or an analysis.

A file fails when the command line or the app's reading of settings raises anything but one of our errors,
warns, prints more than one line, or takes longer than half a minute.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nlpstat_core.cli import main
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import NlpstatError

MOST_SECONDS = 30.0
SCORES = "item,doc,A,B,C\n" + "".join(f"u{i},d{i // 3},{i % 7},{i % 5},{i % 3 + 1}\n" for i in range(12))
NAMES = (*AnalysisConfig().to_dict(), "reading", "boards", "config")
THEIRS = ("sig_test_name", "sig_test_alpha", "eff_size_ind", "random_seed", "shuffled", "mu", "h1", "power_B")
READING = (
    "format",
    "metric",
    "id_column",
    "label_columns",
    "roles",
    "delimiter",
    "sheet",
    "max_bytes",
    "quotes",
)
BOARDS = ("each", "family", "combination", "lower")
RIGHT = (
    *(
        "t",
        "wilcoxon",
        "sign",
        "permutation-mean",
        "bootstrap-mean",
        "recommended",
        "mcnemar",
        "holm",
        "max-t",
    ),
    *(
        "two-sided",
        "less",
        "each-pair",
        "median",
        "drop",
        "complete",
        "pratt",
        "mid-p",
        "A",
        "doc",
        "metric",
        "dataset",
    ),
    *("cohen-d", "hodges-lehmann", "estimate", "wide-csv", "system=doc,unit=item", "item"),
)
# As YAML would have them; each has once been, or may be, more than a program expects.
WRITTEN = (
    *(
        "",
        "~",
        "{}",
        "[]",
        "[[]]",
        "[[1]]",
        "{a: {b: c}}",
        "[1, [2]]",
        "- 1",
        "? x",
        "true",
        "no",
        "1e23",
        "1e999",
        "-0",
    ),
    *(
        ".nan",
        "-.inf",
        "0x" + "f" * 5000,
        "9" * 4299,
        "9" * 5000,
        "1:2:3",
        "1" + ":59" * 900,
        "2020-13-45",
        "2020-01-01",
    ),
    *(
        "!!int ''",
        "!!float x",
        "!!bool x",
        "!!timestamp x",
        "!!binary x",
        "!!set {a}",
        "!!omap [1]",
        "!!null 3",
    ),
    *(
        "!!python/name:os.system",
        "&a 1",
        "*a",
        "<<: {a: 1}",
        "'\\0'",
        '"\\ud800"',
        '"\\x07"',
        '"\\u202e"',
        "|\n  a\n  b",
    ),
    *(
        "=1+1",
        "@x",
        "x" * 3000,
        "[" * 300,
        "{a: " * 300,
        "\t1",
        "'",
        '"',
        "%",
        "`",
        "!!merge 1",
        "? [a, b]\n: c",
        "-1e-300",
    ),
    *(
        "10000000",
        "100000000000",
        "[0.5, 1]",
        "[1, 0.5]",
        "[a, b]",
        "[true, false]",
        "'0.5'",
        "[holm]",
        "{holm: 1}",
    ),
)


@dataclass
class Settings:
    """What came of some settings files.

    Attributes
    ----------
    outcomes : Counter
        "used" or "refused" → how many.
    failures : list of str
    slowest : float
        Seconds.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0


def _value(rng: random.Random, depth: int = 0) -> Any:
    """Plain data of any kind."""
    kind = rng.randrange(13 if depth < 3 else 10)
    if kind < 4:
        return rng.choice(RIGHT)
    if kind < 6:
        return rng.choice([0, 1, 2, -1, 7, 2**31, 2**53, 2**64, 10**30, int("9" * 4000), 100, 500])
    if kind == 6:
        return rng.choice(
            [0.05, 0.0, 1.0, -0.5, 1e-300, 1e300, 1e308, -1e308, 0.5, 5e-324, float("nan"), float("inf")]
        )
    if kind == 7:
        return rng.choice([True, False, None])
    if kind < 10:
        return rng.choice(
            ["", "\0", "\ud800", "é" * 50, "1e-3", "0.1", "=x", "9" * 5000, " ", "nan", "none", "1_0"]
        )
    if kind == 10:
        return {rng.choice((*NAMES, "x", "")): _value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return [_value(rng, depth + 1) for _ in range(rng.randrange(4))]


def _as_json(rng: random.Random) -> bytes:
    names = rng.choices((*NAMES, *NAMES, *THEIRS), k=rng.randrange(1, 6))
    data = {name: _value(rng) for name in names}
    if rng.random() < 0.2:
        data["reading"] = {rng.choice(READING): _value(rng) for _ in range(2)}
    if rng.random() < 0.2:
        data["boards"] = {rng.choice(BOARDS): _value(rng) for _ in range(2)}
    return json.dumps(data).encode()


FITTING: dict[str, tuple[Any, ...]] = {
    "test": (
        "t",
        "wilcoxon",
        "sign",
        "bootstrap-mean",
        "bootstrap-median",
        "permutation-mean",
        "mann-whitney",
    ),
    "correction": ("holm", "max-t", "none", "bonferroni", "shaffer", "sidak", "benjamini-hochberg"),
    "alpha": (0.5, 1e-300, 1 - 1e-16, 5e-324, "1e-3"),
    "delta": (1e308, -1e308, 1e-300, 0.5, "-1e-3", 10**15, 1e100),
    "equivalence_margin": (1e308, 1e-300, 0.5, 5e-324),
    "confidence_level": (1e-300, 1 - 1e-16, 0.5),
    "normality_alpha": (1e-300, 1 - 1e-16),
    "skewness_limits": ([1e-300, 1e308], [1, 1], [0.1, 5]),
    "resamples": (1, 2, 99, "100"),
    "unit_size": (2, 3, 6, 12, 10**9),
    "seed": (2**64, 2**128 - 1, 1),
    "shuffle_seed": (2**64, 0),
    "baseline": ("A", "Z", "", "9" * 5000),
    "block_column": ("doc", "item", "", "auto", "none", None),
    "effects": ([], ["cohen-d"], "cohen-d,cohen-d", ["hodges-lehmann", "odds-ratio", "cliffs-delta"]),
    "intervals": (["estimate"], [], "estimate", ["cohen-d"]),
    "alternative": ("less", "greater"),
    "question": ("each-pair", "mean"),
    "missing": ("complete", "error"),
    "zero_method": ("pratt", "zsplit"),
    "unit_metric": ("median",),
    "unit_remainder": ("drop",),
    "mcnemar": ("mid-p", "asymptotic", "continuity"),
    "continuity": (True, False),
    "reading": (
        {"lower_is_better": True},
        {"id_column": "doc"},
        {"roles": {}},
        {"metric": "x"},
        {"max_rows": 5},
    ),
    "boards": ({"each": "metric"}, {"each": "dataset", "lower": []}, {}),
}


def _nearly(rng: random.Random) -> bytes:
    """Settings that can be used one by one; sometimes one that can't among them."""
    data = {name: rng.choice(FITTING[name]) for name in rng.sample(sorted(FITTING), rng.randrange(1, 5))}
    if rng.random() < 0.2:
        data[rng.choice(NAMES)] = _value(rng)
    return json.dumps(data).encode()


def _as_yaml(rng: random.Random) -> bytes:
    lines = []
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice((*NAMES, *NAMES, *THEIRS, *WRITTEN[:40]))
        lines.append(f"{name}: {rng.choice((*WRITTEN, *RIGHT))}")
    return "\n".join(lines).encode()


def _damaged(rng: random.Random) -> bytes:
    data = bytearray(json.dumps(AnalysisConfig().to_dict(), indent=1).encode())
    for _ in range(rng.randrange(1, 8)):
        place = rng.randrange(len(data))
        action = rng.randrange(4)
        if action == 0:
            data[place] = rng.randrange(256)
        elif action == 1:
            del data[place : place + rng.randrange(1, 30)]
        elif action == 2:
            data[place:place] = data[: rng.randrange(40)]
        else:
            data[place:place] = rng.choice(WRITTEN).encode()
        data = data or bytearray(b" ")
    return bytes(data)


def _one_word(rng: random.Random) -> bytes:
    return f"{rng.choice(NAMES)}: {rng.choice(WRITTEN)}".encode()


KINDS: tuple[Callable[[random.Random], bytes], ...] = (
    _as_json,
    _as_yaml,
    _damaged,
    _one_word,
    _nearly,
    _nearly,
)


def made(seed: int, index: int) -> bytes:
    """The settings file of an index; the same for the same seed."""
    rng = random.Random(f"{seed} {index}")
    return rng.choice(KINDS)(rng)


def run(count: int, folder: Path, seed: int = 1, first: int = 0) -> Settings:
    """Use so many settings files.

    Parameters
    ----------
    count : int
    folder : Path
        For the files, each of which replaces the one before.
    seed, first : int
        First index.

    Returns
    -------
    Settings
    """
    found = Settings()
    scores, path = folder / "scores.csv", folder / "settings.yml"
    scores.write_text(SCORES)
    for index in range(first, first + count):
        data = made(seed, index)
        path.write_bytes(data)
        begun = time.process_time()
        problem, outcome = _tried(scores, path, data)
        took = time.process_time() - begun
        found.outcomes[outcome] += 1
        found.slowest = max(found.slowest, took)
        if took > MOST_SECONDS:
            problem = f"{took:.0f} s"
        if problem:
            found.failures.append(f"{index}: {problem}: {data[:120]!r}")
    return found


def _tried(scores: Path, path: Path, data: bytes) -> tuple[str, str]:
    """What is wrong with how a file was taken, if anything, and whether it was used."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            warnings.simplefilter("error")
            status = main(["analyse", str(scores), "--config", str(path), "--json", "-"])
    except Exception as error:
        return f"command line: {type(error).__name__}: {error}"[:300], "refused"
    printed = out.buffer.getvalue()  # type: ignore[attr-defined]
    text = err.getvalue()
    if status == 0 and (text or not printed):
        return f"command line: wrote {text[:200]!r}", "used"
    one_line = text.endswith("\n") and text.count("\n") == 1 and text[:-1].isprintable()
    if status != 0 and (status != 2 or printed or not one_line):
        return f"command line: ended with {status} and {text[:200]!r}", "refused"
    return _in_app(data), "refused" if status else "used"


def _in_app(data: bytes) -> str:
    from dashboard.background.settings_file import settings_in

    try:
        settings_in(data, "settings.yml")
    except NlpstatError as error:
        if not str(error).strip():
            return "app: a refusal without a reason"
    except Exception as error:
        return f"app: {type(error).__name__}: {error}"[:300]
    return ""
