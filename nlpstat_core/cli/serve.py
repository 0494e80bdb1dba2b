"""`serve`: the dashboard in a browser, with a file opened if one is named."""

import argparse
import errno
import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

from nlpstat_core.errors import ConfigError, NlpstatError, shown
from nlpstat_core.installed import install_command, packages_problem
from nlpstat_core.served import OPEN

PORT = 8501
PORTS_TRIED = 100


def add_serve_options(parser: argparse.ArgumentParser) -> None:
    """What `serve` is given."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="score file that the app opens")
    parser.add_argument(
        "--port", default=str(PORT), help=f"port of the server, or the next that is free (default {PORT})"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1: this machine only)"
    )
    parser.add_argument("--no-browser", action="store_true", help="don't open a browser")


def serve(options: argparse.Namespace) -> str:
    """Become the app's server, until it is stopped: a signal to this process is one to the server.

    Raises ConfigError: A port or an address that can't be one, a file that isn't there.
    Raises NlpstatError: The app's packages are not installed, or the server ended with an error.
    """
    port = _port(options.port)
    folder = app_folder()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_paths(folder))}
    environment.pop(OPEN, None)
    if options.file is not None:
        given = Path(options.file)
        if not given.is_file():
            what = "a folder; pack it into a zip" if given.is_dir() else "not there; check the path"
            raise ConfigError(f"{shown(options.file)} is {what}.")
        environment[OPEN] = str(given.resolve())
    free = _free_port(options.host, port)
    if free != port:
        sys.stderr.write(f"Port {port} is taken: the app is served at port {free}.\n")
        sys.stderr.flush()
    # -P: a folder `dashboard` where one happens to be is not the app.
    command = [sys.executable, "-P", "-m", "dashboard"]
    command += ["--server.port", str(free), "--server.address", options.host]
    if not options.no_browser:
        command.append("--open-browser")
    if os.name == "posix":
        os.execve(sys.executable, command, environment)
    status = subprocess.call(command, env=environment)  # elsewhere a process can't be replaced
    if status > 0:
        raise NlpstatError(f"The server ended with status {status}; its messages are above.")
    return ""


def app_folder() -> Path:
    """Folder that holds the app: inside the installed package, or the checkout.

    Raises NlpstatError: Neither is there, or packages of the app's are not installed.
    """
    found = importlib.util.find_spec("nlpstat_app")
    places = [Path(place) for place in found.submodule_search_locations or ()] if found else []
    places.append(Path(__file__).resolve().parents[2])
    folder = next((place for place in places if (place / "dashboard" / "app.py").is_file()), None)
    if folder is None:
        raise NlpstatError(f"The app is not here; install it with: {install_command('app')}")
    if problem := packages_problem("The app needs", "app"):
        raise NlpstatError(problem)
    return folder


def _paths(folder: Path) -> list[str]:
    """Where the app and this very core are found, before whatever was set."""
    core = str(Path(__file__).resolve().parents[2])
    return [str(folder), core, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65_535):
        raise ConfigError(f"--port must be a whole number from 1 to 65535, not {shown(text)}.")
    return int(text)


def _free_port(host: str, first: int) -> int:
    """The port, or the next one that nobody listens at; the server binds it as it is tried here."""
    try:
        places = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"--host {shown(host)} is not an address of this machine.") from error
    last = min(first + PORTS_TRIED - 1, 65_535)
    for port in range(first, last + 1):
        try:
            for family, kind, protocol, _, place in places:
                with socket.socket(family, kind, protocol) as tried:
                    if os.name == "posix":
                        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    tried.bind((place[0], port, *place[2:]))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise ConfigError(f"--host {shown(host)} is not an address of this machine.") from error
            if error.errno == errno.EACCES:
                raise ConfigError(f"--port {port} is kept for the system; take one from 1024 on.") from error
            if error.errno != errno.EADDRINUSE:
                raise NlpstatError(f"The server can't listen at {shown(host)}: {error.strerror}.") from error
        else:
            return port
    raise NlpstatError(f"The ports from {first} to {last} are all taken; name another with --port.")
