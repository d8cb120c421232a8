# SPDX-License-Identifier: Apache-2.0
"""What an instalment of a planned series asks and costs, from the plan alone.

Each instalment is drawn and paid in full, whatever the ledger could answer: it is about another
state of the data. So its price is that of the plan in an empty ledger, and the same for all. What
it asks is what releases are compared by: next year's file may have another name, sheet, encoding or
line of headers, and a public number of people of its own.
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
from dpdesk.release.ledger.spending.prices import unanswered
from dpdesk.release.record.totals import together
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.model.amount import Delta
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget

_DOMAIN = "dpdesk-series-1"


def price_of(plan: Plan) -> InstalmentPrice:
    """What each release of a plan costs, and a digest of what it asks at which price."""
    return price_together(plan.queries, plan.total.measure)


def price_together(queries: Iterable[QueryPlan], measure: str) -> InstalmentPrice:
    """The same of a study's compiled queries, in its measure."""
    paid = unanswered(queries, ())
    asked = sorted(
        [canonical(query.question.comparable()), str(query.share), str(query.delta)]
        for query in paid.values()
    )
    content = json.dumps([_DOMAIN, measure, asked], ensure_ascii=True)
    return InstalmentPrice(
        together(measure, (query.share for query in paid.values())),
        Delta(sum(query.delta.atto for query in paid.values())),
        hashlib.sha256(content.encode("ascii")).hexdigest(),
    )


def begin_series(ledger: Ledger, study: Study, schedule: Schedule) -> Series:
    """Reserve the whole schedule of a study that is to be released again and again.

    Raises:
        Refused: what keeps the study from being compiled; a locked account; and those of
            :func:`decisions.series.begin`.
    """
    price, account = price_of(compiler.compile(study)), _account(study)
    with ledger.transaction() as transaction:
        refuse_locked(transaction, account)
        series.begin(transaction, account, schedule, price)
        return series.running(transaction, account, schedule.name)


def end_series(ledger: Ledger, account: str, name: str, reason: str) -> Series:
    """End a series and free what it still reserved; see :func:`decisions.series.end`."""
    with ledger.transaction() as transaction:
        return series.end(transaction, account, name, reason)


def _account(study: Study) -> str:
    return (study.budget or Budget()).account
