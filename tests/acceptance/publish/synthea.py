# SPDX-License-Identifier: Apache-2.0
"""Synthea's patients from birth to death: survival by sex, and deaths per 1,000 person-years.

The years that each of 1,171 people lived are derived from their dates; who has no date of death is
censored on a declared day. Without noise each figure is that of numpy and pandas, a life table in
bins of ten years, with noise at epsilon 1 the ranges of 400 releases hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from tests.acceptance.prepare import STUDIES
from tests.acceptance.publish import survival
from tests.acceptance.publish.coverage import RELEASES, Held, redrawn, released, rows_of, within
from tests.acceptance.publish.survival import SAME, Near, People, Time
from tests.doors import RecordingDoor

FILE: Final = "synthea/patients.csv"
SEXES: Final = ("F", "M")
LAST_DAY: Final = date(2020, 2, 29)
OLDEST: Final = 110
TIME: Final = Time(0, (*range(9, 100, 10), OLDEST), (49, 79))
"""Ten years a bin."""
YEARLY: Final = Near(shares=0.02, means=0.25, chi_squared=0.5, p=0.01)
"""Of the life table from the curve of each year, a fifth of what it was of those censored whole."""


def study(share: Epsilon) -> Study:
    """The study that is released."""
    found = study_from_bytes((STUDIES / "lives.dpdesk").read_bytes())
    return replace(found, queries=tuple(replace(one, epsilon=share) for one in found.queries))


def read(path: Path) -> tuple[People, pd.Series[int]]:
    """The people, and the years that each of them lived."""
    cells = pd.read_csv(path, dtype=str, keep_default_na=False)
    lived = [
        _years(date.fromisoformat(born), date.fromisoformat(died) if died else LAST_DAY)
        for born, died in zip(cells["BIRTHDATE"], cells["DEATHDATE"], strict=True)
    ]
    years = pd.Series(lived).clip(0, OLDEST)
    bins = np.minimum(years.to_numpy() // 10, len(TIME.ends) - 1)
    died, men = (cells["DEATHDATE"] != "").to_numpy(), (cells["GENDER"] == "M").to_numpy()
    return People(years.to_numpy(), bins, died, men.astype(np.int64)), years


def _years(born: date, until: date) -> int:
    """Completed years of age."""
    return until.year - born.year - ((until.month, until.day) < (born.month, born.day))


def rates_of(people: People, years: pd.Series[int]) -> dict[str, float]:
    """Deaths per 1,000 years, by sex."""
    sums = pd.DataFrame({"died": people.died, "years": years}).groupby(people.groups).sum()
    each = 1_000 * sums["died"] / sums["years"]
    return dict(zip(SEXES, map(float, each), strict=True))


def differing(
    folder: Path, theirs: survival.Followed | None = None, near: Near = SAME
) -> Iterator[str]:
    """What a release without noise says otherwise than numpy, or than somebody else."""
    people, years = read(folder / Path(FILE).name)
    found = theirs or survival.by_numpy(people, TIME)
    exactly = released(study(survival.NO_NOISE), folder, RecordingDoor())
    tables = {one.id: one for one in exactly.tables}
    yield from survival.differing_in(tables["lives"], found, SEXES, TIME, near)
    exact = rates_of(people, years)
    for sex, rate, *_ in tables["deaths"].rows:
        if abs(float(rate) - exact[sex]) > survival.ROUNDED * exact[sex]:
            yield f"deaths of {sex}"


def covered(folder: Path, releases: int = RELEASES) -> Held:
    """How often ranges of the noise hold."""
    people, years = read(folder / Path(FILE).name)
    exact = survival.exact_figures(survival.by_numpy(people, TIME), SEXES, TIME)
    rates, held = rates_of(people, years), Held()
    for stored in redrawn(released(study(Epsilon.of(1)), folder, RecordingDoor()), releases):
        for table in stored.tables:
            lines = table if table.derived is None else table.derived
            for row in rows_of([column.name for column in lines.columns], lines.rows):
                key = (row["GENDER"], row.get("figure", "deaths"), row.get("up_to", ""))
                low, high = row["lowest_95"], row["highest_95"]
                truth = rates[key[0]] if key[1] == "deaths" else exact.get(key)
                if truth is not None and (low or high):
                    held.add(key, within(low, truth, high))
    return held


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each figure; see ``publish``."""
    path = shared / FILE
    if not path.is_file():
        yield f"lives         skipped: {FILE} is not on this machine", True
        return
    wrong = list(differing(path.parent))
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy and pandas"
    yield f"lives         without noise: {said}", not wrong
    said, is_held = covered(path.parent).line()
    yield f"lives         noise at epsilon 1: {said}", is_held
