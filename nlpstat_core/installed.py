"""Which packages beyond the core's own are here, and the command that installs those that aren't."""

import shutil
from functools import cache
from importlib.util import find_spec

# The extras of pyproject.toml, by the modules without which nothing of them works.
NEEDED = {
    "parquet": ("pyarrow",),
    "text": ("sacrebleu", "jiwer", "rouge_score"),
    "app": ("streamlit", "starlette", "plotly", "pyarrow"),
    "boards": ("sqlalchemy", "alembic", "cryptography", "idna", "pyarrow"),
}


@cache
def missing_packages(extra: str) -> tuple[str, ...]:
    """Packages of an extra that can't be imported, looked for once in the life of a process."""
    return tuple(name for name in NEEDED[extra] if not _is_here(name))


def packages_problem(what: str, extra: str) -> str | None:
    """Which packages are missing and what installs them, in a sentence; None where all are here.

    what: What needs them, with its verb ("The app needs").
    """
    missing = ", ".join(missing_packages(extra))
    if not missing:
        return None
    return f"{what} packages that aren't installed ({missing}); install them with: {install_command(extra)}"


def has_arrow() -> bool:
    """Whether Arrow may read large texts; what is read is the same without it."""
    return not missing_packages("parquet")


def install_command(extra: str) -> str:
    """What to type."""
    return f"pip install 'nlpstat[{extra}]'"


def _is_here(name: str) -> bool:
    found = find_spec(name)
    return found is not None and found.origin is not None  # a folder of migrations may be called alembic, too


def own_command() -> str:
    """How the command line is called where this runs: by its name where that is installed."""
    return "nlpstat" if shutil.which("nlpstat") else "python -m nlpstat_core"
