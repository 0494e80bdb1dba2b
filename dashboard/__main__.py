"""`python -m dashboard [--open-browser] [OPTIONS OF STREAMLIT]`: the app, ready for its first visitor.

`streamlit run dashboard/app.py` does the same; there the first page and the first file take a second longer.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # `python dashboard` adds only this file's own folder
    sys.path.insert(0, str(ROOT))

from dashboard.background.workers import check_settings, work_queue  # noqa: E402
from dashboard.server.browser import OPTION, open_when_started  # noqa: E402
from dashboard.server.guards import guard_names, safe_headers  # noqa: E402
from dashboard.server.start import ENTRY, open_to_others, options  # noqa: E402
from dashboard.server.upload_bounds import bounds  # noqa: E402
from nlpstat_core.errors import ConfigError  # noqa: E402


def main() -> None:
    """Start the worker processes for quick work and for uploads, then Streamlit's server with the app."""
    given = [argument for argument in sys.argv[1:] if argument != OPTION]
    try:
        check_settings()
        bounds(0)
        safe_headers()
        problem = open_to_others(given)
    except ConfigError as error:
        sys.exit(str(error))
    if problem is not None:
        raise SystemExit(problem)
    for sort in ("quick", "reading"):
        work_queue(sort).worker.start()
    from streamlit.web import cli

    if OPTION in sys.argv[1:]:
        open_when_started()
    guard_names()
    sys.argv = ["streamlit", "run", str(ENTRY), *options(), *given]
    cli.main()


if __name__ == "__main__":
    main()
