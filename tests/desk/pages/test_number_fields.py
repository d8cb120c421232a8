# SPDX-License-Identifier: Apache-2.0
"""What is pasted into a number field is read as that number, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.session import Session
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle
from tests.release.studies import STUDY

pytestmark = pytest.mark.usefixtures("language")

SHARE = Query("women", epsilon=Epsilon.of("0.1"), expected=400).having(
    statistic="share", has=(IsIn("sex", ("f",)),)
)
NO_BREAK, NARROW = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"
NUMBERS = {
    "0.5": "0.5",
    "0,5": "0.5",
    "0,5\n": "0.5",
    f"{NO_BREAK}0.5{NARROW}": "0.5",
    "5": "5",
    "1e-6": None,
    "50 %": None,
    f"5{NO_BREAK}%": None,
    f"45{NO_BREAK}000": "45000",
    f"45{NARROW}000": "45000",
    f"45{NARROW}00": None,
    "0.5 0.6": None,
}
"""What is pasted, and the number that it is in every language; ``None`` where it is none."""
READS = {"en": {"45,000": "45000", "45.5": "45.5"}, "de": {"45.000": "45000", "45,5": "45.5"}}


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    study = replace(STUDY, queries=(SHARE,))
    return open_window(save_with_account(study, study_file, home))


def field_of(window: MainWindow, name: str) -> tuple[LineField, Callable[[], Decimal | None]]:
    """A field, and what the study holds of it as a number."""
    session = window.session
    key = {"share": "queries", "expected": "queries", "rows": "people"}.get(name, "columns")
    window.go_to(key)
    settle()
    page = window.pages[key]
    if key == "queries":
        accuracy = page.card("women").accuracy  # type: ignore[attr-defined]

        def read() -> Decimal | None:
            value = session.state.study.queries[0]
            if name == "expected":
                return None if value.expected is None else Decimal(value.expected)
            return None if value.epsilon is None else value.epsilon.as_decimal()

        return getattr(accuracy, name), read
    if key == "people":
        return page.max_rows, lambda: _rows(session)  # type: ignore[attr-defined]
    page.select("days")  # type: ignore[attr-defined]
    settle()
    form = page.form  # type: ignore[attr-defined]
    return form.numbers[name], lambda: getattr(session.state.study.columns[0], name)


def _rows(session: Session) -> Decimal | None:
    unit = session.state.study.unit
    return None if unit is None else Decimal(unit.max_rows)


def paste(field: LineField, text: str) -> None:
    """Put a text in the place of what stands in a field, and leave it."""
    QGuiApplication.clipboard().setText(text)
    field.edit.setFocus()
    field.edit.selectAll()
    field.edit.paste()
    settle()
    field.edit.clearFocus()
    settle()


@pytest.mark.in_turn(2)
def test_a_pasted_number_is_read_or_refused(window: MainWindow, language: str) -> None:
    for name in ("share", "expected", "rows", "lower", "upper", "step"):
        field, held = field_of(window, name)
        whole = name in ("expected", "rows")
        for text, plain in {**NUMBERS, **READS[language]}.items():
            before, where = held(), f"{name}: {text}"
            paste(field, text)
            meant = None if plain is None else Decimal(plain)
            if meant is None or (whole and meant % 1):
                assert field.error, where
                assert held() in (None, before), where
                assert field.error.count(".") <= 2, "one sentence, with an example perhaps"
            else:
                # A bound that is out of order is held and shown; what is too large is shown alone.
                assert held() == meant or (field.error and meant >= 45), f"{where}: {field.error}"


@pytest.mark.in_turn(2)
def test_a_shares_margin_may_have_a_percent_sign(window: MainWindow) -> None:
    window.go_to("queries")
    settle()
    accuracy = window.pages["queries"].card("women").accuracy  # type: ignore[attr-defined]

    def share() -> object:
        return window.session.state.study.queries[0].epsilon

    for text in ("2 %", f"2,5{NO_BREAK}%", "2.5%\n", "2,5"):
        paste(accuracy.margin, "7")
        before = share()
        paste(accuracy.margin, text)
        now = share()
        assert not accuracy.margin.error, text
        paste(accuracy.margin, text.replace("%", ""))
        assert now == share() != before, text
    for text in ("%", "2 % %", "1e-6", "2 Prozent"):
        paste(accuracy.margin, "7")
        assert not accuracy.margin.error
        paste(accuracy.margin, text)
        assert accuracy.margin.error, text


@pytest.mark.in_turn(2)
def test_it_is_refused_where_counts_are_meant(
    open_window: OpenWindow, study_file: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file, page="queries")
    settle()
    accuracy = window.pages["queries"].card("stays").accuracy  # type: ignore[attr-defined]
    paste(accuracy.margin, "20 %")
    assert accuracy.margin.error
