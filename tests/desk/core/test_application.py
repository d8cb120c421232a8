# SPDX-License-Identifier: Apache-2.0
"""The application is made once, however often it is requested."""

from __future__ import annotations

import sys

from PySide6.QtCore import QTranslator

from dpdesk.desk.app import application


def test_a_second_request_installs_no_further_translator() -> None:
    app = application()
    before = app.findChildren(QTranslator)
    assert application() is app
    assert app.findChildren(QTranslator) == before


def test_a_job_gives_the_interpreter_back_at_once() -> None:
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        application()
        assert sys.getswitchinterval() < 0.001
    finally:
        sys.setswitchinterval(before)
