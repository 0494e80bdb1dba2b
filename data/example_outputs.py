"""Simulated gold and outputs: labels, numbers, texts, tags and trees."""

from __future__ import annotations

import numpy as np
from example_files import AnswerTable, Archive

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


NOUNS = ("ferry", "council", "orchard", "museum", "bakery", "choir", "harbour", "library")
VERBS = ("praised", "visited", "opened", "sold", "painted", "left")
SENTENCES = 150
# Chance of finding a span, of its type being right, and of its end being right.
TAGGERS = {
    "Heron": (0.90, 0.95, 0.95),
    "Grebe": (0.90, 0.95, 0.72),
    "Lapwing": (0.80, 0.92, 0.92),
    "Stint": (0.62, 0.85, 0.90),
}
SPAN_TYPES = ("PER", "LOC", "ORG")


def _named_sentences(rng: np.random.Generator) -> list[list[tuple[str, str]]]:
    """Words with their tags: names of people (two words), places and organizations between common words."""
    found = []
    for _ in range(SENTENCES):
        words: list[tuple[str, str]] = []
        for part in range(int(rng.integers(1, 4))):
            kind = SPAN_TYPES[rng.integers(3)]
            second = FAMILY_NAMES[rng.integers(len(FAMILY_NAMES))]
            first = FIRST_NAMES[rng.integers(len(FIRST_NAMES))] if kind == "PER" else "New"
            last = {"PER": second, "LOC": f"{second}ford", "ORG": f"{second}bank"}[kind]
            words += [(first, f"B-{kind}"), (last, f"I-{kind}")]
            words += [(VERBS[rng.integers(len(VERBS))], "O"), ("the", "O"), (NOUNS[rng.integers(8)], "O")]
            if part == 0 and rng.random() < 0.4:
                words.insert(0, ("yesterday", "O"))
        found.append([*words, (".", "O")])
    return found


def _tagged(words: list[tuple[str, str]], luck: np.ndarray, chances: tuple[float, float, float]) -> list[str]:
    """A system's lines; luck (n_spans, 3): Uniform numbers, below a chance where it is right."""
    tags, span = ["O"] * len(words), 0
    for place, (_, tag) in enumerate(words):
        if not tag.startswith("B-"):
            continue
        found, typed, whole = luck[span] < chances
        span += 1
        if found:
            kind = tag[2:] if typed else SPAN_TYPES[(SPAN_TYPES.index(tag[2:]) + 1) % 3]
            tags[place] = f"B-{kind}"
            tags[place + 1] = f"I-{kind}" if whole else "O"
    return [f"{word} {tag}" for (word, _), tag in zip(words, tags, strict=True)]


def names_in_text(rng: np.random.Generator) -> Archive:
    """Tags: names in sentences; Grebe finds as many as Heron, and often half of them only."""
    sentences = _named_sentences(rng)
    spans = [sum(tag.startswith("B-") for _, tag in words) for words in sentences]
    ease = [rng.random((many, 1)) for many in spans]
    outputs = {
        name: [
            _tagged(words, 0.5 * easy + 0.5 * rng.random((len(easy), 3)), chances)
            for words, easy in zip(sentences, ease, strict=True)
        ]
        for name, chances in TAGGERS.items()
    }
    gold = [[f"{word} {tag}" for word, tag in words] for words in sentences]
    return Archive("conll", gold, outputs)


# Chance of the right head, and of the right relation.
PARSERS = {"Wigeon": (0.93, 0.95), "Teal": (0.92, 0.86), "Gadwall": (0.86, 0.95), "Smew": (0.75, 0.85)}
RELATIONS = ("det", "nsubj", "obj", "root", "punct", "amod", "advmod")
CLAUSE = (  # word class, head within the clause (0: the root), relation
    ("DET", 3, "det"),
    ("ADJ", 3, "amod"),
    ("NOUN", 4, "nsubj"),
    ("VERB", 0, "root"),
    ("DET", 6, "det"),
    ("NOUN", 4, "obj"),
    ("PUNCT", 4, "punct"),
)
OLD = ("old", "quiet", "famous", "small")


def parses(rng: np.random.Generator) -> Archive:
    """Trees: sentences of one clause, some without their adjective; Teal attaches well and labels badly."""
    gold: list[list[str]] = []
    outputs: dict[str, list[list[str]]] = {name: [] for name in PARSERS}
    for _ in range(SENTENCES):
        short = rng.random() < 0.4
        kept = [row for row in range(len(CLAUSE)) if not (short and row == 1)]
        number = {row + 1: place for place, row in enumerate(kept, 1)} | {0: 0}
        words = [_word(CLAUSE[row][0], rng) for row in kept]
        arcs = [(number[CLAUSE[row][1]], CLAUSE[row][2]) for row in kept]
        gold.append(_rows(words, arcs))
        ease = rng.random((len(arcs), 1))
        for name, chances in PARSERS.items():
            luck = 0.5 * ease + 0.5 * rng.random((len(arcs), 2))
            given = []
            for place, ((head, relation), (attached, labelled)) in enumerate(
                zip(arcs, luck < chances, strict=True), 1
            ):
                other = 1 + (head + int(rng.integers(1, len(arcs)))) % len(arcs)
                other = 1 + other % len(arcs) if other == place else other
                wrong = RELATIONS[(RELATIONS.index(relation) + 1) % len(RELATIONS)]
                given.append((head if attached else other, relation if labelled else wrong))
            outputs[name].append(_rows(words, given))
    return Archive("conllu", gold, outputs)


def _word(kind: str, rng: np.random.Generator) -> str:
    words = {"DET": ("the",), "ADJ": OLD, "NOUN": NOUNS, "VERB": VERBS, "PUNCT": (".",)}[kind]
    return words[rng.integers(len(words))]


def _rows(words: list[str], arcs: list[tuple[int, str]]) -> list[str]:
    return [
        f"{place}\t{word}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_"
        for place, (word, (head, relation)) in enumerate(zip(words, arcs, strict=True), 1)
    ]
