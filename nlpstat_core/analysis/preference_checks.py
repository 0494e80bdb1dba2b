"""check_preferences: whether battles fit the model of their board, and what its order rests on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from nlpstat_core.analysis.preference_gate import decisions_on
from nlpstat_core.analysis.preferences import rank_preferences
from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError, NlpstatError, ScoreError, shown
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.preferences.covariates import controlled
from nlpstat_core.methods.preferences.fit import fitted
from nlpstat_core.methods.preferences.misfit import cycles, matrix_of, residuals, sign_tests
from nlpstat_core.methods.preferences.planning import battles_needed, next_pair
from nlpstat_core.notes import Note
from nlpstat_core.results.preference_checks import BattleEffect, PreferenceChecks, PreferenceVariant
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battle_columns import RATERS, complete_columns, style_columns, style_differences
from nlpstat_core.scores.battle_tables import as_battles
from nlpstat_core.scores.battles import Battles, coded

MOST_RATERS = 20
SHOWN_FIRST = "shown first"


def check_preferences(
    battles: Any, board: Preferences, *, styles: Sequence[str] | None = None, variants: bool = True
) -> PreferenceChecks:
    """Check a board of preferences against its own battles.

    Parameters
    ----------
    battles : as for `rank_preferences`
        The battles of the board.
    board : Preferences
        Of `rank_preferences`; its settings hold here, too.
    styles : sequence of str or None
        What was measured of both answers ("length" for columns length_a and length_b), controlled beside the
        order of showing. None takes every such column.
    variants : bool
        Whether to rank again with one choice changed: ties, clusters, without one rater.

    Returns
    -------
    PreferenceChecks

    Raises
    ------
    ScoreError
        Battles of other systems than the board's, unknown styles.

    Notes
    -----
    Residuals are observed less fitted shares of points, with errors by cluster that know that strengths were
    fitted to the same battles, and the degrees of freedom of the pair; the smallest p after Holm is the test
    of fit. Sign tests of direct battles are
    exact: each cluster's wins less losses change their sign together. Order and style are covariates of a
    logistic regression with ties as half wins.

    Examples
    --------
    >>> from nlpstat_core import rank_preferences
    >>> battles = [("u", "v", "a")] * 30 + [("v", "u", "a")] * 20 + [("u", "v", "b")] * 10
    >>> battles += [("v", "u", "b")] * 5
    >>> checks = check_preferences(battles, rank_preferences(battles, clusters=None))
    >>> effect = checks.effects[0]
    >>> effect.name, effect.p_value < 0.05
    ('shown first', True)
    """
    given = as_battles(battles)
    if given.systems != board.systems or given.n_battles != board.n_battles:
        raise ScoreError("These are not the battles of the board; give those that it was ranked by.")
    fit = fitted(given, board.treatment)
    counts = fit.counts
    left_over = residuals(fit, given, board.chosen_clusters)
    t = np.abs(left_over.observed - left_over.fitted) / left_over.error
    rows = board.rows_of(counts.left, counts.right)
    shrunk = t * board.difference_error[rows] / board.pair_adjusted_error[rows]
    misfit_p = 2 * special.stdtr(board.pair_freedom[rows], -shrunk)
    sign_p = sign_tests(given, counts, board.chosen_clusters)
    n = given.n_systems
    shares = matrix_of(n, counts.left, counts.right, left_over.observed)
    decided = np.zeros((n, n), dtype=bool)
    decided[counts.left, counts.right] = decided[counts.right, counts.left] = sign_p <= board.alpha
    notes: list[Note] = []
    effects, strengths, errors = _controlled(given, board, styles, notes)
    names = given.systems
    asked = next_pair(fit, board.order, ~_separated(board))
    return PreferenceChecks(
        systems=names,
        left=counts.left,
        right=counts.right,
        battles=(counts.wins_left + counts.wins_right + counts.ties).astype(np.int64),
        observed=left_over.observed,
        fitted=left_over.fitted,
        residual_error=left_over.error,
        misfit_p=misfit_p,
        misfit_adjusted=adjust_p_values(misfit_p, "holm"),
        sign_p=sign_p,
        sign_adjusted=adjust_p_values(sign_p, "holm"),
        cycles=tuple((names[a], names[b], names[c]) for a, b, c in cycles(shares, decided)),
        effects=effects,
        controlled=strengths,
        controlled_error=errors,
        variants=_variants(given, board) if variants else (),
        order=board.order,
        needed=_needed(board),
        next_pair=None if asked is None else (names[asked[0]], names[asked[1]]),
        alpha=board.alpha,
        notes=tuple(notes),
    )


def _controlled(
    battles: Battles, board: Preferences, styles: Sequence[str] | None, notes: list[Note]
) -> tuple[tuple[BattleEffect, ...], FloatArray | None, FloatArray | None]:
    """Effects of order and style, and strengths without them; a note where they can't be told."""
    named = list(style_columns(battles)) if styles is None else list(styles)
    columns = np.column_stack([np.ones(battles.n_battles), style_differences(battles, named)])
    if not battles.outcome.any():
        text = "All battles are ties: nothing says what order or style does."
        notes.append(Note("order-unknown", "info", text))
        return (), None, None
    if abs(int(battles.outcome.sum())) == np.count_nonzero(battles.outcome):
        text = "All battles were won by the same side: nothing says which answer was shown first."
        notes.append(Note("order-unknown", "info", text))
        columns = columns[:, 1:]
    else:
        named = [SHOWN_FIRST, *named]
    if not named:
        return (), None, None
    try:
        found = controlled(battles, columns, board.chosen_clusters)
    except AnalysisError as refused:
        notes.append(Note("order-and-style", "info", str(refused)))
        return (), None, None
    quantile = float(special.stdtrit(found.freedom, 1 - board.alpha / 2))
    effects = []
    for place, name in enumerate(named):
        value, error = float(found.coefficient[place]), float(found.error[place])
        effects.append(
            BattleEffect(
                name=name,
                coefficient=value,
                error=error,
                lower=value - quantile * error,
                upper=value + quantile * error,
                p_value=float(2 * special.stdtr(found.freedom, -abs(value / error))),
            )
        )
    variance = np.diag(found.covariance)
    return tuple(effects), found.strength, np.sqrt(np.where(variance > 0, variance, np.nan))


