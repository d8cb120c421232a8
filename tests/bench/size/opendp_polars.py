# SPDX-License-Identifier: Apache-2.0
"""OpenDP with Polars: one context, three rows a patient, the same seven questions.

Its claim is taken as it stands, and only its time is asked: where ``max_length`` bounds a group,
OpenDP 0.16.0 claims half of what is lost (opendp/opendp#2945). Which rows of a patient count is
drawn at random, as with us; each query draws anew, since that is how it is asked.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import requires, version
from typing import Any

import opendp.prelude as dp
import polars as pl

from tests.bench.size.clock import print_figures, timed
from tests.bench.size.declared import (
    DEAREST,
    EPSILON,
    LONGEST,
    OLDEST,
    ROWS_OF_A_PATIENT,
    SEXES,
    WARDS,
)

QUESTIONS = 7
MOST_ROWS = 100_000_000


def check_polars() -> None:
    """OpenDP hands its plans to Polars in a form that one version alone reads.

    Raises:
        ModuleNotFoundError: another version is here.
    """
    pins = (re.match(r"polars==([\d.]+)", line) for line in requires("opendp") or ())
    wanted = next(pin[1] for pin in pins if pin)
    if version("polars") != wanted:
        raise ModuleNotFoundError(f"OpenDP needs polars {wanted}, not {version('polars')}")


def answers(path: str) -> dict[str, list[float]]:
    """Each question's noisy answers, groups by name."""
    asked = _context(pl.scan_csv(path))
    found = {name: query.release().collect() for name, query in _queries(asked).items()}
    return {
        name: table.sort([c for c in ("ward", "sex") if c in table.columns])[:, -1].to_list()
        if len(table) > 1
        else table[:, -1].to_list()
        for name, table in found.items()
    }


def _context(data: pl.LazyFrame) -> Any:
    """One budget for the seven; a patient is the unit."""
    return dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1, identifier=pl.col("patient_id")),
        privacy_loss=dp.loss_of(epsilon=EPSILON * QUESTIONS),
        split_evenly_over=QUESTIONS,
        margins=[dp.polars.Margin(max_length=MOST_ROWS)],
    )


def _queries(asked: Any) -> dict[str, Any]:
    wards = pl.LazyFrame({"ward": WARDS})
    both = wards.join(pl.LazyFrame({"sex": SEXES}), how="cross")
    # What could be missing must be filled: OpenDP asks for that, whatever the file holds.
    age, stay = pl.col("age").fill_null(0), pl.col("stay_days").fill_null(0)
    cost = pl.col("cost").fill_null(0.0).fill_nan(0.0)
    again = (pl.col("readmitted") == "yes").cast(pl.Int64).fill_null(0)

    def rows() -> Any:
        return asked.query().truncate_per_group(ROWS_OF_A_PATIENT)

    stays = rows().group_by("ward", "sex").agg(stay.dp.mean((0, LONGEST)))
    return {
        "count": rows().select(dp.len(signed=True)),
        "mean-age": rows().select(age.dp.mean((0, OLDEST))),
        "cost": rows().select(cost.dp.sum((0.0, float(DEAREST)))),
        "by-ward": rows().group_by("ward").agg(dp.len(signed=True)).with_keys(wards),
        "mean-stay": stays.with_keys(both),
        "median-age": rows().select(age.dp.median(list(range(OLDEST + 1)))),
        "readmitted": rows().group_by("ward").agg(again.dp.mean((0, 1))).with_keys(wards),
    }


if __name__ == "__main__":
    check_polars()
    dp.enable_features("contrib")
    found, seconds = timed(lambda: answers(sys.argv[1]))
    print_figures(
        seconds, version=f"{version('opendp')}, polars {version('polars')}", answers=found
    )
