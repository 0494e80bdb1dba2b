"""Every sentence a person reads about a result, shared by the app, the reports and the command line."""

from nlpstat_core.board.ranking.claims import top_group
from nlpstat_core.report.wording.categorical import CATEGORICAL_NOTES, association_text, categorical_notes
from nlpstat_core.report.wording.groups import single_units_sentence
from nlpstat_core.report.wording.magnitudes import CAUTION, effect_text, magnitude
from nlpstat_core.report.wording.pair_remarks import PAIR_NOTES, note_texts, pair_note, pair_notes
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.report.wording.remarks import analysis_notes
from nlpstat_core.report.wording.runs import runs_notes
from nlpstat_core.report.wording.sentences import (
    achieved_text,
    correction_phrase,
    headline,
    hypothesis_text,
    mixture,
    null_hypothesis,
    pair_answer,
    top_sentence,
    variance_sentence,
    withheld,
)
from nlpstat_core.report.wording.titles import first_of, interval_title, matrix_title
from nlpstat_core.report.wording.verdicts import pair_headline, sentence_of_pair, verdict_sentence

__all__ = [
    "CATEGORICAL_NOTES",
    "CAUTION",
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
    "note_texts",
    "null_hypothesis",
    "pair_answer",
    "pair_headline",
    "pair_note",
    "pair_notes",
    "runs_notes",
    "sentence_of_pair",
    "single_units_sentence",
    "top_group",
    "top_sentence",
    "variance_sentence",
    "verdict_sentence",
    "withheld",
]
