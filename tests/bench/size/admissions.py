# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.size.admissions FOLDER ROWS``: made-up admissions, always the same.

Written as CSV, with a letter before each id, and as Parquet, a million rows at a time, so that
memory does not grow with the file. Rows stand in no order, so a patient's rows lie far apart, as
they do in a file by date. Beside them is a table of the patients, a row for each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from tests.bench.size.declared import REGIONS, SEXES, WARDS

SEED = 20_250_101
BATCH = 1_000_000
MOST_ROWS = 40
FIRST_DAY, DAYS = 19_358, 1_096
"""Three years from 2023-01-01, in days since 1970."""
FIRST_BORN, BORN_DAYS = -18_262, 37_000
"""A century from 1920-01-01, but for its last years and 29 February."""


DIAGNOSES = tuple(
    f"{chapter}{place:02}" for chapter in "ABCDEFGHIJKLMNOPQRST" for place in range(100)
)

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Patients:
    """Who comes: one entry a patient, and for each row of the file its patient."""

    sex: Ints
    age: Ints
    rows: npt.NDArray[np.int32]


def patients(rows: int, rng: np.random.Generator) -> Patients:
    """People with one to forty rows each, most with few; about 2.8 on average."""
    stays = np.ceil(rng.lognormal(0.42, 0.95, max(rows, 40))).astype(np.int64)
    stays = np.minimum(stays, MOST_ROWS)
    ends = np.cumsum(stays)
    people = int(np.searchsorted(ends, rows)) + 1
    of_row = np.repeat(np.arange(people, dtype=np.int32), stays[:people])[:rows]
    rng.shuffle(of_row)
    age = np.rint(rng.beta(2.2, 1.6, people) * 103).astype(np.int64)
    return Patients(rng.integers(0, 2, people), age, of_row)


def ids(numbers: Ints) -> Ints:
    """Ids of eight digits, all different, in no order."""
    return 10_000_000 + numbers * 61_803_399 % 90_000_000


def batches(rows: int) -> Iterator[pa.Table]:
    """The file, piece by piece."""
    rng = np.random.default_rng(SEED)
    people = patients(rows, rng)
    for start in range(0, rows, BATCH):
        yield _batch(people, people.rows[start : start + BATCH].astype(np.int64), rng)


def _batch(people: Patients, who: Ints, rng: np.random.Generator) -> pa.Table:
    size = len(who)
    ward = (rng.beta(1.2, 1.6, size) * len(WARDS)).astype(np.int32)
    day = rng.integers(0, DAYS, size)
    stay = np.minimum(np.ceil(rng.lognormal(1.0 + ward / 20, 0.8)).astype(np.int64), 365)
    cents = np.minimum(np.rint(rng.lognormal(6.2, 0.9, size) * 100) + 100, 5_000_000)
    again = rng.random(size) < 0.08 + ward / 100
    return pa.table(
        {
            "patient_id": ids(who),
            "admitted": pa.array((FIRST_DAY + day).astype(np.int32), pa.date32()),
            "ward": _named(ward, WARDS),
            "sex": _named(people.sex[who], SEXES),
            "age": people.age[who] + day // 366,
            "stay_days": stay,
            "cost": _decimals(cents.astype(np.int64)),
            "readmitted": _named(again, ("no", "yes")),
            "diagnosis": _named(rng.integers(0, 2_000, size), DIAGNOSES),
        }
    )


def patients_table(rows: int) -> pa.Table:
    """A row for each patient, in no order."""
    rng = np.random.default_rng(SEED)
    people = int(patients(rows, rng).rows.max()) + 1
    born = rng.integers(0, BORN_DAYS, people)
    days = pa.array((FIRST_BORN + born).astype(np.int32), pa.date32())
    month_and_day = pc.add(pc.multiply(pc.month(days), 100), pc.day(days)).to_numpy()
    moved = born + (month_and_day == 229)
    table = pa.table(
        {
            "patient_id": ids(np.arange(people)),
            "born": pa.array((FIRST_BORN + moved).astype(np.int32), pa.date32()),
            "region": _named(rng.integers(0, len(REGIONS), people), REGIONS),
        }
    )
    return table.take(pa.array(rng.permutation(people)))


def _named(codes: npt.NDArray[np.generic], names: tuple[str, ...]) -> pa.Array:
    places = pa.array(codes.astype(np.int32))
    return pa.DictionaryArray.from_arrays(places, pa.array(names)).cast(pa.string())


def _decimals(cents: Ints) -> pa.Array:
    """Amounts with two decimals: 128-bit numbers whose upper half is empty."""
    halves = np.zeros((len(cents), 2), np.int64)
    halves[:, 0] = cents
    return pa.Array.from_buffers(pa.decimal128(12, 2), len(cents), [None, pa.py_buffer(halves)])


def write(folder: Path, rows: int) -> None:
    """Write ``admissions.csv``, ``lettered.csv``, ``admissions.parquet``, ``patients.parquet``."""
    pa.parquet.write_table(patients_table(rows), folder / "patients.parquet")
    plain = pa.csv.WriteOptions(quoting_style="none", quoting_header="none")
    schema = next(batches(1)).schema
    cost = schema.get_field_index("cost")
    lettered = schema.set(0, pa.field("patient_id", pa.string()))
    stored = schema.set(cost, pa.field("cost", pa.float64()))
    with (
        pa.csv.CSVWriter(folder / "admissions.csv", schema, write_options=plain) as text,
        pa.csv.CSVWriter(folder / "lettered.csv", lettered, write_options=plain) as letters,
        pa.parquet.ParquetWriter(folder / "admissions.parquet", stored) as columns,
    ):
        for batch in batches(rows):
            text.write(batch)
            letters.write(batch.set_column(0, lettered.field(0), _lettered(batch.column(0))))
            columns.write(batch.cast(stored))


def _lettered(numbers: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.binary_join_element_wise("P", numbers.cast(pa.string()), "")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
