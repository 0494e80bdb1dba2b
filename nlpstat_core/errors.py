"""What the core raises: each error is one sentence that says what, where and what next."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_SHOWN = 40


class NlpstatError(ValueError):
    """Something the caller gave can't be used; the message is meant to be read by users."""


class ScoreError(NlpstatError):
    """Scores that can't be a score matrix."""


class ScoreFileError(ScoreError):
    """A score file that can't be read."""


class ConfigError(NlpstatError):
    """A setting that can't be used."""


class AnalysisError(NlpstatError):
    """Scores and settings that are fine on their own but can't be analysed together."""


class Cancelled(Exception):
    """The caller's `should_stop` said that the work is no longer wanted."""


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
    whole = str(text)
    cut = whole if len(whole) <= LONGEST_SHOWN else whole[: LONGEST_SHOWN - 1] + "…"
    return repr(cut)


def unknown(kind: str, given: object, valid: Iterable[str]) -> str:
    """Sentence for a name that is not in a closed list, with the nearest valid name.

    Parameters
    ----------
    kind : str
        What the name stands for ("test", "correction").
    given : object
        The name that was given.
    valid : iterable of str
        All names that would do.

    Returns
    -------
    str

    Examples
    --------
    >>> unknown("test", "wilcoxn", ["t", "wilcoxon"])
    "Unknown test 'wilcoxn'. Did you mean 'wilcoxon'? Available: t, wilcoxon."
    """
    names = list(valid)
    near = difflib.get_close_matches(str(given), names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"Unknown {kind} {shown(given)}.{hint} Available: {', '.join(names)}."
