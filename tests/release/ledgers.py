# SPDX-License-Identifier: Apache-2.0
"""What the tests of the ledger share."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.privacy.published_tables import Table
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.released_study import ReleasedQuestion, ReleasedStudy
from dpdesk.release.record.values import (
    ChainPlace,
    ReleasedAccount,
    ReleasedClaim,
    ReleasedQuery,
    ReleaseRecord,
    SoftwareVersions,
    StoredRelease,
)
from dpdesk.study.model.amount import NO_DELTA, WITHOUT_DELTA, Delta, Epsilon, Rho, Share
from dpdesk.study.problem import Problem, Refused

ONE = Epsilon.of("1")
TENTH = Epsilon.of("0.1")
RHO = Rho.of("0.05")
DELTA = Delta(10**9)
KEPT = Delta(5 * 10**8)
"""For found categories, of ``DELTA``."""


TITLED = ReleasedStudy({"title": "T"})


def least(
    total: Share = ONE, query_charged: Share | None = None, study: ReleasedStudy = TITLED
) -> StoredRelease:
    """The least that a release's entry says; one query, where it was charged."""
    record = ReleaseRecord(
        id="0" * 32,
        time="2026-11-21T14:32Z",
        study=study,
        claim=ReleasedClaim("add-remove", "person", 1, None, total, ONE, WITHOUT_DELTA),
        queries=(),
        account=ReleasedAccount("one", total, total, total, WITHOUT_DELTA, NO_DELTA, NO_DELTA, ()),
        place=ChainPlace(2, "0" * 64, False, False),
        software=SoftwareVersions("0.2.0", "0.16.0", "0" * 64),
    )
    if query_charged is None:
        return StoredRelease(record, ())
    question = ReleasedQuestion({"statistic": "count"})
    costs = (query_charged, query_charged, NO_DELTA, NO_DELTA, 2, "", ())
    query = ReleasedQuery("q", "Q", "q", "count", question, 1, *costs, Drawn(((1,),)))
    return StoredRelease(replace(record, queries=(query,)), (Table("q", "Q", (), ()),))


PAYLOAD = least()


def charge(ledger: Ledger, account: str, amount: Epsilon) -> None:
    """Spend as a release does, with the least payload."""
    pay(ledger, account, amount)


def pay(ledger: Ledger, account: str, amount: Share, delta: Delta = NO_DELTA) -> None:
    """Spend as a release does in any measure, some delta too, with the least payload."""
    with ledger.transaction() as transaction:
        transaction.append(account, PAYLOAD, charged=amount, delta_charged=delta)


def two_measures(home: Home) -> Ledger:
    """A ledger with an account in pure epsilon and one in rho, which keeps half of its delta."""
    ledger = Ledger.open(home)
    ledger.new_account("pure", ONE)
    ledger.new_account("trial", RHO, "the board", DELTA, KEPT)
    return ledger


def refusal(call: Callable[[], object]) -> Problem:
    """The one problem with which a call is refused."""
    with pytest.raises(Refused) as refused:
        call()
    (problem,) = refused.value.problems
    return problem


def spent_ledger(home: Home) -> Ledger:
    """A ledger with two accounts and some spending."""
    ledger = Ledger.open(home)
    ledger.new_account("one", ONE, "first")
    ledger.new_account("two", ONE)
    charge(ledger, "one", TENTH)
    charge(ledger, "one", TENTH)
    charge(ledger, "two", TENTH)
    ledger.raise_budget("one", Epsilon.of("2"), "more people")
    return ledger


def run_sql(path: Path, *statements: str) -> None:
    """Change the file behind the program's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def without_rules(path: Path, *statements: str) -> None:
    """Change the file as somebody who takes its triggers off first and puts them back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        for name, _sql in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _name, sql in triggers:
            connection.execute(sql)
