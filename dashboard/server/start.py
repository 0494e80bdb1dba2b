"""How the server starts: its options, and when it must not."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from dashboard.server.local_user import is_loopback, one_user
from nlpstat_core.saved_boards import VARIABLE, configured

ENTRY = Path(__file__).resolve().parents[1] / "app.py"
# The same as at the top of a checkout; wheel and image hold this one. Streamlit reads it from beside the
# entry, too; as options of the command they also win over a file of the folder one happens to be in, and over
# the environment.
OPTIONS = Path(__file__).parents[1] / ".streamlit" / "config.toml"
TOLD = ("global", "server", "browser", "client", "runner")


def options() -> list[str]:
    """The options of the server as arguments of Streamlit's command."""
    found = tomllib.loads(OPTIONS.read_text(encoding="utf-8"))
    return [
        f"--{section}.{name}={str(value).lower() if isinstance(value, bool) else value}"
        for section in TOLD
        for name, value in found[section].items()
    ]


def open_to_others(given: Sequence[str]) -> str | None:
    """Why the server must not start: boards are saved, nobody logs in, and others could reach it.

    given: Options that were given beside the app's own.
    Returns: One sentence; None where it may start.
    """
    if configured() is None or one_user() is True:
        return None
    address = "127.0.0.1"
    for place, option in enumerate(given):
        name, equals, value = option.partition("=")
        if name == "--server.address":
            address = value if equals else (given[place + 1] if place + 1 < len(given) else "")
    if is_loopback(address):
        return None
    from streamlit.auth_util import get_secrets_auth_section

    if get_secrets_auth_section():
        return None
    return (
        f"Boards are saved ({VARIABLE} is set) and nobody has to log in: then the server may listen to this "
        "machine only. Set up a login (docs/deploy.md), or leave --server.address out."
    )
