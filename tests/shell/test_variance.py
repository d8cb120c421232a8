# SPDX-License-Identifier: Apache-2.0
"""A variance and a standard deviation from a file to a verified bundle."""

from __future__ import annotations

import csv
import io
import zipfile
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.shell.hospital import Hospital

BOTH = ("variance", "standard-deviation")


def asking(members: dict[str, Any], measure: str, people: int | None) -> None:
    members["budget"] = {"account": "wards", measure: 40}
    if people is not None:
        members["unit"] = {"neighbours": "change-one", "people": people}
        members["columns"][1].update(missing={"replace": 7}, unparsable={"replace": 7})
    share = {measure: 20}
    members["queries"] = [
        {"id": name, "statistic": name, "column": "stay", **share} for name in BOTH
    ]


def released(place: Hospital, name: str) -> dict[str, str]:
    with zipfile.ZipFile(place.bundle) as bundle:
        path = next(n for n in bundle.namelist() if n.endswith(f"/{name}-of-stay.csv"))
        rows = list(csv.DictReader(io.StringIO(bundle.read(path).decode("utf-8-sig"))))
    assert len(rows) == 1
    return rows[0]


@pytest.mark.parametrize("measure", ["epsilon", "rho"])
@pytest.mark.parametrize("people", [None, 3_000])
@pytest.mark.in_turn(2)
def test_what_a_file_holds_is_within_what_the_bundle_says(
    hospital: Hospital,
    measure: str,
    people: int | None,
) -> None:
    stays = np.random.default_rng(4).integers(1, 15, 3_000)
    lines = [f"{person},A,{stay}" for person, stay in enumerate(stays.tolist())]
    hospital.write_data("\n".join(["pid,ward,stay", *lines]) + "\n")
    hospital.write_study(lambda members: asking(members, measure, people))
    hospital.run("account", "new", "wards", f"--{measure}", "40")
    said = hospital.release()
    assert said.status == 0, said.err
    assert hospital.run("verify", hospital.bundle).status == 0
    exact = Fraction(float(stays.var())).limit_denominator(10**9)
    found = released(hospital, "variance")
    # At this price the margin is tiny, and ten margins are missed with a chance below 10^-9.
    reach = 10 * Fraction(found["half_width_95"])
    assert abs(Fraction(found["population_variance"]) - exact) <= reach < exact / 2
    found = released(hospital, "standard-deviation")
    root = Fraction(found["population_standard_deviation"])
    assert abs(root**2 - exact) < exact / 2
    assert Fraction(found["lowest_95"]) < root < Fraction(found["highest_95"])
    assert ("noisy_rows" in found) == (people is None)
