"""What the command line lists: files, methods, examples."""

import argparse
from typing import Any

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.config import RECOMMENDED
from nlpstat_core.presets import PRESETS


def list_formats(options: argparse.Namespace) -> str:
    """The score files that can be read, with an example of each."""
    from nlpstat_core.readers import describe_formats

    return describe_formats()


def list_methods(options: argparse.Namespace) -> str:
    """Tests, corrections, effect sizes, measures and what goes with them, with the keys of the options."""
    from nlpstat_core.measures import MEASURES
    from nlpstat_core.methods.categorical import CATEGORICAL
    from nlpstat_core.methods.corrections import CORRECTIONS
    from nlpstat_core.methods.diagnosis import DIAGNOSTICS
    from nlpstat_core.methods.effects import EFFECTS
    from nlpstat_core.methods.omnibus import OMNIBUS
    from nlpstat_core.methods.significance import TESTS
    from nlpstat_core.report.wording.question import quantities

    lines = [f"Tests (--test; default {RECOMMENDED})"]
    for about in quantities():
        asking = [method for method in TESTS if method.quantity == about]
        lines += [f" about {about.title}:"] if asking else []
        lines += [f"  {method.key:<20} {method.label}: {method.summary}" for method in asking]
    lines += ["", "Corrections (--correction; default holm)"]
    lines += [f"  {method.key:<20} {method.label}: {method.summary}" for method in CORRECTIONS]
    lines += ["", "Effect sizes (--effects)"]
    lines += [f"  {method.key:<20} {method.label}: {method.summary}" for method in EFFECTS]
    beside: dict[str, Catalogue[Any]] = {
        "All systems together (always computed; Nemenyi for boards of data sets)": OMNIBUS,
        "Diagnostics (always computed)": DIAGNOSTICS,
        "Counts in categories (Python: nlpstat_core.methods.categorical)": CATEGORICAL,
    }
    for title, catalogue in beside.items():
        lines += [
            "",
            title,
            *(f"  {method.key:<24} {method.label}: {method.summary}" for method in catalogue),
        ]
    lines += ["", "Measures of gold and outputs (--measure of score and submissions)"]
    lines += [f"  {key:<20} {method.label}: {method.summary}" for key, method in MEASURES.items()]
    lines += ["", "Presets (--preset)"]
    lines += [f"  {entry.key:<20} {entry.label}: {entry.summary}" for entry in PRESETS]
    return "\n".join(lines)


def add_example_options(parser: argparse.ArgumentParser) -> None:
    """What `example` is given."""
    some = "a few lines in this format (see `formats`)"
    parser.add_argument("format", nargs="?", metavar="FORMAT", help=some)


def print_example(options: argparse.Namespace) -> str:
    """A small score file."""
    from nlpstat_core.readers import example_text

    return example_text(options.format)
