# SPDX-License-Identifier: Apache-2.0
"""No cell of a table runs in a spreadsheet: what is written is accepted, what runs is not."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.verify.active_content import is_plain_table
from dpdesk.release.verify.verification import verify
from dpdesk.study.text.spreadsheet_cells import is_inert_table, neutral_parts, runs
from tests.release.bundles import KNOWN
from tests.release.verify.test_active_content import of_another_version

CALL = "cmd|' /C calc'!A0"
RUN = [
    f"-2+3+{CALL}", f"+2+{CALL}", f"={CALL}", f"@SUM(1+1)*{CALL}", f"|{CALL}", f"%{CALL}",
    f"\uff1d{CALL}", f"\uff0b1+{CALL}", f"\uff0d1+{CALL}", "\uff20SUM(1)", f"\ufe66{CALL}",
    f"\u00a0={CALL}", f"\u200b={CALL}", f"\ufeff={CALL}", f"\u2060={CALL}", f"\u00ad={CALL}",
    f"\u3164={CALL}", f"\u2800={CALL}", f"\u180e={CALL}", f"\u0301={CALL}", f" \u3000\u200e={CALL}",
    f"\t={CALL}", f"\r={CALL}", f"\x00={CALL}", "-", "+1", "--1", "-1-", "-.5", "-1e5", "-1,5",
    "-\u0661", f'"={CALL}', "=", "-1\u200b",
    "sep=|", "Sep=", " sep=^",
]  # fmt: skip
SAFE = [
    "-1",
    "-0.5",
    "0",
    "17",
    "40-50",
    "[0-10)",
    "<30",
    "a=b",
    "",
    "''",
    "\u20ac 5",
    "(x)",
]


@pytest.mark.threat("G1")
@pytest.mark.parametrize("cell", RUN, ids=ascii)
def test_a_cell_that_a_spreadsheet_runs(cell: str) -> None:
    assert runs(cell) and not runs(neutral_parts(cell))
    assert not is_inert_table(written_by_a_stranger(cell))
    assert not is_inert_table(written_by_a_stranger(f"see;{cell}"))
    assert is_inert_table(written(cell, f"see;{cell}"))


@pytest.mark.parametrize("cell", SAFE, ids=ascii)
def test_a_cell_that_stays_what_it_is(cell: str) -> None:
    assert not runs(cell) and neutral_parts(cell) == cell
    assert is_inert_table(written_by_a_stranger(cell))


@pytest.mark.threat("G1")
@pytest.mark.parametrize("rest", [CALL, "WEBSERVICE(B1)", "5+A1!B2"])
def test_a_text_behind_a_negative_number_goes_on_no_formula(rest: str) -> None:
    """A spreadsheet that cuts at semicolons takes both for one cell, ``-1,2+cmd|...``."""
    assert not is_plain_table(f"bin,ward,n\n-1,2+{rest},3\n".encode())
    assert f'"2+{rest}"' in written(f"2+{rest}")
    assert is_plain_table(f'bin,ward,n\n-1,"2+{rest}",3\n'.encode())


@pytest.mark.threat("G1")
@pytest.mark.parametrize("cell", [f"-2+3+{CALL}", f"\uff1d{CALL}", f"\u200b={CALL}"], ids=ascii)
def test_a_known_signer_s_bundle_with_such_a_cell_is_refused(cell: str) -> None:
    """It was green: "You can rely on this bundle"."""
    table = written_by_a_stranger(cell).encode()
    found = verify(of_another_version("results/count-of-rows.csv", table), KNOWN)
    assert [problem.code for problem in found.whole] == ["bundle-active-content"]


SIGNS = "=+-@|%!(;,\t\r\n\"' \u00a0\u200b\ufeff\uff1d\uff0b\uff0d\uff20019.aé"
LABELS = st.text(st.sampled_from(SIGNS) | st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.from_regex(r"-?[0-9]{1,3}(\.[0-9])?", fullmatch=True)


@pytest.mark.threat("G1")
@given(LABELS, LABELS, NUMBERS)
def test_what_is_written_is_accepted_and_runs_nowhere(name: str, label: str, number: str) -> None:
    text = written(name, label, number)
    assert is_plain_table(text.encode())
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert rows[1][2] == number and len({len(row) for row in rows}) == 1
    for row in rows:
        for part in re.split(r"[;\t\r\n]", "\n".join(row)):
            core = re.sub(r'[\s\u200b\ufeff"]+', "", part)
            assert not re.match("[=+@|%\uff1d\uff0b\uff0d\uff20]|-(?![0-9.]+$)", core), part


@given(LABELS, LABELS)
def test_different_texts_stay_different(one: str, other: str) -> None:
    assert (neutral_parts(one) == neutral_parts(other)) is (one == other)


def written(*texts: str) -> str:
    """A table whose cells are these, as the program writes it; a number stands first and last."""
    *labels, number = texts if re.fullmatch(r"-?[0-9.]+", texts[-1]) else (*texts, "-7")
    heads = [TableColumn(text, "group", "", "") for text in labels]
    ends = [TableColumn(name, "value", "", "") for name in ("first", "last")]
    columns = (*heads, *ends) if len(labels) > 1 else (ends[0], *heads, ends[1])
    cells = (*labels, number, number) if len(labels) > 1 else (number, *labels, number)
    return csv_bytes(Table("t", "", columns, (cells,))).decode()


def written_by_a_stranger(cell: str) -> str:
    """A table that any program may write."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([("ward", "n"), (cell, "1")])
    return text.getvalue()
