# SPDX-License-Identifier: Apache-2.0
"""The release: a study's plan on its data, inside one ledger transaction.

Everything that can be refused is refused before noise is drawn. Under the ledger's write lock the
account is asked, the noise drawn, the record inserted and committed; only then does any figure
leave this module. A crash before the commit has spent nothing and shown nothing, a crash after it
has the figures in the ledger, for free.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable, check_public_count
from dpdesk.data.files.file_digest import DigestBeside
from dpdesk.data.people.sketch import SKETCH_SIZE, sketch
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.privacy import compiler
from dpdesk.privacy.door import Door, software
from dpdesk.privacy.noise_library import check_library
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.release.amounts import delta_text
from dpdesk.release.compose import Place, QueryAnswer, compose_release
from dpdesk.release.drawing import draw_query
from dpdesk.release.four_eyes import countersign
from dpdesk.release.four_eyes.countersign import CountersignedPlan
from dpdesk.release.four_eyes.requirement import overrides_of
from dpdesk.release.home import Home
from dpdesk.release.instalments import price_of
from dpdesk.release.ledger import Ledger, Transaction
from dpdesk.release.ledger.accounts import was_rolled_back
from dpdesk.release.ledger.answers import StoredAnswer, store_answer
from dpdesk.release.ledger.decisions.recovery import refuse_locked, was_opened
from dpdesk.release.ledger.decisions.series import (
    check_instalment,
    draw,
    left_beside,
    reserved,
    running,
)
from dpdesk.release.ledger.fingerprints import (
    Separation,
    Sketch,
    decide,
    declared_separate,
    store_sketch,
)
from dpdesk.release.ledger.uses import earlier_use, note_use
from dpdesk.release.places.shared_folder import user_name
from dpdesk.release.prices import stored_answers, unanswered
from dpdesk.release.record.second_person import FourEyes
from dpdesk.release.record.values import ChainPlace, StoredRelease
from dpdesk.release.size import refuse_too_large
from dpdesk.release.totals import share_of, together
from dpdesk.study.checks.extracts import PLACE, check_extract
from dpdesk.study.model.amount import Delta, zero
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Refused, refuse


@dataclass(frozen=True)
class ReleaseDone:
    """A release that is in the ledger.

    Attributes:
        sequence: its entry.
        stored: its record and tables; all that may be shown.
        head: hash of its entry.
    """

    sequence: int
    stored: StoredRelease
    head: str


@dataclass(frozen=True)
class _Order:
    """What is to be released, from which account, out of which extract."""

    plan: Plan
    account: str
    extract: str
    fresh: bool
    separation: Separation | None
    same_extract: bool
    release_id: str
    software: dict[str, str]
    home: Home
    countersigned: CountersignedPlan | None = None
    series: str = ""


@dataclass(frozen=True)
class _Material:
    """The data, read and sealed, where there is something to draw; and its bytes' digest."""

    table: EncodedTable
    sketch: Sketch
    digest: bytes


def random_id() -> str:
    """32 random hex digits."""
    return secrets.token_hex(16)


def release(
    study: Study,
    folder: Path,
    ledger: Ledger,
    door: Door,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
    *,
    fresh: bool = False,
    separation: Separation | None = None,
    same_extract: bool = False,
    series: str = "",
    new_id: Callable[[], str] = random_id,
    countersigned: CountersignedPlan | None = None,
) -> ReleaseDone:
    """Release a study.

    Args:
        study: a complete study.
        folder: what a relative data path starts from.
        ledger: the ledger that holds the account; its clock dates the release.
        door: where the noise comes from.
        progress: told the bytes read and the bytes in all.
        cancel: honoured until the first draw, never after.
        fresh: draw and pay again for what was already answered.
        separation: that people who look like another account's are others; see
            ``fingerprints``.
        same_extract: that an extract which was used before still is the same file.
        series: the planned series of which this is the next instalment, drawn and paid in full
            from what is reserved for it; empty where it is none.
        new_id: names the release.
        countersigned: the plan with the second person's signature, where the account requires
            one. A plan is drawn once: given again, its release is returned as it was, for free.

    Raises:
        Refused: what keeps the study from being compiled; ``extract-not-declared``;
            ``extract-used`` (param day) unless ``same_extract``; ``plan-over-study-limit`` (params
            planned, limit, over); what ``size`` refuses as too large;
            ``account-unknown`` (name); ``budget-exceeded`` (params name,
            requested, left, short); ``delta-exceeded`` (name, requested, left);
            ``series-unknown``, ``series-finished`` (params name, account) or
            ``series-plan-differs`` (name);
            ``account-recovery`` or ``account-moved`` (param name) of a locked account;
            ``data-known-elsewhere`` (params account, known); what the data's reading or the
            ledger refuses; what ``countersign.demanded`` refuses, and ``plan-used`` (param entry);
            ``ledger-unconfirmed``, where the release may be paid for;
            ``noise-library-altered``.
        Cancelled: ``cancel`` was raised in time; nothing was spent.
    """
    plan = compiler.compile(study)
    fresh = fresh or bool(series)
    order = _order(plan, fresh, separation, same_extract, new_id(), ledger.home, countersigned)
    order = replace(order, series=series)
    cancel = cancel or CancelToken()
    earlier = _released_before(ledger, order)
    if earlier is not None:
        return earlier
    material = None
    if _look_ahead(ledger, order):
        material = _read(study, folder, ledger, progress, cancel)
    done = None
    try:
        with ledger.transaction() as transaction:
            stored = _release(transaction, order, material, door, cancel)
            done = ReleaseDone(transaction.next_sequence - 1, stored, transaction.head)
    except Refused:
        if done is not None and _stands(ledger, done):
            raise refuse("ledger-unconfirmed") from None
        raise
    if done.stored.record.four_eyes is not None and done.stored.record.four_eyes.plan is not None:
        countersign.remember_used(ledger.home, done.stored.record.four_eyes.plan.number)
    return done


