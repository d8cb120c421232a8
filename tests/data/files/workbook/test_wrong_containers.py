# SPDX-License-Identifier: Apache-2.0
"""Containers that are nearly right are refused for what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook


def _codes(path: Path) -> list[str]:
    with pytest.raises(Refused) as refused:
        recognise(path)
    return [problem.code for problem in refused.value.problems]


def test_backslashes_in_the_names_of_a_workbooks_parts(tmp_path: Path) -> None:
    write_workbook(tmp_path / "t.xlsx", {"Data": [["pid"], [1]]})
    with ZipFile(tmp_path / "t.xlsx") as good, ZipFile(tmp_path / "u.xlsx", "w") as bad:
        for part in good.infolist():
            bad.writestr(part.filename.replace("/", "\\"), good.read(part))
    assert _codes(tmp_path / "u.xlsx") == ["data-file-backslashes"]


def test_a_workbook_in_an_archive(tmp_path: Path) -> None:
    write_workbook(tmp_path / "t.xlsx", {"Data": [["pid"], [1]]})
    with ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.write(tmp_path / "t.xlsx", "t.xlsx")
    assert _codes(tmp_path / "t.zip") == ["data-file-packed-table"]


@pytest.mark.parametrize("release", [b"120", b"121", b"130"])
def test_a_newer_stata_is_newer_and_not_damaged(release: bytes, tmp_path: Path) -> None:
    head = b"<stata_dta><header><release>" + release + b"</release><byteorder>LSF</byteorder>"
    (tmp_path / "t.dta").write_bytes(head + bytes(99))
    with pytest.raises(Refused) as refused:
        read_header(recognise(tmp_path / "t.dta"), tmp_path)
    assert [problem.code for problem in refused.value.problems] == ["data-file-newer"]
