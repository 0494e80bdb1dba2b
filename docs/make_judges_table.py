"""Prints the guide's table of what a judge adds: `python -m docs.make_judges_table MQM NEWS REALSUMM.csv`.

MQM: a checkout of google/wmt-mqm-human-evaluation (scores of segments; the TED files hold outputs, too);
NEWS: of wmt-conference/wmt21-news-systems (outputs and references of newstest2021); REALSUMM.csv: `doc`,
`system`, `litepyramid_recall` of people and metrics (neulab/REALSumm).
"""

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sacrebleu.metrics import CHRF

import nlpstat_core as ns
from nlpstat_core.arrays import FloatArray
from nlpstat_core.results.judge import PairsOfBoard

DRAWS = 100
SHARE = 10  # one label in ten items is kept
HEAD = (
    "people",
    "pairs decided",
    "judge",
    "r of differences",
    "labels",
    "people alone find",
    "corrected finds",
    "judge alone finds",
    "false (people, corrected, judge alone)",
    "worth",
)
OTHER_NAMES = {"Nemo": "NVIDIA-NeMo"}  # of MQM's files in the repository of outputs


class Judged(NamedTuple):
    """People's and a judge's scores of the same items and systems, and how many items keep their label."""

    people: str
    judge: str
    n_labels: int
    human: FloatArray
    automatic: FloatArray


