"""Which format a file is, and what that format finds in it."""

from __future__ import annotations

from dataclasses import replace

from nlpstat_core.errors import ConfigError, ScoreFileError, unknown
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader


def find_reader(probe: Probe) -> tuple[Reader, str]:
    """The format of a file and the reason for it.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    tuple of Reader and str

    Raises
    ------
    ScoreFileError
        No format fits.
    ConfigError
        The chosen format doesn't exist.
    """
    from nlpstat_core.readers.catalogue import (
        READERS,
    )  # which holds formats that look into archives with this

    chosen = probe.choices.format
    if chosen is not None:
        keys = [reader.key for reader in READERS]
        if chosen not in keys:
            raise ConfigError(unknown("format", chosen, keys))
        reader = READERS[keys.index(chosen)]
        return reader, reader.matches(probe) or "as chosen"
    for reader in READERS:
        reason = reader.matches(probe)
        if reason:
            return reader, reason
    raise ScoreFileError("no known format; give one row per unit and one column per system, with a header.")


def read_part(reader: Reader, probe: Probe) -> Part:
    """What a format finds in a file, with the notes about the file itself first.

    Parameters
    ----------
    reader : Reader
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
    """
    part = reader.read(probe)
    return replace(part, notes=(*probe.decoded.notes, *part.notes)) if probe.is_text else part
