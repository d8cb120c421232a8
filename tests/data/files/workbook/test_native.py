# SPDX-License-Identifier: Apache-2.0
"""A reader that panics over a broken file takes its words with it."""

from __future__ import annotations

import struct
from datetime import date
from pathlib import Path

import pytest

from dpdesk.data.files.workbook.native import Panic, without_panic
from dpdesk.data.opened import sample_rows
from dpdesk.data.reader_process.isolated_workbook import sheets
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook


class Panicking(BaseException):
    """As Rust's panics are: no ``Exception``."""


def test_a_panic_becomes_an_error_without_its_words() -> None:
    def work() -> None:
        raise Panicking("HIV-positive")

    with pytest.raises(Panic) as error:
        without_panic(work)
    assert error.value.__context__ is None
    assert "HIV" not in str(error.value)


def test_what_is_no_panic_passes() -> None:
    assert without_panic(lambda: 7) == 7
    for error in (ValueError, KeyboardInterrupt, SystemExit):

        def work(error: type[BaseException] = error) -> None:
            raise error

        with pytest.raises(error):
            without_panic(work)


def test_a_workbook_that_makes_its_reader_panic(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "panic.xls"
    write_workbook(path, {"Stays": [["id"], ["HIV-positive"]]})
    content = bytearray(path.read_bytes())
    # A code page that the reader does not know in two bytes.
    place = content.index(struct.pack("<HHH", 0x42, 2, 1200))
    content[place : place + 6] = struct.pack("<HHH", 0x42, 1, 1200)
    path.write_bytes(content)
    with pytest.raises(Refused) as refused:
        sheets(path)
    assert [problem.code for problem in refused.value.problems] == ["data-file-damaged"]
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize("days", [1e9, 1e300, -1e300])
def test_a_duration_that_makes_the_reader_panic_takes_its_row_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], days: float
) -> None:
    path = tmp_path / "panic.xls"
    stays = [[float(number), date(2020, 1, number)] for number in (1, 2, 3)]
    write_workbook(path, {"Stays": [["id", "stay"], *stays]})
    content = path.read_bytes()
    # The format of days becomes that of hours, minutes and seconds; a day more than all years.
    content = content.replace(
        struct.pack("<HHHH", 0xE0, 20, 0, 14), struct.pack("<HHHH", 0xE0, 20, 0, 46)
    )
    path.write_bytes(content.replace(struct.pack("<d", 43_832), struct.pack("<d", days)))
    source = DataSource(str(path), "excel", sheet="Stays", header_row=1)
    rows = [["1", "1051944:00:00"], ["", ""], ["3", "1051992:00:00"]]
    assert sample_rows(source, Path(), 5) == rows
    assert "".join(capfd.readouterr()) == ""
