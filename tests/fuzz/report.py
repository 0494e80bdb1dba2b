"""The recorded figures as a page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.__main__ import Run
    from tests.fuzz.settings import Settings

SETTINGS_TITLE = "## Settings files"
DISGUISED_TITLE = "## Ordinary tables in disguise"
OUTCOMES = ("right", "told", "mended", "refused", "wrong")


def page(run: Run, machine: str, cores: int) -> str:
    """RESULTS.md.

    Parameters
    ----------
    run : Run
    machine : str
    cores : int
    """
    total: Counter[str] = sum(run.outcomes.values(), Counter())
    trips = sum(run.trips.values())
    seconds, which = run.slowest
    lines = [
        "# Fuzzing the readers",
        "",
        "Written by `make fuzz`. An input fails when",
        "",
        "* anything else than a score matrix or a ScoreFileError comes of it;",
        "* the message isn't one printable line that says what to do next;",
        "* the matrix, read again as it says it was read, is another one;",
        "* it takes more than 30 s or 6 GiB;",
        "* the command line ends otherwise than with 0, or with 2 and one line, writes outside its folder,",
        "  or writes a cell that begins a formula or a tag that a name of the file holds.",
        "",
        f"Machine: {machine}, {cores} cores. Seed {run.seed}. Seconds are of the processor.",
        "",
        f"* {total.total():,} damaged files and random bytes: {total['matrix']:,} read, "
        f"{total['refused']:,} refused, **{len(run.failures):,} failures**",
        f"* {run.deep:,} of them also through the preview and `analyse --out`",
        f"* {trips:,} matrices written in {len(run.trips)} ways and read back equal",
        f"* slowest damaged input: {seconds:.2f} s ({which})",
        f"* peak memory of the reading process: {run.peak / 1024:.0f} MiB",
        "",
        *(f"* failed: {text}" for text in run.failures),
        *([""] if run.failures else []),
        "| made from | inputs | read | refused | failed | round trips |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for kind in sorted({*run.outcomes, *run.trips}):
        seen = run.outcomes.get(kind, Counter())
        counts = (seen.total(), seen["matrix"], seen["refused"], seen["failed"], run.trips.get(kind, 0))
        lines.append(f"| {kind} | " + " | ".join(f"{count:,}" for count in counts) + " |")
    return "\n".join([*lines, *disguised_part(run), *_bulk(run), *settings_part(run.settings)]) + "\n"


def settings_part(found: Settings) -> list[str]:
    """The section on settings files.

    Parameters
    ----------
    found : Settings
    """
    if not found.outcomes:
        return []
    return [
        "",
        SETTINGS_TITLE,
        "",
        "Settings of every wrong kind, in JSON and YAML, damaged and whole, each given to `analyse --config`",
        "and to the app. One fails when anything but one of our sentences comes of it, something is",
        "warned of, more than one line is printed, or it takes more than 30 s.",
        "",
        f"* {found.outcomes.total():,} files: {found.outcomes['used']:,} used, "
        f"{found.outcomes['refused']:,} refused in one sentence, **{len(found.failures):,} failures**",
        f"* slowest: {found.slowest:.1f} s",
        *(f"* failed: {text}" for text in found.failures),
    ]


def disguised_part(run: Run) -> list[str]:
    """The section on ordinary tables.

    Parameters
    ----------
    run : Run
    """
    if not run.disguised:
        return []
    total = sum(map(Counter, run.disguised.values()), Counter())
    lines = [
        "",
        DISGUISED_TITLE,
        "",
        "Tables of which the truth is known, with what people do to them. Right: the scores are the truth.",
        "Told: they aren't, and a problem keeps the headline back. Mended: refused, and right once what the",
        "refusal says is done. Refused: with another way on. Wrong: other scores, without a word.",
        "",
        f"* {total.total():,} tables, **{total['wrong']:,} wrong and silent**",
        "",
        f"| what was done | tables | {' | '.join(OUTCOMES)} |",
        f"| --- | ---: |{' ---: |' * len(OUTCOMES)}",
    ]
    for kind, outcomes in run.disguised.items():
        n = sum(outcomes.values())
        shares = " | ".join(f"{outcomes.get(one, 0) / n:.1%}" for one in OUTCOMES)
        lines.append(f"| {kind} | {n:,} | {shares} |")
    return lines


def _bulk(run: Run) -> list[str]:
    """The section on large files."""
    if not run.bulk:
        return []
    seconds, longest = max((float(str(row[3])), str(row[0])) for row in run.bulk)
    memory, largest = max((int(str(row[5])) - int(str(row[4])), str(row[0])) for row in run.bulk)
    lines = [
        "",
        "## Large files",
        "",
        "Files made to cost as much as they can, each up to the default bounds (size, rows, columns, cells,",
        "what is packed in them), read as the app reads them, each in a process of its own. One that takes",
        "more than 30 s or 6 GiB ends its process and is a failure.",
        "",
        f"* longest: {seconds:.1f} s ({longest})",
        f"* most memory beyond the file: {memory:,} MiB ({largest})",
        "",
        "| file | MiB | seconds | peak memory beyond the file, MiB | what came of it |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for name, size, text, took, before, peak in run.bulk:
        beyond = int(str(peak)) - int(str(before))
        outcome = str(text).replace("|", "\\|")
        lines.append(f"| {name} | {int(str(size)) / 2**20:.1f} | {took} | {beyond:,} | {outcome} |")
    return lines
