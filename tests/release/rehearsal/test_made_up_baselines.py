# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in a rehearsal: laid out as released, with its planned margins, marked throughout."""

from __future__ import annotations

import io
from dataclasses import replace
from zipfile import ZipFile

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.rehearsal.made_up_baselines import made_up_baselines
from dpdesk.release.rehearsal.made_up_files import made_up_bytes
from dpdesk.release.rehearsal.rehearse import rehearse
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from tests.study.baselines import BASELINE, TABLE


def test_drawing_again_changes_figures_and_no_margin_on_show() -> None:
    found = [made_up_baselines(rehearse(BASELINE, OpenDPDoor()), ReleaseWords())[0] for _ in "ab"]
    first, second = (
        [(cell.text, cell.margin) for row in one.printed.rows for cell in row.cells]
        for one in found
    )
    # Quartiles that the noise puts in the wrong order are sorted, and then no rank is known.
    pairs = [(one, other) for (_, one), (_, other) in zip(first, second, strict=True)]
    known = [(one, other) for one, other in pairs if one and other]
    assert all(one == other for one, other in known)
    assert all((one or other).startswith("rank") for one, other in pairs if not (one and other))
    assert first != second


def test_rows_are_of_the_sizes_that_its_estimate_says() -> None:
    made = rehearse(BASELINE, OpenDPDoor())
    sizes = {one.plan.query.id: set(one.sizes) for one in made.queries}
    assert TABLE.expected == 500
    assert sizes["table-1-n"] == {500}
    assert sizes["table-1-3-mean-all"] == {4 * 500}
    assert sizes["table-1-1-counts"] == {500 // 4}  # women, men, other, missing
    assert sizes["table-1-3-missing"] == {500 // 20}


def test_its_files_say_that_they_are_made_up() -> None:
    study = with_baseline_queries(replace(BASELINE, baseline_tables=(TABLE,)))
    raw = made_up_bytes(rehearse(study, OpenDPDoor()))
    with ZipFile(io.BytesIO(raw)) as made:
        names = [name for name in made.namelist() if "tables/" in name]
        table, text, latex = (made.read(name).decode() for name in names)
        report = made.read("made_up_report.html").decode()
    assert names == [f"made_up_tables/made_up_table-1.{end}" for end in ("csv", "md", "tex")]
    assert all(line.startswith("made") for line in table.splitlines())
    assert text.startswith("**Made up: Table 1 by ward**")
    assert r"\caption{Made up: Table 1 by ward}" in latex
    assert report.count("A release would cost 1 of the budget for it.") == 1