def segments(path: Path) -> pd.DataFrame:
    """MQM of segments: a row a segment that was judged, a column a system."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    table = pd.DataFrame(
        [(system, int(segment), score) for system, score, segment in lines if system != "system"],
        columns=["system", "segment", "score"],
    )
    scores = pd.to_numeric(table.pop("score"), errors="coerce")
    return table.assign(score=scores).pivot(index="segment", columns="system", values="score").dropna()


def ted_texts(path: Path) -> dict[str, dict[int, str]]:
    """Outputs by system and segment, without the marks of errors."""
    found: dict[str, dict[int, str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = re.sub("</?v>", "", row["target"])
            found.setdefault(row["system"], {})[int(row["seg_id"])] = text
    return found


def news_texts(folder: Path, pair: str, systems: list[str]) -> dict[str, dict[int, str]]:
    """Outputs by system and line, and reference A as "ref"."""
    language = pair.split("-")[1]
    texts = folder / "txt"
    paths = {
        name: texts / f"system-outputs/newstest2021.{pair}.hyp.{OTHER_NAMES.get(name, name)}.{language}"
        for name in systems
    }
    paths["ref"] = texts / f"references/newstest2021.{pair}.ref.A.{language}"
    return {
        name: dict(enumerate(path.read_text(encoding="utf-8").split("\n"), 1))
        for name, path in paths.items()
        if path.exists()
    }


def by_chrf(people: str, mqm: pd.DataFrame, texts: dict[str, dict[int, str]]) -> Judged:
    """People's MQM of machine translation with chrF of the same segments as judge."""
    systems = [name for name in mqm.columns if name in texts and not name.startswith("ref")]
    metric = CHRF()
    judge = [
        [metric.sentence_score(texts[name][line], [texts["ref"][line]]).score for name in systems]
        for line in mqm.index
    ]
    return Judged(people, "chrF", len(mqm) // SHARE, mqm[systems].to_numpy(), np.array(judge))


def boards(mqm: Path, news: Path, realsumm: Path) -> Iterator[Judged]:
    """Real metrics beside people's scores, then simulated judges that favour some systems."""
    for pair in ("en-de", "zh-en"):
        code = pair.replace("-", "")
        scores = segments(mqm / f"ted/{code}/mqm_ted_{code}.avg_seg_scores.tsv")
        yield by_chrf(f"MQM, TED {pair}", scores, ted_texts(mqm / f"ted/{code}/mqm_ted_{code}.tsv"))
    for pair in ("en-de", "zh-en"):
        code = pair.replace("-", "")
        scores = segments(mqm / f"newstest2021/{code}/mqm_newstest2021_{code}.avg_seg_scores.tsv")
        yield by_chrf(f"MQM, news {pair}", scores, news_texts(news, pair, list(scores.columns)))
    table = pd.read_csv(realsumm)
    for name in ("rouge_1_recall", "bert_recall_score"):
        people, judge = (
            table.pivot(index="doc", columns="system", values=one).to_numpy()
            for one in ("litepyramid_recall", name)
        )
        yield Judged("REALSumm", name, 30, people, judge)
    people, rng = scores.to_numpy(), np.random.default_rng(0)
    spread, means = (people - people.mean(axis=0)).std(), people.mean(axis=0)
    for correlation in (0.5, 0.7, 0.9):
        noise = rng.normal(0, spread * np.sqrt(1 / correlation**2 - 1), people.shape)
        favours = rng.normal(0, means.std(), means.size)
        name = f"simulated, r = {correlation:g}"
        yield Judged("MQM, news zh-en", name, len(people) // SHARE, people, people + noise + favours)


def found(given: Judged) -> FloatArray:
    """Means over random draws of labels: of the decisions of all labels, the shares that people alone, the
    corrected board and the judge alone find; the shares of their claims that all labels contradict; what
    the labels are worth; last how many pairs all labels decide."""
    systems = tuple(f"s{i}" for i in range(given.human.shape[1]))

    def board(human: FloatArray) -> ns.JudgedBoard:
        of = {"human": human, "judge": given.automatic}
        return ns.judge({name: ns.ScoreMatrix(values=x, systems=systems) for name, x in of.items()})

    whole = board(given.human).people_pairs

    def counts(pairs: PairsOfBoard) -> tuple[int, int, int]:
        alike = pairs.significant & (pairs.difference * whole.difference > 0)
        return (
            int((alike & whole.significant).sum()),
            int((pairs.significant & ~alike).sum()),
            int(pairs.significant.sum()),
        )

    rng, rows, worth = np.random.default_rng(1), [], []
    for _ in range(DRAWS):
        some = given.human.copy()
        some[rng.permutation(len(some))[given.n_labels :]] = np.nan
        drawn = board(some)
        worth.append(float(np.nanmedian(drawn.worth_of_pairs)))
        rows.append([counts(one) for one in (drawn.people_pairs, drawn.corrected, drawn.judge_pairs)])
    total = np.sum(rows, axis=0)
    right = total[:, 0] / (DRAWS * whole.significant.sum())
    wrong = total[:, 1] / np.maximum(total[:, 2], 1)
    return np.concatenate([100 * right, 100 * wrong, [np.mean(worth), whole.significant.sum()]])


def of_differences(given: Judged) -> float:
    """Correlation of people's and the judge's differences, the mean over pairs."""
    left, right = np.triu_indices(given.human.shape[1], 1)
    y, f = (values[:, left] - values[:, right] for values in (given.human, given.automatic))
    return float(np.mean([np.corrcoef(*pair)[0, 1] for pair in zip(y.T, f.T, strict=True)]))


def main() -> None:
    """Print the table."""
    sys.stdout.write(f"| {' | '.join(HEAD)} |\n{'| --- ' * len(HEAD)}|\n")
    for given in boards(*map(Path, sys.argv[1:4])):
        *shares, worth, decided = found(given)
        find, false = (
            " | ".join(f"{x:.0f} %" for x in shares[:3]),
            ", ".join(f"{x:.1f} %" for x in shares[3:]),
        )
        n_items, n_systems = given.human.shape
        n_pairs = n_systems * (n_systems - 1) // 2
        cells = (
            f"{given.people} ({n_systems} systems, {n_items:,} items)",
            f"{decided:.0f} of {n_pairs}",
            given.judge,
            f"{of_differences(given):.2f}",
            str(given.n_labels),
            find,
            false,
            f"{worth:.0f}",
        )
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
