# SPDX-License-Identifier: Apache-2.0
"""Pictures of a codebook on its way into a study, and of what columns are suggested."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpdesk.desk.core.codebooks import CodebookRequest
from dpdesk.desk.pages.columns.codebook.codebook_dialog import CodebookDialog
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.unit import DataSource
from tests.desk.camera import SMALL, USUAL, Photographer, settle
from tests.desk.codebook_files import (
    DICTIONARY,
    STUDY,
    long_dictionary,
    write_dictionary,
    write_package,
    write_sav,
)

HEADER = (
    "record_id,age,ward,sex,smoker,birthday,hba1c,zip,temperature,email,visit,"
    "height_cm,blood_group\n"
)


def take_codebooks(camera: Photographer) -> None:
    """Choosing, reviewing, refusing; then Columns with what was taken over and is suggested."""
    window = camera.window
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    folder = _folder(window.session.home)
    window.opening.open_study(folder / "registry.dpdesk")
    window.go_to("columns")
    small = write_dictionary(folder)
    long = write_dictionary(folder / "long", DICTIONARY + _rows(60))
    _take_dialog(camera, page, "04-codebook", small)
    _take_dialog(camera, page, "04-codebook-long", long)
    _take_dialog(camera, page, "04-codebook-tables", write_package(folder))
    _take_dialog(camera, page, "04-codebook-refused", folder / "registry.csv")
    _take_labels(camera, page, folder)
    _take_over(camera, page, small)


def _folder(home: Home) -> Path:
    folder = home.root / "registry"
    (folder / "long").mkdir(parents=True)
    (folder / "registry.csv").write_text(HEADER, encoding="utf-8")
    save_study(STUDY, folder / "registry.dpdesk")
    return folder


def _rows(count: int) -> str:
    return "".join(long_dictionary(count).splitlines(keepends=True)[2:])


def _take_dialog(camera: Photographer, page: ColumnsPage, name: str, path: Path | None) -> None:
    for size in (USUAL, SMALL):
        camera.window.resize(size)
        settle()
        dialog = CodebookDialog(page, page.session)
        if path is not None:
            dialog.read(CodebookRequest(path))
        dialog.open()
        small = "-1024x700" if size == SMALL else ""
        camera.take_dialog(f"{name}{small}")
        dialog.reject()
    camera.window.resize(USUAL)


def _take_labels(camera: Photographer, page: ColumnsPage, folder: Path) -> None:
    """The study is about a file that holds labels."""
    write_sav(folder / "clinic.sav")
    study = page.state.study
    page.session.edit(replace(study, data=DataSource("clinic.sav", format="spss")), "")
    settle()
    _take_dialog(camera, page, "04-codebook-labels", None)
    page.session.document.undo_stack.undo()


def _take_over(camera: Photographer, page: ColumnsPage, path: Path) -> None:
    dialog = CodebookDialog(page, page.session)
    dialog.decided.connect(page.codebooks._accept)
    dialog.read(CodebookRequest(path))
    dialog.open()
    dialog.ok.click()
    page.select("hba1c")
    camera.take("04-columns-taken-over")
    camera.take("04-columns-taken-over", SMALL)
    for name in ("height_cm", "temperature", "blood_group", "email", "zip"):
        page.select(name)
        page.form.used.click()
        camera.take(f"04-columns-{name}")
        camera.take(f"04-columns-{name}", SMALL)
    page.form.used.click()
    camera.take("04-columns-unused")
