# SPDX-License-Identifier: Apache-2.0
"""What an instalment of a planned series asks and costs, from the plan alone.

Each instalment is drawn and paid in full, whatever the ledger could answer: it is about another
state of the data. So its price is that of the plan in an empty ledger, and the same for all. What
it asks is what releases are compared by: next year's file may have another name, sheet, encoding or
line of headers, other ways to write days and numbers, and a public number of people of its own.

Its declared periods may be later ones, as those of next year's report are
(``study/reuse/moved_periods.py``): they keep their length in months, and each query as many groups.
Claim: the reservation covers an instalment about other periods, and the account's claim holds. Why:
``series.check_instalment`` demands the reserved price itself, share and delta, of the plan as it
is; what is drawn is charged in full, whatever it asks, so that the sum of charges is the whole
accountant, also where a period is chosen after seeing earlier answers; and a period is a
declaration like a bound, moved without the data. The price cannot depend on when a period is: a
query costs its declared share, but where its answer is public, which depends on how many groups it
has (``public_numbers.number_of``); and how many it has is part of what is asked here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from dpdesk.privacy import compiler
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions import series
from dpdesk.release.ledger.decisions.recovery import refuse_locked
from dpdesk.release.ledger.decisions.series import InstalmentPrice, Schedule, Series
from dpdesk.release.ledger.history import refuse_other_neighbours
from dpdesk.release.ledger.spending.prices import unanswered
from dpdesk.release.record.totals import together
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.model.amount import Delta
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.reuse.moved_periods import at_any_time, groups_at_any_time

_DOMAIN = "dpdesk-series-1"


def price_of(plan: Plan) -> InstalmentPrice:
    """What each release of a plan costs, and a digest of what it asks at which price."""
    return price_together(plan.queries, plan.total.measure)


def price_together(queries: Iterable[QueryPlan], measure: str) -> InstalmentPrice:
    """The same of a study's compiled queries, in its measure."""
    paid = unanswered(queries, ())
    requested = sorted(_request(query) for query in paid.values())
    content = json.dumps([_DOMAIN, measure, requested], ensure_ascii=True)
    return InstalmentPrice(
        together(measure, (query.share for query in paid.values())),
        Delta(sum(query.delta.atto for query in paid.values())),
        hashlib.sha256(content.encode("ascii")).hexdigest(),
    )


def _request(query: QueryPlan) -> list[str]:
    """What a query asks of whatever period, and its price."""
    question, periods = at_any_time(query.question)
    groups = groups_at_any_time(query.question.query.by, query.question.labels)
    members = {**question.comparable(), "periods": periods, "groups": groups}
    return [canonical(members), str(query.share), str(query.delta)]


def begin_series(ledger: Ledger, study: Study, schedule: Schedule) -> Series:
    """Reserve the whole schedule of a study that is to be released again and again.

    Raises:
        Refused: what keeps the study from being compiled; a locked account; what
            :func:`refuse_other_neighbours` and :func:`decisions.series.begin` refuse.
    """
    price, account = price_of(compiler.compile(study)), _account(study)
    with ledger.transaction() as transaction:
        refuse_locked(transaction, account)
        refuse_other_neighbours(transaction, account, (study.unit or Unit()).neighbours)
        series.begin(transaction, account, schedule, price)
        return series.running(transaction, account, schedule.name)


def due_series(ledger: Ledger, plan: Plan, name: str) -> Series:
    """The series whose next release a plan is; looks at the ledger alone.

    Raises:
        Refused: as :func:`decisions.series.check_instalment`, and what the ledger refuses.
    """
    with ledger.reading() as transaction:
        return series.check_instalment(transaction, _account(plan.study), name, price_of(plan))


def end_series(ledger: Ledger, account: str, name: str, reason: str) -> Series:
    """End a series and free what it still reserved; see :func:`decisions.series.end`."""
    with ledger.transaction() as transaction:
        return series.end(transaction, account, name, reason)


def _account(study: Study) -> str:
    return (study.budget or Budget()).account
