# SPDX-License-Identifier: Apache-2.0
"""Which file and which extract a command line means; neither is written into the study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpdesk.study.checks.extracts import PLACE, check_extract, checked_extract
from dpdesk.study.json.study_files import StudyFile
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import real_path


def with_data(file: StudyFile, data: Path | None, extract: str | None) -> Study:
    """A study on the file and the extract that the command line names, where it names them.

    Raises:
        Refused: ``extract-of-other-file``: another file has a name of its own; what is wrong with
            a name.
    """
    study = with_extract(file.study, extract)
    if data is None or study.data is None:
        return study
    if extract is None and not _is_same(data, file.folder / study.data.path):
        raise refuse("extract-of-other-file", PLACE)
    return with_file(study, data)


def with_file(study: Study, data: Path | None) -> Study:
    """A study on the file that the command line names, where it names one."""
    if data is None or study.data is None:
        return study
    return replace(study, data=replace(study.data, path=str(data.absolute())))


def with_extract(study: Study, extract: str | None) -> Study:
    """The study on an extract that the command line names, if it names one.

    Raises:
        Refused: what is wrong with the name.
    """
    if extract is None or study.data is None:
        return study
    return replace(study, data=replace(study.data, extract=checked_extract(extract)))


def refuse_undeclared(study: Study) -> None:
    """Refuse a study that does not say which extract it is about.

    Raises:
        Refused: ``extract-not-declared``.
    """
    undeclared = tuple(check_extract(study.data))
    if undeclared:
        raise Refused(undeclared)


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, be it there or not."""
    try:
        return one.samefile(other)
    except OSError:
        return real_path(one) == real_path(other)
