"""Prints the guide's table of what a judge adds: `python -m docs.make_judges_table MQM.csv REALSUMM.csv`.

MQM.csv: one row an item, one column a system (google/wmt-mqm-human-evaluation, newstest2021 zh-en, averages
of segments); REALSUMM.csv: `doc`, `system`, `litepyramid_recall` of people and metrics (neulab/REALSumm).
"""

import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd

import nlpstat_core as ns
from nlpstat_core.arrays import FloatArray
from nlpstat_core.results.judge import PairsOfBoard

DRAWS = 100
HEAD = (
    "people",
    "judge",
    "labels",
    "people alone find",
    "corrected finds",
    "opposite claims (alone, corrected)",
)


def judges(mqm: str, realsumm: str) -> Iterator[tuple[str, str, int, FloatArray, FloatArray]]:
    """Data, judge, labels, people's scores and the judge's."""
    people = pd.read_csv(mqm, index_col=0).dropna().to_numpy()
    rng = np.random.default_rng(0)
    spread, means = (people - people.mean(axis=0)).std(), people.mean(axis=0)
    for correlation in (0.3, 0.5, 0.7, 0.9):
        noise = rng.normal(0, spread * np.sqrt(1 / correlation**2 - 1), people.shape)
        favours = rng.normal(0, means.std(), means.size)
        yield "WMT MQM", f"r = {correlation:g}, biased", len(people) // 10, people, people + noise + favours
    table = pd.read_csv(realsumm)
    for name in ("rouge_1_recall", "bert_recall_score"):
        people, judge = (
            table.pivot(index="doc", columns="system", values=one).to_numpy()
            for one in ("litepyramid_recall", name)
        )
        yield "REALSumm", name, 30, people, judge


def found(people: FloatArray, judge: FloatArray, n_labels: int) -> FloatArray:
    """Means over random draws of labels: for people alone and the corrected board the share of the decisions
    of all labels that they find and of pairs decided against these; last what the labels are worth."""
    systems = tuple(f"s{i}" for i in range(people.shape[1]))

    def board(given: FloatArray) -> ns.JudgedBoard:
        of = {"human": given, "judge": judge}
        return ns.judge({name: ns.ScoreMatrix(values=x, systems=systems) for name, x in of.items()})

    whole = board(people).people_pairs

    def shares(pairs: PairsOfBoard) -> tuple[float, float]:
        alike = pairs.significant & (pairs.difference * whole.difference > 0)
        against = pairs.significant & ~alike
        return float((alike & whole.significant).sum() / whole.significant.sum()), float(against.mean())

    rng, rows = np.random.default_rng(1), []
    for _ in range(DRAWS):
        some = people.copy()
        some[rng.permutation(len(people))[n_labels:]] = np.nan
        drawn = board(some)
        worth = float(np.nanmedian(drawn.worth_of_pairs))
        rows.append([*shares(drawn.people_pairs), *shares(drawn.corrected), worth])
    return np.asarray(np.mean(rows, axis=0))


def main() -> None:
    """Print the table."""
    sys.stdout.write(f"| {' | '.join((*HEAD, 'worth'))} |\n{'| --- ' * (len(HEAD) + 1)}|\n")
    for data, name, n_labels, people, judge in judges(*sys.argv[1:3]):
        alone, wrong, corrected, wrong_corrected, worth = found(people, judge, n_labels)
        size = f"{people.shape[1]} systems, {len(people):,} items"
        sys.stdout.write(
            f"| {data} ({size}) | {name} | {n_labels} | {100 * alone:.0f} % | {100 * corrected:.0f} % | "
            f"{100 * wrong:.2f} %, {100 * wrong_corrected:.2f} % | {worth:.0f} |\n"
        )


if __name__ == "__main__":
    main()
