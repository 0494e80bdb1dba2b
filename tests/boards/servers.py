"""A PostgreSQL server of the tests' own, on a free port of this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


def programs() -> Path | None:
    """Folder of Debian's initdb and postgres, the newest; None where PostgreSQL isn't installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).resolve().parent if named else None


@contextmanager
def postgresql() -> Iterator[str]:
    """URL of a fresh server; it doesn't run as root."""
    folder = programs()
    assert folder is not None
    home = Path(tempfile.mkdtemp(prefix="nlpstat-pg-"))
    who = {}
    if os.getuid() == 0:
        account = pwd.getpwnam(USER)
        os.chown(home, account.pw_uid, account.pw_gid)
        who = {"user": account.pw_uid, "group": account.pw_gid}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = home / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": home, **who}
    subprocess.run(
        [folder / "initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"],
        check=True,
        **quiet,
    )
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home} -c fsync=off"
    command = [folder / "pg_ctl", "-D", data, "-w", "-t", "60"]
    subprocess.run([*command, "-l", home / "log", "-o", options, "start"], check=True, **quiet)
    try:
        yield f"postgresql://{USER}@127.0.0.1:{port}/{USER}"
    finally:
        subprocess.run([*command, "-m", "immediate", "stop"], check=True, **quiet)
        shutil.rmtree(home)
