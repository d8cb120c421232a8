# SPDX-License-Identifier: Apache-2.0
"""The desk's language: the signs of its numbers, and the words of its queries' sentences."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from dpdesk.study.text.language import Language
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.unit_names import UnitNames


def number_style() -> NumberStyle:
    """The system's decimal mark and separator, and a true minus sign."""
    locale = QLocale()
    return NumberStyle(locale.decimalPoint(), locale.groupSeparator())


def language() -> Language:
    """How the desk says what a query asks: the templates of ``title_words``, translated."""
    return Language(_said, number_style(), plain_names())


def plain_names() -> UnitNames:
    """What rows and people are called where the study does not say."""
    return UnitNames(
        QCoreApplication.translate("UnitNames", "row"),
        QCoreApplication.translate("UnitNames", "rows"),
        QCoreApplication.translate("UnitNames", "person"),
        QCoreApplication.translate("UnitNames", "people"),
    )


def _said(template: str) -> str:
    return QCoreApplication.translate("Title", template)
