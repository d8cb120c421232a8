# SPDX-License-Identifier: Apache-2.0
"""A dishonest signer who knows the program: lies, and makes all files of the bundle fit."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, files_of, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.reproduce import rebuilt_tables
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.study.model.amount import Delta, Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    CandidateParameters,
    CategoriesFoundParameters,
    MostCommonParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import release

Change = Callable[[dict[str, Any]], object]
CENT = Rho.of("0.01")

ZCDP = Study(
    title="Wards",
    data=DataSource(path="wards.csv", extract="wards.csv"),
    unit=Unit(person="id", max_rows=2),
    budget=Budget(account="trial", rho=Rho.of("1")),
    columns=(
        NumberColumn("days", lower=Decimal(0), upper=Decimal(20), step=Decimal(1)),
        CategoryColumn("ward", values=("=1+1", "a,b", "c")),
        CategoryColumn("cause"),
    ),
    queries=(
        Query("rows", "count", by=("ward",), rho=CENT),
        Query("median", "median", CandidateParameters("days"), by=("ward",), rho=CENT),
        Query("top", "most-common", MostCommonParameters("ward", top=2), rho=Rho.of("0.1")),
        Query(
            "causes",
            "categories-found",
            CategoriesFoundParameters("cause", delta=Delta(10**8)),
            rho=Rho.of("0.2"),
        ),
    ),
)
"""A count, two kinds of choices, and categories found in the data."""


def write_wards(folder: Path, people: int = 400) -> None:
    """Two rows a person."""
    wards, causes = ('"=1+1"', '"a,b"', "c"), ("fall", '"@SUM(A1)"', '"x, y"')
    rows = [
        f"p{i},{(i * 7 + n) % 21},{wards[(i * i + n) % 3]},{causes[(i // 3 + n) % 3]}"
        for i in range(people)
        for n in range(2)
    ]
    text = "id,days,ward,cause\n" + "\n".join(rows) + "\n"
    (folder / "wards.csv").write_text(text, encoding="utf-8")


@lru_cache(maxsize=16)
def honest(study: Study = ZCDP) -> bytes:
    """A bundle of a release of a study on the wards' file."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_wards(folder)
        ledger = Ledger.open(Home.at(folder / "home"))
        budget = study.budget or Budget()
        ledger.new_account(budget.account, *_granted(budget))
        done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY)


def _granted(budget: Budget) -> tuple[Share, str, Delta, Delta] | tuple[Share]:
    if budget.measure == "rho":
        return Rho.of("1"), "", Delta(10**9), Delta(5 * 10**8)
    return (Epsilon.of("10"),)


def lied(change: Change, study: Study = ZCDP) -> bytes:
    """The bundle with another predicate, its files made again from it, signed properly."""
    files = unpack(honest(study))
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    predicate = statement["predicate"]
    change(predicate)
    files = _remade(predicate) or files
    statement["subject"] = [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in files.items()
    ]
    manifest = json_bytes(statement)
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


def _remade(predicate: dict[str, Any]) -> dict[str, bytes] | None:
    """The files that the lie would come with; none where the program cannot make them."""
    try:
        release = parse_signed(predicate)
        repriced = RepricedStudy(release.record.study)
        tables = rebuilt_tables(release.record, repriced)
        return files_of(release, list(tables.values())) if tables is not None else None
    except (LookupError, Refused):
        return None


def judged(change: Change, study: Study = ZCDP) -> Verification:
    """What verifying says of the lie."""
    return verify(lied(change, study), KNOWN)


def found_out(change: Change, study: Study = ZCDP) -> set[str]:
    """The codes with which the lie is refused, of claim and files."""
    found = judged(change, study)
    return {problem.code for problem in (*found.whole, *(found.claim or ()))}


def in_epsilon(study: Study = ZCDP) -> Study:
    """The study in pure epsilon, without what needs a delta."""
    queries = tuple(
        replace(query, rho=None, epsilon=Epsilon.of(str(query.rho)))
        for query in study.queries
        if query.statistic != "categories-found"
    )
    declared = tuple(c for c in study.columns if c.name != "cause")
    budget = Budget(account="pure", epsilon=Epsilon.of("1"))
    return replace(study, budget=budget, columns=declared, queries=queries)
