# SPDX-License-Identifier: Apache-2.0
"""Which table of a release says nothing is said beside its name."""

from __future__ import annotations

import csv
import io

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from tests.shell.hospital import Hospital


@pytest.mark.parametrize(("share", "is_named"), [(0.0001, True), (0.4, False)])
def test_a_table_that_is_too_noisy_in_every_figure_is_named(
    hospital: Hospital, share: float, is_named: bool
) -> None:
    hospital.write_data("pid,ward,stay\n" + "".join(f"{n},A,3\n{n},B,5\n" for n in range(500)))
    hospital.write_study(lambda m: [q.update(epsilon=share) for q in m["queries"]])
    said = hospital.release()
    assert said.status == 0
    lines = [line for line in said.out.splitlines() if "results/" in line]
    named = [line.endswith(" (every figure is too noisy to use)") for line in lines]
    files = unpack(hospital.bundle.read_bytes())
    marks = [
        [row["too_noisy"] for row in csv.DictReader(io.StringIO(content.decode()))]
        for name, content in files.items()
        if name.startswith("results/")
    ]
    assert named == [set(one) == {"yes"} for one in marks]
    # Of the hidden figures noise alone carries one in twenty beyond its margin.
    assert sum(mark == "yes" for one in marks for mark in one) > 0 if is_named else not any(named)
