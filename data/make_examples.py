"""Make the example score files of this folder, and the list of them in examples.json.

    python data/make_examples.py [folder]

NumPy only, no network. Every file has its own seed, so the files do not depend on each other and running
the script again gives the same bytes. data/README.md tells the design of each file in words.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Table:
    """One score file: label columns first, then one column of scores for each system."""

    labels: Mapping[str, Sequence[str]]
    systems: tuple[str, ...]
    scores: FloatArray | IntArray
    decimals: int

    def lines(self) -> Iterable[str]:
        """The lines of the CSV file, header first, without line ends."""
        yield ",".join((*self.labels, *self.systems))
        label_rows = zip(*self.labels.values(), strict=True)
        for labels, row in zip(label_rows, self.scores.tolist(), strict=True):
            yield ",".join((*labels, *(f"{score:.{self.decimals}f}" for score in row)))


@dataclass(frozen=True)
class LongTable:
    """One score file with several metrics: a row per unit and system, a column per metric."""

    labels: Mapping[str, Sequence[str]]
    systems: tuple[str, ...]
    metrics: Mapping[str, FloatArray]
    decimals: int

    @property
    def scores(self) -> FloatArray:
        """The first metric, units × systems."""
        return next(iter(self.metrics.values()))

    def lines(self) -> Iterable[str]:
        """The lines of the CSV file, header first, without line ends."""
        yield ",".join((*self.labels, "system", *self.metrics))
        for row, labels in enumerate(zip(*self.labels.values(), strict=True)):
            for column, system in enumerate(self.systems):
                scores = (f"{metric[row, column]:.{self.decimals}f}" for metric in self.metrics.values())
                yield ",".join((*labels, system, *scores))


@dataclass(frozen=True)
class Example:
    """What the list in examples.json says about a file, and how the file is made.

    measures: Of gold and outputs, the official one first.
    """

    key: str
    title: str
    description: str
    make: Callable[[np.random.Generator], Table | LongTable | AnswerTable]
    seed: int
    metric: str
    block_column: str | None = None
    measures: tuple[str, ...] = ()


# Two systems, 200 units ---------------------------------------------------------------------------------

TWO_SYSTEM_UNITS = 200


def two_system_table(a: FloatArray, b: FloatArray, decimals: int) -> Table:
    """Columns item, A, B."""
    items = [f"i{number:03d}" for number in range(1, len(a) + 1)]
    return Table({"item": items}, ("A", "B"), np.column_stack([a, b]), decimals)


def normal_pair(effect: float) -> Callable[[np.random.Generator], Table]:
    """Normal scores: item effect with sd 12, noise of a system with sd 4, A above B by `effect` points."""

    def make(rng: np.random.Generator) -> Table:
        item = 60 + 12 * rng.standard_normal(TWO_SYSTEM_UNITS)
        noise = 4 * rng.standard_normal((2, TWO_SYSTEM_UNITS))
        return two_system_table(item + effect / 2 + noise[0], item - effect / 2 + noise[1], 3)

    return make


def beta_pair(shape_a: float, shape_b: float) -> Callable[[np.random.Generator], Table]:
    """Beta scores, correlated because both systems keep a random share of what the item offers.

    The item offers Beta(5, 3), a system keeps Beta(shape, 5 - shape) of it: in all Beta(shape, 8 - shape).
    """

    def make(rng: np.random.Generator) -> Table:
        offered = rng.beta(5, 3, TWO_SYSTEM_UNITS)
        kept = [rng.beta(shape, 5 - shape, TWO_SYSTEM_UNITS) for shape in (shape_a, shape_b)]
        return two_system_table(offered * kept[0], offered * kept[1], 4)

    return make


# A shared task: 16 systems, 2,001 segments in documents -------------------------------------------------

SEGMENTS = 2001
DOMAINS = ("news", "social", "speech", "literary")
SYSTEMS = {  # mean in metric points before scores are cut at 0 and 100, spread of the noise over segments
    "Dunlin-base": (50.8, 0.5),
    "Kestrel-2": (56.5, 0.0),
    "Heron-70B": (60.0, 0.0),
    "Wagtail-NMT": (46.0, 0.5),
    "Tern": (54.0, 0.0),
    "Tern-rerank": (54.2, 0.0),  # the outputs of Tern, a fifth of them changed: see RERANK_*
    "Curlew-13B": (56.5, 0.5),
    "Plover-large": (52.2, 0.0),
    "Sandpiper": (50.8, 0.0),
    "Heron-8B": (54.8, 0.0),
    "Godwit-MT": (56.5, 0.5),
    "Lapwing": (52.2, 0.5),
    "Siskin-1B": (43.0, 0.5),
    "Redstart": (51.5, 0.0),
    "Avocet": (58.4, 0.0),
    "Turnstone": (50.3, 0.0),  # better on most segments, fails on some: see FAILURE_*
}
RERANK_SHARE, RERANK_SD = 0.2, 5.0
FAILURE_SHARE, FAILURE_REST = 0.08, 0.25


def document_lengths(rng: np.random.Generator) -> IntArray:
    """Lengths between 4 and 24 segments that add up to SEGMENTS."""
    lengths: list[int] = []
    while SEGMENTS - sum(lengths) > 28:
        lengths.append(int(rng.integers(4, 25)))
    rest = SEGMENTS - sum(lengths)
    return np.array([*lengths, rest] if rest <= 24 else [*lengths, rest // 2, rest - rest // 2])


def shared_task(rng: np.random.Generator) -> Table:
    """score = system + document + segment + system in this document + noise, cut to 0..100.

    Where the spread is above 0 the width of the noise differs from segment to segment: longer tails.
    """
    names = tuple(SYSTEMS)
    means, spreads = np.array([*SYSTEMS.values()]).T
    lengths = document_lengths(rng)
    document = np.repeat(np.arange(len(lengths)), lengths)
    domain_of = np.sort(rng.integers(0, len(DOMAINS), len(lengths)))

    common = 5 * rng.standard_normal(len(lengths))[document] + 14 * rng.standard_normal(SEGMENTS)
    own_document = 1.6 * rng.standard_normal((len(lengths), len(names)))[document]
    width = 7.5 * np.exp(np.outer(rng.standard_normal(SEGMENTS), spreads) - spreads**2)
    scores = means + common[:, None] + own_document + width * rng.standard_normal((SEGMENTS, len(names)))

    tern, rerank, turnstone = (names.index(name) for name in ("Tern", "Tern-rerank", "Turnstone"))
    gain = (means[rerank] - means[tern]) / RERANK_SHARE + RERANK_SD * rng.standard_normal(SEGMENTS)
    scores[:, rerank] = scores[:, tern] + np.where(rng.random(SEGMENTS) < RERANK_SHARE, gain, 0)
    lost = FAILURE_SHARE * (1 - FAILURE_REST)  # the share of the score that failures cost on average
    scores[:, turnstone] += means[turnstone] * lost / (1 - lost)
    scores[:, turnstone] *= np.where(rng.random(SEGMENTS) < FAILURE_SHARE, FAILURE_REST, 1)

    ordinal = np.concatenate([np.arange(1, np.sum(domain_of == d) + 1) for d in range(len(DOMAINS))])
    labels = {
        "segment": [f"s{number:04d}" for number in range(1, SEGMENTS + 1)],
        "document": [f"{DOMAINS[domain_of[d]]}-{ordinal[d]:02d}" for d in document],
        "domain": [DOMAINS[domain_of[d]] for d in document],
    }
    return Table(labels, names, np.clip(scores, 0, 100), 2)


# A code leaderboard: 40 models, 500 tasks, pass or fail -------------------------------------------------

TASKS = 500
FAMILY_ABILITY = {  # ability of the largest model of each invented family
    "Rivet": 1.9,
    "Gantry": 1.7,
    "Trellis": 1.7,
    "Sprocket": 1.3,
    "Mallet": 1.0,
    "Ferrule": 0.8,
    "Dovetail": 0.8,
    "Auger": 0.4,
    "Plumb": 0.0,
    "Spindle": -0.4,
}
SIZE_STEP = {"70B": 0.0, "32B": 0.0, "8B": -0.6, "1B": -1.6}  # 70B and 32B of a family are truly equal


def code_leaderboard(rng: np.random.Generator) -> Table:
    """Two-parameter item response: P(pass) = 1 / (1 + exp(-slope (ability + taste - difficulty)))."""
    names = tuple(f"{family}-{size}" for family in FAMILY_ABILITY for size in SIZE_STEP)
    ability = np.array([base + step for base in FAMILY_ABILITY.values() for step in SIZE_STEP.values()])
    difficulty = 0.3 + 1.3 * rng.standard_normal(TASKS)
    slope = np.exp(0.2 + 0.35 * rng.standard_normal(TASKS))
    taste = np.repeat(0.5 * rng.standard_normal((TASKS, len(FAMILY_ABILITY))), len(SIZE_STEP), axis=1)
    logit = slope[:, None] * (ability + taste - difficulty[:, None])
    passed = (rng.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int64)
    order = rng.permutation(len(names))  # so that the column order is not the ranking
    tasks = [f"task-{number:03d}" for number in range(1, TASKS + 1)]
    return Table({"task": tasks}, tuple(names[i] for i in order), passed[:, order], 0)


# Several tracks: 7 systems, 6 test sets of 60 segments, two metrics ----------------------------------------

TRACKS = ("news", "patents", "subtitles", "medical", "encyclopedia", "support")
TRACK_SEGMENTS = 60
TRACK_SYSTEMS = {  # mean in metric points in each track
    "Alder": (62, 58, 60, 61, 63, 59),  # the best everywhere
    "Birch": (58, 54, 56, 50, 59, 55),  # better than Cedar, except in medicine
    "Cedar": (54, 50, 52, 55, 55, 51),
    "Elder": (54, 50, 52, 55, 55, 51),  # truly equal to Cedar
    "Hazel": (57, 53, 55, 56, 58, 54),  # long outputs: chrF likes them, TER doesn't
    "Larch": (50, 54, 48, 50, 50, 47),  # good at patents only
    "Rowan": (49, 45, 47, 50, 50, 46),
}
EXTRA_EDITS = 9.0  # what Hazel's long outputs cost in TER


def several_tracks(rng: np.random.Generator) -> LongTable:
    """chrF = track and system + segment + noise; TER = 105 - chrF + noise, more by EXTRA_EDITS for Hazel."""
    names = tuple(TRACK_SYSTEMS)
    means = np.repeat(np.array([*TRACK_SYSTEMS.values()], dtype=np.float64).T, TRACK_SEGMENTS, axis=0)
    units = len(means)
    chrf = means + 11 * rng.standard_normal((units, 1)) + 6 * rng.standard_normal(means.shape)
    ter = 105 - chrf + 4 * rng.standard_normal(means.shape)
    ter[:, names.index("Hazel")] += EXTRA_EDITS
    numbers = [f"{number:02d}" for number in range(1, TRACK_SEGMENTS + 1)]
    labels = {
        "dataset": [track for track in TRACKS for _ in numbers],
        "segment": [f"{track}-{number}" for track in TRACKS for number in numbers],
    }
    return LongTable(labels, names, {"chrF": np.clip(chrf, 0, 100), "TER": np.clip(ter, 0, None)}, 1)


# CoNLL-2000 chunking ------------------------------------------------------------------------------------

CHUNKING_COUNTS = {
    (0, 0): 1463,
    (1, 0): 994,
    (0, 1): 476,
    (1, 1): 46456,
}  # (hal00 right, dej00 right): tokens


def conll2000_chunking(rng: np.random.Generator) -> Table:
    """The published two-by-two table written out as 0/1 columns; only the order of the rows is random."""
    rows = np.repeat(np.array([*CHUNKING_COUNTS]), [*CHUNKING_COUNTS.values()], axis=0)
    items = [str(number) for number in range(1, len(rows) + 1)]
    return Table({"item": items}, ("hal00", "dej00"), rng.permutation(rows, axis=0), 0)


# The list -----------------------------------------------------------------------------------------------

# Gold and outputs of systems: labels, numbers, texts ------------------------------------------------------


@dataclass(frozen=True)
class AnswerTable:
    """One file of gold and outputs: label columns first, then gold, then one column of answers a system."""

    labels: Mapping[str, Sequence[str]]
    gold: Sequence[str]
    outputs: Mapping[str, Sequence[str]]

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.outputs)

    @property
    def scores(self) -> Sequence[str]:
        """What is counted as units."""
        return self.gold

    def lines(self) -> Iterable[str]:
        """The lines of the CSV file, header first, without line ends; no cell holds a comma."""
        yield ",".join((*self.labels, "gold", *self.outputs))
        for cells in zip(*self.labels.values(), self.gold, *self.outputs.values(), strict=True):
            yield ",".join(cells)


MOODS = {  # share of the messages, and how they sound
    "neutral": (0.50, ("the bus leaves at nine", "my notes are on the desk", "it rained a little")),
    "happy": (0.25, ("we won the match", "what a lovely evening", "the cake was perfect")),
    "sad": (0.17, ("i miss the old house", "nobody came to the show", "the garden has dried up")),
    "angry": (0.08, ("they lost my parcel again", "stop calling me at night", "the queue never moves")),
}
TAILS = ("", " today", " again", " as usual", " i think", " at last", " on monday", " in town")
# Chance of a right answer by label; the rest goes to the neighbours in the list, "neutral" most of all.
MOOD_TEAMS = {
    "Osprey": (0.90, 0.88, 0.85, 0.70),
    "Plover": (0.92, 0.86, 0.80, 0.62),
    "Sandpiper": (0.95, 0.84, 0.66, 0.20),
    "Turnstone": (0.84, 0.80, 0.78, 0.72),
    "Whimbrel": (0.80, 0.66, 0.58, 0.40),
    "majority": (1.00, 0.00, 0.00, 0.00),
}
MESSAGES = 400


def moods(rng: np.random.Generator) -> AnswerTable:
    """Labels: moods of short messages. Items share their difficulty, so teams err on the same ones."""
    names = list(MOODS)
    right = rng.choice(len(names), MESSAGES, p=[share for share, _ in MOODS.values()])
    texts = [MOODS[names[label]][1][rng.integers(3)] + TAILS[rng.integers(len(TAILS))] for label in right]
    ease = rng.random(MESSAGES)
    outputs: dict[str, list[str]] = {}
    for team, chances in MOOD_TEAMS.items():
        luck = 0.6 * ease + 0.4 * rng.random(MESSAGES)
        # The sum of two uniform numbers, put back on the scale of one.
        level = np.argsort(np.argsort(luck)) / MESSAGES
        wrong = np.where(rng.random(MESSAGES) < 0.7, 0, rng.integers(0, len(names), MESSAGES))
        wrong = np.where(wrong == right, (right + 1) % len(names), wrong)
        hit = level < np.array(chances)[right]
        given = right if team == "majority" else np.where(hit, right, wrong)
        outputs[team] = [names[0] if team == "majority" else names[label] for label in given]
    ids = [f"m{number:03d}" for number in range(1, MESSAGES + 1)]
    return AnswerTable({"id": ids, "text": texts}, [names[label] for label in right], outputs)


# Noise of a system, and how far its answers are drawn to the middle.
SIMILARITY_SYSTEMS = {
    "Bunting": (0.55, 1.0),
    "Dipper": (0.60, 1.0),
    "Fieldfare": (0.70, 0.9),
    "Linnet": (0.20, 0.5),
    "Siskin": (1.10, 1.0),
}
SENTENCE_PAIRS = 250


def similarity(rng: np.random.Generator) -> AnswerTable:
    """Numbers: how alike two sentences are, from 0 to 5; Linnet's answers are too near to the middle."""
    gold = np.round(rng.beta(1.6, 1.3, SENTENCE_PAIRS) * 5, 2)
    shared = 0.35 * rng.standard_normal(SENTENCE_PAIRS)
    outputs = {}
    for name, (noise, stretch) in SIMILARITY_SYSTEMS.items():
        given = 2.5 + stretch * (gold - 2.5 + shared) + noise * rng.standard_normal(SENTENCE_PAIRS)
        outputs[name] = [f"{value:.2f}" for value in np.clip(given, 0, 5)]
    genres = [("news", "forum", "captions")[rng.integers(3)] for _ in range(SENTENCE_PAIRS)]
    ids = [f"p{number:03d}" for number in range(1, SENTENCE_PAIRS + 1)]
    return AnswerTable({"id": ids, "genre": genres}, [f"{value:.2f}" for value in gold], outputs)


