# SPDX-License-Identifier: Apache-2.0
"""What must not get out: cells, counts, ids; and how reading is watched and stopped."""

from __future__ import annotations

import copy
import logging
import pickle
import random
import warnings
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import check_public_count
from dpdesk.data.files.batch import Wanted
from dpdesk.data.files.csv import csv_block
from dpdesk.data.opened import open_table, read_header
from dpdesk.data.people.sketch import SKETCH_SIZE, sketch, sketch_overlap
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.data.tables import HEADER, Row, encode_rows, random_rows, random_study

CANARY = "HIV-positive 1943-02-11"
KEY = bytes(range(16))


def people_study(**unit: object) -> Study:
    columns = (
        NumberColumn("n", Decimal(0), Decimal(99), Decimal(1)),
        CategoryColumn("c", ("a", "b")),
    )
    return Study(data=DataSource("t.csv"), unit=Unit("id", **unit), columns=columns)


def write_people(folder: Path, ids: list[str], cells: str = "5,a") -> None:
    lines = "".join(f"{i},{cells}\n" for i in ids)
    (folder / "t.csv").write_text("id,n,c\n" + lines, encoding="utf-8")


@pytest.mark.threat("B3", "F2")
def test_canaries_reach_no_message_and_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(5)
    odd = ["", '"', '"\n', "\x00", ",", "\r", "\n", "\udcff", "=", "1e999", "\u202e"]
    caplog.set_level(logging.DEBUG)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in range(runs(60, 200)):
            canary = f"{dice.choice(odd)}{CANARY}{number}{dice.choice(odd)}"
            rows = random_rows(dice, 6)
            cells = list(dice.choice(rows).cells) if rows else ["1"] * len(HEADER)
            cells[dice.randrange(len(cells))] = canary
            table = encode_rows(random_study(dice), tmp_path, [*rows, Row(tuple(cells), 1)])
            assert CANARY not in repr(table) + str(table) + repr(table.columns())
    assert not caught
    said = caplog.text + "".join(capfd.readouterr())
    assert "HIV" not in said
    assert not caplog.records


def test_a_failing_tokeniser_takes_its_words_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses_a_row(*_args: object, **_kwargs: object) -> None:
        raise pa.ArrowInvalid(f"CSV parse error: Row #1: {CANARY}")

    monkeypatch.setattr(csv_block.arrow_csv, "read_csv", refuses_a_row)
    write_people(tmp_path, ["1"])
    with pytest.raises(Refused) as refused:
        encode(people_study(), tmp_path)
    problem = refused.value
    assert [(p.path, p.code) for p in problem.problems] == [("$.data.path", "data-file-unreadable")]
    assert problem.__context__ is None
    assert problem.__cause__ is None


def test_the_encoded_table_cannot_be_looked_at_or_stored(tmp_path: Path) -> None:
    write_people(tmp_path, ["1", "2"])
    table = encode(people_study(), tmp_path)
    assert repr(table) == str(table) == f"{table}" == "EncodedTable(private)"
    for store in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="in memory"):
            store(table)
    with pytest.raises(TypeError):
        len(table)
    assert not hasattr(table, "__dict__")


def test_the_table_holds_no_text_and_no_more_bytes_than_it_needs(tmp_path: Path) -> None:
    write_people(tmp_path, ["1", "2"])
    columns = encode(people_study(), tmp_path).columns()
    assert [column.codes.dtype for column in columns] == [np.int8, np.int8]
    wide = replace(people_study().columns[0], upper=Decimal(1000))
    table = encode(replace(people_study(), columns=(wide,)), tmp_path)
    assert table.column("n").codes.dtype == np.int16


def test_a_public_number_of_people_is_compared_but_never_shown(tmp_path: Path) -> None:
    write_people(tmp_path, ["1", "2", "2", "", "01"])
    for people, without_id in ((2, "drop"), (3, "one-person")):
        study = people_study(neighbours="change-one", people=people, without_id=without_id)
        check_public_count(encode(study, tmp_path), study)
        other = people_study(neighbours="change-one", people=7, without_id=without_id)
        with pytest.raises(Refused) as refused:
            check_public_count(encode(other, tmp_path), other)
        (problem,) = refused.value.problems
        assert (problem.path, problem.code) == ("$.unit.people", "people-count-differs")
        assert not problem.params
    secret = people_study()
    check_public_count(encode(secret, tmp_path), secret)


def test_rows_are_people_where_no_column_tells_them_apart(tmp_path: Path) -> None:
    write_people(tmp_path, ["1", "1", ""])
    study = replace(people_study(), unit=Unit(None, 1, "change-one", people=3))
    check_public_count(encode(study, tmp_path), study)


@pytest.mark.threat("C1")
def test_no_person_has_more_rows_than_declared(tmp_path: Path) -> None:
    write_people(tmp_path, ["7", "07", "7.0", "\uff17"] * 10 + ["8"])
    for k in (1, 3, 40, 50):
        table = encode(people_study(max_rows=k), tmp_path)
        assert np.bincount(table.persons()).tolist() == [min(k, 40), 1]


