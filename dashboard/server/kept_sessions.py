"""What tabs held is kept for a while after their connection has ended, for the same tab of the same browser.

The secret of a tab is drawn by this server, 256 random bits; the browser keeps it for that tab alone, and no
address ever holds it. Here stands its hash only. It opens what was kept in the browser that has the same
cookie, and with the login it was kept under; then it is moved, so that it is held once.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dashboard.server.upload_bounds import whole

MINUTES = 30
VARIABLE = "NLPSTAT_KEEP_MINUTES"
MOST_KEPT, MOST_BYTES = 200, 1024**3  # of sessions whose connection has ended


@dataclass(frozen=True)
class Owner:
    """Whose a session is.

    browser: What the browser's cookie says, the same for all its tabs.
    login: Of whoever is logged in; None where nobody is.
    """

    browser: bytes | None
    login: str | None

    def may_have(self, other: Owner) -> bool:
        """Whether what the other one left is this one's: who logs in keeps what stood in the tab before."""
        known = self.browser is not None  # two browsers that send no cookie aren't the same
        return known and self.browser == other.browser and other.login in (None, self.login)


@dataclass
class Kept:
    """What one tab held.

    name: Of its session, as the server calls it.
    what: Whatever has to come back.
    size: Bytes, about.
    rest: Called once when the session is over, to let go what can be computed again.
    left: Since when nobody is there.
    """

    owner: Owner
    name: str
    what: Any
    size: int
    rest: Callable[[], None]
    left: float | None = field(default=None)


class KeptSessions:
    """All that is kept on this server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[bytes, Kept] = {}

    def keep(self, secret: str, kept: Kept) -> None:
        """Keep what a tab holds now, in the place of what it held before."""
        with self._lock:
            self._kept[_hash(secret)] = kept

    def drop(self, secret: str) -> None:
        """Let go of what a tab held."""
        with self._lock:
            self._kept.pop(_hash(secret), None)

    def drop_login(self, login: str) -> None:
        """Let go of everything of a login that is over."""
        with self._lock:
            self._kept = {key: kept for key, kept in self._kept.items() if kept.owner.login != login}

    def take(self, secret: str, owner: Owner) -> Any | None:
        """What was kept for a secret and an owner, which is moved; None where there is nothing for them."""
        with self._lock:
            kept = self._kept.get(_hash(secret))
            if kept is None or not owner.may_have(kept.owner):
                return None
            return self._kept.pop(_hash(secret)).what

    def sweep(self, connected: Collection[str], known: Collection[str], now: float | None = None) -> bool:
        """Let go of what nobody came back for, and of the oldest where there is too much.

        connected: Sessions with a browser.
        known: Sessions that aren't closed.
        now: Monotonic seconds.
        Returns: Whether anything was let go.
        """
        now = time.monotonic() if now is None else now
        with self._lock:
            for kept in self._kept.values():
                if kept.name in connected:
                    kept.left = None
                elif kept.left is None:
                    kept.left = now
                if kept.left is not None and kept.name not in known:
                    kept.rest()
            gone = sorted(
                ((kept.left, key) for key, kept in self._kept.items() if kept.left is not None), reverse=True
            )
            total, over = 0, []
            for place, (left, key) in enumerate(gone):
                total += self._kept[key].size
                if now - left >= 60 * minutes() or place >= MOST_KEPT or total > MOST_BYTES:
                    over.append(key)
            for key in over:
                del self._kept[key]
        return bool(over)

    def __len__(self) -> int:
        return len(self._kept)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


@cache
def kept_sessions() -> KeptSessions:
    """What is kept on this server."""
    return KeptSessions()


def minutes() -> int:
    """How long things are kept for a tab whose connection has ended: NLPSTAT_KEEP_MINUTES, or half an hour.

    Returns: 0 where nothing is kept.
    Raises ConfigError: An environment variable that is no whole number.
    """
    found = whole(VARIABLE)
    return MINUTES if found is None else found
