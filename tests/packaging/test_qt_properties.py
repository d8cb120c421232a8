# SPDX-License-Identifier: Apache-2.0
"""What mypy lets a constructor of Qt's take as a keyword is what PySide takes."""

from types import ModuleType

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QVBoxLayout

from tests.source_files import ROOT


@pytest.fixture
def qt_properties(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import qt_properties

    return qt_properties


@pytest.mark.parametrize(
    ("made", "name"),
    [(QVBoxLayout, "spacing"), (QGridLayout, "verticalSpacing"), (QTimer, "timeout")],
)
def test_a_property_a_setter_and_a_signal_are_keywords(
    qt_properties: ModuleType, made: type, name: str
) -> None:
    assert qt_properties.has_keyword(f"{made.__module__}.{made.__name__}", name)


@pytest.mark.parametrize("name", ["spacin", "timeout", "addWidget"])
def test_what_pyside_refuses_is_none(qt_properties: ModuleType, name: str) -> None:
    assert not qt_properties.has_keyword("PySide6.QtWidgets.QVBoxLayout", name)
    with pytest.raises((AttributeError, TypeError)):
        QVBoxLayout(**{name: 1})
