"""Boards that stay: storage, roles, links, comments and the log of what was done. Nothing imports it unasked.

It needs the packages of `nlpstat[boards]`. The app and the command line import its modules only where a
database is configured or a command of it is used; the core knows nothing of it.
"""

import os

VARIABLE = "NLPSTAT_DATABASE"


def configured() -> str | None:
    """The database that NLPSTAT_DATABASE names; None where boards aren't kept."""
    return os.environ.get(VARIABLE) or None
