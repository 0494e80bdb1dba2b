"""`serve`: the dashboard in a browser, with a file opened if one is named."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path

from nlpstat_core.errors import ConfigError, NlpstatError, shown

# The file that every new session of the served app opens.
OPEN = "NLPSTAT_OPEN"
PORT = 8501
_PATIENCE = 60.0


def add_serve_options(parser: argparse.ArgumentParser) -> None:
    """What `serve` is given.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    """
    parser.add_argument("file", nargs="?", metavar="FILE", help="score file that the app opens")
    parser.add_argument("--port", default=str(PORT), help=f"port of the server (default {PORT})")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1: this machine only)"
    )
    parser.add_argument("--no-browser", action="store_true", help="don't open a browser")


def serve(options: argparse.Namespace) -> str:
    """Run the app's server until it is stopped.

    Parameters
    ----------
    options : argparse.Namespace

    Returns
    -------
    str
        Nothing to print.

    Raises
    ------
    ConfigError
        A port that can't be one, a file that isn't there.
    NlpstatError
        The app's packages are not installed, or the server ended with an error.
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
    # -P: a folder `dashboard` where one happens to be is not the app.
    command = [sys.executable, "-P", "-m", "dashboard"]
    command += ["--server.port", str(port), "--server.address", options.host]
    if not options.no_browser:
        local = "127.0.0.1" if options.host in ("0.0.0.0", "::") else options.host
        threading.Thread(target=_open_browser, args=(f"http://{local}:{port}",), daemon=True).start()
    status = subprocess.call(command, env=environment)
    if status > 0:
        raise NlpstatError(f"The server ended with status {status}; what it said stands above.")
    return ""


def app_folder() -> Path:
    """Folder that holds the app: inside the installed package, or the checkout.

    Returns
    -------
    Path

    Raises
    ------
    NlpstatError
        Neither is there, or Streamlit is not installed.
    """
    found = importlib.util.find_spec("nlpstat_app")
    places = [Path(place) for place in found.submodule_search_locations or ()] if found else []
    places.append(Path(__file__).resolve().parents[2])
    folder = next((place for place in places if (place / "dashboard" / "app.py").is_file()), None)
    if folder is None or importlib.util.find_spec("streamlit") is None:
        raise NlpstatError("The app is not installed here; install it with: pip install nlpstat")
    return folder


def _paths(folder: Path) -> list[str]:
    """Where the app and this very core are found, before whatever was set."""
    core = str(Path(__file__).resolve().parents[2])
    return [str(folder), core, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65_535):
        raise ConfigError(f"--port must be a whole number from 1 to 65535, not {shown(text)}.")
    return int(text)


def _open_browser(address: str) -> None:
    """Show the app once its server answers."""
    begun = time.monotonic()
    while time.monotonic() - begun < _PATIENCE:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                webbrowser.open(address)
                return
        except OSError:
            time.sleep(0.2)
