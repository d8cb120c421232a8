# SPDX-License-Identifier: Apache-2.0
"""At most one or two rows of each patient of a real file: the bound exact, the rest by chance.

Of a patient with n rows, m of them in a group, min(n, k) are kept, and each n choose k is as
likely as another. So a group's number of kept rows is a sum of hypergeometric ones, of which mean
and variance are known exactly, and one run is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.engine.runner import Binding, count
from dpdesk.engine.spark import database_of
from dpdesk.release.sealing.sealed_counts import ExactCounts
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import Unit

LIMITS: Final = (1, 2)
PERSON, OUTCOME, ADMISSION = "patient_nbr", "readmitted", "admission_type_id"
FARTHEST: Final = 5.0
"""Standard deviations: 27 groups of two limits are all nearer, but in one of 30,000 runs."""

Numbers = npt.NDArray[np.float64]


def limited(study: Study, most: int) -> Study:
    """Outcomes, and outcomes by kind of admission, of at most so many rows of each patient."""
    shares = {"epsilon": Epsilon.of("0.1")}
    asked = (
        Query("outcomes", by=(OUTCOME,), **shares),
        Query("both", by=(OUTCOME, ADMISSION), **shares),
    )
    columns = tuple(one for one in study.columns if one.name in (OUTCOME, ADMISSION))
    unit = replace(study.unit or Unit(), max_rows=most)
    return replace(study, unit=unit, columns=columns, queries=asked)


def wrong_in(counts: ExactCounts, study: Study, table: pa.Table) -> tuple[list[str], float]:
    """What is not as it has to be, and how far the farthest group is from its mean."""
    most = (study.unit or Unit()).max_rows
    one, both = (counts.vectors[name, "rows"] for name in ("outcomes", "both"))
    ids, rows = np.unique(table[PERSON].to_numpy(zero_copy_only=False), return_counts=True)
    mean, variance = _expected(study, table, most)
    off = np.abs(both - mean) / np.sqrt(np.maximum(variance, 1e-12))
    off = np.where(both == mean, 0, off)
    found = {
        "people": counts.people == len(ids),
        "bound": one.sum() == np.minimum(rows, most).sum(),
        "same rows": one.tolist() == both.reshape(len(one), -1).sum(axis=1).tolist(),
        "chance": off.max() < FARTHEST,
    }
    return [name for name, is_right in found.items() if not is_right], float(off.max())


def _expected(study: Study, table: pa.Table, most: int) -> tuple[Numbers, Numbers]:
    """Mean and variance of the kept rows of each pair of outcome and kind of admission."""
    _, persons = np.unique(table[PERSON].to_numpy(zero_copy_only=False), return_inverse=True)
    cell = np.zeros(len(persons), np.int64)
    size = 1
    for name in (OUTCOME, ADMISSION):
        column = study.by_name[name]
        assert isinstance(column, CategoryColumn)
        codes = {text: place for place, text in enumerate(column.values)}
        cell = cell * len(codes) + [codes[text] for text in table[name].to_pylist()]
        size *= len(codes)
    n = np.bincount(persons).astype(float)
    pairs, m = np.unique(persons * size + cell, return_counts=True)
    own, kept = n[pairs // size], np.minimum(n[pairs // size], most)
    share = m / own
    spread = kept * share * (1 - share) * (own - kept) / np.maximum(own - 1, 1)
    cells = pairs % size
    return np.bincount(cells, kept * share, size), np.bincount(cells, spread, size)


def lines(
    study: Study, table: pa.Table, engines: dict[str, Callable[[dict[str, pa.Table]], Any]],
    called: str, of_file: Callable[[Study, dict[str, pa.Table]], ExactCounts],
) -> Iterator[tuple[str, bool]]:  # fmt: skip
    """One line a limit and engine, the encoder's own first."""
    for most in LIMITS:
        asked = limited(study, most)
        for engine in ("a file", *engines):
            if engine == "a file":
                counts = of_file(asked, {MAIN: table})
            else:
                with engines[engine]({MAIN: table}) as backend:
                    counts = count(asked, database_of(backend), Binding({MAIN: called}))
            wrong, off = wrong_in(counts, asked, table)
            said = f"WRONG: {', '.join(wrong)}" if wrong else "the bound exact, the same rows"
            text = f"{f'at most {most} of a patient':<28} {engine:<9} {table.num_rows:>7,} rows:"
            yield f"{text} {said} (farthest of 24 groups {off:.1f} standard deviations)", not wrong
