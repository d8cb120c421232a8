# SPDX-License-Identifier: Apache-2.0
"""The plan as a second person signs it: one text for one release, made without the data.

It says what is asked, of whom, with which noise and at which price, for which account of which
ledger, and a number that is never used again. Anyone who reads one makes it again from its study
and demands the same bytes: what is shown of a plan is what is signed, and two texts for one plan do
not exist. The record of the release makes the same text, so a bundle's plan can be checked later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.record.parse import account_delta
from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.record.second_person import (
    INSTALMENT,
    NUMBER,
    Instalment,
    SecondPerson,
)
from dpdesk.release.record.size import Size
from dpdesk.release.record.stated_answers import claim_of, draws_of
from dpdesk.release.record.strict_object import HASH, StrictObject, malformed, read_whole
from dpdesk.release.record.totals import together
from dpdesk.release.record.values import ReleasedClaim, ReleasedDraw, ReleaseRecord
from dpdesk.release.record.write import claim_members, delta_members, draw_members, json_bytes
from dpdesk.release.second_person.handed_over import parse_text
from dpdesk.study import limits
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.text.titles import title

PLAN_NAMESPACE = "dpdesk-plan-v1"


@dataclass(frozen=True)
class PlanTerms:
    """What a plan says besides its study.

    Attributes:
        entry: hash of the account's entry that requires the second person.
        number: 32 random hex digits.
        instalment: which release of a series it is; ``None`` outside one.
    """

    account: str
    entry: str
    person: SecondPerson
    number: str
    fresh: bool
    delta: AccountDelta
    instalment: Instalment | None = None


@dataclass(frozen=True)
class PlannedQuery:
    """One query of a plan.

    Attributes:
        share: what it costs at most.
    """

    id: str
    title: str
    share: Share
    delta: Delta
    draws: tuple[ReleasedDraw, ...]

    def members(self) -> Members:
        return {
            "id": self.id,
            "title": self.title,
            "share": str(self.share),
            "delta": str(self.delta),
            "parts": [draw_members(draw) for draw in self.draws],
        }


@dataclass(frozen=True)
class PlanFile:
    """A plan to be signed.

    Attributes:
        claim: what all figures together may cost.
        queries: in the order of release.
    """

    terms: PlanTerms
    study: ReleasedStudy
    claim: ReleasedClaim
    queries: tuple[PlannedQuery, ...]

    @classmethod
    def of_plans(cls, study: Study, plans: Sequence[QueryPlan], terms: PlanTerms) -> PlanFile:
        """The plan of a study whose queries were compiled."""
        total = together(plans[0].share.measure, (plan.share for plan in plans))
        queries = tuple(
            PlannedQuery(
                plan.query.id, title(study, plan.query), plan.share, plan.delta, draws_of(plan)
            )
            for plan in plans
        )
        claim = claim_of(study.unit or Unit(), total, terms.delta)
        return cls(terms, ReleasedStudy.of(study), claim, queries)

    @classmethod
    def of_record(cls, record: ReleaseRecord) -> PlanFile | None:
        """The plan that a release says was signed; ``None`` where it says nothing of one."""
        if record.second_person is None or record.second_person.plan is None:
            return None
        stated = record.second_person
        signed = record.second_person.plan
        terms = PlanTerms(
            *(record.account.name, stated.entry, stated.person, signed.number, signed.fresh),
            delta=record.account.delta,
            instalment=signed.instalment,
        )
        queries = tuple(
            PlannedQuery(query.id, query.title, query.share, query.delta, query.draws)
            for query in record.queries
        )
        return cls(terms, record.study, record.claim, queries)

    def to_bytes(self) -> bytes:
        """The text that is signed: JSON in one form."""
        terms = self.terms
        return json_bytes(
            {
                "dpdesk_plan": 1,
                "number": terms.number,
                "fresh": terms.fresh,
                "instalment": INSTALMENT.write(terms.instalment),
                "account": {
                    "name": terms.account,
                    "entry": terms.entry,
                    **delta_members(terms.delta),
                    "second_person": terms.person.members(),
                },
                "study": self.study.members,
                "claim": claim_members(self.claim),
                "queries": [query.members() for query in self.queries],
            }
        )


def read_plan(raw: bytes) -> PlanFile:
    """A plan that was handed over, made again from its own study.

    Raises:
        Refused: ``plan-malformed``; or ``plan-differs`` where this version does not make the same
            bytes of the same study: another version wrote it, or it was changed.
    """
    try:
        terms, released = read_whole(parse_text(raw), "$", _stated)
    except Refused:
        raise refuse("plan-malformed") from None
    study, plans = released.study, RepricedStudy(released).plans
    if study is None or not plans or Size.of(study).is_too_large:
        raise refuse("plan-malformed")
    if study.budget is None or study.budget.account != terms.account:
        raise refuse("plan-malformed")
    plan = PlanFile.of_plans(study, list(plans.values()), terms)
    if plan.to_bytes() != raw:
        raise refuse("plan-differs")
    return plan


def _stated(members: StrictObject) -> tuple[PlanTerms, ReleasedStudy]:
    if members.whole("dpdesk_plan") != 1:
        raise malformed(members.at("dpdesk_plan"))
    # Both are made again from the study; what is stated of them is compared as bytes.
    for key in ("claim", "queries"):
        members.raw(key)
    number, fresh = members.text("number", NUMBER), members.flag("fresh")
    instalment = INSTALMENT.take(members, "instalment", Epsilon)
    name, entry, delta, person = members.nested("account", _account)
    terms = PlanTerms(name, entry, person, number, fresh, delta, instalment)
    return terms, ReleasedStudy(members.object("study"))


def _account(members: StrictObject) -> tuple[Any, ...]:
    return (
        members.text("name", limits.ID_PATTERN),
        members.text("entry", HASH),
        account_delta(members),
        members.nested("second_person", SecondPerson.read),
    )