def _stands(ledger: Ledger, done: ReleaseDone) -> bool:
    """Whether a release is in the ledger although the disk failed while it was committed.

    A power cut could still take it away, so it is not shown before it is read in a later run.
    """
    try:
        return ledger.entry(done.sequence).hash == done.head
    except Refused:
        return False


def _order(
    plan: Plan,
    fresh: bool,
    separation: Separation | None,
    same_extract: bool,
    release_id: str,
    home: Home,
    countersigned: CountersignedPlan | None,
) -> _Order:
    budget, data = plan.study.budget or Budget(), plan.study.data or DataSource()
    undeclared = tuple(check_extract(data))
    if undeclared:
        raise Refused(undeclared)
    limit = budget.limit or budget.nothing
    if plan.total.units > limit.units:
        over = share_of(limit.measure, plan.total.units - limit.units)
        amounts = {"planned": str(plan.total), "limit": str(limit), "over": str(over)}
        raise refuse("plan-over-study-limit", "$.budget.epsilon", **amounts)
    refuse_too_large(plan.study)
    # The digest of the noise library takes a second the first time: not under the lock.
    check_library()
    return _Order(
        *(plan, budget.account, data.extract, fresh, separation, same_extract, release_id),
        software=software(),
        home=home,
        countersigned=countersigned,
    )


def _look_ahead(ledger: Ledger, order: _Order) -> bool:
    """Refuse early what would be refused in the end; whether anything must be drawn at all."""
    with ledger.reading() as transaction:
        _four_eyes(transaction, order)
        stored = _stored(transaction, order)
        missing = unanswered(order.plan.queries, stored)
        _check_pays(transaction, order, missing)
        _check_same(transaction, order, stored)
    return bool(missing)


def _released_before(ledger: Ledger, order: _Order) -> ReleaseDone | None:
    """The release that a countersigned plan was used for, where all its answers are this extract's.

    Raises:
        Refused: ``plan-used`` (param entry) where it would have to be drawn again.
    """
    if order.countersigned is None:
        return None
    with ledger.reading() as transaction:
        stated = countersign.demanded(
            transaction, order.home, order.plan, order.fresh, order.countersigned
        )
        number = stated.plan.number if stated and stated.plan else ""
        used = countersign.find_used(transaction, order.account, number)
        if used is None:
            return None
        sequence, stored = used
        answers = stored_answers(transaction, order.plan)
        if unanswered(order.plan.queries, answers):
            raise refuse("plan-used", entry=str(sequence))
        _check_same(transaction, order, answers)
        return ReleaseDone(sequence, stored, transaction.entries[sequence - 1].hash)


def _four_eyes(transaction: Transaction, order: _Order) -> FourEyes | None:
    """The second person's signature, where it is required; never for a second draw."""
    stated = countersign.demanded(
        transaction, order.home, order.plan, order.fresh, order.countersigned
    )
    if stated is not None and stated.plan is not None:
        countersign.refuse_used(transaction, order.home, order.account, stated.plan.number)
    return stated


def _check_same(transaction: Transaction, order: _Order, stored: dict[str, StoredAnswer]) -> None:
    """Refuse what only the custodian can know: that a name used before means the same file."""
    if order.same_extract:
        return
    earlier = earlier_use(transaction, order.account, order.extract, tuple(stored.values()))
    if earlier is not None:
        raise refuse("extract-used", PLACE, day=earlier.day)


def _read(
    study: Study, folder: Path, ledger: Ledger, progress: Progress, cancel: CancelToken
) -> _Material:
    path = folder / (study.data or DataSource()).path
    keys = ledger.data_keys()
    with DigestBeside(path, keys.digest) as beside:
        table = encode(study, folder, progress, cancel, key=keys.ids)
        check_public_count(table, study)
        cancel.check()
        people = sketch(table, keys.sketch)
        digest = beside.result(cancel)
    by_person = study.unit is not None and study.unit.person is not None
    # A few distinct rows recur among any people: rows recognise data only where they are many.
    return _Material(table, people if by_person or len(people) == SKETCH_SIZE else (), digest)


