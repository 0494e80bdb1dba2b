"""Writes docs/reference.md and the table of formats in docs/guide.md; a test says when they are old.

python docs/make_reference.py
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import nlpstat_core as ns
from docs import make_api
from nlpstat_core.analysis.sections import SECTIONS
from nlpstat_core.cli.program import _parser
from nlpstat_core.config import SETTINGS
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.categorical import CATEGORICAL
from nlpstat_core.methods.composite import COMPOSITE
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.correlation import CORRELATION
from nlpstat_core.methods.diagnosis import DIAGNOSTICS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.judged import JUDGED
from nlpstat_core.methods.omnibus import OMNIBUS
from nlpstat_core.methods.preferences import PREFERENCES
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.readers.formats import READERS
from nlpstat_core.readers.tools import TOOLS
from nlpstat_core.report.exports.folder import EXTRAS, FILES
from nlpstat_core.report.wording import note_texts
from nlpstat_core.report.wording.sentences import null_text

PAGE = Path(__file__).with_name("reference.md")
GUIDE = Path(__file__).with_name("guide.md")
_TABLE = re.compile(r"(?<=<!-- made by make_reference -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)
_FILES = {
    "analysis.json": "settings, notes, leaderboard, pairs, tests of all systems together",
    "leaderboard.csv": "one row per system, full precision; signature and fingerprint in the last columns",
    "pairs.csv": "one row per pair, full precision; signature and fingerprint in the last columns. "
    "`significant` and `better` are the test's own; `verdict` is what the headline counts: `undecided` where "
    "a significant test points against the mean difference or the board's order, or only says that the "
    "difference isn't the one asked about (`notes` has the codes)",
    "report.html": "the report to read or print, offline, with figures and sortable tables",
    "report.md": "the report as Markdown",
    "report.tex": "the report as LaTeX: leaderboard, pairs, figure, methods, results, references",
}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table.

    Parameters
    ----------
    head : sequence of str
    rows : iterable of sequences of str

    Returns
    -------
    str
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def commands(
    parser: argparse.ArgumentParser, name: str = "nlpstat"
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command that can be run, with its options.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    name : str

    Yields
    ------
    (str, argparse.ArgumentParser)
    """
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield name, parser
    for action in below:
        for key, part in action.choices.items():
            yield from commands(part, f"{name} {key}")


def options(parser: argparse.ArgumentParser) -> list[tuple[str, str]]:
    """Options and arguments of one command, with what their help teaches.

    Parameters
    ----------
    parser : argparse.ArgumentParser

    Returns
    -------
    list of (str, str)
    """
    rows = []
    parser.complete()
    for action in parser._actions:
        name = ", ".join(action.option_strings) or str(action.metavar or action.dest).upper()
        if "--help" not in action.option_strings:
            rows.append((f"`{name}`", str(action.help or "").replace("%%", "%")))
    return rows


def command_tables() -> Iterator[str]:
    """The command line: a table a command, and one for what most commands share.

    Yields
    ------
    str
    """
    every = [(name, options(parser)) for name, parser in commands(_parser())]
    shared = [row for row in every[0][1] if sum(row in rows for _, rows in every) >= 3]
    for name, rows in every:
        own = [row for row in rows if row not in shared]
        more = "\n\nand the options for reading and settings below." if len(rows) > len(own) else ""
        yield f"### {name}\n\n" + (table(("option", "what it does"), own) + more if rows else "No options.")
    yield "### Options for reading and settings\n\n" + table(("option", "what it does"), shared)


def api() -> str:
    """The public names with their first sentence.

    Returns
    -------
    str
    """
    names = [name for name in ns.__all__ if not name.startswith("_")]
    rows = [(f"`ns.{name}`", str(getattr(ns, name).__doc__).strip().splitlines()[0]) for name in names]
    return table(("name", "what it is"), rows)


def settings() -> list[tuple[str, str, str, str]]:
    """Every setting with its default.

    Returns
    -------
    list of (str, str, str, str)
    """
    rows = []
    for name, setting in SETTINGS.items():
        values = setting.default if isinstance(setting.default, tuple) else (setting.default,)
        default = ", ".join("none" if value is None else str(value).lower() for value in values) or "none"
        rows.append((f"`{name}`", setting.label, default, setting.help))
    return rows


