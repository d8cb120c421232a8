# SPDX-License-Identifier: Apache-2.0
"""What is weak in a plan, in the desk's language and numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesk import weak_sentences
from dpdesk.desk.text import words
from dpdesk.privacy.explain.weak import Weakness
from dpdesk.study.model.document import Study
from dpdesk.weak_sentences import Way


def first(found: Weakness) -> str:
    """What is weak, in a short sentence."""
    return weak_sentences.first(found, _WAY)


def rest(study: Study, found: Weakness) -> str:
    """What is weak, in numbers."""
    return weak_sentences.rest(found, _way(study))


def action(study: Study, found: Weakness) -> str:
    """The one change that helps, and the margin that it gives."""
    return weak_sentences.action(found, _way(study))


def _way(study: Study) -> Way:
    """With the study's words for its rows and people."""
    return replace(_WAY, names=words.names(study))


def _translated(template: str) -> str:
    return QCoreApplication.translate("Weak", template)


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return words.grouped(int(value)) if abs(value) < 2**31 else _text(str(value))
    return words.localised(f"{float(value):.6g}")


def _text(number: str) -> str:
    return words.localised(number)


_WAY = Way(_number, _text, words.margin, translate=_translated)
