# SPDX-License-Identifier: Apache-2.0
"""What a check against the file says in the window, and which link leads to its remedy."""

from __future__ import annotations

from dpdesk.data.inspection.finding import Finding, Weight
from dpdesk.desk.text import times
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.texts import findings


def subject(finding: Finding, study: Study) -> str:
    """What it is about: a column's name, or the file."""
    return findings.subject(finding, study, catalogue()) or tr("CheckCard", "The file")


def said(finding: Finding, study: Study) -> str:
    """What was found and, unless it is good, what would help."""
    sentence = findings.said(finding, study, catalogue(), times.form_shown)
    helps = findings.remedy(finding, catalogue()) if finding.weight is not Weight.GOOD else ""
    return f"{sentence} {helps}".rstrip()


def action(finding: Finding, column: Column | None) -> str:
    """The link that leads to the remedy."""
    if column is None and (finding.column or finding.account):
        return tr("CheckCard", "Go to People…")
    if column is None:
        return tr("CheckCard", "Go to Data…")
    if finding.code == "outside-bounds":
        return tr("CheckCard", "Change bounds…")
    if finding.code == "between-steps":
        return tr("CheckCard", "Change step…")
    if finding.code == "outside-period":
        return tr("CheckCard", "Change period…")
    if isinstance(column, NumberColumn):
        return tr("CheckCard", "Change column…")
    if isinstance(column, DateColumn):
        return tr("CheckCard", "Change format…")
    return tr("CheckCard", "Change values…")
