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
