# SPDX-License-Identifier: Apache-2.0
"""What a plan's document says: people, budget, columns with their sources, queries, decision.

All of it follows from declarations and the account. No data is read, nothing is spent, and for the
same plan and account the document of one day is the same.

A board decides on what is first: what would be published, about whom, at which price. The
decision follows at once, on the page of what it is about where there is room, and names the plan
that it is about: a signed page must say what it approves. What only those need who check the plan
comes after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dpdesk import __version__
from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.release.bundle.assumptions import comparison_sentences, study_assumptions
from dpdesk.release.bundle.metadata.datapackage import in_words, part_name
from dpdesk.release.bundle.quantile_notes import quantile_way
from dpdesk.release.bundle.query_headings import ReleaseWords, planned_form
from dpdesk.release.bundle.report.pdf_pages import MOST_TABLE_LINES
from dpdesk.release.bundle.report.report_blocks import (
    Blanks,
    FigureRow,
    Figures,
    Paragraph,
    Report,
    Section,
    Terms,
)
from dpdesk.release.bundle.synthetic.words import SYNTHETIC
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.dossier.constants import column_constants, source_text
from dpdesk.release.ledger import AccountState
from dpdesk.release.plan_report.accuracy import accuracy_text
from dpdesk.release.plan_report.planned_at import planned_at
from dpdesk.release.record.released_study import public_study
from dpdesk.release.record.stated_answers import draws_of
from dpdesk.release.record.write import json_bytes
from dpdesk.study.model.amount import AccountDelta, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.comparison_titles import compared_groups
from dpdesk.study.text.counted_rows import counted_in_release, exact_figure
from dpdesk.study.text.number_text import in_column
from dpdesk.study.text.share_rows import left_out_of_share
from dpdesk.study.text.titles import sentence, title
from dpdesk.study.text.unit_names import UnitNames, in_query, names_of, translated_names

MOST_CELL = 400
"""Characters of one cell on paper."""
CUT = " …"
TITLE: Final[Template] = "Plan: {study}"
UNTITLED: Final[Template] = "Untitled study"
_FIRST: Final[Template] = (
    "This is what the study would publish, worked out from its declarations alone: no data was "
    "read, nothing is released and nothing is spent. Noise will be added to every figure; the "
    "margins below are those of the noise."
)
GUESS: Final[Template] = (
    "Once all of it is released, a guess about any one {whom} can be right at most {most} in 100 "
    "times; a coin toss: 50."
)
_NO_ORGANISATION: Final[Template] = "The study does not name the organisation that releases."
_MADE: Final[Template] = "Made on {day} with dpdesk {version}. Version of the plan: {plan}."
_VERSION: Final[Template] = (
    "The version of the plan follows from everything that the study declares: another bound, "
    "query or share gives another version."
)
_FOOT: Final[Template] = "{day}, version {plan}. {title}"
_SECRETS: Final[dict[str, Template]] = {
    "add-remove": "whether somebody is in the data at all, and all that is recorded there",
    "change-one": "all that is recorded of somebody; how many people there are is public",
}
_WITHOUT_ID: Final[dict[str, Template]] = {
    "drop": "left out",
    "one-person": "counted together as one unit",
}
_DECLARED: Final[Template] = (
    "A person declared each of these. dpdesk proposes none of them from the data."
)
_CUT_NOTE: Final[Template] = "Lists that end in … are longer; the study’s file has them in full."
_MARGINS: Final[Template] = (
    "95 times in 100 the published figure is within the margin of the exact one. {exact} Margins "
    "of means and shares need an estimate of a group’s size; without one they are not known "
    "before the release."
)
_ADD_UP: Final[Template] = (
    "Tables over the same rows will be made to add up; their margins are those of the result."
)
_TOO_LARGE: Final[Template] = (
    "Some tables over the same rows have too many cells to be made to add up; they stay as drawn."
)
_RANKS: Final[Template] = (
    "For a median or quantile the margin counts {rows} between the published value and the exact "
    "place, with all {rows} in order of their value. Where candidates leave values out, it counts "
    "how many more than for the best candidate, which may itself be any number away."
)
_POPULATION: Final[Template] = (
    "With an interval for the population beside each figure: noise and chance together."
)
_DRAWS: Final[Template] = (
    "For those who check the noise. Sensitivity is the largest change that one person, with all "
    "rows that count, can cause in the numbers of a query: L1 adds up how far each number moves, "
    "squared L2 adds up the squares of that, L-infinity is the largest single move. The noise "
    "has to hide that much. Loss is this draw's part of the cost."
)
_DECIDED: Final[Template] = (
    "This is about the plan of {day}, version {plan}: {figures} figures for {total} of the budget "
    "of {account}. The columns, the noise and the assumptions that follow belong to it."
)
_DECISIONS: Final[tuple[Template, ...]] = (
    "The release may be made as planned.",
    "The release may be made under the conditions below.",
    "The release may not be made.",
)
_LINES: Final[tuple[Template, ...]] = (
    "Conditions",
    "Reasons",
    "Name and function",
    "Place and date",
    "Signature",
)


@dataclass(frozen=True)
class PlannedCost:
    """What the account says of a plan.

    Attributes:
        charge: what a release would charge now; answers of the ledger cost nothing.
        account: the account; ``None`` where the ledger has none of that name.
    """

    charge: Share
    account: AccountState | None = None


def plan_report(plan: Plan, cost: PlannedCost, words: ReleaseWords, day: str) -> Report:
    """The document of a plan, in a language, as of a day in ISO 8601."""
    study, say = plan.study, words.say
    title = say(TITLE, study=study.title.strip() or say(UNTITLED))
    made = _MadePlan(words.day(day), version_of(study))
    return Report(
        title=title,
        author=study.organisation,
        words=words,
        opening=tuple(_opening(plan, cost, words, made)),
        sections=(
            _queries(plan, words),
            people_section(plan, words),
            _budget(plan, cost, words),
            _decision(plan, words, made),
            _columns(plan, words),
            noise_section(plan, words),
            *assumption_sections(plan, words),
        ),
        subject=say("Plan of a release"),
        foot=say(_FOOT, title=title, day=made.day, plan=made.version),
    )


@dataclass(frozen=True)
class _MadePlan:
    """What tells one document from another of the same study.

    Attributes:
        day: on which it was made, as the language writes it.
    """

    day: str
    version: str


def version_of(study: Study) -> str:
    """Sixteen signs that follow from all that is public of a study, to compare by eye."""
    digest = hashlib.sha256(json_bytes(public_study(study))).hexdigest()
    return " ".join(digest[start : start + 4] for start in range(0, 16, 4))


def _opening(
    plan: Plan, cost: PlannedCost, words: ReleaseWords, made: _MadePlan
) -> Iterator[Paragraph]:
    yield Paragraph(plan.study.organisation or words.say(_NO_ORGANISATION))
    which = words.say(_MADE, day=made.day, version=__version__, plan=made.version)
    yield Paragraph(f"{which} {words.say(_VERSION)}", "quiet")
    yield Paragraph(words.say(_FIRST), "cost")
    names = plan_names(plan, words)
    unit = plan.study.unit or Unit()
    # Until there is an account, the probability that queries ask for themselves is all there is.
    delta = AccountDelta(plan.delta, plan.delta)
    if cost.account is not None:
        delta = cost.account.delta
    whom = names.row if unit.person is None else names.person
    most = account_right_in_100(plan.total, delta)
    yield Paragraph(words.say(GUESS, whom=whom, most=most))


def _decision(plan: Plan, words: ReleaseWords, made: _MadePlan) -> Section:
    figures = str(sum(len(query.lines) for query in plan.queries))
    decided = words.say(
        _DECIDED,
        day=made.day,
        plan=made.version,
        figures=in_column(figures, words.numbers),
        total=words.number(plan.total),
        account=plan.study.budget.account if plan.study.budget else words.say("no account"),
    )
    blanks = Blanks(tuple(map(words.say, _DECISIONS)), tuple(map(words.say, _LINES)))
    return Section(words.say("Decision"), (Paragraph(decided), blanks))


def plan_names(plan: Plan, words: ReleaseWords) -> UnitNames:
    return names_of(plan.study.unit, translated_names(words.catalogue))


def people_section(plan: Plan, words: ReleaseWords) -> Section:
    say, unit, names = words.say, plan.study.unit or Unit(), plan_names(plan, words)
    who = names.row if unit.person is None else names.person
    pairs = [
        (say("What is protected"), say("one {person}", person=who)),
        (say("Row limit of one unit"), words.number(unit.max_rows)),
        (say("What stays secret"), say(_SECRETS[unit.neighbours])),
    ]
    if unit.person is not None:
        pairs.append((say("Person ID column"), unit.person))
        pairs.append((say("Rows without an id"), say(_WITHOUT_ID[unit.without_id])))
    if unit.people is not None:
        pairs.append((say("Public number of people"), words.number(unit.people)))
    if plan.study.rounding is not None:
        rounding = say("to {n} after the noise", n=str(plan.study.rounding))
        pairs.append((say("Published counts are rounded"), rounding))
    if plan.study.synthetic_rows is not None:
        pairs.append((say(SYNTHETIC), say("of the released counts alone")))
    return Section(say("People"), (Terms(tuple(pairs)),))


def _budget(plan: Plan, cost: PlannedCost, words: ReleaseWords) -> Section:
    say, account = words.say, cost.account
    limit = plan.study.budget.limit if plan.study.budget else None
    counted = say("rho of zCDP") if plan.total.measure == "rho" else say("epsilon")
    pairs = [
        (say("Counted in"), counted),
        (say("All queries together"), words.number(plan.total)),
    ]
    if limit is not None:
        pairs.append((say("Limit of this study"), words.number(limit)))
    if account is None:
        name = plan.study.budget.account if plan.study.budget else ""
        pairs.append((say("Account"), say("{name}, which is not opened yet", name=name)))
        return Section(say("Budget"), (Terms(tuple(pairs)),))
    pairs += [
        (say("Account"), account.name),
        (say("Total budget"), words.number(account.total)),
        (say("Spent before"), words.number(account.spent)),
        (say("A release would charge"), words.number(cost.charge)),
    ]
    if account.reserved.units:
        pairs.append((say("Reserved for planned series"), words.number(account.reserved)))
    after = account.left.units - cost.charge.units
    fits = account.left.measure == cost.charge.measure and after >= 0
    if account.locked:
        locked = say("The account is locked: nothing can be released from it now.")
        return Section(say("Budget"), (Terms(tuple(pairs)), Paragraph(locked, "warn")))
    if not fits:
        short = say("More than the remaining budget: this plan cannot be released.")
        return Section(say("Budget"), (Terms(tuple(pairs)), Paragraph(short, "warn")))
    pairs.append((say("Remaining after it"), words.number(type(account.left)(after))))
    return Section(say("Budget"), (Terms(tuple(pairs)),))


def _columns(plan: Plan, words: ReleaseWords) -> Section:
    """Every column with its source; on as many tables as a page's limit on lines asks for."""
    say = words.say
    heads = (say("Column"), say("Declared"), say("Rules for other cells"), say("Source"))
    rows = []
    for column in plan.study.columns:
        declared, rule = column_constants(column, words)
        cells = (declared.about, declared.declared, rule.declared, source_text(column, words))
        rows.append(FigureRow(tuple(map(_short, cells)), False))
    tables = tuple(
        Figures(heads, (False,) * 4, tuple(rows[start : start + MOST_TABLE_LINES]), None, "")
        for start in range(0, len(rows), MOST_TABLE_LINES)
    )
    is_cut = any(cell.endswith(CUT) for row in rows for cell in row.cells)
    note = (Paragraph(say(_CUT_NOTE), "quiet"),) if is_cut else ()
    return Section(say("Columns"), (Paragraph(say(_DECLARED), "quiet"), *tables, *note))


