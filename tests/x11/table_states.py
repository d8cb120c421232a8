# SPDX-License-Identifier: Apache-2.0
"""A study of several tables, of which one file is read wrongly, and what is asked about them."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from pathlib import Path

from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import TimeBetween
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from tests.x11.first_hour import Look
from tests.x11.hands import Mouse

OPEN, DATA = "ctrl+o", "ctrl+1"
LABS = "patient_id,stay_id,taken,hba1c\np1,s1,2023-01-06,7.1\n"
FILES = {
    "stays.csv": "patient_id,stay_id,admitted,ward\np1,s1,2024-01-05,A\np2,s2,2024-02-01,B\n",
    "patients.csv": "patient_id,born,sex\np1,1950-02-03,f\np2,1980-11-30,m\n",
    "labs_2023.csv": LABS,
    "labs_2024.csv": LABS.replace(",", ";"),
    "labs_2025.csv": LABS,
}
STUDY = Study(
    "Diabetes care",
    "Lindenfeld Hospital",
    data=DataSource("stays.csv", extract="2024"),
    unit=Unit("patient_id", 5, case="stay_id", row_name="stay", row_names="stays"),
    tables=(
        FurtherTable("patients", DataSource("patients.csv"), "patient_id", rows="one-per-person"),
        FurtherTable(
            "labs",
            DataSource("labs_2023.csv", label="2023", more=(DataSource("labs_2024.csv"),)),
            "patient_id",
            case="stay_id",
        ),
    ),
    columns=(
        DateColumn("admitted", date(2020, 1, 1), date(2024, 12, 31)),
        DateColumn("born", date(1900, 1, 1), date(2024, 12, 31), table="patients"),
        NumberColumn(
            "age",
            *(Decimal(0), Decimal(110), Decimal(1)),
            made_from=TimeBetween(("born", "admitted"), "years"),
        ),
    ),
)


def table_states(hands: Mouse, folder: Path, look: Look) -> None:
    """The card of tables, dialogs about them, a further table's rows, and all of them joined."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    study = folder / "tables.dpdesk"
    save_study(STUDY, study)
    hands.desk.key(OPEN)
    hands.choose_file("Open a study", study)
    # On which page it opens depends on how soon its files were looked at.
    hands.until(STUDY.title)
    hands.desk.key(DATA)
    hands.bring_up("stays.csv")
    look("22-tables")
    _dialog(hands, look)
    _more_files(hands, folder, look)
    _rows(hands, look)
    hands.bring_up("stays.csv")
    hands.press(_both(hands, "Queries count the rows of", " stays.csv"), "Button")
    hands.desk.key("Down", "Return")
    hands.until("Count these rows", "Button")
    look("22-main-table")
    _leave(hands)


def _dialog(hands: Mouse, look: Look) -> None:
    """At the file that lacks its ids, which is mended there."""
    hands.press("labs", "Button")
    hands.until("Use this table", "Button")
    look("22-table")
    separator = _both(hands, "Separator", ": ", "Comma ,")
    hands.bring_up(separator)
    look("22-table-file")
    hands.press(separator)
    hands.desk.key("Down", "Return")
    hands.until(_both(hands, "Separator", ": ", "Semicolon ;"))
    look("22-table-mended")
    hands.press("Use this table")
    hands.until_closed("Table {0}")


def _more_files(hands: Mouse, folder: Path, look: Look) -> None:
    """Another file with the columns of a table."""
    hands.press("Add a table…")
    hands.choose_file("Choose the files of further tables", folder / "labs_2025.csv")
    hands.until("Add it", "Button")
    look("22-same-columns")
    _leave(hands)


def _rows(hands: Mouse, look: Look) -> None:
    hands.press("{0} (the main table)", "ComboBox")
    hands.desk.key("Down", "Return")
    hands.press("Show rows")
    look("22-rows")
    hands.press("patients", "ComboBox")
    hands.desk.key("End", "Return")
    hands.bring_up("All tables joined")
    look("22-joined")


def _both(hands: Mouse, *parts: str) -> re.Pattern[str]:
    """The name of a chip: its label, then its value."""
    return re.compile("".join(f"(?:{hands.spoken.of(part).pattern})" for part in parts))


def _leave(hands: Mouse) -> None:
    hands.desk.key("Escape")
    hands.desk.wait(lambda view: not view.modal, "the end of a dialog")
