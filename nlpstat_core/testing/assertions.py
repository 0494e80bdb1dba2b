"""assert_not_worse and assert_better: the gate's decision about two lists of scores as an assertion."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from nlpstat_core.analysis.gate import Gate, gate
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, ScoreError, shown, some_shown, unknown
from nlpstat_core.report.wording.gate import gate_line
from nlpstat_core.scores.frames import by_item
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.runs import Runs

Undecided = Literal["fail", "xfail"]
UNDECIDED = ("fail", "xfail")
CANDIDATE, BASELINE, DOCUMENT = "the candidate", "the baseline", "document"


def assert_not_worse(
    candidate: Any,
    baseline: Any,
    *,
    margin: float,
    documents: Any = None,
    lower_is_better: bool = False,
    undecided: Undecided = "fail",
    **settings: Any,
) -> Gate:
    """Assert that a system is at most a margin worse than a baseline, as `gate` decides it.

    The null hypothesis: the candidate is worse than the baseline by `margin` or more.

    Parameters
    ----------
    candidate, baseline : sequence of float, mapping of item id to score, or pandas Series
        Scores on the same items: paired by ids where there are some, else by order. Items × runs, or a list
        of runs an item, where systems ran several times.
    margin : float
        Largest loss that doesn't matter, points of the metric.
    documents : sequence or mapping of item id to document, optional
        What items belong together; documents are then compared.
    lower_is_better : bool
    undecided : {"fail", "xfail"}
        What happens where the scores decide nothing: the assertion fails, or pytest marks the test as
        expected to fail. Both say how many items would decide.
    **settings
        Fields of AnalysisConfig, for example ``alpha=0.01``.

    Returns
    -------
    Gate

    Raises
    ------
    AssertionError
        The candidate is worse by more than the margin, or nothing is decided.
    ScoreError
        Scores that don't belong together: other ids, other lengths.
    ConfigError
        Settings that can't be used.

    Examples
    --------
    >>> new = {"q1": 0.75, "q2": 0.5, "q3": 0.875, "q4": 0.625, "q5": 0.75, "q6": 0.5, "q7": 0.25, "q8": 0.5}
    >>> old = {item: score - 0.01 for item, score in new.items()}
    >>> assert_not_worse(new, old, margin=0.05).decision
    'pass'
    """
    if undecided not in UNDECIDED:
        raise ConfigError(unknown("way to take undecided", str(undecided), UNDECIDED))
    scores = _matrix(candidate, baseline, documents, lower_is_better)
    if documents is not None:
        settings = {"block_column": DOCUMENT, **settings}
    found = gate(scores, baseline=BASELINE, margin=margin, config=AnalysisConfig.from_mapping(settings))
    if found.decision == "pass":
        return found
    line = str(gate_line(found))
    if found.decision == "undecided" and undecided == "xfail":
        import pytest

        pytest.xfail(line)
    raise AssertionError(line)


def assert_better(
    candidate: Any,
    baseline: Any,
    *,
    documents: Any = None,
    lower_is_better: bool = False,
    undecided: Undecided = "fail",
    **settings: Any,
) -> Gate:
    """Assert that a system is better than a baseline: `assert_not_worse` with a margin of 0.

    The null hypothesis: the candidate isn't better than the baseline.

    Parameters
    ----------
    candidate, baseline, documents, lower_is_better, undecided, **settings
        As for `assert_not_worse`.

    Returns
    -------
    Gate

    Raises
    ------
    AssertionError
        The candidate is worse, or nothing is decided.
    ScoreError, ConfigError
        As for `assert_not_worse`.

    Examples
    --------
    >>> assert_better([3, 4, 5, 6, 9, 7, 8], [1, 2, 3, 5, 5, 6, 6]).candidates[0].superior
    True
    """
    return assert_not_worse(
        candidate,
        baseline,
        margin=0,
        documents=documents,
        lower_is_better=lower_is_better,
        undecided=undecided,
        **settings,
    )


def _matrix(candidate: Any, baseline: Any, documents: Any, lower: bool) -> ScoreMatrix:
    """Both systems' scores as a matrix, paired by ids or by order."""
    given = {CANDIDATE: candidate, BASELINE: baseline}
    named = {name: by_item(scores) for name, scores in given.items()}
    ids = list(named[BASELINE] or ())
    if (named[CANDIDATE] is None) != (named[BASELINE] is None):
        raise ScoreError("Only one of the two has ids of items; give both with ids, or both as lists.")
    rows = {}
    for name, scores in given.items():
        by_id = named[name]
        if by_id is not None:
            _check_ids(name, by_id, ids)
            scores = [by_id[item] for item in ids]
        rows[name] = _rows(name, scores)
    if len(rows[CANDIDATE]) != len(rows[BASELINE]):
        raise ScoreError(
            f"{CANDIDATE.capitalize()} has {len(rows[CANDIDATE]):,} scores and {BASELINE} "
            f"{len(rows[BASELINE]):,}; give both the same items, or ids that pair them."
        )
    labels = {}
    if documents is not None:
        of_item = by_item(documents)
        if of_item is not None and not ids:
            raise ScoreError("Documents have ids and the scores have none; give both ids, or lists.")
        if of_item is not None:
            _check_ids("documents", of_item, ids)
            documents = [of_item[item] for item in ids]
        labels[DOCUMENT] = tuple(map(str, documents))
    runs = None
    if any(table.shape[1] > 1 for table in rows.values()):
        names = tuple(tuple(str(run + 1) for run in range(table.shape[1])) for table in rows.values())
        runs = Runs(values=tuple(rows.values()), names=names)
    return ScoreMatrix(
        values=np.stack([table[:, 0] for table in rows.values()], axis=1) if runs is None else runs.means,
        systems=(CANDIDATE, BASELINE),
        units=tuple(ids) or None,
        labels=labels,
        lower_is_better=lower,
        runs=runs,
    )


def _check_ids(name: str, by_id: Mapping[str, Any], ids: Sequence[str]) -> None:
    """Both have the same items; a hole would make them other systems' scores in silence."""
    if missing := [item for item in ids if item not in by_id]:
        raise ScoreError(f"{name.capitalize()} lacks items that {BASELINE} has: {some_shown(missing)}.")
    known = set(ids)
    if more := [item for item in by_id if item not in known]:
        raise ScoreError(f"{name.capitalize()} has items that {BASELINE} lacks: {some_shown(more)}.")


def _rows(name: str, scores: Any) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Scores as items × runs; NaN for None and where an item has fewer runs."""
    rows = [list(one) if isinstance(one, Sequence | np.ndarray) else [one] for one in scores]
    table = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for i, row in enumerate(rows):
        for j, score in enumerate(row):
            if isinstance(score, str) or not (score is None or np.isreal(score)):
                raise ScoreError(f"{name.capitalize()}, item {i + 1}: {shown(score)} is not a score.")
            table[i, j] = np.nan if score is None else score
    if not table.size:
        raise ScoreError(f"{name.capitalize()} has no scores.")
    return table
