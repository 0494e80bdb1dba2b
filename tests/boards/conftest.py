"""Both databases for every test that asks for one; one PostgreSQL for all of them."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the packages of nlpstat[boards] are not installed")

from sqlalchemy import create_engine, text

from boards.servers import postgresql, programs
from nlpstat_core.saved_boards.database import Database, open_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of a PostgreSQL server, without the name of a database; "prepared" has today's tables."""
    if programs() is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL has to be here: tests/install_debian.sh installs it")
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    with postgresql() as url:
        server = url.rpartition("/")[0]
        _create(server, "prepared", "template1")
        open_database(f"{server}/prepared").close()
        yield server


def _create(server: str, name: str, template: str) -> None:
    url = f"{server.replace('postgresql:', 'postgresql+psycopg:')}/postgres"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    engine.dispose()


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """URL of a fresh database."""
    name = f"test_{uuid.uuid4().hex}"
    _create(postgres, name, "prepared")
    return f"{postgres}/{name}"


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the tables of today, to be copied."""
    file = tmp_path_factory.mktemp("prepared") / "boards.sqlite"
    open_database(str(file)).close()
    return file


def copied(file: Path, folder: Path) -> str:
    """A copy of a file in another folder."""
    return str(shutil.copy(file, folder / "boards.sqlite"))


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fresh database: the path of a file, or a URL."""
    if request.param == "sqlite":
        return copied(request.getfixturevalue("prepared"), tmp_path)
    url: str = request.getfixturevalue("postgres_database")
    return url


@pytest.fixture
def database(target: str) -> Iterator[Database]:
    """A fresh database with the tables of today."""
    made = open_database(target)
    yield made
    made.close()
