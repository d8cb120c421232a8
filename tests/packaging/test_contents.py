# SPDX-License-Identifier: Apache-2.0
"""What a build leaves out is asked for by nothing."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_files import ROOT

WITHOUT = """
import importlib.util, runpy, sys
sys.path.insert(0, "packaging")
import contents
sys.modules.update(dict.fromkeys(contents.EXCLUDED))
runpy.run_path("packaging/frozen/without_unused.py")
sys.path.insert(0, "")
import dpdesk.desk.app, dpdesk.desk.main_window.window, pyqtgraph
import dpdesk.data.reader_process.worker, dpdesk.data.opened, dpdesk.release.run.release_run
import pyarrow.parquet, pyarrow.compute, pandas, pyreadstat, python_calamine
import dpdesk.shell.verify, dpdesk.shell.codebook
import xlsxwriter
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from tests.release.reports import small
assert pdf_bytes(small())
assert not [name for name in contents.HIDDEN if not importlib.util.find_spec(name)]
print("imported")
"""


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import contents

    return contents


def test_the_program_imports_without_what_is_excluded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "imported\n", done.stderr


@pytest.mark.threat("F9")
def test_files_of_other_platforms_and_networks_are_unused(
    contents: ModuleType, tmp_path: Path
) -> None:
    needed = [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "pyarrow/libarrow.so.2600",
        "pyarrow/libarrow_python.so.2600",
        "opendp/lib/opendp.abi3.so",
    ]
    unused = [
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/translations/assistant_de.qm",
        "pyarrow/libarrow_flight.so.2600",
        "pyarrow/libarrow_python.so.2600.1.0",
    ]
    for name in needed + unused:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = {path.relative_to(tmp_path).as_posix() for path in contents.unused(tmp_path)}
    assert found == set(unused)


def test_a_build_brings_no_systems_runtime_and_no_trace_of_its_folder(
    contents: ModuleType,
) -> None:
    names = ["libstdc++.so.6", "libxcb-cursor.so.0", "numpy-2.dist-info/RECORD"]
    names += ["numpy-2.dist-info/METADATA", "resources/sample/admissions.csv"]
    brought = contents.brought([(name, "", "") for name in names])
    assert [entry[0] for entry in brought] == [names[1], *names[3:]]
