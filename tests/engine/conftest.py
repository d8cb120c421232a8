# SPDX-License-Identifier: Apache-2.0
"""What the tests of the runner next to a database share."""

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
