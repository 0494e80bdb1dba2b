"""Measures of outputs against gold: one a file, one line each in the catalogue."""

import re
from typing import Any

from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.measures import (
    agreement,
    answers,
    attachment,
    by_label,
    correlations,
    edits,
    errors_of_items,
    label_sets,
    one_label,
    ordered,
    rouge,
    samples,
    spans,
    translation,
    word_errors,
)
from nlpstat_core.measures.record import Measure

# In the order of menus, by what gold and outputs are.
MEASURES: dict[str, Measure] = {
    method.key: method
    for method in (
        by_label.ACCURACY,
        by_label.BALANCED_ACCURACY,
        one_label.F1,
        by_label.MACRO_F1,
        by_label.MICRO_F1,
        by_label.WEIGHTED_F1,
        one_label.F_BETA,
        agreement.MCC,
        agreement.COHEN_KAPPA,
        agreement.QWK,
        one_label.JACCARD,
        label_sets.MACRO_F1,
        label_sets.MICRO_F1,
        label_sets.WEIGHTED_F1,
        label_sets.JACCARD,
        label_sets.ACCURACY,
        correlations.PEARSON,
        correlations.SPEARMAN,
        correlations.KENDALL,
        errors_of_items.RMSE,
        errors_of_items.MAE,
        errors_of_items.R2,
        errors_of_items.BRIER,
        errors_of_items.LOG_LOSS,
        errors_of_items.CALIBRATION_ERROR,
        ordered.ROC_AUC,
        ordered.AVERAGE_PRECISION,
        translation.BLEU,
        translation.CHRF,
        translation.CHRF_PLUS_PLUS,
        translation.TER,
        word_errors.WER,
        word_errors.CER,
        rouge.ROUGE_1,
        rouge.ROUGE_2,
        rouge.ROUGE_L,
        answers.EXACT_MATCH,
        answers.TOKEN_F1,
        spans.SPAN_F1,
        spans.SPAN_F1_STRICT,
        attachment.UAS,
        attachment.LAS,
        edits.METHOD,
        samples.PASS_AT,
        samples.PASS_ALL,
        samples.MAJORITY,
    )
}
_F = re.compile(r"f(\d+(?:\.\d+)?)")
_AT = re.compile(r"(pass@|pass\^|majority@)(\d+)")
# Names that people use for the same.
_ALSO = {"quadratic-weighted-kappa": "qwk", "kappa": "cohen-kappa", "auc": "roc-auc"}


def measure_named(measure: str | Measure) -> tuple[Measure, dict[str, Any]]:
    """A measure by its key, with the options that the key names ("pass@3", "f2"); raises ConfigError."""
    if isinstance(measure, Measure):
        return measure, {}
    if not isinstance(measure, str):
        raise ConfigError(f"A measure is named by its key, for example macro-f1, not {shown(repr(measure))}.")
    at = _AT.fullmatch(measure)
    if at is not None:
        return MEASURES[f"{at[1]}k"], {"k": int(at[2])}
    weighed = _F.fullmatch(measure)
    if weighed is not None and measure not in MEASURES and float(weighed[1]) > 0:
        return MEASURES["f-beta"], {"beta": float(weighed[1])}
    key = _ALSO.get(measure, measure)
    if key not in MEASURES:
        raise ConfigError(unknown("measure", measure, list(MEASURES)))
    return MEASURES[key], {}
