# SPDX-License-Identifier: Apache-2.0
"""Bugs of the account: what is shown and what is paid come apart."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import Method
from dpdesk.release.ledger import Ledger, answers, book, history, transaction
from dpdesk.release.ledger import accounts as ledger_accounts
from dpdesk.release.ledger.decisions import series
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.payloads import ReconciledAccount
from dpdesk.release.ledger.spending import compose
from dpdesk.release.ledger.transaction import Transaction
from dpdesk.release.ledger.view import View
from dpdesk.release.notices import revoke
from dpdesk.release.notices.notice_file import notice_bytes
from dpdesk.release.record.totals import Totals
from dpdesk.release.record.values import StoredRelease
from dpdesk.release.run import permission
from dpdesk.release.run import release_run as run
from dpdesk.study.model.amount import ZERO, Epsilon
from dpdesk.study.problem import Refused
from dpdesk.study.reuse import moved_periods
from tests.audit import accounts, constant
from tests.audit.bugs.planting import Bug, bug

MONEY: list[Bug] = []

_release = run.release


def _replace_release(patch: pytest.MonkeyPatch, release: Any) -> None:
    for module in (accounts, constant):
        patch.setattr(module, "release", release)


@bug(MONEY, "figures returned although the commit failed", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = run._record

    def remembering(*arguments: Any) -> Any:
        made.append(real(*arguments))
        return made[-1]

    def release(*arguments: Any, **more: Any) -> Any:
        try:
            return _release(*arguments, **more)
        except Refused:
            if not made:
                raise
            return run.ReleaseDone(made[-1], ("",))

    patch.setattr(run, "_record", remembering)
    _replace_release(patch, release)


@bug(MONEY, "figures returned before they are paid", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    owed: list[tuple[Any, ...]] = []
    real = Transaction.append

    def append(self: Any, account: str, payload: Any, *more: Any, **amounts: Any) -> Any:
        if not isinstance(payload, StoredRelease):
            return real(self, account, payload, *more, **amounts)
        while owed:
            real(self, *owed.pop())
        owed.append((account, payload, *more, ZERO, amounts["charged"]))
        return None

    patch.setattr(Transaction, "append", append)
    patch.setattr(run, "store_answer", lambda *_arguments: None)


@bug(MONEY, "a cancelled release gets its budget back", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    def release(study: Any, folder: Any, ledger: Ledger, *more: Any, **options: Any) -> Any:
        before = ledger.account("registry").spent
        done = _release(study, folder, ledger, *more, **options)
        cancel = options.get("cancel")
        if cancel is not None and cancel.cancelled:
            back = ledger.account("registry").spent - before
            with ledger.transaction() as books:
                said = ReconciledAccount("cancelled", 0, "0" * 64, back)
                books.append("registry", said, granted=back)
        return done

    _replace_release(patch, release)


@bug(MONEY, "cancelling is heard after the draw", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    real = run._release

    def heard(books: Any, order: Any, data: Any, at: Any, cancel: Any) -> Any:
        payload = real(books, order, data, at, cancel)
        cancel.check()
        return payload

    patch.setattr(run, "_release", heard)


@bug(MONEY, "a stored answer is given for another epsilon", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    def without_price(self: Any, question: Question, _parts: Any) -> str:
        free = replace(question.query, epsilon=Epsilon.of(1))
        return replace(self.in_one_form(question), query=free).canonical()

    patch.setattr(Method, "answer_key", without_price)
    patch.setattr(answers, "_is_of", lambda *_arguments: True)


@bug(MONEY, "asking again draws again, for free", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    real = run._release

    def redrawn(books: Any, order: Any, data: Any, at: Any, cancel: Any) -> Any:
        stored = permission.permitted(books, order).stored
        for query in order.plan.queries:
            for part in query.parts if query.canonical in stored else ():
                vector = (0,) * part.cells
                at.add_noise(part.name, vector, part.noise, part.sensitivity)
        return real(books, order, data, at, cancel)

    patch.setattr(run, "_release", redrawn)


@bug(MONEY, "a fresh draw of an answered question is free", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    real, asked = run._answers, set[str]()

    def answers(order: Any, *more: Any) -> Any:
        for answer in real(order, *more):
            known = (order.extract, answer.plan.canonical) in asked
            asked.add((order.extract, answer.plan.canonical))
            yield _charged(answer, ZERO) if known else answer

    patch.setattr(run, "_answers", answers)


@bug(MONEY, "a question asked twice in one release is drawn twice", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    real = run._draw

    def twice(books: Any, order: Any, missing: Any, data: Any, *more: Any) -> Any:
        for query in order.plan.queries:
            if query not in missing.values():
                run.draw_query(order.plan.study, query, data.table, more[0])
        return real(books, order, missing, data, *more)

    patch.setattr(run, "_draw", twice)


@bug(MONEY, "a question asked twice in one release is paid twice", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    _charge_as(patch, lambda answer: answer.plan.share)


@bug(MONEY, "a question asked twice in one release is free", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    _charge_as(patch, lambda _answer: ZERO)


def _charged(answer: Any, amount: Any) -> Any:
    """The same answer, for which another amount is paid."""
    kind = type("Charged", (type(answer),), {"charged": amount})
    return kind(**vars(answer))


def _charge_as(patch: pytest.MonkeyPatch, charge: Any) -> None:
    """Charge another amount for what several queries of a release ask."""
    real = run._answers

    def answers(*given: Any) -> Any:
        found = real(*given)
        asked = [answer.plan.canonical for answer in found]
        return [
            _charged(answer, charge(answer)) if asked.count(question) > 1 else answer
            for answer, question in zip(found, asked, strict=True)
        ]

    patch.setattr(run, "_answers", answers)


@bug(MONEY, "queries of one release cost what the dearest costs", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    real = run._answers

    def answers(*arguments: Any) -> Any:
        found = real(*arguments)
        dearest = max(answer.charged for answer in found)
        return [_charged(one, ZERO if i else dearest) for i, one in enumerate(found)]

    patch.setattr(run, "_answers", answers)


@bug(MONEY, "amounts added in floating point", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    def sums_of(entries: Any, account: str) -> Totals:
        own = [e for e in entries if e.account == account]
        granted = sum(e.granted.micro / 1e6 for e in own)
        charged = 0.0
        for entry in own:
            charged += entry.charged.micro / 1e6
        return Totals(Epsilon(int(granted * 1e6)), Epsilon(int(charged * 1e6)))

    for module in (transaction, compose, ledger_accounts):
        patch.setattr(module, "sums_of", sums_of)


@bug(MONEY, "the account is not asked before the draw", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(permission, "check_pays", lambda *_arguments: None)


@bug(MONEY, "a stored answer is given for another extract", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    real = answers._answer_key

    def key(secret: bytes, account: str, _extract: str, canonical: str) -> bytes:
        return real(secret, account, "any", canonical)

    patch.setattr(answers, "_answer_key", key)
    patch.setattr(answers, "_is_drawn_from", lambda *_arguments: True)


@bug(MONEY, "a draw of which no release came is free", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(run, "_charge_failed", lambda *_arguments: None)


@bug(MONEY, "what a failed release entered stays beside its charge", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Transaction, "taking_back", lambda _self, _kind: nullcontext())


@bug(MONEY, "an instalment leaves its reservation as it was", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(run, "_use_reservation", lambda *_arguments: None)


@bug(MONEY, "an instalment asks of a longer period", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(moved_periods, "_shape", lambda _period: ())


@bug(MONEY, "an instalment costs more than is reserved for it", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    def unpriced(transaction: Any, account: str, name: str, _price: Any) -> Any:
        return series.running(transaction, account, name)

    patch.setattr(permission, "check_instalment", unpriced)


@bug(MONEY, "losses of two kinds of neighbours in one account", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(permission, "refuse_other_neighbours", lambda *_arguments: None)


@bug(MONEY, "a failed draw is no loss of its kind of neighbours", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(history, "_OF_NEIGHBOURS", {StoredRelease.KIND})


@bug(MONEY, "figures of a withdrawn table are given again", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RevokedRelease, "is_about", lambda self, _table: not self.tables)


@bug(MONEY, "a notice on one table is about the whole release", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    def of_all(notice: Any, key: Any) -> bytes:
        return notice_bytes(replace(notice, tables=()), key)

    patch.setattr(revoke, "notice_bytes", of_all)


@bug(MONEY, "an extract is used again unasked", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(permission, "check_same", lambda *_arguments: None)
    patch.setattr(run, "check_same", lambda *_arguments: None)


@bug(MONEY, "an extract is forgotten once it was used", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(run, "note_use", lambda *_arguments: None)


@bug(MONEY, "a second record that is gone is written again in silence", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(book, "enter_lost_record", lambda *_arguments: None)


@bug(MONEY, "an older copy of the ledger is not refused", "account")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(View, "refuse_lost", lambda _self: None)
