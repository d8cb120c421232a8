# SPDX-License-Identifier: Apache-2.0
"""What templates of usual releases are called, and what each holds, at length and in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpdesk.desk.text.translating import tr

if TYPE_CHECKING:
    from dpdesk.study.reuse.templates import TemplateName


def template_names() -> dict[TemplateName, str]:
    """Their names, in the order in which they are offered."""
    return {
        "quality-report": tr("TemplateDialog", "Quarterly quality report"),
        "registry-table": tr("TemplateDialog", "A registry’s annual table"),
        "table-1": tr("TemplateDialog", "Table 1 of a paper"),
        "ever-readmitted": tr("TemplateDialog", "Patients ever readmitted"),
        "stay-by-chapter": tr("TemplateDialog", "Mean stay by ICD chapter"),
    }


def template_contents() -> dict[TemplateName, str]:
    return {
        "quality-report": tr(
            "TemplateDialog", "Cases, outcomes and means for each quarter; cases for each ward."
        ),
        "registry-table": tr(
            "TemplateDialog",
            "People for each year, split by what you choose; outcomes for each year.",
        ),
        "table-1": tr(
            "TemplateDialog", "Groups side by side: their size, means and spread, characteristics."
        ),
        "ever-readmitted": tr(
            "TemplateDialog", "How many people, and how many of 100; each counts once."
        ),
        "stay-by-chapter": tr("TemplateDialog", "Cases and mean stay for each group of codes."),
    }


def template_lines() -> dict[TemplateName, str]:
    """The same in a few words, for a list."""
    return {
        "quality-report": tr("TemplateDialog", "Cases, outcomes and means for each quarter"),
        "registry-table": tr("TemplateDialog", "People and outcomes for each year"),
        "table-1": tr("TemplateDialog", "Groups side by side, with their characteristics"),
        "ever-readmitted": tr("TemplateDialog", "Each person counts once"),
        "stay-by-chapter": tr("TemplateDialog", "Cases and mean stay for each group of codes"),
    }


def template_needs() -> dict[TemplateName, str]:
    """Which columns each is made of, while they are described."""
    return {
        "quality-report": tr(
            "TemplateDialog", "a date; also a ward or unit, yes/no outcomes and numbers"
        ),
        "registry-table": tr("TemplateDialog", "a date; also categories and yes/no outcomes"),
        "table-1": tr(
            "TemplateDialog", "the groups to compare; also numbers and other characteristics"
        ),
        "ever-readmitted": tr(
            "TemplateDialog", "a yes/no column made from all rows of a person; see New column"
        ),
        "stay-by-chapter": tr(
            "TemplateDialog", "a column made from codes, and a number such as the length of stay"
        ),
    }
