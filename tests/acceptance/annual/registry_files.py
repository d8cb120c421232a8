# SPDX-License-Identifier: Apache-2.0
"""Three made-up files of a registry: patients, stays and laboratory values, of 20,000 patients.

Nobody is meant. Ages, wards and diagnoses go together roughly as they do, so that rates, curves and
tables have something to show; everything follows from one seed. Many patients are made up piece by
piece, so that memory does not grow with the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np
import numpy.typing as npt

PATIENTS = 20_000
FIRST, LAST = np.datetime64("2024-01-01"), np.datetime64("2025-12-31")
WARDS = ("Cardiology", "Internal medicine", "Surgery", "Neurology")
REGIONS = ("North", "East", "South", "West")
CODES = ("I21.4", "I50.1", "E11.9", "J18.9", "C18.7", "S72.0", "I63.9", "K80.2")
SEED = 20_260_101
BATCH = 200_000
HEADS = {
    "patients.csv": ("patient", "birth", "sex", "region", "smoker", "entered", "died"),
    "stays.csv": ("patient", "case", "admission", "discharge", "ward", "icd", "dead"),
    "labs.csv": ("patient", "case", "day", "hba1c"),
}

Column = npt.NDArray[np.generic]
Lines = tuple[Column, ...]


@dataclass(frozen=True)
class _Patients:
    """Some of them, one entry each; ``left`` is the day of death or the last day."""

    numbers: Column
    entered: Column
    left: Column
    died: npt.NDArray[np.bool_]
    risk: npt.NDArray[np.float64]


def write_registry(folder: Path, patients: int = PATIENTS) -> None:
    """Write patients.csv, stays.csv and labs.csv."""
    digits = digits_of(patients)
    cases = 0
    with ExitStack() as stack:
        files = [stack.enter_context((folder / n).open("w", encoding="utf-8")) for n in HEADS]
        for file, heads in zip(files, HEADS.values(), strict=True):
            file.write(",".join(heads) + "\n")
        for first in range(0, patients, BATCH):
            rng = np.random.default_rng((SEED, first))
            numbers = np.arange(first, min(first + BATCH, patients))
            tables = [*_tables(rng, numbers, digits, cases)]
            cases += len(tables[1][0])
            for file, lines in zip(files, tables, strict=True):
                _write(file, lines)


def digits_of(patients: int) -> int:
    """How many digits an id has behind its letter."""
    return max(6, len(str(patients)))


def _tables(rng: np.random.Generator, numbers: Column, digits: int, cases: int) -> Iterator[Lines]:
    """Lines of patients, of their stays and of the laboratory."""
    count = len(numbers)
    ages = np.clip(rng.normal(66, 16, count), 18, 98).astype(int)
    women = rng.random(count) < 0.48
    risk = np.exp((ages - 66) / 14) * np.where(women, 0.85, 1.1)
    entered = FIRST + rng.integers(0, 725, count)
    died = entered + np.minimum(rng.exponential(2_500 / risk), 10_000).astype(int)
    people = _Patients(numbers, entered, np.minimum(died, LAST), died <= LAST, risk)
    yield (
        _ids("R", numbers, digits),
        FIRST - (ages * 365 + rng.integers(0, 365, count)),
        np.where(women, "f", "m"),
        rng.choice(REGIONS, count, p=(0.35, 0.25, 0.25, 0.15)),
        rng.choice(("yes", "no", ""), count, p=(0.22, 0.7, 0.08)),
        entered,
        np.where(people.died, died.astype(str), ""),
    )
    stays = _stays(rng, people, digits, cases)
    yield stays
    values = np.repeat(np.arange(len(stays[0])), rng.poisson(0.8, len(stays[0])))
    hba1c = np.clip(rng.normal(6.6, 1.3, len(values)), 4, 16)
    yield (*(column[values] for column in stays[:3]), np.char.mod("%.1f", hba1c))


def _stays(rng: np.random.Generator, people: _Patients, digits: int, cases: int) -> Lines:
    """Stays of each patient, up to the day of death, in the order of admission."""
    many = 1 + rng.poisson(0.5 * np.minimum(people.risk, 3))
    who = np.repeat(np.arange(len(many)), many)
    number = np.arange(len(who)) - np.repeat(np.cumsum(many) - many, many)
    admission = people.entered[who] + number * rng.integers(12, 160, len(who))
    is_there = admission <= people.left[who]
    who, admission = who[is_there], admission[is_there]
    order = np.argsort(admission, kind="stable")
    who, admission = who[order], admission[order]
    ward = rng.choice(len(WARDS), len(many), p=(0.3, 0.35, 0.25, 0.1))[who]
    days = 1 + rng.exponential(5 + 2 * ward).astype(int)
    discharge = np.minimum(admission + days, people.left[who])
    dead = people.died[who] & (discharge == people.left[who])
    return (
        _ids("R", people.numbers[who], digits),
        _ids("C", cases + np.arange(1, len(who) + 1), digits + 1),
        admission,
        discharge,
        np.array(WARDS)[ward],
        np.array(CODES)[(rng.integers(0, 3, len(who)) + 2 * ward) % len(CODES)],
        np.where(dead, "yes", "no"),
    )


def _ids(letter: str, numbers: Column, digits: int) -> Column:
    """In no order, as a hospital hands them out."""
    return np.char.mod(f"{letter}%0{digits}d", numbers * 61_803 % 10**digits)


def _write(file: TextIO, lines: Sequence[Column]) -> None:
    rows = zip(*(column.astype(str).tolist() for column in lines), strict=True)
    file.writelines(",".join(row) + "\n" for row in rows)
