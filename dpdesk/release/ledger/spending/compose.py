# SPDX-License-Identifier: Apache-2.0
"""What a release puts into its record: its plan, what was drawn, and the account's own sums."""

from __future__ import annotations

from dataclasses import dataclass

import dpdesk
from dpdesk.privacy.plan import Plan
from dpdesk.release.ledger.chain import Entry, sums_of
from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.release.record.reprice import tables_of
from dpdesk.release.record.second_person import Override, SecondPersonRecord
from dpdesk.release.record.stated_answers import QueryAnswer, claim_of, released_query
from dpdesk.release.record.table_names import names_in, titles_in
from dpdesk.release.record.totals import plus, together
from dpdesk.release.record.values import (
    ChainPlace,
    EntryCharge,
    ReleasedAccount,
    ReleaseRecord,
    SoftwareVersions,
    StoredRelease,
)
from dpdesk.study.model.amount import AccountDelta, Delta
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.titles import title


@dataclass(frozen=True)
class Place:
    """Where in the ledger a release is.

    Attributes:
        release_id: 32 random hex digits.
        time: the minute before the draw.
        chain: its place in the chain, with what is known of the account.
        entries: the account's entries so far.
        second_person: the second person, where the account requires one.
        overrides: each time that one was replaced without their signature.
    """

    release_id: str
    time: str
    chain: ChainPlace
    entries: tuple[Entry, ...]
    second_person: SecondPersonRecord | None = None
    overrides: tuple[Override, ...] = ()

    @property
    def delta(self) -> AccountDelta:
        """The account's delta: nothing in pure epsilon."""
        return sums_of(self.entries, self.entries[0].account).delta


def compose_release(
    plan: Plan,
    answers: tuple[QueryAnswer, ...],
    place: Place,
    software: dict[str, str],
    language: str = "en",
) -> StoredRelease:
    """The whole record of a release with its tables; one answer for each query of the plan.

    Args:
        language: that the files of queries without a title are named in.
    """
    study = plan.study
    titles = {query.query.id: title(study, query.query) for query in plan.queries}
    names = names_in(study, titles_in(study, titles.items(), language))
    named = zip(answers, titles.values(), names, strict=True)
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
        second_person=place.second_person,
        overrides=place.overrides,
    )
    plans = {answer.plan.query.id: answer.plan for answer in answers}
    return StoredRelease(record, tables_of(study, record.queries, plans))


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
        delta=before.delta,
        delta_spent_before=before.delta_charged,
        delta_spent_after=before.delta_charged + delta,
        charges=tuple(charge for charge in paid if charge.charged.units),
    )
