"""What the core raises: each error is one sentence that says what, where and what next."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

LONGEST_SHOWN = 40


@dataclass(frozen=True)
class Remedy:
    """What would mend an error: a keyword, and the value it wants where that is known.

    form: Said as an advice of its own; aside, in parentheses, where the sentence says already what to choose;
        or unsaid.
    when: What an aside is right for.
    cell: Text of the cell that is the trouble.

    >>> str(Remedy("roles", "unit=id")), str(Remedy("max_rows")), str(Remedy("unit_size", 1, "aside"))
    ("say roles='unit=id'", 'raise max_rows', 'unit_size=1')
    """

    keyword: str
    value: str | int | tuple[str, ...] | None = None
    form: Literal["said", "aside", "unsaid"] = "said"
    when: str = ""
    cell: str = ""

    @property
    def is_bound(self) -> bool:
        """Whether it is to allow more."""
        return self.keyword.startswith("max_")

    def called(self, name: str) -> str:
        """The advice of a front that has this name for the keyword with its value."""
        if self.form == "unsaid":
            return ""
        verb = "" if self.form == "aside" else "raise " if self.is_bound else "say "
        return f"{verb}{name} {self.when}".rstrip()

    def __str__(self) -> str:
        """The advice in Python."""
        return self.called(self.keyword if self.value is None else f"{self.keyword}={self.value!r}")


class Sentence(str):
    """Text with remedies in it: in the words of Python, and of every front that has its own.

    >>> said = Sentence("no systems; add a column, or ", Remedy("system_column"), ".")
    >>> print(said, "|", said.in_words(lambda remedy: f"press {remedy.keyword}"))
    no systems; add a column, or say system_column. | no systems; add a column, or press system_column.
    """

    parts: tuple[str | Remedy, ...]

    def __new__(cls, *parts: str | Remedy) -> Sentence:
        """Join text and remedies, which other sentences may hold, too."""
        flat = [one for part in parts for one in (part.parts if isinstance(part, Sentence) else (part,))]
        made = super().__new__(cls, _joined(flat, str))
        made.parts = tuple(flat)
        return made

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What would mend it."""
        return tuple(part for part in self.parts if isinstance(part, Remedy))

    def remedy(self, keyword: str) -> Remedy | None:
        """The remedy by this keyword, if it is one."""
        return next((remedy for remedy in self.remedies if remedy.keyword == keyword), None)

    def in_words(self, words: Callable[[Remedy], str]) -> str:
        """The text in a front's words; an aside without any is left out."""
        return _joined(self.parts, words)


def _joined(parts: Iterable[str | Remedy], words: Callable[[Remedy], str]) -> str:
    text = ""
    for aside, group in groupby(parts, lambda part: isinstance(part, Remedy) and part.form == "aside"):
        said = [said for part in group if (said := words(part) if isinstance(part, Remedy) else part)]
        text += f" ({', or '.join(said)})" if aside and said else "".join(said)
    return text


class NlpstatError(ValueError):
    """Something the caller gave can't be used; the message is meant to be read by users.

    Examples
    --------
    >>> issubclass(ScoreFileError, NlpstatError), issubclass(NlpstatError, ValueError)
    (True, True)
    """

    def __init__(self, *parts: str | Remedy) -> None:
        super().__init__(Sentence(*parts))

    @property
    def sentence(self) -> Sentence:
        """The message with what would mend it."""
        sentence: Sentence = self.args[0]
        return sentence


class ScoreError(NlpstatError):
    """Scores that can't be a score matrix.

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix
    >>> ScoreMatrix(values=[[0.5], [0.7]], systems=["A"])
    Traceback (most recent call last):
    nlpstat_core.errors.ScoreError: A comparison needs at least two systems; there is 1.
    """


class ScoreFileError(ScoreError):
    """A score file that can't be read.

    Examples
    --------
    >>> from nlpstat_core import read_scores
    >>> try:
    ...     read_scores((b"item,A,B\\nx,1,2\\ny,3a,4\\n", "scores.csv"))
    ... except ScoreFileError as error:
    ...     print("line 3" in str(error), "'3a'" in str(error))
    True True
    """


class BoundsExceeded(ScoreFileError):
    """A score file that takes more room, memory or time than reading it may.

    >>> from nlpstat_core import read_scores
    >>> read_scores((b"item,A,B\\nx,1,2\\n", "a.csv"), max_rows=1)
    Traceback (most recent call last):
    nlpstat_core.errors.BoundsExceeded: 'a.csv': 2 lines are more than 1; split the file or raise max_rows.
    """


class ConfigError(NlpstatError):
    """A setting that can't be used.

    Examples
    --------
    >>> from nlpstat_core import AnalysisConfig
    >>> AnalysisConfig(alpha=2)
    Traceback (most recent call last):
    nlpstat_core.errors.ConfigError: alpha must be a number above 0 and below 1, not '2'.
    """


class AnalysisError(NlpstatError):
    """Scores and settings that are fine on their own but can't be analysed together.

    Examples
    --------
    >>> from nlpstat_core import compare
    >>> compare([1, 2, 3], [1, 2])
    Traceback (most recent call last):
    nlpstat_core.errors.AnalysisError: compare needs two one-dimensional arrays of equal length, not ...
    """


class Cancelled(Exception):
    """The caller's `should_stop` said that the work is no longer wanted.

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, analyse
    >>> scores = ScoreMatrix(values=[[0.5, 0.4], [0.7, 0.6]], systems=["A", "B"])
    >>> try:
    ...     analyse(scores, should_stop=lambda: True)
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """


def shown(text: object) -> str:
    """Text from a user's file as it may appear in a message: escaped, in quotes, at most 40 characters.

    text: What to show; its `str` is taken.
    Returns: Python-style quoted text without control characters.

    >>> shown("A\\tB")
    "'A\\\\tB'"
    """
    whole = _as_text(text)
    cut = whole if len(whole) <= LONGEST_SHOWN else whole[: LONGEST_SHOWN - 1] + "…"
    return repr(cut)


def some_shown(names: Sequence[object], most: int = 5) -> str:
    """The first of several names for a message, with an ellipsis where there are more.

    >>> some_shown(["A", "B"]), some_shown(["A", "B", "C"], most=2)
    ("'A', 'B'", "'A', 'B' …")
    """
    return ", ".join(map(shown, names[:most])) + (" …" if len(names) > most else "")


def about_file(name: str, error: ScoreError) -> ScoreFileError:
    """The same complaint about a score file with the file's name, if it has one, in front."""
    kind = BoundsExceeded if isinstance(error, BoundsExceeded) else ScoreFileError
    return kind(f"{shown(name)}: " if name else "", error.sentence)


def _as_text(thing: object) -> str:
    try:
        return str(thing)
    except (ValueError, RecursionError):  # a whole number of thousands of digits, lists within lists
        return "too long to be shown"


def unknown(kind: str, given: object, valid: Iterable[str]) -> str:
    """Sentence for a name that is not in a closed list, with the nearest valid name.

    kind: What the name stands for ("test", "correction").
    given: The name that was given.
    valid: All names that would do.

    >>> unknown("test", "wilcoxn", ["t", "wilcoxon"])
    "Unknown test 'wilcoxn'. Did you mean 'wilcoxon'? Available: t, wilcoxon."
    """
    names = list(valid)
    near = difflib.get_close_matches(_as_text(given)[:200], names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    there = f"Available: {', '.join(names)}." if names else "There is none."
    return f"Unknown {kind} {shown(given)}.{hint} {there}"
