"""`python -m dashboard [OPTIONS OF STREAMLIT]`: the app, ready for its first visitor, from any folder.

`streamlit run dashboard/app.py` does the same; there the first page and the first file take a second longer.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # `python dashboard` adds only this file's own folder
    sys.path.insert(0, str(ROOT))

from dashboard.serving import ENTRY, guard_names, open_to_others, options  # noqa: E402
from dashboard.upload_bounds import bounds  # noqa: E402
from dashboard.workers import check_settings, work_queue  # noqa: E402
from nlpstat_core.errors import ConfigError  # noqa: E402


def main() -> None:
    """Start the worker processes for quick work and for uploads, then Streamlit's server with the app."""
    try:
        check_settings()
        bounds(0)
    except ConfigError as error:
        sys.exit(str(error))
    problem = open_to_others(sys.argv[1:])
    if problem is not None:
        raise SystemExit(problem)
    for sort in ("quick", "reading"):
        work_queue(sort).worker.start()
    from streamlit.web import cli

    guard_names()
    sys.argv = ["streamlit", "run", str(ENTRY), *options(), *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()
