# SPDX-License-Identifier: Apache-2.0
"""Accounts: what was shown was paid for, to the millionth, whatever went wrong in between."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.exact import Int64Vector
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.series import Schedule
from dpdesk.release.ledger.spending.instalments import begin_series
from dpdesk.release.notices.notice_file import parse_notice
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn
from dpdesk.study.model.conditions import DateBetween
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Refused
from tests.audit.tables import FILE, Row, write_table
from tests.doors import ConstantDoor
from tests.release.bundles import KEY
from tests.release.studies import record_of

TENTH = Epsilon.of("0.1")
EXTRACT = "accounts"
ROWS = tuple(Row((str(i), str(i), "ABC"[i % 3], "F", "yes", ""), i) for i in range(9))
COUNT = Query("count", "count", epsilon=TENTH)
MEAN = Query("mean", "mean", ColumnParameters("stay"), ("ward",), epsilon=Epsilon.of("0.2"))
DAY = DateColumn("admitted", date(2026, 1, 1), date(2028, 12, 31))
UNIT = Unit("pid", 2)
STUDY = Study(
    title="Accounts",
    data=DataSource(FILE, extract=EXTRACT),
    unit=UNIT,
    budget=Budget("registry", Epsilon.of(1)),
    columns=(
        NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1)),
        CategoryColumn("ward", ("A", "B", "C")),
    ),
    queries=(COUNT,),
)


class MeddlingDoor(ConstantDoor):
    """Does something else while the noise is being drawn."""

    def __init__(self, cancel: CancelToken | None = None, path: Path | None = None) -> None:
        super().__init__()
        self.open = ExitStack()
        self._cancel = cancel
        self._path = path

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        if self._cancel is not None:
            self._cancel.cancel()
        if self._path is not None and not self.calls:
            # A reader in the midst of reading keeps SQLite from committing.
            reader = self.open.enter_context(closing(sqlite3.connect(self._path)))
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entry").fetchone()
        return super().add_noise(name, values, noise, sensitivity)


class Books:
    """One ledger with one account of 1, and what was found out about it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        write_table(folder, ROWS)
        self.folder = folder
        self.home = Home.at(folder / "home")
        self.ledger = Ledger.open(self.home, busy_seconds=0.02)
        self.ledger.new_account("registry", Epsilon.of(1))
        self.paid = Fraction(0)

    def release(
        self,
        *queries: Query,
        door: ConstantDoor,
        extract: str = EXTRACT,
        unit: Unit = UNIT,
        columns: tuple[Column, ...] = STUDY.columns,
        **more: Any,
    ) -> ReleaseDone:
        """Release some queries; by default that the file is the same is said."""
        data = DataSource(FILE, extract=extract)
        study = replace(STUDY, data=data, unit=unit, columns=columns, queries=queries)
        options = {"same_extract": True} | more
        return release(study, self.folder, self.ledger, door, **options)

    def unpaid(self, done: ReleaseDone | None, price: str) -> Iterator[str]:
        """What is wrong with the books after something was shown that costs ``price``."""
        self.paid += Fraction(price)
        with closing(sqlite3.connect(self.home.ledger)) as connection:
            query = "SELECT coalesce(sum(charged) - sum(granted), 0) + 1000000 FROM entry"
            (micro,) = connection.execute(query).fetchone()
            rows = connection.execute("SELECT payload FROM entry").fetchall()
        if Fraction(micro, 10**6) != self.paid:
            yield f"{float(self.paid)} was shown, {micro / 1e6} is on the books"
        account = self.ledger.account("registry")
        if (account.left + account.reserved).as_fraction() != 1 - self.paid:
            yield "what is left is stated wrongly"
        if done is not None:
            kept = [json.loads(text) for (text,) in rows]
            if record_of(done) not in [{k: v for k, v in m.items() if k != "salt"} for m in kept]:
                yield "a record was shown that is not in the ledger"
            if Fraction(record_of(done)["predicate"]["account"]["spent_after"]) != self.paid:
                yield "the record tells another spending"


