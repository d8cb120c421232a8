# SPDX-License-Identifier: Apache-2.0
"""What is to be released, from which account, out of which extract."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.privacy.noise.noise_library import check_library
from dpdesk.privacy.plan import Plan
from dpdesk.release.ledger.fingerprints import Separation
from dpdesk.release.places.home import Home
from dpdesk.release.record.size import refuse_too_large
from dpdesk.release.record.totals import share_of
from dpdesk.release.second_person.plan_signature import ReturnedPlan
from dpdesk.study.checks.extracts import check_extract
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Refused, refuse


@dataclass(frozen=True)
class ReleaseOrder:
    """What is to be released, from which account, out of which extract.

    Attributes:
        release_id: 32 random hex digits.
        home: where the ledger is.
        fresh: draw and pay again for what was already answered.
        separations: that the people are others than those of other accounts; see
            ``fingerprints``.
        same_extract: that an extract which was used before still is the same file.
        series: the planned series that pays; empty where it is none.
        signed_plan: the plan with the second person's signature, where the account requires one.
        use_withdrawn: that the one who releases knows which stored answers are of a release that
            was withdrawn or corrected, and wants them.
        language: that the files of queries without a title are named in.
    """

    plan: Plan
    release_id: str
    home: Home
    fresh: bool = False
    separations: tuple[Separation, ...] = ()
    same_extract: bool = False
    series: str = ""
    signed_plan: ReturnedPlan | None = None
    use_withdrawn: bool = False
    language: str = "en"

    @property
    def account(self) -> str:
        return (self.plan.study.budget or Budget()).account

    @property
    def extract(self) -> str:
        return (self.plan.study.data or DataSource()).extract

    def check(self) -> None:
        """Refuse what neither ledger nor data are needed for.

        Raises:
            Refused: ``extract-not-declared``; ``plan-over-study-limit`` (params planned, limit,
                over); what ``size`` refuses as too large; ``noise-library-altered``.
        """
        study = self.plan.study
        undeclared = tuple(check_extract(study.data or DataSource()))
        if undeclared:
            raise Refused(undeclared)
        _check_limit(self.plan)
        refuse_too_large(study)
        # The digest of the noise library takes a second the first time: not under the lock.
        check_library()


def _check_limit(plan: Plan) -> None:
    """Refuse a plan that costs more than its study may."""
    budget = plan.study.budget or Budget()
    limit = budget.limit or budget.nothing
    if plan.total.units > limit.units:
        over = share_of(limit.measure, plan.total.units - limit.units)
        amounts = {"planned": str(plan.total), "limit": str(limit), "over": str(over)}
        raise refuse("plan-over-study-limit", f"$.budget.{limit.measure}", **amounts)
