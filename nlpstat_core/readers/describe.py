"""The formats in words, from their catalogue: for the command line and the upload page."""

from __future__ import annotations

from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.readers.catalogue import READERS
from nlpstat_core.readers.choices import READING_KEYWORDS

MISSING_WORDS = "nothing, NA, NaN, None, null, - or n/a"
RULES = (
    "A column is the unit id when its name says so (item, id, segment, topic …), when it comes first and",
    "is text, or when it comes first and holds whole numbers without repeats. Other columns of text, and",
    "columns called doc, domain, subject and the like, are labels; the rest are systems.",
    "Files of one system each are given together, as a folder or a zip archive; their unit ids join them.",
)


def describe_formats() -> str:
    """Every input format with its key and an example.

    Returns
    -------
    str
        Several lines, without a line end at the end.
    """
    lines = ["Formats are found from the content; --format KEY says it instead.", ""]
    for reader in READERS:
        lines.append(f"{reader.key}: {reader.label}")
        lines += [f"    {line}" for line in reader.example.splitlines()]
        lines.append("")
    lines.append(f"A missing score is {MISSING_WORDS}; it stays missing and is never counted as 0.")
    lines += RULES
    lines.append(f"Choices that can be told: {', '.join(READING_KEYWORDS)}.")
    return "\n".join(lines)


def example_text(format: str | None = None) -> str:
    """A few lines of a file in one format.

    Parameters
    ----------
    format : str, optional
        Key of a format; the wide table when not given.

    Returns
    -------
    str
        Without a line end at the end.

    Raises
    ------
    ConfigError
        An unknown format.

    Examples
    --------
    >>> print(example_text("columns"))
    0.262025 0.596949
    0.412615 0.884498
    0.400959 0.393599
    """
    examples = {reader.key: reader.example for reader in READERS}
    key = "wide-csv" if format is None else format
    if key not in examples:
        raise ConfigError(unknown("format", key, examples))
    return examples[key].rstrip("\n")
