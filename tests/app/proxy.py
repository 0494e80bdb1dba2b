"""nginx with deploy/nginx.conf on free ports, with a certificate of its own, before two given servers."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from app.driver import ROOT

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")
NAME = "scores.example.org"


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports: list[int] = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def configured(folder: Path, http: int, https: int, servers: Sequence[int]) -> str:
    """deploy/nginx.conf with ports, files and one more name replaced; each has to be there."""
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    for old, new in (
        (r"listen 443 ", f"listen 127.0.0.1:{https} "),
        (r"listen 80 ", f"listen 127.0.0.1:{http} "),
        (r"127\.0\.0\.1:8501\b", f"127.0.0.1:{servers[0]}"),
        (r"127\.0\.0\.1:8502\b", f"127.0.0.1:{servers[1]}"),
        (rf"server_name {re.escape(NAME)};", f"server_name {NAME} 127.0.0.1;"),
        (r"/etc/nginx/(certificate|key)\.pem", rf"{folder}/\1.pem"),
        (r"/var/log/nginx/", f"{folder}/"),
        (r"/run/nginx\.pid", f"{folder}/nginx.pid"),
        (r"http \{\n", f"http {{\n{temporary}"),
        (r"worker_processes auto", "worker_processes 1"),
    ):
        text, times = re.subn(old, new, text)
        assert times, f"deploy/nginx.conf has no {old}"
    return text


@contextmanager
def running_proxy(folder: Path, servers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ports for http and https of a proxy before two servers."""
    if NGINX is None or OPENSSL is None:
        pytest.skip("nginx or openssl is not installed")
    http, https = free_ports(2)
    certificate = [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    certificate += ["-subj", f"/CN={NAME}", "-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run(certificate, cwd=folder, check=True, capture_output=True)
    settings = folder / "nginx.conf"
    settings.write_text(configured(folder, http, https, servers), encoding="utf-8")
    command = [NGINX, "-e", str(folder / "error.log"), "-p", str(folder), "-c", str(settings)]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    process = subprocess.Popen([*command, "-g", "daemon off;"], stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(200):
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            try:
                socket.create_connection(("127.0.0.1", https), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield http, https
    finally:
        process.terminate()
        process.communicate(timeout=30)
