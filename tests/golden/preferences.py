"""Strengths and their errors by evalica and statsmodels: writes inputs/battles.csv and preferences.csv.

The tests need neither. evalica: Bradley and Terry's strengths with ties as half wins. statsmodels: the same
as a logistic regression with shares of a half and errors clustered by prompt, whose factor for small samples,
(n − 1)/(n − k), is taken out again; Davidson's model as a Poisson regression of the counts of every pair's
three outcomes with an effect of each pair.

    python -m venv golden && golden/bin/pip install evalica statsmodels && golden/bin/python preferences.py
"""

import csv
import itertools
import math
import platform
from pathlib import Path

import evalica
import numpy as np
import pandas as pd
import statsmodels
import statsmodels.api as sm

HERE = Path(__file__).resolve().parent
SYSTEMS = ["ant", "bee", "cat", "dog", "eel", "fox"]


def battles():
    rng = np.random.default_rng(7)
    strength = np.array([0.8, 0.3, 0.1, 0.0, -0.4, -0.8])
    for _ in range(300):
        a, b = rng.choice(6, 2, replace=False, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
        prompt = int(rng.integers(40))
        d = strength[a] - strength[b] + 0.7 * math.sin(prompt * (a + 1)) - 0.7 * math.sin(prompt * (b + 1))
        weights = np.exp([d / 2, -d / 2, math.log(0.5)])
        winner = ("model_a", "model_b", "tie")[rng.choice(3, p=weights / weights.sum())]
        yield {"model_a": SYSTEMS[a], "model_b": SYSTEMS[b], "winner": winner, "prompt": f"p{prompt}"}


def half(table):
    """Strengths by evalica."""
    winner = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    found = evalica.bradley_terry(
        table["model_a"],
        table["model_b"],
        [winner[w] for w in table["winner"]],
        tolerance=1e-14,
        limit=100_000,
    )
    logs = np.log(found.scores)
    return (logs - logs.mean()).to_dict()


def difference_errors(table):
    """Differences to the first system and their errors clustered by prompt and by battle, by statsmodels."""
    places = [table[side].map(SYSTEMS.index).to_numpy() for side in ("model_a", "model_b")]
    n = len(table)
    design = np.zeros((n, len(SYSTEMS)))
    design[np.arange(n), places[0]] += 1
    design[np.arange(n), places[1]] -= 1
    y = table["winner"].map({"model_a": 1.0, "model_b": 0.0, "tie": 0.5}).to_numpy()
    for clusters, groups in (("prompt", pd.factorize(table["prompt"])[0]), ("battle", np.arange(n))):
        model = sm.GLM(y, design[:, 1:], family=sm.families.Binomial())
        fit = model.fit(tol=1e-15, maxiter=100, cov_type="cluster", cov_kwds={"groups": groups})
        shrink = math.sqrt((n - 1) / (n - len(SYSTEMS) + 1))
        for name, value, error in zip(SYSTEMS[1:], fit.params, fit.bse, strict=True):
            yield clusters, name, float(value), float(error) / shrink


def davidson(table):
    """Strengths by a Poisson regression of counts."""
    lines, counts = [], []
    pairs = list(itertools.combinations(range(len(SYSTEMS)), 2))
    for number, (i, j) in enumerate(pairs):
        a, b = SYSTEMS[i], SYSTEMS[j]
        met = table[table["model_a"].isin([a, b]) & table["model_b"].isin([a, b])]
        won = met["winner"].map({"model_a": "model_a", "model_b": "model_b"})
        by = [met[side][won == side] for side in ("model_a", "model_b")]
        wins = [sum(int((names == name).sum()) for names in by) for name in (a, b)]
        for sign, count in ((0.5, wins[0]), (-0.5, wins[1]), (0.0, len(met) - sum(wins))):
            line = np.zeros(len(SYSTEMS) + 1 + len(pairs))
            line[i], line[j] = sign, -sign
            line[len(SYSTEMS)] = float(sign == 0)
            line[len(SYSTEMS) + 1 + number] = 1
            lines.append(line[1:])
            counts.append(count)
    fit = sm.GLM(np.array(counts), np.array(lines), family=sm.families.Poisson()).fit(tol=1e-15, maxiter=200)
    strengths = np.append(0.0, fit.params[: len(SYSTEMS) - 1])
    return dict(zip(SYSTEMS, strengths - strengths.mean(), strict=True))


def rows(table):
    for name, value in half(table).items():
        yield "evalica", "ties=half", name, value
    for name, value in davidson(table).items():
        yield "poisson", "ties=davidson", name, value
    for clusters, name, value, error in difference_errors(table):
        yield "logistic", f"clusters={clusters};system={name}", "difference", value
        yield "logistic", f"clusters={clusters};system={name}", "standard_error", error


def main():
    table = pd.DataFrame(battles())
    table.to_csv(HERE / "inputs" / "battles.csv", index=False, lineterminator="\n")
    with (HERE / "preferences.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(f"# Made by tests/golden/{Path(__file__).name} with evalica {evalica.__version__}, ")
        file.write(f"statsmodels {statsmodels.__version__}, Python {platform.python_version()}.\n")
        file.write("# Do not edit: change the script and run it again.\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "method", "alternative", "option", "quantity", "value"])
        for method, option, quantity, value in rows(table):
            writer.writerow(["battles", method, "", option, quantity, f"{value:.17g}"])


if __name__ == "__main__":
    main()
