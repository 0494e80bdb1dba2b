"""Who counts as whoever runs this server: visitors on its machine, unless settings speak of a proxy."""

import ipaddress
import os
from collections.abc import Mapping

from nlpstat_core.errors import ConfigError, shown

HOSTS = "NLPSTAT_ALLOWED_HOSTS"
ONE_USER = "NLPSTAT_LOCAL_USER"


def one_user() -> bool | None:
    """Whether everybody who reaches this server is its one user, as NLPSTAT_LOCAL_USER says.

    Returns: None where it says nothing.
    Raises ConfigError: It says something else.
    """
    text = os.environ.get(ONE_USER, "")
    if text not in ("", "0", "1"):
        raise ConfigError(
            f"{ONE_USER} must be 1 (everybody is the one user) or 0 (nobody), not {shown(text)}."
        )
    return None if not text else text == "1"


def is_local_user(peer: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a visitor has the rights of whoever runs this server, where nobody logs in.

    peer: Address of the other end of the connection.
    headers: Of the request, names in small letters.
    """
    said = one_user()
    return from_this_machine(peer, headers) if said is None else said


def from_this_machine(peer: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a request was made on this machine, as far as its operator's settings let that be told.

    A proxy on this machine makes everybody's connections look like this one's, whatever headers it sends: no
    header that is missing says anything. So nobody is local once a setting speaks of a proxy.
    """
    import streamlit as st

    if peer is None or not is_loopback(peer) or not is_loopback(str(st.get_option("server.address") or "")):
        return False
    if proxy_settings() or any(name in _PASSED_ON or name.startswith("x-forwarded") for name in headers):
        return False
    host = headers.get("host", "")
    return is_loopback(host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0])


_PASSED_ON = frozenset(("forwarded", "via", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip"))
# What is set for a proxy, or for visitors that come by another name than this machine's own, and its default.
_FOR_PROXIES = {
    "server.baseUrlPath": "",
    "server.trustedUserHeaders": {},
    "server.corsAllowedOrigins": [],
    "server.allowedHosts": [],
    "browser.serverAddress": "localhost",
}


def proxy_settings() -> tuple[str, ...]:
    """The settings that speak of a proxy, or of visitors from elsewhere."""
    import streamlit as st

    found = [name for name in (HOSTS, "FORWARDED_ALLOW_IPS") if os.environ.get(name)]
    options = [name for name, usual in _FOR_PROXIES.items() if (st.get_option(name) or usual) != usual]
    return (*found, *options)


def is_loopback(name: str) -> bool:
    """Whether an address or name is this machine's own.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
