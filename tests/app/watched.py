"""Starts Streamlit and writes down what it opens for writing and which hosts it asks: watched.py LOG run …

The processes it starts are watched, too; those watched are listed beside LOG in processes.txt.
"""

import os
import stat
import sys
from functools import partial

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | getattr(os, "O_TMPFILE", 0)
HERE = (None, "", b"", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::")
# Python runs a module of this name at its start.
AT_START = """import sys
sys.path.append({here!r})
from watched import watch
watch({log!r})
"""


def note(log: int, event: str, details: tuple[object, ...]) -> None:
    """An audit hook: it sees what is opened, also deep inside libraries, and can't be taken away again."""
    if event == "open":
        path, mode, flags = details
        if path == os.devnull or (isinstance(path, int) and stat.S_ISFIFO(os.fstat(path).st_mode)):
            return
        written = isinstance(mode, str) and set(mode) & set("wax+")
        if written or (isinstance(flags, int) and flags & WRITING):
            os.write(log, f"open {path} {mode} {flags}\n".encode())
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.connect"):
        target = details[1] if event == "socket.connect" else details[0]
        host = target[0] if isinstance(target, tuple) else target
        if host not in HERE:
            os.write(log, f"{event} {host!r}\n".encode())
    elif event in ("tempfile.mkstemp", "tempfile.mkdtemp", "os.mkdir", "shutil.copyfile", "os.rename"):
        os.write(log, f"{event} {details}\n".encode())


def watch(path: str) -> None:
    """Note what this process opens from now on."""
    sys.dont_write_bytecode = True
    append = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    processes = os.open(os.path.join(os.path.dirname(path), "processes.txt"), append)
    os.write(processes, f"{' '.join(sys.orig_argv)}\n".encode())
    os.close(processes)
    sys.addaudithook(partial(note, os.open(path, append)))


if __name__ == "__main__":
    log = sys.argv.pop(1)
    folder = os.path.join(os.path.dirname(log), "at-start")
    os.mkdir(folder)
    with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
        file.write(AT_START.format(here=os.path.dirname(os.path.abspath(__file__)), log=log))
    os.environ["PYTHONPATH"] = folder
    watch(log)
    from streamlit.web.cli import main

    main()
