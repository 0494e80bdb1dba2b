"""python -m nlpstat_core."""

import sys

from nlpstat_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
