# SPDX-License-Identifier: Apache-2.0
"""The shell's tests share one small hospital."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.hospital import Hospital, make_hospital


@pytest.fixture
def hospital(
    tmp_path: Path,
    dpdesk_home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Hospital:
    """A file, a study, an account with one epsilon, and a key."""
    return make_hospital(tmp_path, capsys, monkeypatch)
