"""`python -m dashboard [OPTIONS OF STREAMLIT]`: the app, ready for its first visitor.

`streamlit run dashboard/app.py` does the same; there the first page and the first file take a second longer.
"""

import sys
from pathlib import Path

from dashboard.apart import lane


def main() -> None:
    """Start the helper process for quick work, then Streamlit's server with the app."""
    lane("quick").helper.start()
    from streamlit.web import cli

    sys.argv = ["streamlit", "run", str(Path(__file__).with_name("app.py")), *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()
