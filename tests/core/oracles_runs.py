"""The crossed t test from its definition, in loops over items and runs."""

import math

import numpy as np
from scipy import stats


def crossed_t(a, b, *, delta=0.0, documents=None):
    """t, degrees of freedom, V and two-sided p of two tables items × runs; None where a run lacks an item."""
    tables = [[list(row) for row in table] for table in (a, b)]
    shared = [
        i for i in range(len(tables[0])) if all(any(not missing(x) for x in table[i]) for table in tables)
    ]
    tables = [[table[i] for i in shared] for table in tables]
    n = len(shared)
    differences = [mean(row_a) - mean(row_b) for row_a, row_b in zip(*tables, strict=True)]
    centre = sum(differences) / n
    if documents is None:
        items, freedom = sum((d - centre) ** 2 for d in differences) / (n - 1) / n, n - 1
    else:
        named = [documents[i] for i in shared]
        groups = sorted(set(named))
        sums = [
            sum(d - centre for d, g in zip(differences, named, strict=True) if g == one) for one in groups
        ]
        shares = [named.count(one) / n for one in groups]
        items = sum(e**2 / (1 - h) for e, h in zip(sums, shares, strict=True)) / n**2
        q = [h**2 / (1 - h) for h in shares]
        freedom = 1 / (sum(h**2 for h in shares) + sum(q) ** 2 - sum(x**2 for x in q))
    total, below = items, items**2 / freedom
    for table in tables:
        v, residual, n_runs = spread(table)
        total += max(0.0, v - residual / n) / n_runs
        below += (v / n_runs) ** 2 / (n_runs - 1)
    t = (centre - delta) / math.sqrt(total)
    df = total**2 / below
    return t, df, total, 2 * float(stats.t.sf(abs(t), df))


def spread(table):
    """Variance of the run means, residual mean square and number of runs."""
    runs = [r for r in range(len(table[0])) if any(not missing(row[r]) for row in table)]
    means = [mean([row[r] for row in table]) for r in runs]
    centre = sum(means) / len(means)
    v = sum((m - centre) ** 2 for m in means) / (len(means) - 1)
    cells = [x for row in table for x in row if not missing(x)]
    grand = sum(cells) / len(cells)
    squares = 0.0
    for row in table:
        of_item = mean(row)
        for r, of_run in zip(runs, means, strict=True):
            if not missing(row[r]):
                squares += (row[r] - of_item - of_run + grand) ** 2
    freedom = len(cells) - len(table) - len(runs) + 1
    return v, squares / freedom if freedom else 0.0, len(runs)


def mean(values):
    there = [x for x in values if not missing(x)]
    return sum(there) / len(there)


def missing(x):
    return x is None or math.isnan(x)


def simulated(rng, n, runs, *, effects=(1.0, 0.5, 0.3, 0.6), difference=0.0):
    """Tables items × runs of two systems: spreads of items, items × systems, runs and residual."""
    items, interaction, run, residual = effects
    shared = rng.normal(0, items, n)
    tables = []
    for n_runs, shift in zip(runs, (difference, 0.0), strict=True):
        own = shared + rng.normal(0, interaction, n)
        y = own[:, None] + rng.normal(0, run, n_runs) + rng.normal(0, residual, (n, n_runs)) + shift
        tables.append(np.asarray(y))
    return tables
