# SPDX-License-Identifier: Apache-2.0
"""Three made-up files of a registry: patients, stays and laboratory values, of 20,000 patients.

Nobody is meant. Ages, wards and diagnoses go together roughly as they do, so that rates, curves and
tables have something to show; everything follows from one seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np

PATIENTS = 20_000
FIRST, LAST = date(2024, 1, 1), date(2025, 12, 31)
WARDS = ("Cardiology", "Internal medicine", "Surgery", "Neurology")
REGIONS = ("North", "East", "South", "West")
CODES = ("I21.4", "I50.1", "E11.9", "J18.9", "C18.7", "S72.0", "I63.9", "K80.2")
SEED = 20_260_101

Line = Iterable[object]


def write_registry(folder: Path, patients: int = PATIENTS) -> None:
    """Write patients.csv, stays.csv and labs.csv."""
    rng = np.random.default_rng(SEED)
    ages = np.clip(rng.normal(66, 16, patients), 18, 98).astype(int)
    women = rng.random(patients) < 0.48
    risk = np.exp((ages - 66) / 14) * np.where(women, 0.85, 1.1)
    births = [
        FIRST - timedelta(int(a) * 365 + int(d))
        for a, d in zip(ages, rng.integers(0, 365, patients), strict=True)
    ]
    regions = rng.choice(REGIONS, patients, p=(0.35, 0.25, 0.25, 0.15))
    smokers = rng.choice(("yes", "no", ""), patients, p=(0.22, 0.7, 0.08))
    entered = [FIRST + timedelta(int(day)) for day in rng.integers(0, 600, patients)]
    left = [_left(e, days) for e, days in zip(entered, rng.exponential(2_500 / risk), strict=True)]
    _write(
        folder / "patients.csv",
        ("patient", "birth", "sex", "region", "smoker", "entered", "died"),
        zip(
            _ids(patients),
            births,
            np.where(women, "f", "m"),
            regions,
            smokers,
            entered,
            left,
            strict=True,
        ),
    )
    stays = [*_stays(rng, entered, left, risk)]
    _write(
        folder / "stays.csv",
        ("patient", "case", "admission", "discharge", "ward", "icd", "dead"),
        stays,
    )
    _write(folder / "labs.csv", ("patient", "case", "day", "hba1c"), _labs(rng, stays))


def _ids(count: int) -> list[str]:
    return [f"R{number:06d}" for number in range(count)]


def _left(entered: date, days: float) -> str:
    died = entered + timedelta(int(min(days, 10_000)))
    return died.isoformat() if died <= LAST else ""


def _stays(
    rng: np.random.Generator, entered: Sequence[date], left: Sequence[str], risk: np.ndarray
) -> Iterable[tuple[object, ...]]:
    many = 1 + rng.poisson(0.5 * np.minimum(risk, 3))
    wards = rng.choice(len(WARDS), len(entered), p=(0.3, 0.35, 0.25, 0.1))
    case = 0
    for number, begin in enumerate(entered):
        end = date.fromisoformat(left[number]) if left[number] else LAST
        for stay in range(int(many[number])):
            admission = begin + timedelta(int(stay * rng.integers(12, 160)))
            if admission > end:
                break
            discharge = min(
                admission + timedelta(1 + int(rng.exponential(5 + 2 * wards[number]))), end
            )
            dead = "yes" if left[number] and discharge == end else "no"
            icd = CODES[int(rng.integers(0, 3) + 2 * wards[number]) % len(CODES)]
            case += 1
            yield (
                f"R{number:06d}",
                f"C{case:07d}",
                admission,
                discharge,
                WARDS[wards[number]],
                icd,
                dead,
            )


def _labs(rng: np.random.Generator, stays: Sequence[tuple[object, ...]]) -> Iterable[Line]:
    for patient, case, admission, *_ in stays:
        for _ in range(int(rng.poisson(0.8))):
            value = float(np.clip(rng.normal(6.6, 1.3), 4, 16))
            yield patient, case, admission, f"{value:.1f}"


def _write(path: Path, heads: Sequence[str], lines: Iterable[Line]) -> None:
    rows = (",".join(map(str, line)) for line in lines)
    path.write_text("\n".join((",".join(heads), *rows)) + "\n", encoding="utf-8")
