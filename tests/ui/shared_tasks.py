"""Made-up shared tasks of every kind, as a competition platform exports them: a zip of zips."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

ITEMS = 60
TEAMS = {"Avocet": 0.9, "Dunlin": 0.75, "Godwit": 0.6}  # chance of keeping gold's answer
LABELS, SHARES = ("happy", "sad", "angry"), (0.6, 0.3, 0.1)
WORDS = ("the", "old", "boat", "left", "our", "harbour", "before", "dawn", "and", "rain", "fell", "softly")
TAGS = ("O", "O", "O", "B-PER", "B-LOC", "B-ORG")
RELATIONS = ("nsubj", "obj", "obl", "advmod")


@dataclass(frozen=True)
class SharedTask:
    """One task.

    gold, outputs: Files as people send them, by team.
    name: Of a team's file inside its archive.
    """

    gold: tuple[str, bytes]
    name: str
    outputs: Mapping[str, bytes]

    def export(self) -> bytes:
        """A folder a team, in it two attempts as archives; the later holds the outputs."""
        files: dict[str, bytes] = {}
        for team, data in self.outputs.items():
            for attempt, given in ((1, self.outputs["Godwit"]), (2, data)):
                inner = archive({f"answer/{self.name}": given, "metadata": b"x"})
                files[f"export/{team}/{attempt}/answer.zip"] = inner
        return archive(files)


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        for name, data in files.items():
            written.writestr(name, data)
    return target.getvalue()


def labels(rng: np.random.Generator) -> SharedTask:
    """CSV with ids; outputs in another order."""
    gold = rng.choice(LABELS, ITEMS, p=SHARES)

    def table(column: list[str]) -> bytes:
        rows = [f"m{place:02d},{cell}" for place, cell in enumerate(column)]
        return "\n".join(["id,label", *rng.permutation(rows)]).encode()

    given = {
        team: table([own if rng.random() < chance else str(rng.choice(LABELS)) for own in gold])
        for team, chance in TEAMS.items()
    }
    return SharedTask(("gold.csv", table(list(gold))), "predictions.csv", given)


def label_sets(rng: np.random.Generator) -> SharedTask:
    """A column of 0 and 1 for each label, with ids."""
    gold = (rng.random((ITEMS, len(LABELS))) < 0.4).astype(int)

    def table(flags: np.ndarray) -> bytes:
        rows = [f"m{place:02d},{','.join(map(str, row))}" for place, row in enumerate(flags.tolist())]
        return "\n".join([",".join(["id", *LABELS]), *rng.permutation(rows)]).encode()

    given = {
        team: table(np.where(rng.random(gold.shape) < chance, gold, 1 - gold))
        for team, chance in TEAMS.items()
    }
    return SharedTask(("gold.csv", table(gold)), "predictions.csv", given)


def numbers(rng: np.random.Generator) -> SharedTask:
    """One number a line, as text."""
    gold = np.round(5 * rng.beta(1.6, 1.3, ITEMS), 2)
    given = {
        team: "\n".join(f"{x:.3f}" for x in gold + 2 * (1 - chance) * rng.standard_normal(ITEMS)).encode()
        for team, chance in TEAMS.items()
    }
    return SharedTask(("gold.txt", "\n".join(f"{x}" for x in gold).encode()), "predictions.txt", given)


def texts(rng: np.random.Generator) -> SharedTask:
    """One sentence a line."""
    gold = [[str(rng.choice(WORDS)) for _ in range(rng.integers(6, 13))] for _ in range(ITEMS)]

    def lines(sentences: list[list[str]]) -> bytes:
        return "".join(" ".join(words) + ".\n" for words in sentences).encode()

    given = {
        team: lines(
            [[w if rng.random() < chance else str(rng.choice(WORDS)) for w in words] for words in gold]
        )
        for team, chance in TEAMS.items()
    }
    return SharedTask(("reference.txt", lines(gold)), "predictions.txt", given)


def _sentences(rng: np.random.Generator) -> list[list[str]]:
    return [[str(rng.choice(WORDS)) for _ in range(rng.integers(4, 10))] for _ in range(ITEMS)]


def _file(sentences: list[list[str]]) -> bytes:
    return "".join("\n".join(rows) + "\n\n" for rows in sentences).encode()


def tags(rng: np.random.Generator) -> SharedTask:
    """CoNLL columns: word and tag."""
    words = _sentences(rng)
    gold = [[str(rng.choice(TAGS)) for _ in row] for row in words]

    def columns(tagged: list[list[str]]) -> bytes:
        return _file(
            [[f"{w} {t}" for w, t in zip(*both, strict=True)] for both in zip(words, tagged, strict=True)]
        )

    given = {
        team: columns([[t if rng.random() < chance else "O" for t in row] for row in gold])
        for team, chance in TEAMS.items()
    }
    return SharedTask(("gold.conll", columns(gold)), "predictions.conll", given)


def trees(rng: np.random.Generator) -> SharedTask:
    """CoNLL-U: every word hangs on its left neighbour, or somewhere else where a team errs."""
    words = _sentences(rng)

    def rows(sentence: list[str], chance: float) -> list[str]:
        found = []
        for place, word in enumerate(sentence, 1):
            head = place - 1 if rng.random() < chance else 0
            relation = "root" if head == 0 else RELATIONS[place % len(RELATIONS)]
            found.append(f"{place}\t{word}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_")
        return found

    gold = _file([rows(sentence, 1.0) for sentence in words])
    given = {team: _file([rows(one, chance) for one in words]) for team, chance in TEAMS.items()}
    return SharedTask(("gold.conllu", gold), "predictions.conllu", given)


TASKS: Mapping[str, Callable[[np.random.Generator], SharedTask]] = {
    "labels": labels,
    "label-sets": label_sets,
    "numbers": numbers,
    "texts": texts,
    "tags": tags,
    "trees": trees,
}


def shared_task(kind: str) -> SharedTask:
    """The same task every time."""
    return TASKS[kind](np.random.default_rng(11))