def _short(text: str) -> str:
    return text if len(text) <= MOST_CELL else f"{text[: MOST_CELL - len(CUT)]}{CUT}"


def _queries(plan: Plan, words: ReleaseWords) -> Section:
    say = words.say
    heads = ("", say("Query"), say("Figures"), say("± 95 %"), say("Budget"))
    rows = tuple(
        FigureRow(
            (
                str(place),
                _requested(plan, query, words),
                in_column(str(len(query.lines)), words.numbers),
                accuracy_of(plan, query, words),
                in_column(str(query.share), words.numbers),
            ),
            False,
        )
        for place, query in enumerate(plan.queries, 1)
    )
    table = Figures(heads, (False, False, True, True, True), rows, None, "")
    said = say(_MARGINS, exact=exact_figure(plan.study, words.language))
    if counted := str(counted_in_release(plan.study, words.language)):
        said = f"{counted} {said}"
    ranked = {one.query.of for one in plan.queries if one.query.declaration.chooses == "rank"}
    if any(one.errors is not None for one in plan.queries):
        said = f"{said} {say(_ADD_UP)}"
    if any(one.is_left_as_drawn for one in plan.queries):
        said = f"{said} {say(_TOO_LARGE)}"
    names = plan_names(plan, words)
    for of in sorted(ranked, reverse=True):
        said = f"{said} {say(_RANKS, rows=in_query(names, of).rows)}"
    return Section(say("Queries"), (table, Paragraph(said, "quiet")))


