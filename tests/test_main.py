# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk import __main__ as start
from dpdesk import __version__
from tests.source_files import ROOT


@pytest.mark.parametrize("faulty", ["6.11.0", "6.11.1", "6.12.0"])
def test_a_faulty_qt_is_refused_in_one_sentence(
    faulty: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "version", lambda package: faulty)
    assert start.main() == 1
    said = capsys.readouterr()
    assert f"PySide6 {faulty}," in said.err
    assert said.err.count("\n") == 1
    assert not said.out


def test_the_installed_qt_is_fit() -> None:
    found = start.qt_version()
    assert found is not None
    assert found not in start.UNFIT_QT


def test_the_version_is_printed_without_loading_qt_or_looking_for_garbage_often() -> None:
    code = (
        "import gc, sys, runpy; sys.argv = ['dpdesk', '--version']\n"
        "try: runpy.run_module('dpdesk', run_name='__main__')\n"
        "except SystemExit as end: print(end.code, 'PySide6' in sys.modules, gc.get_threshold()[0])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.stdout.split()[-3:] == ["0", "False", str(start.COLLECTED_AFTER)]
    assert __version__ in ended.stdout


CRASHES = """
import ctypes, sys
sys.argv = ["dpdesk", "--version"]
from dpdesk.__main__ import main
try:
    main()
except SystemExit:
    pass
import resource
print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True)
ctypes.string_at(0)
"""


@pytest.mark.threat("F3")
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere cores go where the system says")
def test_a_crash_of_the_program_leaves_no_core(tmp_path: Path) -> None:
    """Its memory holds patients' ids."""
    import resource

    def allow_cores() -> None:
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))

    died = subprocess.run(
        [sys.executable, "-c", CRASHES],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        preexec_fn=allow_cores,
    )
    assert died.returncode == -signal.SIGSEGV
    assert int(died.stdout.split()[-1]) <= 1
    assert list(tmp_path.glob("core*")) == []
