# SPDX-License-Identifier: Apache-2.0
"""What the tests of the ledger share."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.study.amount import Epsilon
from dpdesk.study.problem import Problem, Refused

ONE = Epsilon.of("1")
TENTH = Epsilon.of("0.1")


def charge(ledger: Ledger, account: str, amount: Epsilon) -> None:
    """Spend as a release does, with the least payload."""
    with ledger.transaction() as transaction:
        payload = {"predicate": {"study": {"title": "T"}, "queries": []}, "noisy": {}}
        transaction.append("release", account, payload, charged=amount)


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
