"""The line between a browser and a server, which can be cut, mended and led to another server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Relay:
    """Passes on whatever comes to a port of this machine, as long as the line isn't cut.

    Attributes
    ----------
    port : int
        Where it listens.
    to : int or None
        Port of the server behind it; None while the line is cut.
    """

    def __init__(self, to: int) -> None:
        self.to: int | None = to
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        self._ends: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def lead(self, to: int | None) -> None:
        """End every connection; new ones go to this port, or nowhere."""
        self.to = to
        for end in tuple(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):  # closed at the end
            while True:
                near, _ = self.listening.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.to or 0))
                except OSError:
                    near.close()
                    continue
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        self._ends.add(near)
        with suppress(OSError):
            while data := near.recv(65_536):
                far.sendall(data)
        for end in (near, far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.discard(near)
        near.close()


@contextmanager
def relay(to: int) -> Iterator[Relay]:
    """A line to a port that is cut at the end."""
    made = Relay(to)
    try:
        yield made
    finally:
        made.lead(None)
        with suppress(OSError):
            made.listening.shutdown(socket.SHUT_RDWR)
        made.listening.close()
