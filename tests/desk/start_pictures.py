# SPDX-License-Identifier: Apache-2.0
"""Pictures of beginnings: templates, the next extract, Preferences, the tour."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QApplication

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.tour.tour import Tour
from dpdesk.study.model.document import Study
from tests.desk.camera import Photographer, settle


def take_beginnings(camera: Photographer) -> None:
    """Every dialog and callout with which something begins, on the sample hospital."""
    window = camera.window
    window.opening.open_sample()
    settle()
    study = window.session.document.study
    _take_templates(camera, study)
    _take_next_extract(camera, study)
    window.menus.show_preferences()
    camera.take_dialog("25-preferences")
    _close_dialog()
    _take_tour(camera)


def _close_dialog() -> None:
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        dialog.close()
    settle()


def _take_templates(camera: Photographer, study: Study) -> None:
    window = camera.window
    window.session.edit(replace(study, queries=()), "")
    window.go_to("queries")
    camera.take("22-queries-empty")
    page = window.pages["queries"]
    if isinstance(page, QueriesPage):
        page.use_template()
        camera.take_dialog("23-template")
        _close_dialog()
    window.session.document.undo_stack.undo()


def _take_next_extract(camera: Photographer, study: Study) -> None:
    window = camera.window
    data = window.session.document.folder / "admissions-2026.csv"
    data.write_text("Patient_ID,admission_date,age,sex,ward,smoker\n", encoding="utf-8")
    window.opening.reuse.take(study, data)
    settle()
    camera.take_dialog("24-next-extract")
    _close_dialog()


def _take_tour(camera: Photographer) -> None:
    window = camera.window
    window.tour_wanted.emit()
    tour = window.findChild(Tour)
    number = 1
    while isinstance(tour, Tour) and tour.callout is not None:
        camera.take(f"26-tour-{number}")
        tour.callout.on.click()
        number += 1
