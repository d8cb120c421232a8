# SPDX-License-Identifier: Apache-2.0
"""The scripts that set a machine up: what they assume, and what they say when stuck."""

import ast
import io
import os
import runpy
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

import pytest

from dpdesk.cli import main
from tests.source_files import ROOT, python_files
from tests.waiting import LIMIT_S

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
    paths = python_files("packaging")
    known = sys.stdlib_module_names | {path.stem for path in paths}
    # What lies there runs in a build's environment, where the program's libraries are.
    for path in [path for path in paths if path.parent.name != "frozen"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= known
            elif isinstance(node, ast.ImportFrom):
                assert node.module
                assert node.module.split(".")[0] in known


@pytest.mark.parametrize("script", ["run.py", "test.py"])
def test_an_old_python_is_named(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_other_systems_get_the_names(machine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_is_debian", lambda: False)
    with pytest.raises(SystemExit, match="libegl1"):
        machine.provide(["libegl1"])


def test_nothing_missing_means_nothing_done(machine: ModuleType) -> None:
    machine.provide([])


def test_packages_are_installed_while_other_work_goes_on(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()
    monkeypatch.setattr(machine, "_is_debian", lambda: True)
    monkeypatch.setattr(machine, "_root_prefix", list)
    failing = lambda _prefix, _packages: goes_on.wait(LIMIT_S) or sys.exit("!")  # noqa: E731
    monkeypatch.setattr(machine, "_apt", failing)
    with machine.providing(["libegl1"]):
        goes_on.set()


def test_what_could_not_be_installed_is_said_after_that_work(
    machine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_is_debian", lambda: True)
    monkeypatch.setattr(machine, "_root_prefix", list)
    monkeypatch.setattr(machine, "_apt", lambda prefix, packages: sys.exit("apt-get failed"))
    with pytest.raises(SystemExit, match="apt-get failed"), machine.providing(["libegl1"]):
        pass


@pytest.mark.long
@pytest.mark.in_turn(3)
def test_the_environment_is_made_once_and_finds_the_project(
    environment: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    (environment.ROOT / "dpdesk_here.py").write_text("print('found')\n")
    environment.prepare(environment.TEST_LOCK)
    python = environment.prepare(environment.RUN_LOCK)
    assert capfd.readouterr().out.count("Making a Python environment") == 1
    ended = subprocess.run(
        [python, "-c", "import dpdesk_here"], cwd="/", capture_output=True, text=True, check=True
    )
    assert ended.stdout == "found\n"


def test_an_environment_is_kept_while_all_it_stands_on_is_as_it_was(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert environment._stamped_locks() is None, "there is none yet"
    environment.VENV.mkdir()
    monkeypatch.setattr(environment, "python_path", lambda: Path(sys.executable))
    locks = {"requirements.lock": environment._digest(environment.RUN_LOCK)}
    environment._stamp(locks)
    assert environment._stamped_locks() == locks
    with monkeypatch.context() as changed:
        changed.setattr(environment, "python_path", lambda: environment.ROOT / "gone")
        assert environment._stamped_locks() is None, "its Python is gone"
    with monkeypatch.context() as changed:
        changed.setattr(environment, "_python", lambda: "3.99")
        assert environment._stamped_locks() is None, "another Python made it"
    environment.RUN_LOCK.write_text("# something else\n")
    assert environment._stamped_locks() is None, "the lock is another"


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


def test_the_working_copy_speaks_the_systems_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import environment
    import sample

    def call(arguments: list[str]) -> int:
        script = tmp_path / "script.py"
        script.write_text(arguments[1])
        with monkeypatch.context() as changed:
            changed.setattr(sys, "argv", arguments[1:])
            runpy.run_path(str(script))
        return 0

    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setattr(environment, "call", call)
    folder = sample.write()
    assert "Kardiologie" in (folder / sample.STUDY).read_text(encoding="utf-8")
    monkeypatch.setattr(environment, "call", lambda _arguments: 1)
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "other"))
    assert (sample.write() / sample.STUDY).is_file(), "English, where the program says nothing"


def called_here(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command's status and what it prints."""
    with redirect_stdout(io.StringIO()) as printed:
        status = main(list(arguments))
    return subprocess.CompletedProcess(arguments, status, printed.getvalue())


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen on this machine")
@pytest.mark.long
@pytest.mark.in_turn(3)
def test_without_a_display_a_verified_bundle_is_left(
    dpdesk_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    import environment
    import sample

    monkeypatch.setattr(environment, "python_path", lambda: Path(sys.executable))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    folder = sample.copy()
    assert sample.release(folder) == 0
    del os.environ["DPDESK_PASSPHRASE_FILE"]
    # The second time the same commands run in this process: each program takes seconds to start.
    monkeypatch.setattr(environment, "call", lambda arguments: main(arguments[2:]))
    monkeypatch.setattr(sample, "_dpdesk", called_here)
    assert sample.release(folder) == 0
    del os.environ["DPDESK_PASSPHRASE_FILE"]
    assert "spent 0.95 -> 0.95" in capfd.readouterr().out, "asking again costs nothing"
    zipfile.ZipFile(folder / "sample-release-1.zip").extractall(tmp_path)
    command = ["ssh-keygen", "-Y", "verify", "-n", "dpdesk-release-v1", "-I", sample.SIGNER]
    command += ["-f", str(folder / "allowed_signers"), "-s", "manifest.json.sig"]
    manifest = (tmp_path / "manifest.json").read_bytes()
    assert subprocess.run(command, cwd=tmp_path, input=manifest, check=False).returncode == 0
    private = (folder / "passphrase.txt").stat().st_mode
    assert sys.platform == "win32" or not private & 0o077
