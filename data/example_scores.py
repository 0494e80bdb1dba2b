"""Simulated and published scores: what each example file of scores holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from example_files import FloatArray, IntArray, LongTable, Table

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
