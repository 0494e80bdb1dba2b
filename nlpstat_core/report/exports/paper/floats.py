"""A float to paste into a paper: booktabs, no other package, names in one piece."""

import re

from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.latex_text import text

MOST_ROWS = 14  # thirty lines with rules, head, caption, provenance and what letters of other scripts need
LONGEST_NAME = 24
DAGGER = "$^{\\dagger}$"
# Names in other scripts are set by XeLaTeX and LuaLaTeX; pdfLaTeX has no letters for them and shows numbers.
OTHER_SCRIPTS = (
    "\\providecommand{\\othertext}[3]{\\ifdefined\\Umathcode#3\\else{\\tiny#2}\\fi}%",
    "\\providecommand{\\othertextright}[3]{\\ifdefined\\Umathcode#3\\else{\\tiny#2}\\fi}%",
)
# The report breaks every ligature; where none can arise, the braces only stand in the way.
_NEEDLESS = re.compile(r"-\{\}(?!-)|,\{\}(?!,)|!\{\}|\?\{\}")

Column = tuple[str, str, list[str]]


def name_text(words: str) -> str:
    """A name as LaTeX that compiles in any class and encoding, in one piece.

    >>> print(name_text("GPT-4_turbo"), name_text("50% --x"))
    GPT-4\\_turbo 50\\% -{}-x
    """
    whole = _NEEDLESS.sub(lambda match: match[0][0], text(words))
    return whole.replace("\\textquotedbl{}", "{\\char34}")  # which only T1 has


def floated(parts: list[Column], rows: list[str], caption: str, label: str, *, wide: bool, about: str) -> str:
    """The float around the rows of a table.

    parts (list of (str, str, list of str)): Head, alignment and cells of every column, as LaTeX.
    rows: What stands between the rules, without line ends.
    wide: Over both columns of a page (`table*`).
    about: Settings and data the table was made from, for a comment.
    """
    table = "table*" if wide else "table"
    spec = "".join(align for _, align, _ in parts)
    heads = " & ".join(head for head, _, _ in parts)
    body = [f"{row} \\\\" for row in rows]
    lines = [
        f"% {visible(about)}",
        f"\\begin{{{table}}}[t]",
        "\\centering\\small",
        f"\\begin{{tabular}}{{@{{}}{spec}@{{}}}}",
        "\\toprule",
        f"{heads} \\\\",
        "\\midrule",
        # Braces keep a name that begins with a star from being an option of the line end.
        *(f"{{}}{line}" if line.startswith(("*", "[")) else line for line in body),
        "\\bottomrule",
        "\\end{tabular}",
        f"\\caption{{{caption}}}",
        f"\\label{{{label}}}",
        f"\\end{{{table}}}",
    ]
    if any("\\othertext" in line for line in lines):
        lines = [*OTHER_SCRIPTS, *lines]
    return "\n".join(lines)
