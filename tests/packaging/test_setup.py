# SPDX-License-Identifier: Apache-2.0
"""The scripts that set a machine up: what they assume, and what they say when stuck."""

import ast
import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_files import ROOT, python_files

SCRIPTS = ROOT / "packaging"


@pytest.fixture(autouse=True)
def scripts_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    yield
    for name in ("environment", "machine", "sample"):
        sys.modules.pop(name, None)


@pytest.fixture
def machine() -> ModuleType:
    import machine

    return machine


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The environment module on a small project of its own, with empty locks."""
    import environment

    folder = tmp_path / "a project"
    (folder / "packaging").mkdir(parents=True)
    for name in ("requirements.lock", "requirements-test.lock"):
        (folder / "packaging" / name).write_text("# nothing\n")
    monkeypatch.setattr(environment, "ROOT", folder)
    monkeypatch.setattr(environment, "VENV", folder / ".venv")
    monkeypatch.setattr(environment, "STAMP", folder / ".venv" / "dpdesk-stamp.json")
    monkeypatch.setattr(environment, "RUN_LOCK", folder / "packaging" / "requirements.lock")
    monkeypatch.setattr(environment, "TEST_LOCK", folder / "packaging" / "requirements-test.lock")
    return environment


def test_the_scripts_need_nothing_but_python() -> None:
    known = sys.stdlib_module_names | {path.stem for path in python_files("packaging")}
    for path in python_files("packaging"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= known
            elif isinstance(node, ast.ImportFrom):
                assert node.module
                assert node.module.split(".")[0] in known


@pytest.mark.parametrize("script", ["run.py", "test.py"])
def test_an_old_python_is_told_so(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4, "final", 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or later; this is Python 3\.10"):
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")


def test_this_python_can_make_environments(machine: ModuleType) -> None:
    assert machine.python_packages() == []


def test_without_venv_debian_s_package_is_wanted(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.importlib.util, "find_spec", lambda name: None)
    assert machine.python_packages() == [f"python3.{sys.version_info.minor}-venv"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of Linux")
def test_a_missing_library_is_found_missing(machine: ModuleType) -> None:
    wanted = {"libc.so.6": "libc6", "libno-such-thing.so.9": "libno-such-thing9"}
    assert machine._missing_libraries(wanted) == ["libno-such-thing9"]


def test_one_command_is_named_where_nothing_may_be_installed(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_is_debian", lambda: True)
    monkeypatch.setattr(machine, "_root_prefix", lambda: None)
    with pytest.raises(SystemExit) as said:
        machine.provide(["libegl1", "libgl1", "libegl1"])
    command = str(said.value).splitlines()[-1].strip()
    assert command.startswith(("sudo ", "su "))
    assert command.count("libegl1") == 1


def test_other_systems_are_told_the_names(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_is_debian", lambda: False)
    with pytest.raises(SystemExit, match="libegl1"):
        machine.provide(["libegl1"])


def test_nothing_missing_means_nothing_done(machine: ModuleType) -> None:
    machine.provide([])


def test_the_environment_is_made_once(
    environment: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    environment.prepare(environment.TEST_LOCK)
    environment.prepare(environment.RUN_LOCK)
    assert environment.prepare(environment.TEST_LOCK) == environment.python_path()
    assert capfd.readouterr().out.count("Making a Python environment") == 1


def test_the_environment_finds_the_project(environment: ModuleType) -> None:
    (environment.ROOT / "dpdesk_here.py").write_text("print('found')\n")
    python = environment.prepare(environment.RUN_LOCK)
    told = subprocess.run(
        [python, "-c", "import dpdesk_here"], cwd="/", capture_output=True, text=True, check=True
    )
    assert told.stdout == "found\n"


def test_a_changed_lock_makes_it_anew(
    environment: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    environment.prepare(environment.RUN_LOCK)
    environment.RUN_LOCK.write_text("# something else\n")
    environment.prepare(environment.RUN_LOCK)
    assert capfd.readouterr().out.count("Making a Python environment") == 2


def test_a_broken_environment_is_made_anew(environment: ModuleType) -> None:
    environment.prepare(environment.RUN_LOCK)
    environment.python_path().unlink()
    environment.prepare(environment.RUN_LOCK)
    assert json.loads(environment.STAMP.read_text())["locks"]


def test_the_working_copy_keeps_what_the_user_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sample

    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "home"))
    folder = sample.copy()
    assert ROOT not in folder.parents
    (folder / sample.STUDY).write_text("mine")
    assert sample.copy() == folder
    assert (folder / sample.STUDY).read_text() == "mine"
    assert (folder / "admissions.csv").is_file()
