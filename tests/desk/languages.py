# SPDX-License-Identifier: Apache-2.0
"""Another language for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication

from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak


@contextmanager
def spoken_language(app: QApplication, choice: str) -> Iterator[None]:
    """Speak a language, then the system's again."""
    speak(app, choice)
    try:
        yield
    finally:
        speak(app, SYSTEM)
