# SPDX-License-Identifier: Apache-2.0
"""The release: a study's plan on its data, inside one ledger transaction.

Everything that can be refused is refused before noise is drawn. Under the ledger's write lock the
account is asked, the noise drawn, the record inserted and committed; only then does any figure
leave this module. A crash before the commit has spent nothing and shown nothing, a crash after it
has the figures in the ledger, for free. An error of the program between the two shows no figure,
and its price is charged: which noise leads to it is an outcome, and repeating until one leads to
none would choose among draws that nobody paid for. What comes before the draw is in ``order`` and
``permission``.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import Door, DoorRefused, software
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.ledger import Ledger, Transaction
from dpdesk.release.ledger.accounts import was_rolled_back
from dpdesk.release.ledger.answers import StoredAnswer, store_answer
from dpdesk.release.ledger.chain import hashes_of
from dpdesk.release.ledger.decisions.recovery import was_opened
from dpdesk.release.ledger.decisions.series import draw, running
from dpdesk.release.ledger.fingerprints import (
    Separation,
    declare_separate,
    declared_separate,
    store_sketch,
)
from dpdesk.release.ledger.payloads import FailedRelease
from dpdesk.release.ledger.spending.compose import Place, compose_release
from dpdesk.release.ledger.spending.prices import stored_answers, unanswered
from dpdesk.release.ledger.uses import note_use, was_read
from dpdesk.release.places.shared_folder import user_name
from dpdesk.release.record.stated_answers import QueryAnswer
from dpdesk.release.record.totals import together
from dpdesk.release.record.values import ChainPlace, StoredRelease
from dpdesk.release.run.drawing import draw_query
from dpdesk.release.run.order import ReleaseOrder
from dpdesk.release.run.permission import (
    Permission,
    check_same,
    check_stands,
    permitted,
    second_person,
)
from dpdesk.release.run.reading import SealedData, counted_data, read_data
from dpdesk.release.sealing.sealed_counts import OpenedCounts
from dpdesk.release.sealing.waiting_orders import forget
from dpdesk.release.second_person import plan_signature
from dpdesk.release.second_person.plan_signature import ReturnedPlan
from dpdesk.release.second_person.requirement import overrides_of
from dpdesk.study.model.amount import Delta
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class ReleaseDone:
    """A release that is in the ledger.

    Attributes:
        stored: its record and tables; all that may be shown.
        chain: hashes of the ledger's entries up to its own.
    """

    stored: StoredRelease
    chain: tuple[str, ...]

    @property
    def sequence(self) -> int:
        return len(self.chain)

    @property
    def head(self) -> str:
        return self.chain[-1]


class _DrawnInVain(Exception):
    """Noise was drawn, and no release came of it; the error is its cause."""


@dataclass(frozen=True)
class _Failed:
    """What ended a release of which the noise was drawn and is paid."""

    error: BaseException


def random_id() -> str:
    """32 random hex digits."""
    return secrets.token_hex(16)


def must_draw(
    study: Study,
    ledger: Ledger,
    *,
    fresh: bool = False,
    same_extract: bool = False,
    series: str = "",
    signed_plan: ReturnedPlan | None = None,
    use_withdrawn: bool = False,
) -> bool:
    """Whether a release would draw anything, and so read its file; before anybody is asked.

    Neither file nor noise is looked at.

    Args:
        study: a complete study.
        fresh: as of :func:`release`, and so are the others.

    Raises:
        Refused: what :func:`release` refuses before it reads the file.
    """
    plan = compiler.compile(study)
    asked = {
        "same_extract": same_extract,
        "series": series,
        "signed_plan": signed_plan,
        "use_withdrawn": use_withdrawn,
    }
    order = ReleaseOrder(plan, "", ledger.home, fresh or bool(series), **asked)  # type: ignore[arg-type]
    order.check()
    return _released_before(ledger, order) is None and _must_draw(ledger, order)


def release(
    study: Study,
    folder: Path,
    ledger: Ledger,
    door: Door,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
    *,
    fresh: bool = False,
    separations: Sequence[Separation] = (),
    same_extract: bool = False,
    series: str = "",
    new_id: Callable[[], str] = random_id,
    signed_plan: ReturnedPlan | None = None,
    use_withdrawn: bool = False,
    counts: OpenedCounts | None = None,
    language: str = "en",
) -> ReleaseDone:
    """Release a study.

    Args:
        study: a complete study.
        ledger: the ledger that holds the account; its clock dates the release.
        door: where the noise comes from.
        progress: gets the bytes read and the bytes in all.
        cancel: honoured until the first draw, never after.
        fresh: draw and pay again for what was already answered.
        separations: that the people are others than those of other accounts; see
            ``fingerprints``.
        same_extract: that an extract which was used before still is the same file.
        series: the planned series of which this is the next instalment, drawn and paid in full
            from what is reserved for it; empty where it is none.
        signed_plan: the plan with the second person's signature, where the account requires
            one. A plan is drawn once: given again, its release is returned as it was, for free.
        use_withdrawn: that stored answers of a release which was withdrawn or corrected are
            wanted nevertheless.
        counts: what a database counted, in place of the files; used up by the commit.
        language: that the files of queries without a title are named in.

    Raises:
        Refused: what keeps the study from being compiled; what ``ReleaseOrder.check`` and
            ``permitted`` refuse; ``counts-used``; what the data's reading or the ledger refuses;
            ``ledger-unconfirmed``, where the release may be paid for.
        Cancelled: ``cancel`` was raised in time; nothing was spent.
    """
    order = ReleaseOrder(
        plan=compiler.compile(study),
        release_id=new_id(),
        home=ledger.home,
        fresh=fresh or bool(series),
        separations=tuple(separations),
        same_extract=same_extract,
        series=series,
        signed_plan=signed_plan,
        use_withdrawn=use_withdrawn,
        language=language,
    )
    order.check()
    earlier = _released_before(ledger, order)
    if earlier is not None:
        return earlier
    return _newly_released(ledger, order, folder, door, progress, cancel or CancelToken(), counts)


def _newly_released(
    ledger: Ledger,
    order: ReleaseOrder,
    folder: Path,
    door: Door,
    progress: Progress,
    cancel: CancelToken,
    counts: OpenedCounts | None,
) -> ReleaseDone:
    """Read what must be drawn, and commit the release; plan and counts are used up by it."""
    data = None
    if _must_draw(ledger, order):
        if counts is not None:
            data = counted_data(counts, ledger)
        else:
            data = read_data(order.plan.study, folder, ledger, progress, cancel)
    done = _committed(ledger, order, data, door, cancel)
    if order.signed_plan is not None:
        plan_signature.remember_used(ledger.home, plan_signature.number_of(order.signed_plan))
    if data is not None and counts is not None:
        forget(ledger.home, counts.order)
    if isinstance(done, _Failed):
        raise done.error
    return done


def _released_before(ledger: Ledger, order: ReleaseOrder) -> ReleaseDone | None:
    """The release that a signed plan was used for, where all its answers are this extract's.

    Raises:
        Refused: ``plan-used`` (params release, entry) where it would have to be drawn again.
    """
    if order.signed_plan is None:
        return None
    with ledger.reading() as transaction:
        stated = second_person(transaction, order)
        number = stated.plan.number if stated and stated.plan else ""
        used = plan_signature.find_used(transaction, order.account, number)
        if used is None:
            return None
        sequence, stored = used
        answers = stored_answers(transaction, order.plan)
        if unanswered(order.plan.queries, answers):
            raise plan_signature.used_before(transaction, sequence)
        check_same(transaction, order)
        check_stands(transaction, order, answers)
        return ReleaseDone(stored, hashes_of(transaction.entries[:sequence]))


def _must_draw(ledger: Ledger, order: ReleaseOrder) -> bool:
    """Refuse early what would be refused in the end; whether anything must be drawn at all."""
    with ledger.reading() as transaction:
        return bool(permitted(transaction, order).missing)


def _committed(
    ledger: Ledger, order: ReleaseOrder, data: SealedData | None, door: Door, cancel: CancelToken
) -> ReleaseDone | _Failed:
    """The release, or why none came of what was drawn; either uses up file, plan and instalment."""
    with ledger.transaction() as transaction:
        try:
            with transaction.taking_back(_DrawnInVain):
                stored = _release(transaction, order, data, door, cancel)
            return ReleaseDone(stored, hashes_of(transaction.entries))
        except _DrawnInVain as vain:
            _charge_failed(transaction, order, data)
            return _Failed(vain.__cause__ or vain)


def _release(
    transaction: Transaction,
    order: ReleaseOrder,
    data: SealedData | None,
    door: Door,
    cancel: CancelToken,
) -> StoredRelease:
    permission = permitted(transaction, order)
    _use_reservation(transaction, order)
    if permission.missing:
        data = _used(transaction, order, data)
    place = replace(_place(transaction, order), second_person=permission.second_person)
    if data is None or not permission.missing:
        return _record(transaction, order, permission, {}, place)
    cancel.check()
    begun = threading.Event()
    try:
        drawn = _draw(transaction, order, permission.missing, data, door, begun)
        return _record(transaction, order, permission, drawn, place)
    except (DoorRefused, OSError, sqlite3.Error):
        raise  # of the request or the disk, whatever was drawn
    except Exception as error:
        if begun.is_set():
            raise _DrawnInVain from error
        raise


def _use_reservation(transaction: Transaction, order: ReleaseOrder) -> None:
    if order.series:
        draw(transaction, running(transaction, order.account, order.series))


def _charge_failed(transaction: Transaction, order: ReleaseOrder, data: SealedData | None) -> None:
    """Charge what a release costs of which nothing is known but that its noise was drawn.

    It uses up what a release does: who signed a plan agreed to one draw, and the people whose
    loss is charged are known again.
    """
    missing = permitted(transaction, order).missing.values()
    _use_reservation(transaction, order)
    _used(transaction, order, data)
    charged = together(order.plan.total.measure, (query.share for query in missing))
    delta = Delta(sum(query.delta.atto for query in missing))
    unit, signed = order.plan.study.unit or Unit(), order.signed_plan
    plan = "" if signed is None else plan_signature.number_of(signed)
    failed = FailedRelease(charged, delta, unit.neighbours, plan)
    transaction.append(order.account, failed, charged=charged, delta_charged=delta)


def _used(transaction: Transaction, order: ReleaseOrder, data: SealedData | None) -> SealedData:
    """Note which file is drawn on; counts of a database serve once."""
    if data is None:
        raise refuse("ledger-busy")  # its answers were there a moment ago
    if data.counted_by and was_read(transaction, data.digest):
        raise refuse("counts-used")
    declare_separate(transaction, order.account, order.separations)
    store_sketch(transaction, order.account, order.extract, data.sketch)
    note_use(transaction, order.account, order.extract, data.digest)
    return data


def _draw(
    transaction: Transaction,
    order: ReleaseOrder,
    missing: dict[str, QueryPlan],
    data: SealedData,
    door: Door,
    begun: threading.Event,
) -> dict[str, StoredAnswer]:
    """Draw what is missing; nothing that is drawn is shown before the ledger has it."""
    sequence = transaction.next_sequence
    return {
        question: StoredAnswer(
            sequence,
            transaction.time,
            draw_query(order.plan.study, query, data.table, door, begun.set),
            data.counted_by,
        )
        for question, query in missing.items()
    }


def _record(
    transaction: Transaction,
    order: ReleaseOrder,
    permission: Permission,
    drawn: dict[str, StoredAnswer],
    place: Place,
) -> StoredRelease:
    """Put the release into the ledger, and its answers beside it."""
    answers = tuple(_answers(order, permission.stored, drawn))
    release = compose_release(order.plan, answers, place, software(), order.language)
    if order.home.shared is not None:
        release = replace(release, released_by=user_name())
    charged = together(order.plan.total.measure, (a.charged for a in answers))
    delta = Delta(sum(a.delta_charged.atto for a in answers))
    transaction.append(order.account, release, charged=charged, delta_charged=delta)
    for answer in answers:
        if answer.is_new:
            key = (order.account, order.extract, answer.plan.canonical)
            store_answer(transaction, *key, answer.plan.query.id)
    return release


def _answers(
    order: ReleaseOrder, stored: dict[str, StoredAnswer], drawn: dict[str, StoredAnswer]
) -> list[QueryAnswer]:
    """One answer a query; a question that is asked twice is drawn and paid for once."""
    answers, paid = [], set[str]()
    for query in order.plan.queries:
        question = query.canonical
        answer = drawn.get(question) or stored[question]
        new = question in drawn and question not in paid
        paid.add(question)
        drawn_in = (answer.drawn_in, answer.drawn_at, answer.counted_by)
        answers.append(QueryAnswer(query, answer.drawn, new, *drawn_in))
    return answers


def _place(transaction: Transaction, order: ReleaseOrder) -> Place:
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
