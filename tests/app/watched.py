"""Starts Streamlit and writes down every file that Python opens for writing: watched.py LOG run app.py …"""

import os
import sys
from functools import partial

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | getattr(os, "O_TMPFILE", 0)


def note(log: int, event: str, details: tuple[object, ...]) -> None:
    """An audit hook: it sees what is opened, also deep inside libraries, and can't be taken away again."""
    if event == "open":
        path, mode, flags = details
        written = isinstance(mode, str) and set(mode) & set("wax+")
        if path != os.devnull and (written or (isinstance(flags, int) and flags & WRITING)):
            os.write(log, f"open {path} {mode} {flags}\n".encode())
    elif event in ("tempfile.mkstemp", "tempfile.mkdtemp", "os.mkdir", "shutil.copyfile", "os.rename"):
        os.write(log, f"{event} {details}\n".encode())


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    opened = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_APPEND)
    sys.addaudithook(partial(note, opened))
    from streamlit.web.cli import main

    main()