def _stored(transaction: Transaction, order: _Order) -> dict[str, StoredAnswer]:
    """Stored answers by canonical question; none where fresh ones are asked for."""
    return {} if order.fresh else stored_answers(transaction, order.plan)


def _check_pays(transaction: Transaction, order: _Order, missing: dict[str, QueryPlan]) -> None:
    sums = transaction.sums(order.account)
    refuse_locked(transaction, order.account)
    transaction.check_measure(order.account, order.plan.total)
    if order.series:
        check_instalment(transaction, order.account, order.series, price_of(order.plan))
        return
    left, delta_left = left_beside(sums, *reserved(transaction, order.account))
    requested = together(left.measure, (q.share for q in missing.values()))
    if requested.units > left.units:
        short = share_of(left.measure, requested.units - left.units)
        amounts = {"requested": str(requested), "left": str(left), "short": str(short)}
        raise refuse("budget-exceeded", "$.budget.epsilon", name=order.account, **amounts)
    delta = Delta(sum(q.delta.atto for q in missing.values()))
    if delta > delta_left:
        amounts = {"requested": delta_text(delta), "left": delta_text(delta_left)}
        raise refuse("delta-exceeded", "$.budget.account", name=order.account, **amounts)


def _release(
    transaction: Transaction,
    order: _Order,
    material: _Material | None,
    door: Door,
    cancel: CancelToken,
) -> StoredRelease:
    stored = _stored(transaction, order)
    missing = unanswered(order.plan.queries, stored)
    _check_pays(transaction, order, missing)
    _check_same(transaction, order, stored)
    four_eyes = _four_eyes(transaction, order)
    if order.series:
        draw(transaction, running(transaction, order.account, order.series))
    drawn: dict[str, StoredAnswer] = {}
    if missing:
        drawn = _draw(transaction, order, missing, material, door, cancel)
    return _record(transaction, order, stored, drawn, four_eyes)


def _draw(
    transaction: Transaction,
    order: _Order,
    missing: dict[str, QueryPlan],
    material: _Material | None,
    door: Door,
    cancel: CancelToken,
) -> dict[str, StoredAnswer]:
    if material is None:
        raise refuse("ledger-busy")  # its answers were there a moment ago
    decide(transaction, order.account, material.sketch, order.separation)
    store_sketch(transaction, order.account, order.extract, material.sketch)
    note_use(transaction, order.account, order.extract, material.digest)
    sequence = transaction.next_sequence
    cancel.check()
    return {
        question: StoredAnswer(
            sequence, transaction.time, draw_query(order.plan.study, query, material.table, door)
        )
        for question, query in missing.items()
    }


def _record(
    transaction: Transaction,
    order: _Order,
    stored: dict[str, StoredAnswer],
    drawn: dict[str, StoredAnswer],
    four_eyes: FourEyes | None,
) -> StoredRelease:
    answers = tuple(_answers(order, stored, drawn))
    where = replace(_place(transaction, order), four_eyes=four_eyes)
    release = compose_release(order.plan, answers, where, order.software)
    if order.home.shared is not None:
        release = replace(release, released_by=user_name(), salt=secrets.token_hex(16))
    charged = together(order.plan.total.measure, (a.charged for a in answers))
    delta = Delta(sum(a.delta_charged.atto for a in answers))
    transaction.append(order.account, release, charged=charged, delta_charged=delta)
    for answer in answers:
        if answer.charged.units:
            place = (order.account, order.extract, answer.plan.canonical)
            store_answer(transaction, *place, answer.plan.query.id)
    return release


def _answers(
    order: _Order, stored: dict[str, StoredAnswer], drawn: dict[str, StoredAnswer]
) -> list[QueryAnswer]:
    """One answer a query; a question that is asked twice is drawn and paid for once."""
    answers, paid = [], set[str]()
    for query in order.plan.queries:
        question = query.canonical
        answer = drawn.get(question) or stored[question]
        new = question in drawn and question not in paid
        paid.add(question)
        charged = query.share if new else zero(query.share.measure)
        answers.append(QueryAnswer(query, answer.drawn, charged, answer.drawn_in, answer.drawn_at))
    return answers


def _place(transaction: Transaction, order: _Order) -> Place:
    entries = transaction.entries_of(order.account)
    separate = declared_separate(transaction.connection, transaction.entries, order.account)
    opened = was_opened(transaction.connection, entries, order.account)
    doubts = (was_rolled_back(entries), bool(separate), opened)
    return Place(
        release_id=order.release_id,
        time=transaction.time,
        chain=ChainPlace(transaction.next_sequence, transaction.head, *doubts),
        entries=entries,
        overrides=overrides_of(transaction, order.home, order.account),
    )
