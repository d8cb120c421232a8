# SPDX-License-Identifier: Apache-2.0
"""The environments of those we are measured against."""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

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
    monkeypatch.setattr(peers, "GROUPS", ("peers",))
    declare(tmp_path, "")
    yield peers
    for name in ("environment", "peers"):
        sys.modules.pop(name, None)


def declare(folder: Path, *requirements: str) -> None:
    listed = ", ".join(f'"{each}"' for each in requirements if each)
    (folder / "pyproject.toml").write_text(f"[dependency-groups]\npeers = [{listed}]\n")


def test_an_environment_that_is_there_is_used_again(
    peers: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    monkeypatch.setattr(peers.environment, "VENV", tmp_path / "other")
    folder = tmp_path / "other" / "peers" / "peers"
    folder.mkdir(parents=True)
    (folder / "stamp.json").write_text(peers.json.dumps([sys.version]))
    monkeypatch.setattr(peers, "_fill", lambda _folder, wanted: fetched.append(wanted) or True)
    peers.prepare()
    assert fetched == []
    declare(tmp_path, "duckdb==1")
    peers.prepare()
    assert fetched == [[sys.version, "duckdb==1"]]


def test_what_cannot_be_fetched_is_left_out_aloud(
    peers: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    declare(tmp_path, "no package can have this name")
    peers.prepare()
    assert "could not be fetched; they are left out" in capfd.readouterr().out
    assert not (tmp_path / ".venv" / "peers" / "peers").exists()


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
