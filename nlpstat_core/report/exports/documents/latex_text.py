"""Text as LaTeX: every special character means itself, whatever engine compiles it."""

import unicodedata
from itertools import groupby

from nlpstat_core.report.exports.data.names import visible

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{iftex}
\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\fi
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{textcomp}
\usepackage[a4paper,margin=20mm]{geometry}
\usepackage{booktabs,longtable}
\usepackage{tikz}
% Letters of other scripts: XeLaTeX and LuaLaTeX take the first of these fonts that is there and has them;
% pdfLaTeX, and a machine without such a font, show their numbers. #1 the first letter's number, #2 all
% numbers, #3 the letters.
\iftutex
\newcommand{\fontifthere}[3][]{\IfFontExistsTF{#3}{\newfontfamily#2[#1]{#3}}{\let#2\relax}}
\fontifthere{\otherA}{DejaVu Sans}\fontifthere{\otherB}{Noto Sans CJK SC}
\fontifthere{\otherC}{Droid Sans Fallback}\fontifthere{\otherD}{FreeSerif}
\fontifthere{\otherE}{Noto Emoji}\fontifthere{\otherF}{Symbola}
\fontifthere[Script=Arabic]{\otherG}{DejaVu Sans}\fontifthere[Script=Arabic]{\otherH}{Amiri}
\newcommand{\iffonthas}[4]{#1\iffontchar\font"#2 #3\else#4\fi}
\DeclareRobustCommand{\othertext}[3]{{\iffonthas{\otherA}{#1}{#3}{\iffonthas{\otherB}{#1}{#3}{%
\iffonthas{\otherC}{#1}{#3}{\iffonthas{\otherD}{#1}{#3}{\iffonthas{\otherE}{#1}{#3}{%
\iffonthas{\otherF}{#1}{#3}{\normalfont\tiny#2}}}}}}}}
\newcommand{\torightleft}[1]{\ifxetex\TeXXeTstate=1\beginR#1\endR\else\textdir TRT #1\fi}
\DeclareRobustCommand{\othertextright}[3]{{\iffonthas{\otherG}{#1}{\torightleft{#3}}{%
\iffonthas{\otherH}{#1}{\torightleft{#3}}{\normalfont\tiny#2}}}}
\else
\DeclareRobustCommand{\othertext}[3]{{\tiny#2}}
\DeclareRobustCommand{\othertextright}[3]{{\tiny#2}}
\fi"""

LONGEST_WORD = 30  # longer ones hardly fit what is left of a line
BREAK_EVERY = 8
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
    "‡": "\\textdaggerdbl{}",
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

    >>> print(text("50% of $x_1$ ≤ \\\\input"))
    50\\% of \\$x\\_1\\$ $\\le$ \\textbackslash{}input
    >>> print(text("日本 A"))
    \\othertext{65E5}{{[}65E5 672C{]}}{日本} A
    """
    parts = []
    for other, run in groupby(unicodedata.normalize("NFC", visible(words)), key=_is_other):
        characters = list(run)
        parts.append(_other(characters) if other else "".join(_SPECIAL.get(c, c) for c in characters))
    return "".join(parts)


def _is_other(character: str) -> bool:
    """Whether T1 has no letter for it and we have no command."""
    return not (character.isascii() or character in _SPECIAL or character in _PLAIN)


def _other(characters: list[str]) -> str:
    """A run of letters of other scripts, with the numbers that stand for them where no font has them."""
    numbers = f"{{[}}{' '.join(f'{ord(character):X}' for character in characters)}{{]}}"
    rightward = any(unicodedata.bidirectional(character) in ("R", "AL") for character in characters)
    command = "\\othertextright" if rightward else "\\othertext"
    return f"{command}{{{ord(characters[0]):X}}}{{{numbers}}}{{{''.join(characters)}}}"


def broken(words: str) -> str:
    """Text as LaTeX that may be broken after every few characters: names, hashes, addresses."""
    whole = visible(words)
    pieces = [whole[i : i + BREAK_EVERY] for i in range(0, len(whole), BREAK_EVERY)]
    return "\\allowbreak{}".join(text(piece) for piece in pieces)


def running(words: str) -> str:
    """Sentences as LaTeX, in which words too long for a line, such as a signature, may be broken.

    >>> running("A signature of 40 characters: " + 10 * "abcd").count("allowbreak")
    4
    """
    return " ".join(broken(word) if len(word) > LONGEST_WORD else text(word) for word in words.split(" "))
