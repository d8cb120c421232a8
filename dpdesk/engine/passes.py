# SPDX-License-Identifier: Apache-2.0
"""Counts of what is made of all rows of a person, or of several tables: some people at a time.

The database puts the coded rows of some people together, and the runner makes of them what the
encoder makes of a file: derived columns, the contribution bound, exact answers. Nobody is in two
passes, and there are as many as keep the rows of one within memory; which rows of a person are
kept depends on that person's rows alone, as ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil

import ibis.expr.types as ir
import numpy as np
import pyarrow as pa

from dpdesk.data.aggregation.aggregate import texts_found
from dpdesk.data.aggregation.in_passes import PassedMeasure
from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encode import encoded_rows
from dpdesk.data.files.arrow_types import one_value_cells
from dpdesk.data.files.cells import TextColumn
from dpdesk.data.people.id_words import NO_ID
from dpdesk.data.people.person_keys import PROCESS_KEY
from dpdesk.data.preparation.row_steps import clock_of
from dpdesk.data.table_rows import CodedBatch, TableRows, label_code
from dpdesk.engine.coded_rows import CASE, CodedTable
from dpdesk.engine.database import Database
from dpdesk.engine.dictionaries import count_rows, ints_of
from dpdesk.engine.meaning import NOBODY, Meaning, text_of
from dpdesk.engine.people import PERSON
from dpdesk.engine.words import of_pass
from dpdesk.privacy.plan import Plan
from dpdesk.release.sealing.sealed_counts import ExactCounts, finds_texts
from dpdesk.study.model.steps.step import FileLabel

ROWS_A_PASS = 2_500_000


def count_in_passes(
    database: Database,
    coded: Mapping[str, CodedTable],
    plan: Plan,
    meanings: Mapping[str, Meaning],
    rows_a_pass: int = ROWS_A_PASS,
) -> ExactCounts:
    """Count what each part of a plan is drawn on.

    Args:
        coded: the tables by name, the main one first.
        rows_a_pass: about how many rows of all tables one pass has.
    """
    study = plan.study
    parts = {(q.query.id, part.name): part for q in plan.queries for part in q.parts}
    measures = {
        place: PassedMeasure(study, part.measure)
        for place, part in parts.items()
        if not finds_texts(part)
    }
    found = {place: Counter[str]() for place in parts.keys() - measures.keys()}
    rows = sum(count_rows(database, table.rows) for table in coded.values())
    passes, people = max(1, ceil(rows / rows_a_pass)), 0
    for number in range(passes):
        tables = [
            _table(database, table, meanings[name], number, passes) for name, table in coded.items()
        ]
        table = encoded_rows(study, tables)
        people += table.people()
        for measure in measures.values():
            measure.add(table)
        for place, texts in found.items():
            texts.update(texts_found(table, study, parts[place].measure))
    return ExactCounts(
        database.name,
        people,
        {place: measure.vector() for place, measure in measures.items()},
        {place: sorted(texts.items()) for place, texts in found.items()},
    )


def _table(
    database: Database, coded: CodedTable, meaning: Meaning, number: int, passes: int
) -> TableRows:
    """All rows of the people of one pass in one table, as the encoder has them."""
    table = TableRows(meaning.study, meaning.table, PROCESS_KEY)
    fetched = database.fetch(_of_pass(coded, number, passes))
    persons = fetched.column(PERSON).combine_chunks()
    ids = _keys(persons, table, coded.is_numbered)
    cases = None
    if table.cases is not None:
        numbers = ints_of(fetched, CASE)
        cases = Keys(np.where(numbers < 0, NO_ID, numbers))
    codes = {
        one.name: table.stores[one.name].as_stored(coded.field_of[one.name].codes(fetched))
        for one in meaning.study.read_from(meaning.table)
    }
    for column in meaning.study.columns:
        if isinstance(column.made_from, FileLabel) and column.table == meaning.table:
            label = label_code(column, meaning.label)
            codes[column.name] = table.stores[column.name].as_stored(np.full(len(persons), label))
    clocks = {
        name: coded.field_of[clock_of(name)].codes(fetched).astype(np.int32)
        for name in table.derived.clocks
        if clock_of(name) in coded.field_of
    }
    table.derived.add_to(codes, table.stores, clocks)
    texts = {name: _texts(fetched, coded, meaning, name) for name in table.texts}
    table.add(CodedBatch(len(persons), ids, cases, codes, texts))
    return table


def _of_pass(coded: CodedTable, number: int, passes: int) -> ir.Table:
    """The rows of the people of one pass."""
    rows = coded.rows
    if coded.is_numbered:
        rows = rows.filter(rows[PERSON] != NOBODY)
    return of_pass(rows, number, passes) if passes > 1 else rows


def _keys(persons: pa.Array, table: TableRows, is_numbered: bool) -> Keys | None:
    """Whose the rows are, by number or by the rules of ids in files."""
    if table.ids is None or not is_numbered:
        return None if table.ids is None else table.ids.ids(one_value_cells(persons))
    numbers = persons.to_numpy()
    return Keys(np.maximum(numbers, NO_ID) if table.ids.pools_without_id else numbers)


def _texts(fetched: pa.Table, coded: CodedTable, meaning: Meaning, name: str) -> TextColumn:
    """The texts of a column in which categories are looked for, an empty one for no text."""
    texts = [*meaning.texts[name], ""]
    codes = coded.field_of[text_of(name)].codes(fetched)
    return TextColumn(np.where(codes < 0, len(texts) - 1, codes), texts)
