# SPDX-License-Identifier: Apache-2.0
"""Another language for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from dpdesk.desk.text.language import forget_language
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak


@contextmanager
def spoken_language(app: QApplication, choice: str) -> Iterator[None]:
    """Speak a language, then the system's again."""
    speak(app, choice)
    try:
        yield
    finally:
        speak(app, SYSTEM)


@contextmanager
def written_as_in(locale: QLocale | str) -> Iterator[None]:
    """Write numbers and days as a country does, then as the system does again."""
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    forget_language()
    try:
        yield
    finally:
        QLocale.setDefault(before)
        forget_language()
