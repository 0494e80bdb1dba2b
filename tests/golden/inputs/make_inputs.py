"""Make the input files of the golden values: `python tests/golden/inputs/make_inputs.py [folder]`.

NumPy only, seeded; made with NumPy 2.4. Scores have at most three decimals, so R reads the same numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

SEED = 4711


def text(value: float, decimals: int) -> str:
    return "" if np.isnan(value) else f"{value:.{decimals}f}"


def write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    lines = [",".join(header), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")


def continuous(rng: np.random.Generator, n: int, difference: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores with three decimals whose differences are all distinct in size and none of them 0."""
    v = np.round(50 + 10 * rng.standard_normal(n), 3)
    steps = np.rint(1000 * difference).astype(int)
    taken: set[int] = set()
    for i, step in enumerate(steps):
        while abs(step) in taken or step == 0:
            step += 1
        taken.add(abs(step))
        steps[i] = step
    return np.round(v + steps / 1000, 3), v


def pairs(rng: np.random.Generator) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    """Case → scores of u, scores of v, decimals."""
    cases: dict[str, tuple[np.ndarray, np.ndarray, int]] = {}
    for n in (5, 6, 7, 8, 10, 12, 30, 50, 60, 200):
        cases[f"normal-{n}"] = (*continuous(rng, n, 1.2 + 3 * rng.standard_normal(n)), 3)
    for n in (12, 40, 60):
        cases[f"lognormal-{n}"] = (*continuous(rng, n, np.exp(rng.standard_normal(n)) - 1.2), 3)
    for name, centre in (("far-20", 4.0), ("far-below-20", -4.0)):
        cases[name] = (*continuous(rng, 20, centre + rng.standard_normal(20)), 3)
    cases["extreme-400"] = (*continuous(rng, 400, 6 + 0.6 * rng.standard_normal(400)), 3)
    u, v = continuous(rng, 30, 0.3 + rng.standard_normal(30))
    cases["offset-30"] = (u + 1e6, v + 1e6, 3)

    for n in (9, 12, 30, 120):  # ratings from 1 to 5: heavy ties, zeros
        cases[f"likert-{n}"] = (rng.integers(2, 6, n), rng.integers(1, 6, n), 0)
    for n in (25, 80):  # one decimal: some ties, and a fifth exactly equal
        v = np.round(50 + 10 * rng.standard_normal(n), 1)
        change = np.where(rng.random(n) < 0.2, 0, 0.8 + 2 * rng.standard_normal(n))
        cases[f"zeros-{n}"] = (np.round(v + np.round(change, 1), 1), v, 1)
    v = rng.integers(0, 100, 12)
    giant = np.array([3, -1, 4, -1, 5, -9, 2, -6, 5, -3, 5, 4000])
    cases["giant-12"] = (v + giant, v, 0)
    balanced = np.array([1, -2, 3, -4, 4, -3, 2, -1])
    cases["balanced-8"] = (balanced + 10, np.full(8, 10), 0)
    # 0.1 + 0.2 - 0.3 and the like: the sum is 0 in decimals, not in floating point
    cancel = np.array([0.1, 0.2, -0.3, 0.7, -0.6, -0.1])
    v = np.array([0.1, 0.4, 0.9, 0.1, 1.3, 0.2])
    cases["cancel-6"] = (np.round(v + cancel, 1), v, 1)

    for n, right_u, right_v in ((20, 0.7, 0.5), (60, 0.6, 0.45), (200, 0.8, 0.72)):
        easy = rng.random(n) < 0.4
        cases[f"binary-{n}"] = (
            np.where(easy, 1, rng.random(n) < right_u),
            np.where(easy, 1, rng.random(n) < right_v),
            0,
        )
    cases["binary-oneway-12"] = (np.repeat([1, 0, 1], [6, 2, 4]), np.repeat([0, 0, 1], [6, 2, 4]), 0)
    return cases


def unpaired(rng: np.random.Generator) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    return {
        "normal-12-15": (
            np.round(51 + 3 * rng.standard_normal(12), 3),
            np.round(49 + 3 * rng.standard_normal(15), 3),
            3,
        ),
        "unequal-30-8": (
            np.round(10 + rng.standard_normal(30), 3),
            np.round(9 + 4 * rng.standard_normal(8), 3),
            3,
        ),
        "likert-20-18": (rng.integers(2, 6, 20), rng.integers(1, 6, 18), 0),
        "small-4-5": (np.array([3, 7, 8, 12]), np.array([1, 2, 4, 6, 9]), 0),
    }