def account_findings(folder: Path) -> Iterator[str]:
    """Everything that can be wrong about paying."""
    yield from _tenths(Books(folder / "tenths"))
    yield from _several(Books(folder / "several"))
    yield from _stored(Books(folder / "stored"))
    yield from _asked(Books(folder / "asked"))
    yield from _cancelled(Books(folder / "cancelled"))
    yield from _not_committed(Books(folder / "blocked"))
    yield from _put_back(Books(folder / "put-back"), has_trace=True)
    yield from _put_back(Books(folder / "no-trace"), has_trace=False)
    yield from _failed(Books(folder / "failed"))
    yield from _two_kinds(Books(folder / "two-kinds"))
    yield from _moved_periods(Books(folder / "moved"))
    yield from _one_table(Books(folder / "one-table"))


def _tenths(books: Books) -> Iterator[str]:
    """Ten times 0.1 is 1, and then nothing is left."""
    door = ConstantDoor()
    for _ in range(10):
        yield from books.unpaid(books.release(COUNT, door=door, fresh=True), "0.1")
    try:
        books.release(COUNT, door=door, fresh=True)
    except Refused as refused:
        if [p.code for p in refused.problems] != ["budget-exceeded"] or len(door.calls) != 10:
            yield "an account without budget refuses too late"
    else:
        yield "an account without budget pays"


def _several(books: Books) -> Iterator[str]:
    """Two queries cost what both cost, however disjoint they look; one asked twice costs once."""
    door = ConstantDoor()
    twice = replace(COUNT, id="again")
    yield from books.unpaid(books.release(COUNT, MEAN, twice, door=door), "0.3")
    if len(door.calls) != 2:
        yield "another number of draws than was paid for"


def _stored(books: Books) -> Iterator[str]:
    """A stored answer is free and the same; another price is another question."""
    door = ConstantDoor()
    yield from books.unpaid(books.release(COUNT, door=door), "0.1")
    yield from books.unpaid(books.release(COUNT, door=door), "0")
    if len(door.calls) != 1:
        yield "noise was drawn for free"
    dearer = replace(COUNT, epsilon=Epsilon.of("0.5"))
    yield from books.unpaid(books.release(dearer, door=door), "0.5")
    if len(door.calls) != 2:
        yield "an answer of another price was given"


def _asked(books: Books) -> Iterator[str]:
    """An extract is another one under another name, and used again by one who was asked."""
    door = ConstantDoor()
    yield from books.unpaid(books.release(COUNT, door=door, same_extract=False), "0.1")
    for again in ({}, {"fresh": True}):
        try:
            books.release(COUNT, door=door, same_extract=False, **again)
        except Refused as refused:
            if [p.code for p in refused.problems] != ["extract-used"]:
                yield "an extract that was used before is refused as something else"
        else:
            yield "an extract was used again, and nobody was asked"
    if len(door.calls) != 1:
        yield "the question came too late"
    done = books.release(COUNT, door=door, same_extract=False, extract="another")
    yield from books.unpaid(done, "0.1")
    if len(door.calls) != 2:
        yield "one extract was answered with another's figures"


def _cancelled(books: Books) -> Iterator[str]:
    """What was drawn is paid, whoever wants to stop."""
    cancel = CancelToken()
    door = MeddlingDoor(cancel)
    try:
        done = books.release(COUNT, MEAN, door=door, cancel=cancel)
    except Cancelled:
        yield "noise was drawn and the release given up"
    else:
        yield from books.unpaid(done, "0.3")


def _not_committed(books: Books) -> Iterator[str]:
    """What was not committed is not shown."""
    door = MeddlingDoor(path=books.home.ledger)
    with door.open:
        try:
            done = books.release(COUNT, door=door)
        except Refused as refused:
            if [p.code for p in refused.problems] != ["ledger-busy"]:
                yield "a failed commit is reported as something else"
        else:
            yield f"entry {done.sequence} was shown and is not in the ledger"
    if len(door.calls) != 1:
        yield "the commit was not tried"
    yield from books.unpaid(None, "0")


