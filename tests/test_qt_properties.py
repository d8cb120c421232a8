# SPDX-License-Identifier: Apache-2.0
"""What mypy lets a constructor of Qt's take as a keyword is what PySide takes."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QVBoxLayout

from tests.qt_properties import has_keyword


@pytest.mark.parametrize(
    ("made", "name"),
    [(QVBoxLayout, "spacing"), (QGridLayout, "verticalSpacing"), (QTimer, "timeout")],
)
def test_a_property_a_setter_and_a_signal_are_keywords(made: type, name: str) -> None:
    assert has_keyword(f"{made.__module__}.{made.__name__}", name)


@pytest.mark.parametrize("name", ["spacin", "timeout", "addWidget"])
def test_what_pyside_refuses_is_none(name: str) -> None:
    assert not has_keyword("PySide6.QtWidgets.QVBoxLayout", name)
    with pytest.raises((AttributeError, TypeError)):
        QVBoxLayout(**{name: 1})
