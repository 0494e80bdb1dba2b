"""Exit status 0 when the app on this machine answers: `python deploy/health.py [PORT]`, for containers.

Where the app is served under a path, STREAMLIT_SERVER_BASE_URL_PATH names it, as it does for the server.
"""

import os
import sys
import urllib.request


def main() -> int:
    """Ask once."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8501
    path = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
    address = f"http://127.0.0.1:{port}/{f'{path}/' if path else ''}_stcore/health"
    # Past any proxy that the environment names: the question is for this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=4) as answer:
            return 0 if answer.read() == b"ok" else 1
    except OSError as error:
        sys.stderr.write(f"{address} doesn't answer: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
