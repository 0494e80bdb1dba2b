"""Text as LaTeX: every special character means itself, whatever engine compiles it."""

from __future__ import annotations

from nlpstat_core.exports.names import visible

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{iftex}
\iftutex\else\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\fi
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{textcomp}
\usepackage[a4paper,margin=20mm]{geometry}
\usepackage{booktabs,longtable}
\usepackage{tikz}
% A character that pdfLaTeX has no letter for is shown by its number.
\providecommand{\unicodecharacter}[1]{\iftutex\char"#1\relax\else{\scriptsize[U+#1]}\fi}"""

_SPECIAL = {
    "\\": "\\textbackslash{}",
    "{": "\\{",
    "}": "\\}",
    "$": "\\$",
    "&": "\\&",
    "#": "\\#",
    "%": "\\%",
    "_": "\\_",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\textquotedbl{}",
    "'": "\\textquotesingle{}",
    "`": "\\textasciigrave{}",
    "-": "-{}",
    ",": ",{}",
    "!": "!{}",
    "?": "?{}",
    "[": "{[}",
    "]": "{]}",
    "−": "$-$",
    "×": "$\\times$",
    "±": "$\\pm$",
    "≤": "$\\le$",
    "≥": "$\\ge$",
    "≈": "$\\approx$",
    "∞": "$\\infty$",
    "²": "$^2$",
    "√": "$\\surd$",
    "χ": "$\\chi$",
    "δ": "$\\delta$",
    "α": "$\\alpha$",
    "σ": "$\\sigma$",
    "✕": "$\\times$",
    "▲": "$\\bigtriangleup$",
    "▼": "$\\bigtriangledown$",
    "…": "\\ldots{}",
    "·": "\\textperiodcentered{}",
    "’": "'",
}
# Letters and dashes that every LaTeX of today sets in T1.
_PLAIN = frozenset("–—“”‘") | {
    chr(code) for code in (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x100))
}
_PLAIN |= frozenset("ĂăĄąĆćČčĎďĐđĘęĚěĞğĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž")


def text(words: str) -> str:
    """Text as LaTeX.

    Parameters
    ----------
    words : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(text("50% of $x_1$ ≤ \\\\input"))
    50\\% of \\$x\\_1\\$ $\\le$ \\textbackslash{}input
    """
    return "".join(_character(character) for character in visible(words))


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character.isascii() or character in _PLAIN:
        return character
    return f"\\unicodecharacter{{{ord(character):X}}}"


def broken(words: str, every: int = 8) -> str:
    """Text as LaTeX that may be broken anywhere, for names, hashes and addresses.

    Parameters
    ----------
    words : str
    every : int
        Characters between two places where a line may end.

    Returns
    -------
    str
    """
    whole = visible(words)
    pieces = [whole[i : i + every] for i in range(0, len(whole), every)]
    return "\\allowbreak{}".join(text(piece) for piece in pieces)
