"""Text from files made harmless for the places that read markup."""

import html
import re
import unicodedata

from nlpstat_core.errors import Remedy, Sentence, shown

LONGEST_NAME = 28
# In a table where there is no number.
NO_VALUE = "–"
# What mends a problem, in the words of the app; without a value, and with one.
_REMEDIES = {
    "accept": ("confirm that this is right", "confirm that this is right"),
    "as_percent": ("multiply them by 100", "multiply them by 100"),
    "baseline": ("name it below", "say that it is {value}"),
    "bad_cells": ("treat such cells as missing", "treat such cells as missing"),
    "drop_rows": ("leave the row out", "leave the row {value} out"),
    "dataset_column": ("choose the column of data sets", "choose {value} as data set"),
    "id_column": ("choose the column of test items", "choose {value} as test item"),
    "file": ("leave the others out", "leave all but {value} out"),
    "gold_column": ("choose the column of gold answers", "choose {value} as gold"),
    "header_row": ("choose the header line", "take line {value} as the header"),
    "human": ("choose the metric that people gave", "choose {value} as given by people"),
    "judge": ("choose the metric that a model gave", "choose {value} as given by a model"),
    "output_column": ("choose the column of outputs", "choose {value} as outputs"),
    "repeats": ("choose which of them counts", "use the {value} of them"),
    "roles": ("choose its role below", "choose its role below"),
    "system_column": ("choose the column of systems", "choose {value} as system"),
    "systems_as_rows": ("read every row as one system", "read every row as one system"),
}
# What notes say to people at a command line or in Python, and what it is here, where there are menus.
_ADVICE = (
    (re.compile(r" \((?:systems_as_rows|block_column|none)\)"), ""),
    (re.compile(r" \(--[^()]*\)"), ""),
)
# What Markdown reads as markup: always, at the start of a line, or in Streamlit's own dialect
# (":red[…]", ":smile:", "->"). Nothing more is escaped, so that names stay as they are in most texts.
_ALWAYS = re.compile(r"[\\`*\[\]<>$~]|(?<!\w)_|_(?!\w)")
_AT_START = re.compile(r"^(?:[#+=-]|(\d+)(?=[.)](?:\s|$)))")
_DIALECT = re.compile(r":(?=[\w+\-/]+[:\\])|-(?=[->\\])|&(?=[\w#]+;)")
# What becomes a link by itself, also where a sign of it is escaped: an invisible joiner keeps it apart.
_LINKED = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=mailto)(?=:)|(?<=xmpp)(?=:)", re.IGNORECASE)
_JOINER = "\u2060"


def markdown(text: str) -> str:
    """Text that Markdown shows as it stands: no emphasis, links, formulas, colours or emoji codes.

    >>> print(markdown("*a* $x$ :red[b] Heron-70B run_1"))
    \\*a\\* \\$x\\$ \\:red\\[b\\] Heron-70B run_1
    """
    text = _ALWAYS.sub(_escaped, _LINKED.sub(_JOINER, printable(text)))
    return _DIALECT.sub(_escaped, _AT_START.sub(_at_start, text))


def in_app(problem: Sentence) -> str:
    """A problem in the words of the app; with whose setting a bound is, as visitors can't raise it.

    >>> in_app(Sentence("add a column 'system', or ", Remedy("system_column"), "."))
    "add a column 'system', or choose the column of systems."
    """
    bounds = [remedy.keyword for remedy in problem.remedies if remedy.is_bound]
    whose = "is a setting of this server, and an option of the command line."
    return " ".join([problem.in_words(_as_menu), *(f"{bound} {whose}" for bound in bounds)])


def _as_menu(remedy: Remedy) -> str:
    if remedy.is_bound:
        return str(remedy)
    if remedy.form != "said":
        return ""
    words = _REMEDIES[remedy.keyword][remedy.value is not None]
    return words.format(value=shown(remedy.value))


def note_in_app(text: str) -> str:
    """A note in the words of the app; one that tells of an error holds its sentence."""
    if isinstance(text, Sentence):
        return in_app(text)
    for advice, here in _ADVICE:
        text = advice.sub(here, text)
    return text


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group()


def _at_start(match: re.Match[str]) -> str:
    """A digit can't be escaped, the sign behind the number of a list can."""
    return f"{match.group()}\\" if match[1] else "\\" + match.group()


def plotly(text: str) -> str:
    """Text that a Plotly figure shows as it stands; Plotly reads some HTML tags, but no code of quotes.

    >>> plotly('<b>A & "B"</b>')
    '&lt;b&gt;A &amp; "B"&lt;/b&gt;'
    """
    return html.escape(printable(text), quote=False)


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name cut to fit an axis: the middle goes, because names of one team share their beginning.

    >>> short("meta-llama/Llama-3-70B-Instruct-v1", 16)
    'meta-lla…ruct-v1'
    """
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 2
    return f"{name[: longest - 1 - tail]}…{name[-tail:]}"


def printable(text: str) -> str:
    """Text on one line, without control and direction characters.

    >>> printable("a\\tb\\u202ec")
    'a b c'
    """
    if not text.isprintable():  # the usual text is, and a heatmap has thousands
        text = "".join(" " if unicodedata.category(char).startswith("C") else char for char in text)
    return " ".join(text.split())
