"""What Streamlit has to be told so that uploads stay off the disk."""

from __future__ import annotations

MEGABYTE = 1024 * 1024


def keep_uploads_in_memory(most_megabytes: int) -> None:
    """Raise the bound above which the web server would put a part of an upload into a temporary file.

    Starlette's parser of uploads spools whatever is longer than 1 MB to the disk, and has no setting for it.

    Parameters
    ----------
    most_megabytes : int
        Longest upload that is accepted.
    """
    from starlette.formparsers import MultiPartParser

    MultiPartParser.spool_max_size = (most_megabytes + 1) * MEGABYTE
