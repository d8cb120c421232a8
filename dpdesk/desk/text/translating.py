# SPDX-License-Identifier: Apache-2.0
"""How code outside a class of Qt's says a text: by its context, in the language of now."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

tr: Final = QCoreApplication.translate
"""Of a context and an English text, both literals; ``tests/texts.py`` collects them."""
