"""Every sentence a person reads about a result, shared by the app, the reports and the command line."""

from nlpstat_core.wording.categorical import CATEGORICAL_NOTES, association_text, categorical_notes
from nlpstat_core.wording.magnitudes import CAUTION, effect_text, magnitude
from nlpstat_core.wording.pair_remarks import PAIR_NOTES, pair_note, pair_notes
from nlpstat_core.wording.remarks import analysis_notes
from nlpstat_core.wording.sentences import (
    HYPOTHESES,
    achieved_text,
    correction_phrase,
    headline,
    hypothesis_text,
    label_of_test,
    mixture,
    null_hypothesis,
    pair_headline,
    top_group,
    variance_sentence,
    verdict_sentence,
)
from nlpstat_core.wording.titles import first_of, interval_title, matrix_title

__all__ = [
    "CATEGORICAL_NOTES",
    "CAUTION",
    "HYPOTHESES",
    "PAIR_NOTES",
    "achieved_text",
    "analysis_notes",
    "association_text",
    "categorical_notes",
    "correction_phrase",
    "effect_text",
    "first_of",
    "headline",
    "hypothesis_text",
    "interval_title",
    "label_of_test",
    "magnitude",
    "matrix_title",
    "mixture",
    "null_hypothesis",
    "pair_headline",
    "pair_note",
    "pair_notes",
    "top_group",
    "variance_sentence",
    "verdict_sentence",
]
