# SPDX-License-Identifier: Apache-2.0
"""The environments of those we are measured against."""

import hashlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from tests.bench.size.cases import PEERS, VARIABLES, python_of
from tests.source_files import ROOT


@pytest.fixture
def peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module on a project whose groups need nothing."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import environment
    import peers

    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "python_path", lambda: Path(sys.executable))
    monkeypatch.setattr(peers, "GROUPS", ("peers",))
    (tmp_path / "packaging").mkdir()
    declare(tmp_path, "")
    yield peers
    for name in ("environment", "peers"):
        sys.modules.pop(name, None)


def declare(folder: Path, requirements: str) -> str:
    """Write the group's lock; the answer tells it from others."""
    (folder / "packaging" / "requirements-peers.lock").write_text(requirements)
    return hashlib.sha256(requirements.encode()).hexdigest()


def test_an_environment_that_is_there_is_used_again(
    peers: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[Path] = []
    monkeypatch.setattr(peers.environment, "VENV", tmp_path / "other")
    folder = tmp_path / "other" / "peers" / "peers"
    folder.mkdir(parents=True)
    (folder / "stamp.json").write_text(peers.json.dumps([sys.version, declare(tmp_path, "")]))
    monkeypatch.setattr(peers, "_fill", lambda _folder, lock: fetched.append(lock) or True)
    peers.prepare(peers.GROUPS)
    assert fetched == []
    digest = declare(tmp_path, "duckdb==1")
    peers.prepare(peers.GROUPS)
    peers.prepare(peers.GROUPS)
    assert fetched == [tmp_path / "packaging" / "requirements-peers.lock"]
    assert peers.json.loads((folder / "stamp.json").read_text()) == [sys.version, digest]


@pytest.mark.in_turn(3)
def test_what_cannot_be_fetched_is_left_out_aloud(
    peers: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    declare(tmp_path, "no package can have this name")
    peers.prepare(peers.GROUPS)
    assert "could not be fetched; they are left out" in capfd.readouterr().out
    assert not (tmp_path / ".venv" / "peers" / "peers").exists()


@pytest.mark.in_turn(3)
def test_nothing_is_taken_that_the_lock_does_not_hash(
    peers: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "peer-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as packed:
        about = "Metadata-Version: 2.1\nName: peer\nVersion: 1\n"
        packed.writestr("peer-1.dist-info/METADATA", about)
        packed.writestr("peer-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr("peer-1.dist-info/RECORD", "")
    where = f"--no-index\n--find-links {tmp_path.as_uri()}\npeer==1"
    declare(tmp_path, f"{where}\n")
    peers.prepare(peers.GROUPS)
    assert not (tmp_path / ".venv" / "peers" / "peers").exists()
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    declare(tmp_path, f"{where} --hash=sha256:{digest}\n")
    peers.prepare(peers.GROUPS)
    assert (tmp_path / ".venv" / "peers" / "peers" / "stamp.json").exists()
    assert capfd.readouterr().out.count("they are left out") == 1


def test_each_group_is_declared_pinned_and_found_where_it_is_put(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import environment
    import peers

    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(peers.GROUPS) == set(VARIABLES)
    for group in peers.GROUPS:
        assert all("==" in each for each in groups["dependency-groups"][group])
    assert environment.VENV / "peers" == PEERS


def test_a_variable_names_another_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLES["peers"], "another-python")
    assert python_of("peers") == "another-python"
    assert python_of("") == sys.executable
