# SPDX-License-Identifier: Apache-2.0
"""A release of which a query says nothing is not announced as a success."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.labels.banner import Tone
from tests.desk.releasing import do_release, scaled
from tests.doors import RecordingDoor


@pytest.mark.parametrize(("share", "tone"), [("0.0001", Tone.ATTENTION), ("0.3", Tone.DONE)])
def test_what_is_too_noisy_in_every_figure_is_no_success(
    window_with_key: MainWindow, study_file: Path, qtbot: QtBot, share: str, tone: Tone
) -> None:
    rows = "".join(f"p{n},{n % 14 + 1},{'fm'[n % 2]}\n" for n in range(2_000))
    (study_file.parent / "stays.csv").write_text(f"id,days,sex\n{rows}", encoding="utf-8")
    window = window_with_key
    # What is drawn would pass for usable once in many releases; its margin stays as planned.
    window.session.door = RecordingDoor()
    scaled(window, share)
    page = do_release(window, qtbot)
    banner = page.results.banner
    assert banner._tone is tone
    is_warned = (
        "Released, but every figure is too noisy in query 1, query 2" in banner.accessibleName()
    )
    assert is_warned == (tone is Tone.ATTENTION)
