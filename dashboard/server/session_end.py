"""What Streamlit keeps of a session is given up: when its user says so, and soon after its tab is closed."""

import ctypes
import gc
import threading
import time
from functools import cache

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from dashboard.server.kept_sessions import kept_sessions
from dashboard.server.upload_bounds import bounds, drop_old

GRACE = 30.0  # seconds in which a browser that lost its connection finds its session again
SECONDS_BETWEEN_LOOKS = 5.0


def forget_files() -> None:
    """Drop every upload and every download of the session that is being served."""
    context = get_script_run_ctx()
    if context is None or not Runtime.exists():
        return
    context.uploaded_file_mgr.remove_session_files(context.session_id)
    media = Runtime.instance().media_file_mgr
    media.clear_session_refs(context.session_id)
    media.remove_orphaned_files()


@cache
def reap_closed_sessions() -> None:
    """Close sessions whose tab is gone, again and again as long as the server lives; once per server.

    Streamlit would keep them, with all their data, until others come and push them out.
    """
    if Runtime.exists() and type(Runtime.instance()) is Runtime:  # its test harness has one that does nothing
        work = (Runtime.instance(), bounds(0).seconds)
        threading.Thread(target=_reap, args=work, name="reaping", daemon=True).start()


def _reap(runtime: Runtime, seconds: float) -> None:
    sessions = runtime._session_mgr
    assert isinstance(sessions, WebsocketSessionManager)  # the web server's, whose tabs may come back
    left: dict[str, float] = {}
    while True:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        now = time.monotonic()
        drop_old(runtime, seconds)
        stored = {info.session.id for info in sessions._session_storage.list()}
        connected = set(sessions._active_session_info_by_id)
        if kept_sessions().sweep(connected, connected | stored):
            give_back_memory()
        left = {name: left.get(name, now) for name in stored}
        over = [name for name, since in left.items() if now - since >= GRACE]
        loop = runtime._get_async_objs().eventloop
        for name in over:
            loop.call_soon_threadsafe(_close, runtime, name)
        if over:
            time.sleep(1)
            give_back_memory()


def _close(runtime: Runtime, name: str) -> None:
    """On the loop of the server: close a session unless its browser has just come back."""
    if not runtime._session_mgr.is_active_session(name):
        runtime.close_session(name)


def give_back_memory() -> None:
    """Let go what nobody refers to any more; the system gets it back, where its library can do that."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another system's library
        return


def give_back_memory_soon() -> None:
    """The same a moment later, when the page that forgets has been drawn, and once more when it has come."""
    for seconds in (1.0, 6.0):
        timer = threading.Timer(seconds, give_back_memory)
        timer.daemon = True
        timer.start()
