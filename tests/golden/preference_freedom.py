"""Degrees of freedom of differences of strengths, from their definition: writes preference_freedom.csv.

statsmodels fits the logistic regression with shares of a half; all else is cross products of its design
matrix by prompt, with one system left out as the reference, so that nothing rests on how strengths are
centred. Each prompt's term of a difference has variance φ·wᵀLw + τ²·|Lw|², with L written for all systems;
G is the covariance of what is left of the terms, ν = tr(G)²/tr(G²), and found = C/(C − 1)·tr(G)/Σg.

    ../../.venv/bin/python preference_freedom.py
"""

import csv
import itertools
import platform
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels
import statsmodels.api as sm

HERE = Path(__file__).resolve().parent


def rows(table):
    systems = list(dict.fromkeys(table[["model_a", "model_b"]].to_numpy().ravel()))
    n, m = len(table), len(systems)
    design = np.zeros((n, m))
    for sign, side in ((1, "model_a"), (-1, "model_b")):
        design[np.arange(n), table[side].map(systems.index)] += sign
    y = table["winner"].map({"model_a": 1.0, "model_b": 0.0, "tie": 0.5}).to_numpy()
    fit = sm.GLM(y, design[:, 1:], family=sm.families.Binomial()).fit(tol=1e-15, maxiter=100)
    p = fit.fittedvalues
    weight, residual = p * (1 - p), y - p
    whole = design.T @ (design * weight[:, None])
    inverse = np.zeros((m, m))
    inverse[1:, 1:] = np.linalg.inv(whole[1:, 1:])
    prompts = sorted(set(table["prompt"]))
    inside = [(table["prompt"] == prompt).to_numpy() for prompt in prompts]
    own = [design[i].T @ (design[i] * weight[i][:, None]) for i in inside]
    sums = [design[i].T @ residual[i] for i in inside]
    phi = float(residual @ residual / weight.sum())
    # Covariance of a prompt's scores less what the fit takes of them: (e_c − L_c·H) applied to all terms.
    of_noise = of_taste = 0.0
    for c, this in enumerate(own):
        for d, other in enumerate(own):
            around = (np.eye(m) if c == d else 0) - this @ inverse
            of_noise += np.trace(around @ other @ around.T)
            of_taste += np.trace(around @ other @ other @ around.T)
    tau2 = max(0.0, (sum(float(u @ u) for u in sums) - phi * of_noise) / of_taste)
    for a, b in itertools.combinations(range(m), 2):
        w = inverse[:, a] - inverse[:, b]
        share = np.array([w @ one @ w for one in own])
        g = phi * share + tau2 * np.array([float((one @ w) @ (one @ w)) for one in own])
        share = share / share.sum()
        left_over = np.eye(len(own)) - np.outer(share, np.ones(len(own)))
        covariance = left_over @ np.diag(g) @ left_over.T
        trace = np.trace(covariance)
        option = f"a={systems[a]};b={systems[b]}"
        yield option, "freedom", trace**2 / np.sum(covariance**2)
        yield option, "found", min(1.0, len(own) / (len(own) - 1) * trace / g.sum())


def main():
    table = pd.read_csv(HERE / "inputs" / "battles.csv")
    with (HERE / "preference_freedom.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(
            f"# Made by tests/golden/{Path(__file__).name} with statsmodels {statsmodels.__version__}, "
        )
        file.write(f"NumPy {np.__version__}, Python {platform.python_version()}.\n")
        file.write("# Do not edit: change the script and run it again.\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "method", "alternative", "option", "quantity", "value"])
        for option, quantity, value in rows(table):
            writer.writerow(["battles", "satterthwaite", "", option, quantity, f"{value:.17g}"])


if __name__ == "__main__":
    main()
