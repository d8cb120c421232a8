# SPDX-License-Identifier: Apache-2.0
"""The application is made once, however often it is requested."""

from __future__ import annotations

from PySide6.QtCore import QTranslator

from dpdesk.desk.app import application


def test_a_second_request_installs_no_further_translator() -> None:
    app = application()
    before = app.findChildren(QTranslator)
    assert application() is app
    assert app.findChildren(QTranslator) == before
