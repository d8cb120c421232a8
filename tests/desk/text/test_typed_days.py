# SPDX-License-Identifier: Apache-2.0
"""Days in fields: as the language writes them, and read back in every way a person types them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from dpdesk.data.inspection.finding import Finding
from dpdesk.desk.pages.columns.date_fields import DateFields
from dpdesk.desk.text import check_words, times, words
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.dates import DATE_FORMATS, ISO, DateFormat
from dpdesk.study.model.document import Study

DAY = date(2026, 1, 4)
DAYS = st.dates(date(1800, 1, 1), date(2500, 12, 31))


@pytest.fixture(autouse=True)
def german(qapp: QApplication) -> Iterator[None]:
    speak(qapp, "de")
    yield
    speak(qapp, SYSTEM)


@given(DAYS)
def test_a_day_is_shown_in_german_and_read_back(day: date) -> None:
    assert times.typed(day) == f"{day:%d.%m.%Y}"
    assert times.day_from_text(times.typed(day)) == day
    assert times.day_from_text(day.isoformat()) == day


@pytest.mark.parametrize(
    "template", ["{day}/{month}/{year}", "{month}/{day}/{year}", "{day}-{month}-{year}"]
)
@pytest.mark.parametrize("format", DATE_FORMATS)
@pytest.mark.in_turn(2)
def test_no_order_of_a_language_is_shown_and_read_back_as_another_day(
    format: DateFormat, template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language to come may write "01/02/2020" where the file has the month first."""

    def in_language(iso: str, _catalogue: object) -> str:
        year, month, day = iso.split("-")
        return template.format(year=year, month=month, day=day)

    monkeypatch.setattr(times, "day_text", in_language)
    for day in (DAY, date(2020, 2, 1), date(2020, 12, 31)):
        assert times.day_from_text(times.typed(day, format), format) == day


def test_zeros_may_be_left_out_and_no_other_order_is_guessed() -> None:
    assert times.day_from_text(" 4.1.2026 ") == DAY
    assert times.day_from_text("01/04/2026") is None
    assert times.day_from_text("01/04/2026", "MM/DD/YYYY") == DAY
    assert times.day_from_text("4.1.26") is None


def test_what_is_wanted_is_said_as_it_is_shown() -> None:
    assert words.day_wanted(ISO) == "Geben Sie einen Tag ein, zum Beispiel 31.01.2020."
    assert words.day_wanted("DD.MM.YYYY") == words.day_wanted(ISO)
    assert words.day_wanted("MM/DD/YYYY").endswith("31.01.2020 oder 01/31/2020.")


def test_a_format_is_written_in_the_letters_of_the_language() -> None:
    assert times.form_shown("DD.MM.YYYY") == "TT.MM.JJJJ"
    assert times.form_shown("M-D-YY") == "M-T-JJ"
    assert times.form_typed(ISO) == "TT.MM.JJJJ"


def test_the_date_fields_write_their_formats_so() -> None:
    fields = DateFields()
    fields.show_column(DateColumn("admitted"))
    assert [field.edit.placeholderText() for field in fields.days.values()] == ["TT.MM.JJJJ"] * 2
    assert fields.format.combo.itemText(0) == "TT.MM.JJJJ", "the language's own come first"
    assert fields.format.combo.itemData(0) == "DD.MM.YYYY"
    assert fields.format.combo.currentText() == "JJJJ-MM-TT"
    assert fields.format.combo.currentData() == ISO
    assert "M und T sind" in fields.help.text()


def test_a_stored_day_goes_through_a_field_unchanged() -> None:
    assert times.typed_iso("2026-01-04") == "04.01.2026"
    assert times.iso_typed("04.01.2026") == times.iso_typed("2026-01-04") == "2026-01-04"
    assert times.typed_iso("") == times.iso_typed(" ") == ""
    assert times.iso_typed("soon") == times.typed_iso("soon") == "soon"


def test_a_day_is_on_one_line() -> None:
    assert times.day("2026-11-24T09:00Z") == "Dienstag, 24.\u00a0November\u00a02026"


def test_in_english_a_day_is_as_it_is_stored(qapp: QApplication) -> None:
    speak(qapp, "en")
    try:
        assert times.typed(DAY) == "2026-01-04"
        assert times.day_from_text("4.1.2026") is None
        assert times.form_shown("D.M.YY") == "D.M.YY" and times.form_typed("D.M.YY") == ISO
    finally:
        speak(qapp, "de")


def test_a_check_names_the_form_in_the_letters_of_the_language() -> None:
    column = DateColumn("d", first=DAY, last=DAY)
    found = Finding("days", "nearly-all", "d")
    assert "JJJJ-MM-TT" in check_words.said(found, Study(columns=(column,)))


@pytest.mark.parametrize("language", ["en_GB", "en_US", "de_DE", "de_AT", "fr_FR", "es_ES"])
def test_every_name_of_a_month_that_qt_knows_is_read(language: str) -> None:
    locale, kinds = QLocale(language), QLocale.FormatType
    for month in range(1, 13):
        for names in (locale.monthName, locale.standaloneMonthName):
            for length in (kinds.LongFormat, kinds.ShortFormat):
                text = f"3. {names(month, length)} 2026"
                assert times.day_from_text(text, "D MMM YYYY") == date(2026, month, 3), text
