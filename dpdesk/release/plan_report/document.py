# SPDX-License-Identifier: Apache-2.0
"""The plan's document as a file: a PDF, the same bytes for the same plan and account on one day."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from dpdesk.privacy import compiler
from dpdesk.privacy.plan import Plan
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from dpdesk.release.ledger import AccountState, Ledger
from dpdesk.release.ledger.spending.prices import as_released, paid_before, unanswered
from dpdesk.release.places.home import Home
from dpdesk.release.plan_report.plan_pages import PlannedCost, plan_report
from dpdesk.release.record.totals import together
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse


def write_plan(study: Study, home: Home, path: Path, language: str, fresh: bool = False) -> None:
    """Write the plan of a study as a PDF. Opens no data, and makes no ledger.

    Args:
        home: where the ledger is.
        path: the file; one that is there is replaced, whole or not at all.
        fresh: the release will draw and pay again for what was answered.

    Raises:
        Refused: the study has problems; the ledger cannot be read; ``plan-unwritable`` (name).
    """
    write_pages(path, plan_pdf(compiler.compile(study), home, language, fresh))


def write_pages(path: Path, pages: bytes) -> None:
    """Write what :func:`plan_pdf` made, whole or not at all.

    Raises:
        Refused: ``plan-unwritable`` (name).
    """
    try:
        write_whole(path, pages, handed_out=True)
    except OSError:
        raise refuse("plan-unwritable", name=path.name) from None


def plan_pdf(
    plan: Plan, home: Home, language: str, fresh: bool = False, day: date | None = None
) -> bytes:
    """The pages of a plan, as the account is now; made today unless a day is given."""
    stored = {} if fresh else paid_before(plan, home)
    charged = (query.share for query in unanswered(plan.queries, stored).values())
    cost = PlannedCost(together(plan.total.measure, charged), _account(plan.study, home))
    made = (day or date.today()).isoformat()
    plan = as_released(plan, stored)
    return pdf_bytes(plan_report(plan, cost, ReleaseWords.of(language), made))


def _account(study: Study, home: Home) -> AccountState | None:
    name = study.budget.account if study.budget else ""
    if not home.ledger.exists():
        return None
    return next((a for a in Ledger.open(home).accounts() if a.name == name), None)
