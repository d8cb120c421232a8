# SPDX-License-Identifier: Apache-2.0
"""What a start must not import, since whoever waits for it needs none of it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.source_files import ROOT

FILES = frozenset({"pandas", "pyarrow", "pyreadstat", "python_calamine"})
"""What reads tables: pandas alone takes longer than all of a plan."""

KEYS = frozenset({"bcrypt", "cryptography"})
WINDOWS = frozenset({"PySide6", "pyqtgraph"})

WINDOW = """
from dpdesk.desk.app import application, make_window
from dpdesk.release.home import Home
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
from dpdesk.desk.preload import Preload
collector = GarbageCollector(app)
preload = Preload(window, window.session)
preload.done.connect(window.close)
window.update()
app.exec()
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
    assert {"PySide6", "dpdesk.desk.pages.welcome"} < loaded
    assert not loaded & (FILES | KEYS | {"numpy", "opendp", "pyqtgraph", "sqlite3"})
    assert not {name for name in loaded if name.endswith(".page") and ".pages." in name}


def test_what_the_pages_need_is_loaded_while_the_window_waits(tmp_path: Path) -> None:
    loaded = imported(PRELOADED, tmp_path)
    assert {"numpy", "opendp", "sqlite3", "pyarrow", "pyqtgraph"} < loaded
    pages = {"data", "people", "columns", "queries", "release", "history", "verify"}
    assert {f"dpdesk.desk.pages.{name}.page" for name in pages} < loaded
    assert "pandas" not in loaded
