# SPDX-License-Identifier: Apache-2.0
"""What a second person reads before they sign: all that a plan would publish, or a bundle does.

A plan's lines are made again from the study in the plan that was handed over, without data and
without the custodian's ledger; a bundle's from its manifest, as its report is. Lists stand whole,
however long they are: what is signed is what was shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.compiler import total_of
from dpdesk.privacy.plan import Plan
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.release_report import report_of
from dpdesk.release.bundle.report.report_blocks import (
    Block,
    CrossFigures,
    Figures,
    Paragraph,
    ReadingBox,
    Section,
    Terms,
)
from dpdesk.release.dossier.constants import column_constants, source_text
from dpdesk.release.plan_report.plan_pages import (
    GUESS,
    UNTITLED,
    accuracy_of,
    assumption_sections,
    called_in_full,
    noise_section,
    people_section,
    plan_names,
)
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.second_person.plan_file import PlanFile
from dpdesk.release.verify.reproduce import rebuilt_tables
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    YesNoColumn,
    column_title,
    value_labels,
)
from dpdesk.study.model.unit import Unit

STEP: Final = "  "
CELL: Final = " | "
_PRICE: Final[dict[str, Template]] = {
    "epsilon": "All of it costs at most {total} of budget (epsilon).",
    "rho": "All of it costs at most {total} of budget (rho of zCDP).",
}


def lines_to_sign(file: PlanFile, words: ReleaseWords) -> tuple[str, ...]:
    """The plan line by line, in a language; an empty line is before each heading."""
    study, plans = file.study.study, RepricedStudy(file.study).plans
    if study is None or plans is None:
        return ()
    # Which answers are stored its ledger alone knows: unless all are drawn, each may have an entry
    # of its own, and its own margin holds whatever it is made consistent with.
    fresh = file.terms.fresh or file.terms.instalment is not None
    queries = planned(tuple(plans.values()), lambda one: None if fresh else one.canonical)
    return tuple(_lines(file, Plan(study, queries, total_of(queries, file.claim.total)), words))


def lines_of_bundle(release: SignedRelease) -> tuple[str, ...]:
    """What a second person reads of a bundle: its report, then every bound and list.

    In the bundle's own language, as its recipients will read it.

    Args:
        release: of a bundle whose claim was checked.
    """
    record, words = release.record, ReleaseWords.of(release.form.language)
    repriced = RepricedStudy(record.study)
    study, plans = record.study.study, repriced.plans
    if study is None or plans is None:
        return ()
    queries = tuple(plans.values())
    plan = Plan(study, queries, total_of(queries, record.claim.total))
    tables = rebuilt_tables(record, repriced)
    lines: list[str] = []
    if tables is not None:
        report = report_of(ReleaseText(release, words), list(tables.values()))
        lines += [report.title, *(line for part in report.opening for line in _block(part))]
        lines += [line for section in report.sections for line in _section(section)]
    declared = (*_section(people_section(plan, words)), *_columns(plan, words))
    return (*lines, *declared)


def _lines(file: PlanFile, plan: Plan, words: ReleaseWords) -> Iterator[str]:
    say, terms = words.say, file.terms
    yield plan.study.title.strip() or say(UNTITLED)
    if plan.study.organisation:
        yield plan.study.organisation
    person = terms.person.identity
    yield say("Account “{account}”, second person {person}.", account=terms.account, person=person)
    yield say(_PRICE[plan.total.measure], total=words.number(plan.total))
    names, is_row = plan_names(plan, words), (plan.study.unit or Unit()).person is None
    most = account_right_in_100(plan.total, terms.delta)
    yield say(GUESS, whom=names.row if is_row else names.person, most=most)
    if terms.instalment is not None:
        yield say("Release {number} of {of} in series {series}.", **terms.instalment.members())
    if terms.fresh:
        yield say("Every figure is drawn again and charged again, also where the ledger has it.")
    yield say("The plan was made without the data, and names none.")
    yield from _section(people_section(plan, words))
    yield from _columns(plan, words)
    yield from _queries(plan, words)
    for section in (noise_section(plan, words), *assumption_sections(plan, words)):
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield from ("", section.title)
    yield from (f"{STEP}{line}" for block in section.blocks for line in _block(block))


def _block(block: Block) -> Iterator[str]:
    """A block of a report line by line; a key figure is in its own section, too."""
    if isinstance(block, Paragraph):
        yield block.text
    elif isinstance(block, Terms):
        yield from (f"{term}: {text}" for term, text in block.pairs)
    elif isinstance(block, ReadingBox):
        yield from (text for _sign, text in block.lines)
    elif isinstance(block, Figures | CrossFigures):
        table = block if isinstance(block, Figures) else block.plain
        rows = (table.heads, *(row.cells for row in table.rows)) if table.rows else ()
        yield from (STEP + CELL.join(cells) for cells in rows)


def _columns(plan: Plan, words: ReleaseWords) -> Iterator[str]:
    """Every bound and every list, each column with its source."""
    say = words.say
    yield from ("", say("Columns"))
    for column in plan.study.columns:
        declared, rule = column_constants(column, words)
        yield STEP + _named(column, words)
        for text in _listed(column, words) or (f"{declared.what}: {declared.declared}",):
            yield STEP * 2 + text
        if rule.declared:
            yield f"{STEP * 2}{rule.what}: {rule.declared}"
        if source := source_text(column, words):
            yield f"{STEP * 2}{say('Source')}: {source}"


def _named(column: Column, words: ReleaseWords) -> str:
    """A column's name in the release, and the one in the file where that is another."""
    called = column_title(column)
    if called == column.name:
        return called
    return words.say("{title} (in the file: {name})", title=called, name=column.name)


def _listed(column: Column, words: ReleaseWords) -> tuple[str, ...]:
    """Its list where a text of the file is published as another."""
    if isinstance(column, YesNoColumn):
        yes, no = ", ".join(column.yes), ", ".join(column.no)
        return (
            words.say("Means yes: {texts}", texts=yes),
            words.say("Means no: {texts}", texts=no),
        )
    if not isinstance(column, CategoryColumn) or not column.labels:
        return ()
    pairs = zip(column.values, value_labels(column), strict=True)
    texts = ", ".join(value if value == label else f"{value} = {label}" for value, label in pairs)
    return (words.say("List of values: {texts}", texts=texts),)


def _queries(plan: Plan, words: ReleaseWords) -> Iterator[str]:
    """What each asks, in how many figures, how accurate they are, and what they cost."""
    say = words.say
    yield from ("", say("Queries"))
    for place, query in enumerate(plan.queries, 1):
        yield f"{STEP}{place}. {called_in_full(plan, query, words)}"
        yield STEP * 2 + say(
            "Figures: {figures}. Margin in 95 of 100 cases: {margin}. Budget: {budget}.",
            figures=words.number(len(query.lines)),
            margin=accuracy_of(plan, query, words),
            budget=words.number(query.share),
        )
