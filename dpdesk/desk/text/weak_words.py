# SPDX-License-Identifier: Apache-2.0
"""What is weak in a plan, in the desk's language and numbers."""

from __future__ import annotations

from fractions import Fraction

from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.study.model.document import Study
from dpdesk.texts import weaknesses
from dpdesk.texts.weaknesses import Wording

UNSIZED = "no-guess"
"""How the codes begin of what is not known for the lack of a size."""


def first(study: Study, weakness: Weakness) -> str:
    """What is weak, in a short sentence."""
    return weaknesses.first(weakness, _wording(study))


def rest(study: Study, weakness: Weakness) -> str:
    """What is weak, in numbers."""
    return weaknesses.rest(weakness, _wording(study))


def in_short(study: Study, weakness: Weakness) -> str:
    """What is weak in two or three words, for a card that is closed."""
    if weakness.code.startswith(UNSIZED):
        query = study.query(weakness.query)
        return accuracy_words.needs(study, query) if query is not None else ""
    if weakness.code.startswith("twice"):
        return tr("Weak", "duplicate")
    if weakness.code == "public":
        return tr("Weak", "public already")
    if weakness.code == "all-places":
        return tr("Weak", "order only")
    if weakness.code == "ages":
        return tr("Weak", "too many age groups")
    if weakness.code == "first-bin":
        return tr("Weak", "first bin")
    if weakness.code == "last-bin":
        return tr("Weak", "last bin")
    if weakness.code == "wide-bounds":
        return tr("Weak", "wide bounds")
    return tr("Weak", "too noisy")


def action(study: Study, weakness: Weakness) -> str:
    """The one change that helps, and the margin that it gives."""
    return weaknesses.action(weakness, _wording(study))


def _wording(study: Study) -> Wording:
    """In the desk's language, with the study's words for its rows and people."""
    return Wording(_number, _text, words.margin, words.names(study), catalogue())


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return words.grouped(int(value)) if abs(value) < 2**31 else _text(str(value))
    return words.localised(f"{float(value):.6g}")


def _text(number: str) -> str:
    return words.localised(number)