FIRST_NAMES = (
    *("Ada", "Bela", "Cora", "Dino", "Emil", "Fay", "Gero", "Hedy"),
    *("Ivo", "Juno", "Kai", "Lena", "Milo", "Nora", "Otis", "Petra"),
)
FAMILY_NAMES = (
    *("Almond", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel"),
    *("Ivy", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan", "Spruce"),
)
DEEDS = ("built the bridge", "wrote the song", "found the comet", "won the race", "led the choir")
# Chance of the right person, and of giving the whole name where it is right.
ANSWER_SYSTEMS = {
    "Razorbill": (0.80, 0.95),
    "Puffin": (0.78, 0.70),
    "Guillemot": (0.68, 0.95),
    "Fulmar": (0.55, 0.80),
}
QUESTIONS = 200


def answers(rng: np.random.Generator) -> AnswerTable:
    """Texts: names that answer questions; Puffin often gives half of a name only."""
    people = [f"{first} {family}" for first in FIRST_NAMES for family in FAMILY_NAMES]
    right = rng.integers(len(people), size=QUESTIONS)
    questions = [
        f"who {DEEDS[rng.integers(len(DEEDS))]} in {1900 + int(rng.integers(100))}?" for _ in range(QUESTIONS)
    ]
    ease = rng.random(QUESTIONS)
    outputs = {}
    for name, (chance, whole) in ANSWER_SYSTEMS.items():
        luck = 0.5 * ease + 0.5 * rng.random(QUESTIONS)
        hit = np.argsort(np.argsort(luck)) < chance * QUESTIONS
        others = rng.integers(len(people), size=QUESTIONS)
        full = rng.random(QUESTIONS) < whole
        given = [people[one] for one in np.where(hit, right, others)]
        outputs[name] = [text if keep else text.split()[1] for text, keep in zip(given, full, strict=True)]
    ids = [f"q{number:03d}" for number in range(1, QUESTIONS + 1)]
    return AnswerTable({"id": ids, "question": questions}, [people[one] for one in right], outputs)


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
)


# Battles of an arena: 8 models, prompts, judges -----------------------------------------------------------

BATTLE_SEED = 20230
MODELS = {  # strength as log odds, and how much longer than others its answers are
    "Avocet-70B": (1.1, 0.15),
    "Bittern-2": (0.75, 0.0),
    "Bittern-2-chat": (0.7, 0.5),  # no better than Bittern-2, but wordy
    "Crake-34B": (0.3, 0.0),
    "Dotterel-13B": (0.0, -0.1),
    "Egret-mini": (-0.2, 0.1),
    "Fulmar-7B": (-0.75, -0.2),
    "Gadwall-3B": (-1.3, -0.3),
}
BATTLES, PROMPTS = 2_400, 300
CATEGORIES = ("writing", "coding", "maths", "chat")
TASTE = 0.6  # what a prompt adds to the strength of every model, its standard deviation
FIRST, LONGER = 0.15, 1.2  # log odds of the answer shown first, and of one e times as long
TIED = 0.45  # half of the distance, as log odds, within which a battle is a tie


def battle_lines(rng: np.random.Generator) -> Iterable[str]:
    """Battles of an arena in CSV: who is shown first or writes more gains, and every prompt has its taste."""
    names = list(MODELS)
    strength, wordy = np.array(list(MODELS.values())).T
    taste = TASTE * rng.standard_normal((PROMPTS, len(names)))
    often = np.array([2, 2, 1, 2, 2, 1, 1, 1])  # new models have met fewer
    yield "model_a,model_b,winner,prompt,category,judge,length_a,length_b,time"
    time = 1_700_000_000
    for _ in range(BATTLES):
        prompt = int(rng.integers(PROMPTS))
        a, b = rng.choice(len(names), 2, replace=False, p=often / often.sum())
        words = np.exp(rng.normal(5.0, 0.35) + wordy[[a, b]] + rng.normal(0.0, 0.3, 2)).round().astype(int)
        d = strength[a] + taste[prompt, a] - strength[b] - taste[prompt, b]
        d += FIRST + LONGER * (words[0] - words[1]) / (words[0] + words[1])
        felt = d + rng.logistic()
        winner = "tie" if abs(felt) < TIED else "model_a" if felt > 0 else "model_b"
        judge = f"j{int(rng.integers(6)) + 1}"
        time += int(rng.integers(5, 400))
        category = CATEGORIES[prompt % len(CATEGORIES)]
        row = (names[a], names[b], winner, f"q{prompt + 1:03d}", category, judge, *words, time)
        yield ",".join(map(str, row))


def main(folder: Path) -> None:
    """Write every file and the list of them into `folder`.

    Battles stand in no list of scores: the page of preferences offers them.
    """
    battles = "\n".join([*battle_lines(np.random.default_rng(BATTLE_SEED)), ""])
    (folder / "battles.csv").write_text(battles, encoding="utf-8", newline="\n")
    entries = []
    for example in EXAMPLES:
        table = example.make(np.random.default_rng(example.seed))
        name = f"{example.key}.csv"
        (folder / name).write_text("\n".join([*table.lines(), ""]), encoding="utf-8", newline="\n")
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