def _separated(board: Preferences) -> Any:
    """Whether each place is found to differ from the next, shape (n_systems − 1,)."""
    rows = board.rows_of(board.order[:-1], board.order[1:])
    return board.significant[rows]


def _needed(board: Preferences) -> FloatArray:
    rows = board.rows_of(board.order[:-1], board.order[1:])
    level = board.alpha / max(1, int(np.count_nonzero(~np.isnan(board.p_value))))
    needed = battles_needed(
        board.difference[rows],
        board.pair_adjusted_error[rows],
        board.pair_freedom[rows],
        board.n_battles,
        level,
    )
    return np.where(board.significant[rows], 0.0, needed)


def _variants(battles: Battles, board: Preferences) -> tuple[PreferenceVariant, ...]:
    """The board with other ties, other clusters, and without each of a few raters."""
    chosen = board.chosen_clusters
    other = "davidson" if board.treatment == "half" else "half"
    words = {"half": "ties as half wins", "davidson": "ties with their own parameter"}
    tries: list[tuple[str, Battles, dict[str, Any]]] = []
    if (battles.outcome == 0).any():
        tries.append((words[other], battles, {"ties": other}))
    raters = next(iter(complete_columns(battles, RATERS)), None)
    if isinstance(chosen, str) and raters is not None and chosen != raters:
        tries.append((f"clusters by {chosen} and {raters}", battles, {"clusters": (chosen, raters)}))
    if chosen is not None:
        tries.append(("battles taken as independent", battles, {"clusters": None}))
    if raters is not None and (chosen is None or isinstance(chosen, str) or _by_names(chosen)):
        codes, kinds = coded(battles.labels[raters], f"Column {shown(raters)}")
        if len(kinds) <= MOST_RATERS:
            tries += [
                (f"without {raters} {shown(str(kind))}", battles.take(codes != number), {})
                for number, kind in enumerate(kinds)
                if (codes != number).any()
            ]
    return tuple(_variant(board, name, some, settings) for name, some, settings in tries)


def _by_names(chosen: object) -> bool:
    return isinstance(chosen, tuple) and all(isinstance(one, str) for one in chosen)


def _variant(board: Preferences, name: str, battles: Battles, settings: dict[str, Any]) -> PreferenceVariant:
    own: dict[str, Any] = {
        "ties": board.treatment,
        "clusters": board.chosen_clusters,
        "correction": board.correction,
        "alpha": board.alpha,
    }
    try:
        found = rank_preferences(battles, **{**own, **settings})
    except NlpstatError as error:
        return PreferenceVariant(changed=name, problem=str(error))
    return PreferenceVariant(
        changed=name,
        top_group=found.top_group,
        differ=int(found.significant.sum()),
        otherwise=_otherwise(board, found),
    )


def _otherwise(board: Preferences, other: Preferences) -> int:
    """Pairs of a board that another decides otherwise, of the systems that it has."""
    systems = tuple(name for name in board.systems if name in other.systems)
    pairs = np.triu_indices(len(systems), 1)
    return int(np.count_nonzero(decisions_on(board, systems, *pairs) != decisions_on(other, systems, *pairs)))