def test_progress_is_reported_in_bytes_and_ends_at_the_end(tmp_path: Path) -> None:
    write_people(tmp_path, [str(i) for i in range(300_000)])
    size = (tmp_path / "t.csv").stat().st_size
    reported: list[tuple[int, int]] = []
    encode(people_study(), tmp_path, progress=lambda done, total: reported.append((done, total)))
    assert [total for _, total in reported] == [size] * len(reported)
    assert [done for done, _ in reported] == sorted({done for done, _ in reported})
    assert len(reported) > 1
    assert reported[-1] == (size, size)


def test_reading_stops_when_asked_to(tmp_path: Path) -> None:
    write_people(tmp_path, [str(i) for i in range(300_000)])
    token, reported = CancelToken(), []

    def stop_at_once(done: int, _total: int) -> None:
        reported.append(done)
        token.cancel()

    with pytest.raises(Cancelled):
        encode(people_study(), tmp_path, stop_at_once, token)
    assert len(reported) == 1
    assert token.cancelled
    # The file was closed: it can be written again anywhere.
    write_people(tmp_path, ["1"])
    assert read_header(DataSource("t.csv"), tmp_path) == ("id", "n", "c")


def test_batches_come_in_file_order_with_the_columns_asked_for(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,c\n1,x,p\n2,y,p\n1,z\n")
    with open_table(DataSource("t.csv"), tmp_path) as table:
        (load,) = table.loads((Wanted(2, True), Wanted(0), Wanted(2, True)))
    texts = [[cell or "" for cell in column.to_pylist()] for column in load().columns]
    assert texts == [["p", "p", ""], ["1", "2", "1"], ["p", "p", ""]]
    with open_table(DataSource("t.csv"), tmp_path) as table:
        assert [load().rows for load in table.loads(())] == [3]


def test_the_same_people_are_recognised_in_another_file(tmp_path: Path) -> None:
    ids = [str(i) for i in range(3000)]
    write_people(tmp_path, ids)
    first = sketch(encode(people_study(max_rows=2), tmp_path), KEY)
    assert len(first) == SKETCH_SIZE
    assert list(first) == sorted(set(first))
    write_people(tmp_path, [f"0{i} " for i in reversed(ids)] * 2, cells="7,b")
    assert sketch(encode(people_study(), tmp_path), KEY) == first
    write_people(tmp_path, ids[60:])
    assert sketch_overlap(sketch(encode(people_study(), tmp_path), KEY), first) > 0.9
    write_people(tmp_path, [str(i + 9000) for i in range(3000)])
    stranger = encode(people_study(), tmp_path)
    assert sketch_overlap(sketch(stranger, KEY), first) == 0
    assert sketch_overlap(sketch(stranger, KEY), sketch(stranger, bytes(16))) == 0


def test_a_sketch_of_rows_goes_by_their_declared_cells(tmp_path: Path) -> None:
    study = replace(people_study(), unit=Unit())
    (tmp_path / "t.csv").write_text("id,n,c\n1,5,a\n2,6,b\n3,6,b\n")
    first = sketch(encode(study, tmp_path), KEY)
    assert len(first) == 2
    (tmp_path / "t.csv").write_text("c,n\nb,6\na,5.0\n")
    assert sketch(encode(study, tmp_path), KEY) == first
    (tmp_path / "t.csv").write_text("c,n\na,6\nb,5\n")
    assert sketch_overlap(sketch(encode(study, tmp_path), KEY), first) == 0


def test_a_sketch_of_many_equal_rows_has_each_once(tmp_path: Path) -> None:
    """The smallest values may be those of one row again and again: then more are looked at."""
    study = replace(people_study(), unit=Unit())
    lines = [f"{place},{place % 10},{'abc'[place % 3]}" for place in range(30)]
    for copies in (1, 9, 200):
        (tmp_path / "t.csv").write_text("id,n,c\n" + "\n".join(lines * copies) + "\n")
        found = sketch(encode(study, tmp_path), KEY)
        assert len(found) == 30
        assert list(found) == sorted(set(found))
    wide = replace(study.columns[0], upper=Decimal(9_999))
    lines = [f"{n},{n},a" for n in range(400) for _ in range(9)]
    (tmp_path / "t.csv").write_text("id,n,c\n" + "\n".join(lines) + "\n")
    many = encode(replace(study, columns=(wide, *study.columns[1:])), tmp_path)
    (tmp_path / "t.csv").write_text("id,n,c\n" + "\n".join(lines[::9]) + "\n")
    once = encode(replace(study, columns=(wide, *study.columns[1:])), tmp_path)
    assert sketch(many, KEY) == sketch(once, KEY)
    assert len(sketch(once, KEY)) == SKETCH_SIZE


def test_sketches_of_few_and_of_none(tmp_path: Path) -> None:
    write_people(tmp_path, [])
    none = sketch(encode(people_study(), tmp_path), KEY)
    assert none == ()
    assert sketch_overlap(none, none) == 0
    write_people(tmp_path, ["1", "2", "", "3"])
    few = sketch(encode(people_study(without_id="one-person"), tmp_path), KEY)
    assert len(few) == 3
    assert sketch_overlap(few, few) == 1
    assert sketch_overlap(few, few[:2]) == pytest.approx(2 / 3)
    assert sketch_overlap(few, none) == 0
