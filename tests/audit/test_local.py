# SPDX-License-Identifier: Apache-2.0
"""Local: what becomes of one person's rows depends on that person's rows alone.

For tables A and B without a person in common, whatever is done to rows must give on A and B
together what it gives on A and on B, put together: encoding, conditions and the contribution
bound as multisets of rows, every measure as a sum of vectors. A value filled in from a mean, a
rank, a bound or a category taken from the data would all show here.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpdesk import exact
from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import keeps_every_row
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.derivation import needs_all_rows
from dpdesk.study.model.unit import Unit
from tests.audit.length import runs
from tests.audit.prepared import local_findings
from tests.data.preparation.chains import random_chain
from tests.data.tables import (
    HEADER,
    Row,
    encode_rows,
    random_measure,
    random_rows,
    random_study,
)

pytestmark = pytest.mark.audit

PAIRS = runs(short=40, full=1_000)
MEASURES = 4
LINKS = 5
HERE = ("1", "01", "1.0", " 2", "ab", "AB", "x y", "'7", "\u0663")
THERE = ("4", "04", "5.0", "cd", "CD ", "x-y", "77", "\u200b6")
NOBODY = ("", "?", " ")


def disjoint_tables(dice: random.Random) -> tuple[Study, list[Row], list[Row]]:
    """A study and two tables without a person in common."""
    study = utf8_study(dice)
    here, there = list(HERE), list(THERE)
    # All rows without an id may be one person, who is then in one of the tables.
    unit = study.unit
    dice.choice([here, there]).extend(NOBODY)
    if unit.without_id == "drop":
        here.extend(NOBODY)
        there.extend(NOBODY)
    if "?" not in study.data.missing:
        here = [i for i in here if i != "?"]
        there = [i for i in there if i != "?"]
    return study, random_rows(dice, 20, here), random_rows(dice, 20, there)


def shuffled(dice: random.Random, rows: list[Row]) -> list[Row]:
    return dice.sample(rows, len(rows))


def rows_of(table: EncodedTable) -> Counter[tuple[int, ...]]:
    """The encoded rows as a multiset; persons aside, whose numbers mean nothing."""
    columns = [column.codes for column in table.columns()]
    return Counter(zip(*(c.tolist() for c in columns), strict=True))


def vector(table: EncodedTable, study: Study, asked: AggregateSpec) -> list[int]:
    sealed = measure(table, study, asked)
    return exact._vault[id(sealed)].tolist()


def utf8_study(dice: random.Random) -> Study:
    """A study whose file can hold every id: an encoding without a sign writes another one.

    Behind the file's columns is a chain of derived ones, up to ``LINKS`` of them, and codes by
    their beginning.
    """
    study = random_study(dice)
    persons = study.unit is not None and study.unit.person is not None
    columns = random_chain(dice, study.columns, dice.randint(0, LINKS), persons=persons)
    asked = (Query("people", of="people"),) if persons else ()
    data = replace(study.data, encoding="utf-8")
    return replace(study, data=data, columns=columns, queries=(*study.queries, *asked))


@pytest.mark.threat("C5")
def test_rows_and_measures_of_disjoint_tables_add_up(tmp_path: Path) -> None:
    dice = random.Random(20_261_121)
    for _ in range(PAIRS):
        study, first, second = disjoint_tables(dice)
        here = encode_rows(study, tmp_path, first)
        there = encode_rows(study, tmp_path, second)
        both = encode_rows(study, tmp_path, shuffled(dice, first + second))
        assert rows_of(both) == rows_of(here) + rows_of(there)
        if any(query.of == "people" for query in study.queries):
            people = [rows_of(table.of_people()) for table in (both, here, there)]
            assert people[0] == people[1] + people[2]
        assert both.people() == here.people() + there.people()
        assert_rules_hold(study, both)
        for _ in range(MEASURES):
            asked = random_measure(dice, study)
            parts = np.add(vector(here, study, asked), vector(there, study, asked))
            assert vector(both, study, asked) == parts.tolist(), asked


def assert_rules_hold(study: Study, table: EncodedTable) -> None:
    """A column whose rules keep every row leaves none out, of whatever it is made."""
    persons = any(query.of == "people" for query in study.queries)
    for column in filter(keeps_every_row, study.columns):
        seen = [table]
        if persons and study.is_of_person(column.name):
            seen.append(table.of_people())
        for one in seen:
            assert (one.column(column.name).counted() >= 0).all(), column


@pytest.mark.threat("C5")
def test_one_person_leaves_at_most_k_rows(tmp_path: Path) -> None:
    dice = random.Random(4)
    for _ in range(PAIRS):
        study = utf8_study(dice)
        if study.unit.person is None:
            continue
        ids = ("7",) if study.unit.leading_zeros else ("7", "07", " 7", "7.0", "\uff17", "7\u200b")
        table = encode_rows(study, tmp_path, random_rows(dice, 50, ids))
        assert sum(rows_of(table).values()) <= study.unit.max_rows
        assert table.people() <= 1


@pytest.mark.threat("C5")
def test_what_is_made_of_one_persons_rows_is_made_of_no_others(tmp_path: Path) -> None:
    assert list(local_findings(tmp_path, range(runs(short=10, full=400)))) == []


def test_a_broken_line_stays_with_whoever_wrote_it(tmp_path: Path) -> None:
    """The same without a writer's care: lines as they come, one of them in any disorder."""
    dice = random.Random(8)
    pieces = ['"', '""', "1", "ab", " ", ",", ",", ",", "\x00", "\u00e9", "5.5", "?"]
    plain = ["1,2,3,A,F,yes", "2,5,1,B,M,no", '3,1,"2",A,"F",0']
    study = utf8_study(dice)
    columns = tuple(c for c in study.columns if not needs_all_rows(study.by_name, study.homes, c))
    data = replace(study.data, separator=",", decimal=".")
    study = replace(study, data=data, unit=Unit(), columns=columns, queries=())

    def codes(lines: list[str]) -> Counter[tuple[int, ...]]:
        text = "".join(line + "\n" for line in [",".join(HEADER), *lines])
        (tmp_path / study.data.path).write_text(text, encoding="utf-8", newline="")
        return rows_of(encode(study, tmp_path))

    alone = codes(plain)
    for _ in range(PAIRS):
        line = "".join(dice.choices(pieces, k=dice.randint(1, 12)))
        together = codes([*plain[:2], line, *plain[2:]])
        # A cell that this line leaves open ends with the line, unless the next mark closes it.
        assert together == alone + codes([line]), line
