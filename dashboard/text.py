"""Text from files made harmless for the places that read markup."""

from __future__ import annotations

import html
import re
import unicodedata

LONGEST_NAME = 28
# In a table where there is no number.
NO_VALUE = "–"
# What the core says to people at a command line or in Python, and what it is here, where there are menus.
_ADVICE = (
    (re.compile(r",? for example roles='.*$"), "."),
    (re.compile(r",? or say roles='(?:[^']|'(?=,))*'(?= if|\.|$)"), ", or choose its role below"),
    (re.compile(r": roles='run=.*$"), "."),
    (re.compile(r" with roles(?= |$)"), ""),
    (re.compile(r"say bad_cells='missing'"), "treat such cells as missing"),
    (re.compile(r"choose with id_column or roles"), "choose it as test item"),
    (re.compile(r"say systems_as_rows(?= )"), "read every row as one system"),
    (re.compile(r" \((?:systems_as_rows|or say dataset_column)\)"), ""),
    (re.compile(r"or id_column=('[^']*') if these are units"), r"or choose \1 as test item if it names them"),
    (re.compile(r"say id_column\b"), "choose the column of test items"),
    (re.compile(r"say system_column\b"), "choose the column of systems"),
    (re.compile(r"name it with dataset_column\b"), "choose it as data set"),
    (re.compile(r" \((?:block_column|runs: samples|none)\)"), ""),
    (re.compile(r" \(--[^()]*\)"), ""),
    (re.compile(r"\(unit_size 1\)"), "(one row per unit)"),
)
# What Markdown reads as markup: always, at the start of a line, or in Streamlit's own dialect
# (":red[…]", ":smile:", "->"). Nothing more is escaped, so that names stay as they are in most texts.
_ALWAYS = re.compile(r"[\\`*\[\]<>$~]|(?<!\w)_|_(?!\w)")
_AT_START = re.compile(r"^(#|[-+=]|\d+(?=[.)]))")
_DIALECT = re.compile(r":(?=[\w+\-/]+[:\\])|-(?=[->\\])|&(?=[\w#]+;)")
# What becomes a link by itself, also where a sign of it is escaped: an invisible joiner keeps it apart.
_LINKED = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=mailto)(?=:)|(?<=xmpp)(?=:)", re.IGNORECASE)
_JOINER = "\u2060"


def markdown(text: str) -> str:
    """Text that Markdown shows as it stands: no emphasis, links, formulas, colours or emoji codes.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(markdown("*a* $x$ :red[b] Heron-70B run_1"))
    \\*a\\* \\$x\\$ \\:red\\[b\\] Heron-70B run_1
    """
    text = _ALWAYS.sub(_escaped, _LINKED.sub(_JOINER, printable(text)))
    return _DIALECT.sub(_escaped, _AT_START.sub(_at_start, text))


def in_app(problem: str) -> str:
    """A problem with a file in the words of the app: without the names of keywords.

    Examples
    --------
    >>> in_app("no column names the systems; add a column 'system', or say system_column.")
    "no column names the systems; add a column 'system', or choose the column of systems."
    """
    for advice, here in _ADVICE:
        problem = advice.sub(here, problem)
    return problem


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group()


def _at_start(match: re.Match[str]) -> str:
    """A digit can't be escaped, so a list number gets its dot out of the way by an invisible joiner."""
    return f"{match.group()}{_JOINER}" if match.group().isdigit() else "\\" + match.group()


def plotly(text: str) -> str:
    """Text that a Plotly figure shows as it stands; Plotly reads some HTML tags.

    Examples
    --------
    >>> plotly("<b>A & B</b>")
    '&lt;b&gt;A &amp; B&lt;/b&gt;'
    """
    return html.escape(printable(text))


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name cut to fit an axis: the middle goes, because names of one team share their beginning.

    Examples
    --------
    >>> short("meta-llama/Llama-3-70B-Instruct-v1", 16)
    'meta-lla…ruct-v1'
    """
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 2
    return f"{name[: longest - 1 - tail]}…{name[-tail:]}"


def printable(text: str) -> str:
    """Text on one line, without control and direction characters.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> printable("a\\tb\\u202ec")
    'a b c'
    """
    if not text.isprintable():  # the usual text is, and a heatmap has thousands
        text = "".join(" " if unicodedata.category(char).startswith("C") else char for char in text)
    return " ".join(text.split())
