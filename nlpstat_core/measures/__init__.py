"""Measures of outputs against gold: one a file, one line each in the catalogue."""

import re
from typing import Any

from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.measures import (
    accuracy,
    answers,
    attachment,
    average_precision,
    balanced_accuracy,
    bleu,
    brier,
    calibration_error,
    cer,
    chrf,
    chrf_plus_plus,
    cohen_kappa,
    edits,
    f1,
    f_beta,
    jaccard,
    kendall,
    label_sets,
    log_loss,
    macro_f1,
    mae,
    mcc,
    micro_f1,
    pearson,
    qwk,
    r2,
    rmse,
    roc_auc,
    rouge,
    samples,
    spans,
    spearman,
    ter,
    weighted_f1,
    wer,
)
from nlpstat_core.measures.record import Measure

# In the order of menus, by what gold and outputs are.
MEASURES: dict[str, Measure] = {
    method.key: method
    for method in (
        accuracy.METHOD,
        balanced_accuracy.METHOD,
        f1.METHOD,
        macro_f1.METHOD,
        micro_f1.METHOD,
        weighted_f1.METHOD,
        f_beta.METHOD,
        mcc.METHOD,
        cohen_kappa.METHOD,
        qwk.METHOD,
        jaccard.METHOD,
        label_sets.MACRO_F1,
        label_sets.MICRO_F1,
        label_sets.WEIGHTED_F1,
        label_sets.JACCARD,
        label_sets.ACCURACY,
        pearson.METHOD,
        spearman.METHOD,
        kendall.METHOD,
        rmse.METHOD,
        mae.METHOD,
        r2.METHOD,
        brier.METHOD,
        log_loss.METHOD,
        calibration_error.METHOD,
        roc_auc.METHOD,
        average_precision.METHOD,
        bleu.METHOD,
        chrf.METHOD,
        chrf_plus_plus.METHOD,
        ter.METHOD,
        wer.METHOD,
        cer.METHOD,
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
    """A measure by its key, with the options that the key names: "pass@3", "f2".

    Raises ConfigError: No such measure, with the nearest name.
    """
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