def matrices(rng: np.random.Generator) -> dict[str, tuple[np.ndarray, int]]:
    """Case → items × systems, decimals."""
    item = 10 * rng.standard_normal((12, 1))
    five = np.round(50 + item + [0, 1, 2, 4, 4.5] + 2 * rng.standard_normal((12, 5)), 2)
    ties = np.clip(np.rint(3 + rng.standard_normal((40, 1)) + 0.8 * rng.standard_normal((40, 6))), 1, 5)
    ties[:, 4:] = np.clip(ties[:, 4:] + (rng.random((40, 2)) < 0.5), 1, 5)
    binary = (rng.random((30, 4)) < np.array([0.4, 0.55, 0.6, 0.8])).astype(int)
    missing = five.copy()
    missing[[0, 3, 3, 7, 9], [1, 0, 4, 2, 3]] = np.nan
    return {
        "five-12": (five, 2),
        "likert-six-40": (ties, 0),
        "binary-four-30": (binary, 0),
        "missing-five-12": (missing, 2),
    }


def blocks(rng: np.random.Generator) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Block of each unit, u, v: unequal documents with an effect of their own on the difference."""
    lengths = np.array([3, 4, 9, 5, 7, 2, 8, 6, 6, 10, 1, 5])
    block = np.repeat(np.arange(1, 13), lengths)
    v = np.round(50 + 5 * rng.standard_normal(12)[block - 1] + 4 * rng.standard_normal(len(block)), 1)
    z = 1 + 1.5 * rng.standard_normal(12)[block - 1] + 2 * rng.standard_normal(len(block))
    return [(f"d{b:02d}", x, y) for b, x, y in zip(block, np.round(v + z, 1), v, strict=True)]


def counts(rng: np.random.Generator) -> list[list[object]]:
    """Sufficient statistics per unit: correct of total (equal, unequal totals), tp and wrong for F1."""
    rows: list[list[object]] = []
    for unit in range(1, 13):
        total = int(rng.integers(3, 12))
        total_b = total if unit % 3 else total + int(rng.integers(0, 3))
        correct_a, correct_b = rng.binomial(total, 0.7), rng.binomial(total, 0.5)
        tp_a, tp_b = rng.binomial(5, 0.6), rng.binomial(5, 0.45)
        wrong_a, wrong_b = rng.poisson(2), rng.poisson(3)
        rows.append([unit, correct_a, correct_b, total, total_b, tp_a, wrong_a, tp_b, wrong_b])
    return rows


# Case: items, runs a system, mean of each system, and the standard deviations of items, items × systems, runs
# and residual.
CROSSED = {
    "small": (20, 5, (0.0, 0.4), (1.0, 0.5, 0.3, 0.6)),
    "middle": (60, 3, (0.2, 0.0), (0.8, 0.3, 0.25, 0.7)),
    "two-runs": (40, 2, (0.1, -0.2), (1.2, 0.6, 0.5, 0.4)),
    "board": (50, 4, (0.0, 0.3, 0.5, 0.2), (1.0, 0.4, 0.3, 0.5)),
}


def crossed(rng: np.random.Generator) -> list[list[object]]:
    """Items × systems × runs, runs nested in systems, every cell there."""
    rows: list[list[object]] = []
    for case, (n, n_runs, means, (items, interaction, runs, residual)) in CROSSED.items():
        shared = rng.normal(0, items, n)
        for j, mean in enumerate(means, start=1):
            own = shared + rng.normal(0, interaction, n)
            for r, run in enumerate(rng.normal(0, runs, n_runs), start=1):
                y = mean + own + run + rng.normal(0, residual, n)
                rows += [[case, f"S{j}", r, i, text(x, 2)] for i, x in enumerate(y, start=1)]
    return rows


def answers(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Items × systems of unlike difficulty and strength: right or wrong, and graded from 0 to 1."""
    strength, difficulty = rng.normal(0, 1, 14), rng.normal(0, 1, 24)
    sharpness = np.append(rng.uniform(0.2, 1.5, 22), [-0.8, -0.4])
    latent = sharpness[:, None] * (strength - difficulty[:, None])
    right = (rng.random(latent.shape) < 1 / (1 + np.exp(-latent))).astype(float)
    right[0] = [0.0, 1.0] * 7  # no item here without a variance: R divides by it
    graded = np.round(1 / (1 + np.exp(-(latent + rng.normal(0, 0.5, latent.shape)))), 3)
    keep = right.std(axis=1) > 0
    return {"binary": right[keep], "graded": graded}


