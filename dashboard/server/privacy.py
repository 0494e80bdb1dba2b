"""What Streamlit has to be told so that uploads stay off the disk and no request leaves the machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

MEGABYTE = 1024 * 1024


def forget_uploads(files: Iterable[UploadedFile]) -> None:
    """Have Streamlit give up the bytes of uploads: it would keep them for as long as the session lives."""
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    if context is not None:
        manager = context.uploaded_file_mgr
        assert isinstance(manager, MemoryUploadedFileManager)  # the web server's, which can
        for file in files:
            manager.remove_file(context.session_id, file.file_id)


def given_files(
    value: UploadedFile | DeletedFile | Sequence[UploadedFile | DeletedFile] | None,
) -> list[UploadedFile]:
    """The files of an upload field whose content is still there.

    A field that is drawn anew may name a file once more that was given up; Streamlit then puts something
    without name and content in its place.

    value: Of the field.
    """
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    files = value if isinstance(value, list) else [value]
    return [file for file in files if isinstance(file, UploadedFile)]


def keep_uploads_in_memory(most_megabytes: int) -> None:
    """Raise the bound above which the web server would put a part of an upload into a temporary file.

    Starlette's parser of uploads spools whatever is longer than 1 MB to the disk, and has no setting for it.

    most_megabytes: Longest upload that is accepted.
    """
    from starlette.formparsers import MultiPartParser

    MultiPartParser.spool_max_size = (most_megabytes + 1) * MEGABYTE


def never_look_up_the_address() -> None:
    """Keep Streamlit from asking a host on the internet for this machine's own address.

    It would print it at the start of a server without a browser, and compare it with where a browser comes
    from that names another host. Who needs either names the address: `browser.serverAddress`.
    """
    from streamlit import net_util

    net_util.get_external_ip = _unknown


def _unknown() -> str | None:
    return None
