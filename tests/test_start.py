# SPDX-License-Identifier: Apache-2.0
"""What a start must not import, since whoever waits for it needs none of it."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyreadstat

from tests.data.workbooks import write_workbook
from tests.source_files import ROOT

FILES = frozenset({"pandas", "pyarrow", "pyreadstat", "python_calamine"})
"""What reads tables: pandas alone takes longer than all of a plan."""

KEYS = frozenset({"bcrypt", "cryptography"})
WINDOWS = frozenset({"PySide6", "pyqtgraph"})

WINDOW = """
from dpdesk.desk.app import application, make_window
from dpdesk.release.places.home import Home
app = application()
window = make_window(app, Home.locate())
window.show()
while not window.windowHandle().isExposed():
    app.processEvents()
app.processEvents()
"""

PRELOADED = f"""
{WINDOW}
from dpdesk.desk.core.jobs.garbage_collector import GarbageCollector
from dpdesk.desk.main_window.warm_up import WarmUp
collector = GarbageCollector(app)
warm_up = WarmUp(window, window.session, window.pages)
warm_up.done.connect(window.close)
window.update()
app.exec()
"""

LOOK = """
from pathlib import Path
from dpdesk.data.files.workbook.workbook_file import look_at
from dpdesk.data.reader_process import worker
from dpdesk.data.reader_process.messages import look_to
from dpdesk.study.model.unit import DataSource
source = DataSource({path!r}, "excel", sheet="Stays", header_row=1)
assert look_to(look_at(source, Path(), 30))[2] == ("id", "days")
"""

DESCRIBE = """
from pathlib import Path
from dpdesk.data.files.statistical.statistics_file import open_statistics
from dpdesk.data.files.file_formats import KINDS
from dpdesk.data.files.statistical.described_variables import read_variables
from dpdesk.data.reader_process import worker
from dpdesk.study.model.unit import DataSource
assert len(read_variables(Path({path!r}), KINDS["sav"], None)) == 2
with open_statistics(DataSource({path!r}, "spss"), Path()) as table:
    assert table.header == ("id", "days")
"""


def imported(code: str, home: Path) -> set[str]:
    """The packages of others and our own modules that are loaded once a process has run a text."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        cwd=ROOT,
        env={**os.environ, "DPDESK_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    names = ended.stdout.split()
    return {n if n.startswith("dpdesk") else n.partition(".")[0] for n in names}


def test_a_plan_needs_nothing_that_reads_tables_signs_or_draws_windows(tmp_path: Path) -> None:
    study = ROOT / "resources/sample/sample.dpdesk"
    code = f"from dpdesk.cli import main\nassert main(['plan', {str(study)!r}]) == 0"
    loaded = imported(code, tmp_path)
    assert {"opendp", "dpdesk.shell.plan"} < loaded
    assert not loaded & (FILES | KEYS | WINDOWS)


def test_help_needs_no_noise_either(tmp_path: Path) -> None:
    code = "from dpdesk.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    loaded = imported(code, tmp_path)
    assert "dpdesk.cli" in loaded
    assert not loaded & (FILES | KEYS | WINDOWS | {"numpy", "opendp"})


def test_a_window_shows_before_tables_noise_keys_or_plots_are_loaded(tmp_path: Path) -> None:
    loaded = imported(WINDOW, tmp_path)
    assert {"PySide6", "dpdesk.desk.pages.welcome.welcome_page"} < loaded
    assert not loaded & (FILES | KEYS | {"numpy", "opendp", "pyqtgraph", "sqlite3"})
    assert not {name for name in loaded if name.endswith(".page") and ".pages." in name}


def test_what_the_pages_need_is_loaded_while_the_window_waits(tmp_path: Path) -> None:
    loaded = imported(PRELOADED, tmp_path)
    assert {"numpy", "opendp", "sqlite3", "pyarrow", "pyqtgraph"} < loaded
    pages = {"data", "people", "columns", "queries", "release", "history", "verify"}
    assert {f"dpdesk.desk.pages.{name}.page" for name in pages} < loaded
    assert "pandas" not in loaded


def test_no_names_of_qt_are_read_beside_the_windows_thread(tmp_path: Path) -> None:
    """PySide makes a type when it is first named: in another thread that crashed at a start."""
    code = (
        "from unittest.mock import Mock\nfrom dpdesk.desk.main_window.warm_up import "
        "_import_libraries\n_import_libraries(Mock(), Mock())"
    )
    loaded = imported(code, tmp_path)
    assert "pyarrow" in loaded and "pyqtgraph" not in loaded


def test_a_look_at_a_workbook_needs_no_arrow_nor_what_reads_other_files(tmp_path: Path) -> None:
    path = tmp_path / "stays.xlsx"
    write_workbook(path, {"Stays": [("id", "days"), (1, 2.5)]})
    loaded = imported(LOOK.format(path=str(path)), tmp_path)
    assert {"python_calamine", "dpdesk.data.reader_process.worker"} < loaded
    others = {"numpy", "subprocess", "dpdesk.study.checks", "dpdesk.study.model.queries"}
    assert not loaded & (FILES - {"python_calamine"} | others)


def test_what_a_statistics_file_says_of_its_columns_needs_no_pandas(tmp_path: Path) -> None:
    path = tmp_path / "stays.sav"
    pyreadstat.write_sav(pd.DataFrame({"id": [1], "days": [2.5]}), str(path))
    loaded = imported(DESCRIBE.format(path=str(path)), tmp_path)
    assert "pyreadstat" in loaded
    assert "pandas" not in loaded
