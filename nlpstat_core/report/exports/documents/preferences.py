"""The report of a board of preferences, and every file of one."""

import json

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.blocks import (
    Document,
    Part,
    Prose,
    prose_by_heading,
)
from nlpstat_core.report.exports.documents.html import document_html
from nlpstat_core.report.exports.documents.latex import document_tex
from nlpstat_core.report.exports.documents.markdown import document_md
from nlpstat_core.report.exports.tables.preferences import (
    effects_table,
    misfit_table,
    plan_table,
    preference_tables,
    variants_table,
)
from nlpstat_core.report.wording.methods import cited
from nlpstat_core.report.wording.preferences import (
    PITFALLS,
    cycle_sentence,
    plan_sentence,
    preference_headline,
    preference_notes,
    preference_statements,
    settings_line,
)
from nlpstat_core.report.wording.statements import stated
from nlpstat_core.results.preference_checks import PreferenceChecks
from nlpstat_core.results.preferences import Preferences

MOST_PAIRS, MOST_PAIRS_ON_PAPER = 2_000, 300
MOST_MISFIT = 50


def preference_files(found: Preferences, checks: PreferenceChecks) -> dict[str, str]:
    """Every file of a board by its name."""
    return {
        "preferences.json": json_text({**found.to_dict(), "checks": checks.to_dict()}),
        "leaderboard.csv": csv_text(found.leaderboard_frame()),
        "pairs.csv": csv_text(found.pairs_frame()),
        "misfit.csv": csv_text(checks.pairs_frame()),
        "report.html": document_html(preference_document(found, checks, MOST_PAIRS)),
        "report.md": document_md(preference_document(found, checks, MOST_PAIRS_ON_PAPER)),
        "report.tex": document_tex(preference_document(found, checks, MOST_PAIRS_ON_PAPER)),
    }


def preference_document(found: Preferences, checks: PreferenceChecks, most_pairs: int) -> Document:
    """The report without its format."""
    board, pairs = preference_tables(found)
    statements = preference_statements(found, checks)
    fit = [stated(cycle_sentence(one)) for one in checks.cycles]
    parts = (
        Part("leaderboard", "Leaderboard", (board,)),
        Part("pairs", "All pairs", (pairs.first(most_pairs, "pairs.csv"),)),
        *(
            Part(heading.lower(), heading, (prose,))
            for heading, prose in prose_by_heading(statements).items()
        ),
        Part("fit", "Fit", (*([Prose(tuple(fit))] if fit else []), misfit_table(checks, MOST_MISFIT))),
        *([Part("order", "Order and style", (effects_table(checks),))] if checks.effects else []),
        *([Part("choices", "Other choices", (variants_table(checks),))] if checks.variants else []),
        Part(
            "plan",
            "Next time",
            (
                Prose((stated(plan_sentence(checks)),)),
                plan_table(checks),
            ),
        ),
        Part("mind", "What to mind", (Prose(tuple(stated(one) for one in PITFALLS)),)),
    )
    return Document(
        title=f"Preferences: {found.source}" if found.source else "Preferences",
        headline=preference_headline(found),
        notes=preference_notes(found, checks),
        parts=parts,
        cited=tuple(cited(statements)),
        settings=json.dumps(found.config, indent=2, ensure_ascii=False),
        names=found.systems,
        footer=(f"{found.n_battles:,} battles; {settings_line(found)}", *_replayed(found)),
    )


def _replayed(found: Preferences) -> tuple[str, ...]:
    """The command that makes the board again, where its clusters are columns."""
    chosen = found.chosen_clusters
    named = chosen if isinstance(chosen, tuple) else (chosen,)
    if not all(one is None or isinstance(one, str) for one in named):
        return ()
    return ("Made again from the same battles by: nlpstat preferences … --config preferences.json --checks",)
