# SPDX-License-Identifier: Apache-2.0
"""Lies about how columns are made, and about of what a query's rows are."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.release.record.table_names import table_names
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import Arithmetic, OfPerson, Operand
from dpdesk.study.text.titles import sentence
from tests.release.bundles import KEY, KNOWN
from tests.release.liar import CENT, ZCDP, Change, found_out, honest
from tests.release.verify.test_dishonest import part, put

Members = dict[str, Any]
HALF, VISITS, USUAL = range(2, 5)
ROWS, PEOPLE = range(2)
NOT_PRICED = "claim-study-not-priced"
DAYS, WARD, _ = ZCDP.columns
assert isinstance(DAYS, NumberColumn)
assert isinstance(WARD, CategoryColumn)
assert DAYS.step is not None


def _number(name: str, made: Any) -> NumberColumn:
    return NumberColumn(name, DAYS.lower, DAYS.upper, DAYS.step, made_from=made)


PREPARED = replace(
    ZCDP,
    columns=(
        DAYS,
        WARD,
        _number("half", Arithmetic("multiply", (Operand("days"), DAYS.step / 2))),
        _number("visits", OfPerson("count", where=(IsIn("ward", ("c",)),))),
        CategoryColumn("usual", WARD.values, made_from=OfPerson("most-frequent", "ward")),
    ),
    queries=(
        Query("rows", by=("ward",), rho=CENT),
        Query("people", by=("usual",), of="people", rho=CENT),
        Query("halves", rho=CENT).having(statistic="sum", column="half"),
        Query("visits", of="people", rho=CENT).having(statistic="sum", column="visits"),
    ),
)


def of(query: int, subject: str) -> Change:
    """Of something else a query asks, in the study and in the answer, under the title of that."""

    def change(predicate: Members) -> None:
        for place in (
            predicate["study"]["queries"][query],
            predicate["queries"][query]["question"],
        ):
            place["of"] = subject
            if subject == "rows":
                del place["of"]
        study, stated = ReleasedStudy(predicate["study"]).study, predicate["queries"]
        assert study is not None
        titles = [sentence(study, one) for one in study.queries]
        for one, title, name in zip(stated, titles, table_names(titles), strict=True):
            one |= {"title": title, "name": name}

    return change


def made(column: int, *path: Any) -> Change:
    return put("study", "columns", column, "from", *path)


def test_an_honest_bundle_of_prepared_columns_is_believed() -> None:
    assert verify(honest(PREPARED), KNOWN).is_good
    assert found_out(lambda _predicate: None, PREPARED) == set()


def _rows_as_people(predicate: Members) -> None:
    of(ROWS, "people")(predicate)
    part(ROWS, sensitivity="1")(predicate)


def _read_from_the_file(predicate: Members) -> None:
    del predicate["study"]["columns"][USUAL]["from"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (of(PEOPLE, "rows"), "claim-sensitivity-too-small"),
        (_rows_as_people, NOT_PRICED),
        (_read_from_the_file, NOT_PRICED),
        (made(USUAL, {"recode": "ward", "to": [{"value": "c", "of": ["c"]}]}), NOT_PRICED),
        (made(HALF, "multiply", 0, "half"), NOT_PRICED),
        (made(HALF, "multiply", 0, "nowhere"), NOT_PRICED),
        (made(VISITS, "of_person", "any"), NOT_PRICED),
        (made(HALF, {"evaluate": "days / 2"}), "claim-study-unreadable"),
        (made(HALF, "multiply", 1, "number", "9" * 40), "claim-study-unreadable"),
    ],
)
def test_a_recipe_that_no_study_can_have(change: Change, code: str) -> None:
    assert code in found_out(change, PREPARED)


def test_another_recipe_in_the_report_than_in_the_study() -> None:
    """Signed properly, with the digest of the file as it is."""
    files = unpack(honest(PREPARED))
    statement = json.loads(files.pop(MANIFEST))
    del files[SIGNATURE]
    report = files["report.html"]
    files["report.html"] = report.replace("half: days × 0.5".encode(), "half: days × 0.9".encode())
    assert files["report.html"] != report
    statement["subject"] = [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in files.items()
    ]
    manifest = json_bytes(statement)
    found = verify(pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)}), KNOWN)
    assert not found.is_good
