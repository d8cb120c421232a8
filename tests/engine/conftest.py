# SPDX-License-Identifier: Apache-2.0
"""What counts next to a database is an extra: without ibis there is nothing to try."""

from pathlib import Path

import pytest

from tests.shell.hospital import Hospital, make_hospital

pytest.importorskip("ibis", reason="the extra dpdesk[engine] is not installed")


@pytest.fixture
def hospital(
    tmp_path: Path,
    dpdesk_home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Hospital:
    """A file, a study, an account with one epsilon, and a key."""
    return make_hospital(tmp_path, capsys, monkeypatch)