def called_in_full(plan: Plan, query: QueryPlan, words: ReleaseWords) -> str:
    """A query's title, and what it asks where the title does not say it."""
    asks = sentence(plan.study, query.query, words.language)
    named = query.query.title
    return f"{named}: {asks}" if named else asks


def _requested(plan: Plan, query: QueryPlan, words: ReleaseWords) -> str:
    """What a query is called in full, how quantiles are drawn, which rows a share leaves out."""
    called = called_in_full(plan, query, words)
    left_out = left_out_of_share(plan.study, query.query, words.language)
    way = (
        "" if query.is_public else quantile_way(query.query.statistic, query.parts[0].noise, words)
    )
    population = words.say(_POPULATION) if query.query.population else ""
    compared = compared_groups(plan.study, query.query, words.language)
    said = (left_out or way, planned_form(query, words), population, *compared)
    more = " ".join(filter(None, said))
    return f"{called}. {more}" if more else called


def accuracy_of(plan: Plan, query: QueryPlan, words: ReleaseWords) -> str:
    """The margin of a query, as far as it is known before the release."""
    return accuracy_text(plan.study, query, words) or words.say("not known")


def noise_section(plan: Plan, words: ReleaseWords) -> Section:
    """How the noise of each draw is made, for those who check it."""
    say = words.say
    pairs: list[tuple[str, str]] = []
    for place, query in enumerate(plan.queries, 1):
        draws = draws_of(query)
        called = f"{place}. {title(plan.study, query.query, words.language)}"
        texts = [in_words(draw, words) for draw in draws] or [say("public, costs nothing")]
        if len(draws) > 1:
            parts = (part_name(draw.name, words) for draw in draws)
            texts = [f"{part}: {text}" for part, text in zip(parts, texts, strict=True)]
        texts += planned_at(plan.study, query, words)
        said = "; ".join(texts)
        pairs.append((called, f"{said[0].upper()}{said[1:]}."))
    return Section(say("Noise"), (Paragraph(say(_DRAWS), "quiet"), Terms(tuple(pairs))))


def assumption_sections(plan: Plan, words: ReleaseWords) -> Iterator[Section]:
    """What is taken for granted, and how values are read; none where nothing is."""
    study = plan.study
    read = (*value_sentences(study, words), *comparison_sentences(study, words))
    taken = (*study_assumptions(study, words), *read)
    if taken:
        yield Section(words.say("Assumptions"), tuple(map(Paragraph, taken)))
