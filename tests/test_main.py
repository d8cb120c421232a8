# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys

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


def test_the_version_is_told_without_loading_qt() -> None:
    code = (
        "import sys, runpy; sys.argv = ['dpdesk', '--version']\n"
        "try: runpy.run_module('dpdesk', run_name='__main__')\n"
        "except SystemExit as end: print(end.code, 'PySide6' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.stdout.split()[-2:] == ["0", "False"], told.stderr
    assert __version__ in told.stdout
