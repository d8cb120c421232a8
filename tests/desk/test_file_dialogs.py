# SPDX-License-Identifier: Apache-2.0
"""Qt's own file dialog keeps no folder in which somebody chose a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source_files import ROOT

CHOOSING = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog
from dpdesk.desk.app import application
app = application()
dialog = QFileDialog(None, "Choose", sys.argv[1], options=QFileDialog.Option.DontUseNativeDialog)
dialog.show()
dialog.selectFile(sys.argv[1] + "/canary.csv")
QTimer.singleShot(0, dialog.accept)
dialog.finished.connect(app.quit)
app.exec()
print(dialog.selectedFiles()[0].endswith("canary.csv"))
del dialog
"""


@pytest.mark.threat("F5")
def test_the_folder_of_a_chosen_file_is_written_nowhere(tmp_path: Path) -> None:
    data = tmp_path / "canary folder"
    data.mkdir()
    (data / "canary.csv").write_text("id\n1\n")
    home = tmp_path / "home"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    chosen = subprocess.run(
        [sys.executable, "-c", CHOOSING, str(data)],
        cwd=ROOT,
        env={**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert chosen.stdout == "True\n"
    files = [path for path in home.rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"canary" in path.read_bytes()]
