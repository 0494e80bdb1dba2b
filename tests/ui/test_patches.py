"""The private parts of Streamlit that are patched or called are still there, and the patches still bite."""

from __future__ import annotations

import inspect

import uvicorn
from starlette.formparsers import MultiPartParser
from streamlit import config, net_util
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web.server.starlette import starlette_routes, starlette_server, starlette_websocket
from uvicorn.protocols.http import h11_impl

from dashboard.server import upload_bounds
from dashboard.server.guards import SafeHeaders, guard_names
from dashboard.server.privacy import MEGABYTE, keep_uploads_in_memory, never_look_up_the_address
from dashboard.server.start import ENTRY


def test_uploads_are_kept_in_memory(monkeypatch) -> None:
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MEGABYTE)
    keep_uploads_in_memory(50)
    assert MultiPartParser.spool_max_size == 51 * MEGABYTE
    assert "spool_max_size" in inspect.getsource(MultiPartParser.on_headers_finished)


def test_the_address_is_never_looked_up(monkeypatch) -> None:
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    never_look_up_the_address()
    assert net_util.get_external_ip() is None


def test_requests_pass_the_look_at_their_name(monkeypatch) -> None:
    monkeypatch.setattr(starlette_server, "create_starlette_app", lambda runtime: runtime)
    guard_names()
    assert isinstance(starlette_server.create_starlette_app(object()), SafeHeaders)
    running = inspect.getsource(starlette_server.UvicornServer)
    assert "self._server = uvicorn.Server(uvicorn_config)" in running
    assert "loaded_app" in inspect.getsource(uvicorn.Config.load)
    assert "config.loaded_app" in inspect.getsource(h11_impl)  # by every connection
    assert "create_starlette_app(" in inspect.getsource(starlette_server.UvicornServer.start)


def test_one_upload_can_be_given_up() -> None:
    manager = MemoryUploadedFileManager("/upload")
    manager.add_file("session", UploadedFileRec("file", "a.csv", "text/csv", b"secret"))
    manager.remove_file("session", "file")
    assert manager.get_files("session", ["file"]) == []


def test_uploads_that_wait_can_be_counted_and_a_page_be_told() -> None:
    manager = MemoryUploadedFileManager("/upload")
    with manager._lock:
        assert dict(manager.file_storage) == {}
    sessions = inspect.getsource(WebsocketSessionManager)
    assert "def get_session_info(" in sessions
    assert "def get_active_session_info(" in sessions
    assert "self._client_state" in inspect.getsource(app_session.AppSession.request_rerun)
    assert f"/{starlette_routes.BASE_ROUTE_UPLOAD_FILE}/" == upload_bounds.PATH


def test_closed_sessions_can_be_found_and_closed() -> None:
    assert callable(MemorySessionStorage.list)
    assert "_session_storage" in inspect.getsource(WebsocketSessionManager.__init__)
    assert "_session_mgr" in inspect.getsource(Runtime.__init__)
    assert callable(Runtime.close_session)
    assert "eventloop" in inspect.getsource(Runtime)
    shutdown = inspect.getsource(app_session.AppSession.shutdown)
    assert "remove_session_files" in shutdown
    assert "clear_session_refs" in shutdown
    assert callable(MediaFileManager.clear_session_refs)


def test_options_beside_the_entry_are_read(monkeypatch) -> None:
    monkeypatch.setattr(config, "_main_script_path", str(ENTRY))
    assert str(ENTRY.parent / ".streamlit" / "config.toml") in config.get_config_files("config.toml")


def test_tabs_of_a_login_can_be_found_and_told() -> None:
    """What `end_other_tabs` calls when somebody logs out in one of them."""
    assert callable(WebsocketSessionManager.list_sessions)
    assert "_user_info.clear()" in inspect.getsource(app_session.AppSession.clear_user_info)
    assert "clear_user_info" in inspect.getsource(Runtime.clear_user_info_for_session)
    assert "self._user_info = user_info" in inspect.getsource(app_session.AppSession.__init__)
    assert "self._client_state" in inspect.getsource(app_session.AppSession.__init__)
    assert callable(app_session.AppSession.request_rerun)


def test_the_other_end_of_a_connection_can_be_asked_for() -> None:
    assert callable(Runtime.get_client)
    assert "client.host" in inspect.getsource(starlette_websocket.StarletteClientContext.__init__)
