# SPDX-License-Identifier: Apache-2.0
"""What a study is called until somebody names it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from dpdesk.desk.core.edits import clean_text
from dpdesk.study.document import Study


def title_of(path: str, sheet: str = "") -> str:
    """A file's name as a title, and behind it a sheet's.

    >>> title_of("out/icu_stays.xlsx"), title_of("out/icu_stays.xlsx", "2025")
    ('Icu stays', 'Icu stays, 2025')
    """
    plain = PurePath(path).stem.replace("_", " ").strip().capitalize()
    named = sheet.replace("_", " ").strip()
    return clean_text(f"{plain}, {named}" if named else plain)


def with_sheet(study: Study, sheet: str, among: tuple[str, ...]) -> Study:
    """The study on a sheet; a title that nobody typed tells it from the workbook's others.

    Args:
        study: the study, on another sheet or on none yet.
        sheet: the chosen one.
        among: the workbook's sheets.
    """
    if study.data is None:
        return study
    before = study.data
    chosen = replace(study, data=replace(before, sheet=sheet))
    untouched = {title_of(before.path), title_of(before.path, before.sheet)}
    if study.title not in untouched or len(among) < 2:
        return chosen
    return replace(chosen, title=title_of(before.path, sheet))