def p_values(rng: np.random.Generator) -> dict[str, list[float]]:
    mixed = np.round(np.concatenate([rng.random(40) * 1e-3, rng.random(80)]), 6)
    return {
        "one": [0.03],
        "two": [0.04, 0.03],
        "textbook": [0.01, 0.02, 0.03, 0.04, 0.05],
        "not-monotone": [0.01, 0.011, 0.2],
        "ties": [0.01, 0.01, 0.01, 0.02, 0.02, 0.5, 0.5],
        "not-sorted": [0.6, 0.001, 0.04, 0.013, 0.2, 0.0004, 0.9, 0.03],
        "missing": [0.01, np.nan, 0.03, 0.002, np.nan, 0.2],
        "tiny": [1e-300, 5e-324, 1e-20, 0.3, 1e-308, 0.04],
        "ones": [1.0, 1.0, 1.0, 0.02],
        "pairs-of-4": [0.001, 0.009, 0.012, 0.02, 0.03, 0.4],
        "pairs-of-5": [0.0001, 0.004, 0.005, 0.0055, 0.006, 0.012, 0.02, 0.05, 0.3, 0.8],
        "pairs-of-6": np.round(np.sort(rng.random(15) ** 3), 5).tolist(),
        "mixed-120": mixed.tolist(),
    }


def significant_pairs(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Symmetric matrices of significant pairs, also some that no ordering on a line can produce."""
    graphs = {"none-4": np.zeros((4, 4), bool), "all-4": ~np.eye(4, dtype=bool)}
    distance = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    graphs["chain-6"] = distance > 1
    graphs["bands-6"] = distance > 2
    graphs["two-groups-6"] = np.not_equal.outer(np.arange(6) < 3, np.arange(6) < 3)
    graphs["cycle-5"] = np.isin(np.subtract.outer(np.arange(5), np.arange(5)) % 5, (2, 3))
    star = np.ones((5, 5), bool)
    star[0] = star[:, 0] = False
    np.fill_diagonal(star, False)
    graphs["star-5"] = star
    for n, share in ((7, 0.3), (8, 0.5), (10, 0.6)):
        upper = np.triu(rng.random((n, n)) < share, 1)
        graphs[f"random-{n}"] = upper | upper.T
    return graphs


def main(folder: Path) -> None:
    generators = [np.random.default_rng([SEED, topic]) for topic in range(9)]
    for topic, cases in (("pairs", pairs(generators[0])), ("unpaired", unpaired(generators[1]))):
        for case, (u, v, decimals) in cases.items():
            longest = max(len(u), len(v))
            columns = [np.concatenate([x, np.full(longest - len(x), np.nan)]) for x in (u, v)]
            rows = [[text(x, decimals) for x in row] for row in zip(*columns, strict=True)]
            write(folder / topic / f"{case}.csv", ["u", "v"], rows)
    for case, (matrix, decimals) in matrices(generators[2]).items():
        names = [f"S{j}" for j in range(1, matrix.shape[1] + 1)]
        rows = [[i, *(text(x, decimals) for x in row)] for i, row in enumerate(matrix, start=1)]
        write(folder / "matrices" / f"{case}.csv", ["item", *names], rows)
    block_rows = [[block, text(u, 1), text(v, 1)] for block, u, v in blocks(generators[3])]
    write(folder / "blocks.csv", ["block", "u", "v"], block_rows)
    header = ["unit", "correct_a", "correct_b", "total_a", "total_b", "tp_a", "wrong_a", "tp_b", "wrong_b"]
    write(folder / "counts.csv", header, counts(generators[4]))
    p_rows = [
        [case, position, "" if np.isnan(p) else repr(float(p))]
        for case, values in p_values(generators[5]).items()
        for position, p in enumerate(values, start=1)
    ]
    write(folder / "p_values.csv", ["case", "position", "p"], p_rows)
    graph_rows = [
        [case, chr(65 + i), chr(65 + j), int(graph[i, j])]
        for case, graph in significant_pairs(generators[6]).items()
        for i in range(len(graph))
        for j in range(i + 1, len(graph))
    ]
    write(folder / "significant_pairs.csv", ["case", "system_a", "system_b", "significant"], graph_rows)
    write(folder / "runs.csv", ["case", "system", "run", "item", "score"], crossed(generators[7]))
    for case, matrix in answers(generators[8]).items():
        names = [f"S{j}" for j in range(1, matrix.shape[1] + 1)]
        rows = [[i, *(text(x, 3) for x in row)] for i, row in enumerate(matrix, start=1)]
        write(folder / "items" / f"{case}.csv", ["item", *names], rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
