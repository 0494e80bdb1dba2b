"""Make the example score files of this folder, and the list of them in examples.json.

    python data/make_examples.py [folder]

NumPy only, no network. Every file has its own seed, so the files do not depend on each other and running
the script again gives the same bytes. data/README.md tells the design of each file in words.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from example_battles import BATTLE_SEED, battle_lines
from example_files import AnswerTable, Archive, LongTable, Table
from example_outputs import answers, moods, names_in_text, parses, similarity
from example_scores import (
    beta_pair,
    code_leaderboard,
    conll2000_chunking,
    normal_pair,
    several_tracks,
    shared_task,
)


@dataclass(frozen=True)
class Example:
    """What the list in examples.json says about a file, and how the file is made.

    measures: Of gold and outputs, the official one first.
    """

    key: str
    title: str
    description: str
    make: Callable[[np.random.Generator], Table | LongTable | AnswerTable | Archive]
    seed: int
    metric: str
    block_column: str | None = None
    measures: tuple[str, ...] = ()


EXAMPLES = (
    Example(
        "shared-task",
        "Shared task, 16 systems",
        "Simulated chrF-like scores of 16 translation systems on 2,001 segments in documents: "
        "clusters, true ties, one very close pair and one system that fails now and then.",
        shared_task,
        seed=20200,
        metric="chrF",
        block_column="document",
    ),
    Example(
        "code-leaderboard",
        "Code leaderboard, 40 models",
        "Simulated pass/fail results of 40 models on 500 programming tasks of different difficulty.",
        code_leaderboard,
        seed=20201,
        metric="pass",
    ),
    Example(
        "several-tracks",
        "Several tracks and metrics, 7 systems",
        "Simulated chrF and TER scores of 7 translation systems on six test sets of 60 segments: one system "
        "is the best everywhere, one beats two others except in medicine, these two are equal, and the "
        "metrics disagree about a fifth.",
        several_tracks,
        seed=20210,
        metric="chrF",
    ),
    Example(
        "conll2000-chunking",
        "CoNLL-2000 chunking, two chunkers",
        "The published counts of right tags of two chunkers, written out as 0/1 scores of 49,389 tokens.",
        conll2000_chunking,
        seed=20202,
        metric="correct",
    ),
    Example(
        "normal-null",
        "Normal scores, no difference",
        "Two simulated systems with equal means and normal differences on 200 items.",
        normal_pair(0.0),
        seed=20203,
        metric="score",
    ),
    Example(
        "normal-greater",
        "Normal scores, A above B",
        "Two simulated systems with normal differences on 200 items; A is better by 3 points.",
        normal_pair(3.0),
        seed=20204,
        metric="score",
    ),
    Example(
        "normal-less",
        "Normal scores, A below B",
        "Two simulated systems with normal differences on 200 items; A is worse by 3 points.",
        normal_pair(-3.0),
        seed=20205,
        metric="score",
    ),
    Example(
        "beta-null",
        "Beta scores, no difference",
        "Two simulated systems with equal beta distributions between 0 and 1 on 200 items.",
        beta_pair(4.5, 4.5),
        seed=20209,
        metric="score",
    ),
    Example(
        "beta-greater",
        "Beta scores, A above B",
        "Two simulated systems with skewed differences on 200 items; the true mean of A is higher by 0.11.",
        beta_pair(4.9, 4.0),
        seed=20207,
        metric="score",
    ),
    Example(
        "beta-less",
        "Beta scores, A below B",
        "Two simulated systems with skewed differences on 200 items; the true mean of A is lower by 0.11.",
        beta_pair(4.0, 4.9),
        seed=20208,
        metric="score",
    ),
    Example(
        "moods-gold-and-outputs",
        "Gold and labels of 6 teams",
        "Simulated moods of 400 short messages with the answers of six teams: the ranks by accuracy and by "
        "macro-F1 differ, because one team hardly finds the rare label.",
        moods,
        seed=20211,
        metric="macro-F1",
        measures=("macro-f1", "accuracy", "mcc"),
    ),
    Example(
        "similarity-gold-and-outputs",
        "Gold and numbers of 5 systems",
        "Simulated similarities of 250 sentence pairs from 0 to 5: the system with the highest correlation "
        "isn't the one with the smallest error, because its answers are too narrow.",
        similarity,
        seed=20212,
        metric="Pearson correlation",
        measures=("pearson", "mae", "rmse"),
    ),
    Example(
        "answers-gold-and-outputs",
        "Gold and texts of 4 systems",
        "Simulated short answers to 200 questions: one system often gives half of a name, which exact match "
        "counts as wrong and token F1 as partly right.",
        answers,
        seed=20213,
        metric="exact match",
        measures=("exact-match", "token-f1"),
    ),
    Example(
        "names-gold-and-outputs",
        "Gold and tags of 4 systems (CoNLL)",
        "Simulated names in 150 sentences, tagged by four systems: one finds as many names as the best, "
        "often gets their end wrong, and is below one that finds fewer.",
        names_in_text,
        seed=20214,
        metric="span F1",
        measures=("span-f1", "span-f1-strict"),
    ),
    Example(
        "parses-gold-and-outputs",
        "Gold and trees of 4 parsers (CoNLL-U)",
        "Simulated dependency trees of 150 sentences: two parsers attach equally well, and one of them names "
        "the relations worse, so that they differ by LAS and not by UAS.",
        parses,
        seed=20215,
        metric="LAS",
        measures=("las", "uas"),
    ),
)


def main(folder: Path) -> None:
    """Write every file and the list of them into `folder`.

    Battles stand in no list of scores: the page of preferences offers them.
    """
    battles = "\n".join([*battle_lines(np.random.default_rng(BATTLE_SEED)), ""])
    (folder / "battles.csv").write_text(battles, encoding="utf-8", newline="\n")
    entries = []
    for example in EXAMPLES:
        table = example.make(np.random.default_rng(example.seed))
        if isinstance(table, Archive):
            name, data = f"{example.key}.zip", table.data()
        else:
            name, data = f"{example.key}.csv", "\n".join([*table.lines(), ""]).encode()
        (folder / name).write_bytes(data)
        entries.append(
            {
                "key": example.key,
                "file": name,
                "title": example.title,
                "description": example.description,
                "metric": example.metric,
                "systems": len(table.systems),
                "units": len(table.scores),
                "block_column": example.block_column,
                "seed": example.seed,
                **({"measures": list(example.measures)} if example.measures else {}),
            }
        )
    text = json.dumps(entries, indent=2, ensure_ascii=False) + "\n"
    (folder / "examples.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
