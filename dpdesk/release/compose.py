# SPDX-License-Identifier: Apache-2.0
"""What a release puts into its record: its plan, what was drawn, and the account's own sums."""

from __future__ import annotations

from dataclasses import dataclass

import dpdesk
from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.release.drawn import Drawn
from dpdesk.release.ledger.chain import Entry, sums_of
from dpdesk.release.record.released_study import ReleasedQuestion, ReleasedStudy
from dpdesk.release.record.second_person import FourEyes, Override
from dpdesk.release.record.values import (
    ChainPlace,
    EntryCharge,
    ReleasedAccount,
    ReleasedClaim,
    ReleasedDraw,
    ReleasedQuery,
    ReleaseRecord,
    SoftwareVersions,
    StoredRelease,
)
from dpdesk.release.table_names import table_names
from dpdesk.release.totals import plus, together
from dpdesk.study.model.amount import NO_DELTA, Delta, Epsilon, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.titles import title


@dataclass(frozen=True)
class QueryAnswer:
    """One query's answer in a release.

    Attributes:
        plan: the query's plan.
        drawn: what was drawn.
        charged: what was paid for it now; nothing for a stored answer.
        drawn_in: sequence of the entry in which its noise was drawn.
        drawn_at: that entry's minute.
    """

    plan: QueryPlan
    drawn: Drawn
    charged: Share
    drawn_in: int
    drawn_at: str

    @property
    def delta_charged(self) -> Delta:
        """What was paid of the account's delta, with what was paid of its budget."""
        return self.plan.delta if self.charged.units else NO_DELTA


@dataclass(frozen=True)
class Place:
    """Where in the ledger a release stands.

    Attributes:
        release_id: 32 random hex digits.
        time: the minute before the draw.
        chain: its place in the chain, with what is known of the account.
        entries: the account's entries so far.
        four_eyes: the second person, where the account requires one.
        overrides: each time that one was replaced without their signature.
    """

    release_id: str
    time: str
    chain: ChainPlace
    entries: tuple[Entry, ...]
    four_eyes: FourEyes | None = None
    overrides: tuple[Override, ...] = ()

    @property
    def delta(self) -> Delta:
        """The account's delta: nothing in pure epsilon."""
        return Delta(sum(entry.delta_granted.atto for entry in self.entries))


def compose_release(
    plan: Plan, answers: tuple[QueryAnswer, ...], place: Place, software: dict[str, str]
) -> StoredRelease:
    """The whole record of a release with its tables; one answer for each query of the plan."""
    study = plan.study
    titles = [title(study, query.query) for query in plan.queries]
    named = zip(answers, titles, table_names(titles), strict=True)
    record = ReleaseRecord(
        id=place.release_id,
        time=place.time,
        study=ReleasedStudy.of(study),
        claim=claim_of(study.unit or Unit(), plan.total, place.delta),
        queries=tuple(
            released_query(answer, called, name, place.chain.sequence)
            for answer, called, name in named
        ),
        account=_account(study, answers, place),
        place=place.chain,
        software=SoftwareVersions(dpdesk=dpdesk.__version__, **software),
        four_eyes=place.four_eyes,
        overrides=place.overrides,
    )
    tables = tuple(table(study, a.plan, a.drawn.noisy, a.drawn.found) for a in answers)
    return StoredRelease(record, tables)


def claim_of(unit: Unit, total: Share, delta: Delta) -> ReleasedClaim:
    """What all figures of the release together may cost.

    In zCDP rho is the cost, and epsilon what it means at the account's delta.
    """
    return ReleasedClaim(
        neighbours=unit.neighbours,
        unit="row" if unit.person is None else "person",
        max_rows=unit.max_rows,
        people=unit.people,
        total=total,
        epsilon=total if isinstance(total, Epsilon) else account_epsilon(total, delta),
        delta=delta,
    )


def draws_of(plan: QueryPlan) -> tuple[ReleasedDraw, ...]:
    """How the noise of each part of a query is drawn."""
    return tuple(
        ReleasedDraw(p.name, p.noise, p.sensitivity, p.loss, p.share, p.width, p.half_width)
        for p in plan.parts
    )


def released_query(answer: QueryAnswer, called: str, name: str, sequence: int) -> ReleasedQuery:
    """A query's answer. An earlier release's says when that was: its own bundle says so too.

    Args:
        answer: what was drawn, and where.
        called: the query's title.
        name: of its table.
        sequence: the entry of the release.
    """
    query = answer.plan.query
    return ReleasedQuery(
        id=query.id,
        title=called,
        name=name,
        statistic=query.statistic,
        question=ReleasedQuestion.of(query),
        cells=len(answer.plan.lines),
        share=answer.plan.share,
        charged=answer.charged,
        delta=answer.plan.delta,
        delta_charged=answer.delta_charged,
        drawn_in=answer.drawn_in,
        drawn_at=answer.drawn_at if answer.drawn_in < sequence else "",
        draws=draws_of(answer.plan),
        drawn=answer.drawn,
    )


def _account(study: Study, answers: tuple[QueryAnswer, ...], place: Place) -> ReleasedAccount:
    name = study.budget.account if study.budget else ""
    before = sums_of(place.entries, name)
    charged = together(before.measure, (a.charged for a in answers))
    delta = Delta(sum(a.delta_charged.atto for a in answers))
    paid = [EntryCharge(e.sequence, e.charged, e.delta_charged) for e in place.entries]
    paid.append(EntryCharge(place.chain.sequence, charged, delta))
    return ReleasedAccount(
        name=name,
        total=before.granted,
        spent_before=before.charged,
        spent_after=plus(before.charged, charged),
        delta=before.delta_granted,
        delta_spent_before=before.delta_charged,
        delta_spent_after=before.delta_charged + delta,
        charges=tuple(charge for charge in paid if charge.charged.units),
    )
