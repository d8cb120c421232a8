# SPDX-License-Identifier: Apache-2.0
"""Every declared constant with where it comes from: none of them may come from the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.data.codebook.sources import stated_source
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import unit
from dpdesk.release.bundle.report.report_blocks import Paragraph, Section
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.dossier.blocks import grid, number
from dpdesk.release.dossier.subject import Subject
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit

_MEASURES: Final[dict[str, Template]] = {"epsilon": "epsilon", "rho": "rho"}
_RULES: Final[dict[str, Template]] = {
    "drop": "left out",
    "clamp": "moved to the nearest bound",
    "category": "counted as a category of its own",
}
_CASES: Final[dict[str, Template]] = {
    "missing": "missing: {rule}",
    "unparsable": "invalid: {rule}",
    "unknown": "not listed: {rule}",
    "outside": "out of bounds: {rule}",
}
_NEIGHBOURS: Final[dict[str, Template]] = {
    "add-remove": "with or without all rows of the unit; whether it is there is secret",
    "change-one": "with other rows for the unit; the number of units is public",
}
_WITHOUT_ID: Final[dict[str, Template]] = {
    "drop": "left out",
    "one-person": "counted together as one unit",
}


_WHOLE_NUMBERS: Final[Template] = "whole numbers, none below zero"


@dataclass(frozen=True)
class Constant:
    """One declared constant.

    Attributes:
        about: the column, query or account that it belongs to.
        source: where it comes from, as the study says; empty where it does not.
    """

    about: str
    what: str
    declared: str
    source: str


def constants(subject: Subject) -> tuple[Constant, ...]:
    """All of them: unit, account, house rule, columns, queries."""
    study = subject.record.study.study or Study()
    return (
        *_of_unit(subject, study.unit or Unit()),
        *_of_account(subject),
        *_of_rounding(subject, study),
        *(one for column in study.columns for one in column_constants(column, subject.words)),
        *_of_queries(subject),
    )


def values(subject: Subject) -> tuple[str, ...]:
    """How columns come to their values, and over what tables meet."""
    study = subject.record.study.study
    return () if study is None else value_sentences(study, subject.words)


def values_section(subject: Subject) -> Iterator[Section]:
    """The same as a section; none where nothing is to be said."""
    if said := values(subject):
        title = subject.words.say("Data: how values are made (ISO/IEC 27559, clause 7)")
        yield Section(title, tuple(map(Paragraph, said)))


def constants_section(subject: Subject) -> Section:
    say = subject.words.say
    heads = (say("About"), say("What"), say("Declared"), say("Source"))
    unsaid = say("the study; no source given")
    rows = ((c.about, c.what, c.declared, c.source or unsaid) for c in constants(subject))
    why = say(
        "A person declared each of these. dpdesk proposes none of them from the data; it cannot "
        "know what that person had seen of the data before."
    )
    title = say("Data: declared constants and their sources (ISO/IEC 27559, clause 7)")
    return Section(title, (Paragraph(why), *grid(heads, rows, subject.words)))


def _of_unit(subject: Subject, declared: Unit) -> Iterator[Constant]:
    say, claim = subject.words.say, subject.record.claim
    about = say("Privacy unit")
    yield Constant(about, say("What is protected"), unit(subject.record, subject.words), "")
    most = number(claim.max_rows, subject.words)
    yield Constant(about, say("Row limit of one unit"), most, "")
    yield Constant(about, say("Neighbouring data sets"), say(_NEIGHBOURS[claim.neighbours]), "")
    if claim.people is not None:
        people = number(claim.people, subject.words)
        yield Constant(about, say("Public number of people"), people, "")
    if declared.person is not None:
        rule = say(_WITHOUT_ID[declared.without_id])
        yield Constant(about, say("Rows without an id"), rule, "")


def _of_rounding(subject: Subject, study: Study) -> Iterator[Constant]:
    """The house rule on counts, which follows the noise."""
    if study.rounding is not None:
        say = subject.words.say
        rounding = say("to {n} after the noise", n=str(study.rounding))
        yield Constant(say("House rule"), say("Published counts are rounded"), rounding, "")


def _of_account(subject: Subject) -> Iterator[Constant]:
    say, account = subject.words.say, subject.record.account
    about = say("Account {name}", name=account.name)
    whole = f"{number(account.total, subject.words)} {say(_MEASURES[account.measure])}"
    yield Constant(about, say("Total budget"), whole, "")
    if account.delta.whole.units:
        yield Constant(about, say("delta"), number(account.delta.whole, subject.words), "")
        kept = number(account.delta.kept, subject.words)
        yield Constant(about, say("of it for found categories"), kept, "")


def _of_queries(subject: Subject) -> Iterator[Constant]:
    words, study = subject.words, subject.record.study.study
    for query in subject.record.queries:
        about = subject.headings[query.id].title
        share = f"{number(query.share, words)} {words.say(_MEASURES[query.share.measure])}"
        yield Constant(about, words.say("Share of the budget"), share, "")
        if query.delta.units:
            yield Constant(about, words.say("delta"), number(query.delta, words), "")
        declared = study.query(query.id) if study is not None else None
        if declared is not None and declared.whole_numbers:
            yield Constant(about, words.say("Counts"), words.say(_WHOLE_NUMBERS), "")
        if declared is not None and declared.expected is not None:
            size = number(declared.expected, words)
            yield Constant(about, words.say("Estimated size of a group"), size, "")
        deviation = None if declared is None else declared.members.get("expected_deviation")
        if deviation is not None:
            text = number(deviation, words)
            yield Constant(about, words.say("Expected standard deviation"), text, "")


def column_constants(column: Column, words: ReleaseWords) -> Iterator[Constant]:
    """What a column declares of its values, and then its rules for other cells."""
    say, about, source = words.say, column_title(column), stated_source(column, words.say)
    if isinstance(column, NumberColumn):
        bounds = _with_label(_bounds(column, words), column.label)
        yield Constant(about, say("Bounds"), bounds, source if is_declared(column) else "")
    elif isinstance(column, DateColumn):
        period = say("not declared")
        if column.first is not None and column.last is not None:
            first, last = (words.day(str(day)) for day in (column.first, column.last))
            period = say("{first} to {last}", first=first, last=last)
        yield Constant(about, say("Period"), period, source)
    else:
        yield Constant(about, say("List of values"), _listed(column, words), source)
    yield Constant(about, say("Rules for other cells"), rules(column, words), source)


def is_declared(column: Column) -> bool:
    """Whether bounds, period or list are declared; where they are found, nobody declared them."""
    if isinstance(column, NumberColumn):
        return column.lower is not None and column.upper is not None
    if isinstance(column, DateColumn):
        return column.first is not None and column.last is not None
    return isinstance(column, YesNoColumn) or bool(column.values)


def source_text(column: Column, words: ReleaseWords) -> str:
    """Where its declaration comes from; nothing of what nobody declared."""
    if not is_declared(column):
        return ""
    return stated_source(column, words.say) or words.say("no source given")


def _bounds(column: NumberColumn, words: ReleaseWords) -> str:
    """What is declared of them: where they are found privately, at most the step."""
    declared = {key: getattr(column, key) for key in ("lower", "upper", "step")}
    said = {key: number(value, words) for key, value in declared.items() if value is not None}
    if len(said) == len(declared):
        return words.say("{lower} to {upper} in steps of {step}", **said)
    if column.lower is None and column.upper is None and column.step is not None:
        return words.say("not declared; steps of {step}", **said)
    return words.say("not declared")


def _with_label(text: str, label: str) -> str:
    return f"{text} ({label})" if label else text


def _listed(column: CategoryColumn | YesNoColumn, words: ReleaseWords) -> str:
    if isinstance(column, CategoryColumn):
        return ", ".join(column.values) or words.say("not declared")
    yes, no = ", ".join(column.yes), ", ".join(column.no)
    means = (words.say("Means yes: {texts}", texts=yes), words.say("Means no: {texts}", texts=no))
    return "; ".join(means)


def rules(column: Column, words: ReleaseWords) -> str:
    cases = ((case, getattr(column, case, None)) for case in _CASES)
    said = (
        words.say(_CASES[case], rule=_rule(rule, words)) for case, rule in cases if rule is not None
    )
    readings = column.reads if isinstance(column, NumberColumn) else ()
    read = (
        words.say("“{text}” is read as {value}", text=one.cell, value=number(one.value, words))
        for one in readings
    )
    return "; ".join((*said, *read))


def _rule(rule: Any, words: ReleaseWords) -> str:
    if isinstance(rule, Replace):
        return words.say("replaced by {value}", value=number(rule.value, words))
    return words.say(_RULES[rule])