def page() -> str:
    """The whole page.

    Returns
    -------
    str
    """
    files = [(f"`{name}`", _FILES[name]) for name, _ in FILES]
    more = [
        (f"`{extra.key}`", ", ".join(f"`{name}`" for name, _ in extra.files), extra.teaches)
        for extra in EXTRAS
    ]
    more += [
        (f"`{key}`", "in the reports, with files of its own", sentence)
        for key, (sentence, _) in SECTIONS.items()
    ]
    more.append(
        (
            "`metrics`",
            "in the overview, with files of its own",
            "with `--each metric`: metrics judged by people",
        )
    )
    tests = [(f"`{m.key}`", m.label, null_text(m.null, "a", "b"), m.design) for m in TESTS]
    corrections = [(f"`{m.key}`", m.label, m.error_rate) for m in CORRECTIONS]
    beside = [
        (f"`{m.key}`", m.label, m.null or "an effect size", part)
        for part, catalogue in (
            ("all systems together", OMNIBUS),
            ("diagnostic", DIAGNOSTICS),
            ("counts in categories", CATEGORICAL),
            ("metrics judged by people", CORRELATION),
        )
        for m in catalogue
    ]
    others = [
        (f"`{m.key}`", m.label, m.summary, part)
        for part, catalogue in (
            ("preferences", PREFERENCES),
            ("a judge corrected by people", JUDGED),
            ("several tracks", COMPOSITE),
        )
        for m in catalogue
    ]
    notes = [
        (f"`{code}`", severity, re.sub(r"\{(\w+)\}", r"*\1*", text))
        for code, (severity, text) in sorted(note_texts().items())
    ]
    parts = [
        "# Reference",
        "Made from the code by `python -m docs.make_reference`; do not edit. `nlpstat` stands for "
        "`python -m nlpstat_core` where the package is not installed.",
        "## Tests (`--test`)",
        "`recommended` asks all pairs about the mean and takes the test of it that suits the scores; with "
        "`--question each-pair` each pair's test is chosen from its data, as in NLPStatTest.",
        table(("key", "test", "null hypothesis", "for"), tests),
        "## Corrections (`--correction`)",
        table(("key", "correction", "controls"), corrections),
        "## Effect sizes (`--effects`)",
        table(("key", "effect size", "what it is"), [(f"`{m.key}`", m.label, m.summary) for m in EFFECTS]),
        "## Beside the tests of pairs",
        "The first two kinds are made without asking; tests of counts in categories are functions of "
        "`nlpstat_core.methods.categorical`.",
        table(("key", "test", "null hypothesis", "for"), beside),
        "## Bayesian models (`posterior --model`)",
        "`recommended` takes `binary` for scores of 0 and 1 and `mean` for others; the Bayes factor stands "
        "beside every model.",
        table(("key", "model", "what it does"), [(f"`{m.key}`", m.label, m.summary) for m in MODELS]),
        "## Preferences, judges and composites",
        "In Python: `ns.bradley_terry_strengths(battles, ties=…)`, `ns.corrected_mean(human, judge)` and "
        "`ns.composite_p_value(differences, weights)`.",
        table(("key", "procedure", "what it does", "for"), others),
        "## Settings",
        "Fields of `ns.AnalysisConfig`, names in settings files and links; options write them with hyphens.",
        table(("setting", "in the app", "default", "what it is"), settings()),
        "## Score files (`--format`)",
        table(("key", "format"), [(f"`{f.key}`", f.label) for f in READERS]),
        "The [guide](guide.md) says how the output of each evaluation tool is read.",
        "## Files",
        "`--out` writes",
        table(("file", "what it holds"), files),
        "and `--also` besides",
        table(("key", "files", "what they are"), more),
        "## Command line",
        *command_tables(),
        "## Python",
        "Signatures, parameters and examples: [Python](api.md).",
        api(),
        "## Notes of a pair",
        "Codes are stable; the sentence is what people read.",
        table(("code", "severity", "sentence"), notes),
    ]
    return "\n\n".join(parts) + "\n"


def guide() -> str:
    """The guide with the table of evaluation tools as the catalogue has it.

    Returns
    -------
    str
    """
    rows = [(f"[{tool.label}]({tool.documented})", f"`{tool.key}`", tool.description) for tool in TOOLS]
    made = table(("output of", "key", "how it is read"), rows)
    return _TABLE.sub(lambda _: made, GUIDE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    GUIDE.write_text(guide(), encoding="utf-8")
    make_api.PAGE.write_text(make_api.page(), encoding="utf-8")