def _put_back(books: Books, has_trace: bool) -> Iterator[str]:
    """An older copy of the ledger pays nothing; without its trace, its next release says so."""
    door = ConstantDoor()
    older = books.home.ledger.read_bytes()
    books.release(COUNT, door=door, fresh=True)
    books.home.ledger.write_bytes(older)
    if not has_trace:
        books.home.heads.unlink()
    books.ledger = Ledger.open(books.home)
    try:
        done = books.release(COUNT, door=door, fresh=True)
    except Refused as refused:
        if not has_trace or [p.code for p in refused.problems] != ["ledger-rolled-back"]:
            yield "an older copy of the ledger is refused as something else"
    else:
        if has_trace or not done.stored.record.place.rollback_suspected:
            yield "an older copy of the ledger pays again, and nobody is warned"


class BreakingDoor(ConstantDoor):
    """Draws, and then the program fails."""

    def add_noise(self, *request: Any) -> tuple[int, ...]:
        super().add_noise(*request)
        raise ZeroDivisionError


def _failed(books: Books) -> Iterator[str]:
    """Noise that was drawn is paid, also by the series that it is for, whatever came of it."""
    begin_series(
        books.ledger, replace(STUDY, queries=(COUNT,)), Schedule("s", "year", "2026-11", 2)
    )
    for series in ("", "s"):
        with suppress(ZeroDivisionError):
            books.release(COUNT, door=BreakingDoor(), series=series)
            yield "a release without figures"
        books.paid += Fraction(1, 10)
        yield from books.unpaid(None, "0")
    left = books.ledger.account("registry")
    if (str(left.spent), str(left.reserved), str(left.left)) != ("0.2", "0.1", "0.7"):
        yield "a failed instalment keeps its reservation"
    if len(books.ledger.history()) != 5:
        yield "what a failed release did is not taken back"


def _two_kinds(books: Books) -> Iterator[str]:
    """Losses where a person is added and where one is replaced are not added up."""
    public = Unit("pid", 2, "change-one", people=len(ROWS))
    for door in (BreakingDoor(), ConstantDoor()):
        with suppress(ZeroDivisionError):
            books.release(COUNT, door=door, fresh=True)
        try:
            books.release(COUNT, door=ConstantDoor(), unit=public)
        except Refused as refused:
            if [p.code for p in refused.problems] != ["account-people-secret"]:
                yield "another kind of neighbours is refused as something else"
        else:
            yield "an account pays for two kinds of neighbours"


def _moved_periods(books: Books) -> Iterator[str]:
    """An instalment is about as long a period, at the reserved price, as often as was reserved."""
    by_day = COUNT.having(where=(DateBetween("admitted", date(2026, 1, 1), date(2026, 12, 31)),))
    later = by_day.having(where=(DateBetween("admitted", date(2027, 1, 1), date(2027, 12, 31)),))
    longer = by_day.having(where=(DateBetween("admitted", date(2027, 1, 1), date(2028, 12, 31)),))
    study = replace(STUDY, columns=(*STUDY.columns, DAY), queries=(by_day,))
    begin_series(books.ledger, study, Schedule("s", "year", "2026-11", 2))
    for query, code in (
        (longer, "series-plan-differs"),
        (later.having(epsilon=Epsilon.of("0.2")), "series-plan-differs"),
        (by_day, ""),
        (later, ""),
        (later, "series-finished"),
    ):
        try:
            done = books.release(query, door=ConstantDoor(), columns=study.columns, series="s")
        except Refused as refused:
            if [p.code for p in refused.problems] != [code]:
                yield "an instalment is refused as something else"
        else:
            yield from books.unpaid(done, "0.1")
            if code:
                yield "an instalment that nobody reserved"


def _one_table(books: Books) -> Iterator[str]:
    """Of a withdrawn table nobody is given the figures, and of the others as before."""
    first = books.release(COUNT, MEAN, door=ConstantDoor())
    tables = (first.stored.record.queries[1].name,)
    wish = Wish("withdrawn", first.sequence, "wrong wards", tables=tables)
    decided = revoke(books.ledger, wish, KEY.info)
    if parse_notice(notice_of(books.ledger, decided.sequence, KEY)).tables != tables:
        yield "the notice on one table is about others"
    for query, code in ((COUNT, ""), (MEAN, "answers-withdrawn")):
        try:
            books.release(query, door=ConstantDoor())
        except Refused as refused:
            if [p.code for p in refused.problems] != [code]:
                yield f"{query.id} is withdrawn, and is not"
        else:
            if code:
                yield "figures of a withdrawn table are given again"
