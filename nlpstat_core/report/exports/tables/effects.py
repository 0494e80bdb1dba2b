"""Effect sizes of one pair as a table."""

from nlpstat_core.formatting import format_interval
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.report.exports.tables.table import Table, words
from nlpstat_core.report.wording.magnitudes import effect_text
from nlpstat_core.results.pair import PairData


def effects_table(pair: PairData) -> Table:
    """Every effect size of a pair with its interval; each has digits of its own, their units differ."""
    unpaired = pair.diagnosis.variances is not None
    methods = [effect_for(key, unpaired=unpaired) or EFFECTS[key] for key in pair.effects]
    return Table(
        "",
        (
            words("Effect size", (method.label for method in methods)),
            words("Value", (effect_text(key, effect) for key, effect in pair.effects.items())),
            words("Interval", (format_interval(*effect.interval) for effect in pair.effects.values())),
            words("What it says", (method.summary for method in methods)),
        ),
    )
