# SPDX-License-Identifier: Apache-2.0
"""Writes the made-up admissions of a made-up hospital: nobody in it ever lived.

    python resources/sample/make_sample.py

The program never imports this. Same seed, same bytes: only whole numbers are drawn,
so that no mathematics library of any system has a say in them.
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

SEED = 20260415
PATIENTS = 8_000
MOST_STAYS = 12
FIRST_DAY = date(2023, 1, 1)
DAYS = 3 * 365
BANDS = ((17, "0-17"), (39, "18-39"), (59, "40-59"), (79, "60-79"), (200, "80+"))
# Ward: share of stays, one chance in so many of going home each day, euros a day.
WARDS = {
    "Cardiology": (20, 6, 780),
    "General surgery": (18, 5, 910),
    "Internal medicine": (26, 7, 620),
    "Maternity": (9, 4, 560),
    "Neurology": (10, 9, 740),
    "Orthopaedics": (12, 8, 830),
    "Paediatrics": (5, 4, 690),
}
TYPOS = {"Cardiology": "Cardiolgy", "Orthopaedics": "Orthopedics", "Neurology": "neuro"}
HEADER = (
    "patient_id",
    "admission_date",
    "age",
    "age_band",
    "sex",
    "ward",
    "admission_type",
    "length_of_stay",
    "cost",
    "hba1c",
    "readmitted_30d",
)


def one_in(rng: random.Random, times: int) -> bool:
    """True once in so many times."""
    return rng.randrange(times) == 0


def draw_age(rng: random.Random, ward: str) -> int:
    """An age in years that fits the ward."""
    if ward == "Paediatrics":
        return rng.randint(0, 17)
    if ward == "Maternity":
        return rng.randint(19, 44)
    return rng.choices((rng.randint(18, 49), rng.randint(45, 79), rng.randint(70, 98)), (2, 5, 3))[
        0
    ]


def draw_days(rng: random.Random, ward: str) -> int:
    """Nights in hospital: each day is the last with the ward's chance."""
    days = 1
    while days < 60 and not one_in(rng, WARDS[ward][1]):
        days += 1
    return days


def draw_stays(rng: random.Random) -> int:
    """How often a person comes: mostly once or twice, at most twelve times."""
    stays = 1
    while stays < MOST_STAYS and rng.randrange(100) < 61:
        stays += 1
    return stays


def band_of(age: int) -> str:
    """The age band as the hospital writes it."""
    return next(name for last, name in BANDS if age <= last)


def draw_stay(rng: random.Random, ward: str, age: int, sex: str) -> dict[str, str]:
    """One clean row without its person and date."""
    days = draw_days(rng, ward)
    cents = 100 * days * WARDS[ward][2] + rng.randrange(20_000, 400_000)
    diabetic = one_in(rng, 4)
    tenths = rng.randint(62, 115) if diabetic else rng.randint(46, 61)
    kind = rng.choices(("emergency", "elective", "transfer"), (55, 38, 7))[0]
    return {
        "age": str(age),
        "age_band": band_of(age),
        "sex": sex,
        "ward": ward,
        "admission_type": kind,
        "length_of_stay": str(days),
        "cost": f"{cents // 100}.{cents % 100:02d}",
        "hba1c": f"{tenths // 10}.{tenths % 10}" if diabetic or one_in(rng, 3) else "",
        "readmitted_30d": "yes" if one_in(rng, 8) else "no",
    }


def spoil(rng: random.Random, row: dict[str, str]) -> None:
    """What every real table has: gaps, slips of the hand and impossible values."""
    if one_in(rng, 900):
        row["age"] = rng.choice(("199", "-1", "n/a"))
    if one_in(rng, 700):
        row["length_of_stay"] = rng.choice(("-3", "9999", "n/a", ""))
    if one_in(rng, 120):
        row["ward"] = TYPOS.get(row["ward"], "")
    if one_in(rng, 300):
        row["cost"] = rng.choice(("n/a", "", "0.00", "98765432.10"))
    if one_in(rng, 150):
        row["sex"] = rng.choice(("", "n/a", "unknown"))
    if one_in(rng, 80):
        row["readmitted_30d"] = ""


def spell(rng: random.Random, number: int) -> str:
    """A patient's id, now and then typed otherwise, rarely forgotten."""
    name = f"H-{number:05d}"
    if one_in(rng, 1_500):
        return ""
    return f" {name.lower()}" if one_in(rng, 400) else name


def rows_of(rng: random.Random, number: int) -> list[dict[str, str]]:
    """All stays of one person."""
    ward = rng.choices(tuple(WARDS), [share for share, _, _ in WARDS.values()])[0]
    age = draw_age(rng, ward)
    sex = "female" if ward == "Maternity" else rng.choice(("female", "male"))
    rows = []
    for _ in range(draw_stays(rng)):
        day = rng.randrange(DAYS)
        row = draw_stay(rng, ward, age + day // 365, sex)
        spoil(rng, row)
        row["patient_id"] = spell(rng, number)
        row["admission_date"] = (FIRST_DAY + timedelta(days=day)).isoformat()
        rows.append(row)
        if ward not in ("Maternity", "Paediatrics") and one_in(rng, 3):
            ward = rng.choice(("Cardiology", "General surgery", "Internal medicine", "Neurology"))
    return rows


def write_sample(path: Path) -> None:
    """The whole table, in the order in which people came."""
    rng = random.Random(SEED)
    rows = [row for number in range(1, PATIENTS + 1) for row in rows_of(rng, number)]
    rows.sort(key=lambda row: (row["admission_date"], row["patient_id"], row["cost"]))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    write_sample(Path(sys.argv[1]) if sys.argv[1:] else here / "admissions.csv")
