"""What the core raises: each error is one sentence that says what, where and what next."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

LONGEST_SHOWN = 40


class NlpstatError(ValueError):
    """Something the caller gave can't be used; the message is meant to be read by users.

    Examples
    --------
    >>> issubclass(ScoreFileError, NlpstatError), issubclass(NlpstatError, ValueError)
    (True, True)
    """


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

    Parameters
    ----------
    text : object
        What to show; its `str` is taken.

    Returns
    -------
    str
        Python-style quoted text without control characters.

    Examples
    --------
    >>> shown("A\\tB")
    "'A\\\\tB'"
    """
    whole = _as_text(text)
    cut = whole if len(whole) <= LONGEST_SHOWN else whole[: LONGEST_SHOWN - 1] + "…"
    return repr(cut)


def some_shown(names: Sequence[object], most: int = 5) -> str:
    """The first of several names for a message, with an ellipsis where there are more.

    Examples
    --------
    >>> some_shown(["A", "B"]), some_shown(["A", "B", "C"], most=2)
    ("'A', 'B'", "'A', 'B' …")
    """
    return ", ".join(map(shown, names[:most])) + (" …" if len(names) > most else "")


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

    Examples
    --------
    >>> unknown("test", "wilcoxn", ["t", "wilcoxon"])
    "Unknown test 'wilcoxn'. Did you mean 'wilcoxon'? Available: t, wilcoxon."
    """
    names = list(valid)
    near = difflib.get_close_matches(_as_text(given)[:200], names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"Unknown {kind} {shown(given)}.{hint} Available: {', '.join(names)}."
