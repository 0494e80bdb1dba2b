"""The report of a ranking by places in several tracks, and every file of one."""

import json

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.blocks import Document, Part, Prose
from nlpstat_core.report.exports.documents.html import document_html
from nlpstat_core.report.exports.documents.latex import document_tex
from nlpstat_core.report.exports.documents.markdown import document_md
from nlpstat_core.report.exports.tables.tracks import ranking_pairs_table, ranking_table, tracks_table
from nlpstat_core.report.wording.statements import stated
from nlpstat_core.report.wording.tracks import (
    ranking_headline,
    ranking_legend,
    ranking_method,
    ranking_pairs_legend,
    separated_sentence,
)
from nlpstat_core.results.tracks import TrackRanking

MOST_PAIRS, MOST_PAIRS_ON_PAPER = 2_000, 300


def ranking_files(found: TrackRanking) -> dict[str, str]:
    """Every file of a ranking by its name."""
    return {
        "ranking.json": json_text(found.to_dict()),
        "ranking.csv": csv_text(found.leaderboard_frame()),
        "ranking_pairs.csv": csv_text(found.pairs_frame()),
        "report.html": document_html(ranking_document(found, MOST_PAIRS)),
        "report.md": document_md(ranking_document(found, MOST_PAIRS_ON_PAPER)),
        "report.tex": document_tex(ranking_document(found, MOST_PAIRS_ON_PAPER)),
    }


def ranking_document(found: TrackRanking, most_pairs: int) -> Document:
    """The report without its format."""
    return Document(
        title=f"Overall ranking by {found.metric}",
        headline=ranking_headline(found),
        notes=found.notes,
        parts=(
            Part("leaderboard", "Leaderboard", (_prose(ranking_legend(found)), ranking_table(found))),
            Part(
                "pairs",
                "All pairs",
                (
                    _prose(separated_sentence(found), ranking_pairs_legend(found)),
                    ranking_pairs_table(found).first(most_pairs, "ranking_pairs.csv"),
                ),
            ),
            Part("tracks", "Tracks", (_prose(ranking_method(found)), tracks_table(found))),
        ),
        settings=json.dumps(found.to_dict()["config"], indent=2, ensure_ascii=False),
        names=found.systems,
        footer=("Made again from the same files by: nlpstat composite … --config ranking.json",),
    )


def _prose(*sentences: str) -> Prose:
    return Prose(tuple(stated(one) for one in sentences))
