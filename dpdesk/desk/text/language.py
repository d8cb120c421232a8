# SPDX-License-Identifier: Apache-2.0
"""The desk's language: the signs of its numbers, and the words of its queries' sentences."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QLocale

from dpdesk.catalogue import Catalogue, read_catalogue
from dpdesk.study.text.language import Language, language_of
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.unit_names import UnitNames


def number_style() -> NumberStyle:
    """The decimal mark and separator of the language chosen, and a true minus sign."""
    locale = QLocale()
    return NumberStyle(locale.decimalPoint(), locale.groupSeparator())


def catalogue() -> Catalogue:
    """The sentences that the window shares with the shell, in the language of its translation."""
    return read_catalogue(QCoreApplication.translate("Language", "en"))


def language() -> Language:
    """How the desk says what a query asks."""
    return _language(catalogue().language, number_style())


def plain_names() -> UnitNames:
    """What rows and people are called where the study does not say."""
    return language().names


@lru_cache(maxsize=8)
def _language(code: str, numbers: NumberStyle) -> Language:
    """Every sentence with a number or a row in it asks for it."""
    return language_of(read_catalogue(code), numbers)
