# SPDX-License-Identifier: Apache-2.0
"""The measurement of the window while a file is read measures what it says."""

from __future__ import annotations

import time

import pytest

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.study.model.document import Study
from tests.bench import alive, standstill
from tests.bench.alive import Loop, left_behind, main
from tests.waiting import LIMIT_S


@pytest.mark.long
@pytest.mark.in_turn(4)
def test_every_kind_of_file_is_watched(
    qapp: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {"MAX_COLUMNS": 40, "COLUMNS": 40, "QUERIES": 5, "GROUPS": 20, "ROWS": 2_000}
    for name, count in few.items():
        monkeypatch.setattr(standstill, name, count)
    monkeypatch.setattr(alive, "MOMENTS", alive.MOMENTS[:1])
    main(["2000"])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[0] for line in lines[:4]] == ["CSV", "Parquet", "Excel", "SPSS"]
    # Below stands how long the window stands still with many columns and queries.
    firsts = [line.split()[0] for line in lines[4:]]
    assert "standstill" in firsts and firsts.count("open") >= 3
    assert left_behind() == []


@pytest.mark.parametrize("stops_at_once", [True, False])
def test_a_reader_that_goes_on_is_noticed(
    stops_at_once: bool, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Rows:
        def persons(self) -> str:
            return ""

    def read(_study: Study, _folder: object, _progress: Progress, token: CancelToken) -> Rows:
        assert token._event.wait(LIMIT_S)
        if stops_at_once:
            token.check()
        time.sleep(1)
        return Rows()

    monkeypatch.setattr(alive, "encode", read)
    watched = Loop().watch(Study(), cancel_after=0.02)
    assert watched.cancelled < LIMIT_S if stops_at_once else watched.cancelled >= 0.9


def test_a_standstill_is_noticed(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    class Rows:
        def persons(self) -> str:
            return ""

    def read(_study: Study, _folder: object, progress: Progress, _token: CancelToken) -> Rows:
        # Python's own loops that let nobody else run.
        sum(range(30_000_000))
        return Rows()

    monkeypatch.setattr(alive, "encode", read)
    watched = Loop().watch(Study())
    assert watched.pause > watched.seconds / 2
