# SPDX-License-Identifier: Apache-2.0
"""Edits of a study: pure functions from the study before to the study after."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpdesk.data.codebook.sources import typed, with_typed
from dpdesk.desk.core.edits.file_place import FIRST, FilePlace
from dpdesk.study import limits
from dpdesk.study.model.amount import MAX_SHARE, Epsilon, Rho, Share, zero
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.columns import (
    NO_ORIGIN,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
)
from dpdesk.study.model.dates import DateFormat, typed_form
from dpdesk.study.model.dates import day_from_text as strict_day
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.model.steps.derivation import operands, with_operands
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.text_folding import FOLDED
from dpdesk.study.model.unit import RECOGNISED, Budget, DataSource, Unit
from dpdesk.study.suggest.identifiers import IdentifierKind, identifier_kind
from dpdesk.study.suggest.words import joined
from dpdesk.study.text.query_ids import free_id

KINDS: dict[str, type[Column]] = {
    "number": NumberColumn,
    "category": CategoryColumn,
    "yes-no": YesNoColumn,
    "date": DateColumn,
}
Listed = CategoryColumn | YesNoColumn
Further = Mapping[str, tuple[str, str]]
OF_ALL_FILES = ("missing", "fill_down", "extract")
"""What is said once of all files of a table, of the first."""
FIRST_SHARE = Epsilon.of("0.1")
_COMMON = ("name", "title", "label", "basis", "origin", "missing_values", "missing")
_NUMBER_WORDS = re.compile(
    r"(^|[_\W])(age|alter|days?|tage|hours?|number|num|count|anzahl|cost|kosten|time|dauer|length"
    r"|score|value|wert|weight|gewicht|height|bmi|dose|hba1c|los)([_\W]|$)",
    re.IGNORECASE,
)
_YES_NO_WORDS = re.compile(
    r"^(is|has|was|hat|ist)[_\W]|(flag|yn|yes_no)$|ed(_\d+d?)?$", re.IGNORECASE
)
# An update or a candidate has no date in it, a birthDate has.
_DATE_WORDS = re.compile(
    r"(?i:^(?!(?:is|has|was|hat|ist)[_\W])(?:(?:.*[_\W])?(?:date|datum|dob)[_\W]?\d*|.+[_\W](?:at|on|am)"
    r"|.*datum|(?:birth|start|end|visit|exam|admit)date|(?:date|datum)[_\W\d].*"
    r"|(?:admitted|discharged|born)(?:[_\W](?:at|on))?)$)|[a-z]Date$|^date[A-Z]"
)
# The whole name, so that a fact about a patient or the number of a visit is never taken for one.
_PERSON_WORDS = re.compile(
    r"(?:.*[_\W])?(patient|patienten|person|personen|subject|participant|proband|mrn|pid|seqn"
    r"|record_id)[_\W]*(id|nr|nbr|no|num|number|nummer|key|code|pseudonym)?",
    re.IGNORECASE,
)


# --- data and people ----------------------------------------------------------------------------


def new_study(path: Path, source: DataSource, extract: str = "") -> Study:
    """A study about an extract in a file; everything else is still to be declared.

    Its title too: it heads the release, and a file's name may be a patient's.
    """
    return Study(data=replace(source, path=str(path), extract=extract))


def set_unit(study: Study, **changes: Any) -> Study:
    """Change the privacy unit; a public number of people goes with the notion that needs it.

    Without a unit nothing but who a row is about begins one: whatever else is answered first would
    declare that every row is a different person.
    """
    if study.unit is None and "person" not in changes:
        return study
    unit = replace(study.unit or Unit(), **changes)
    if unit.person is None:
        unit = replace(unit, max_rows=1, id_shape=None)
    if unit.neighbours == "add-remove":
        unit = replace(unit, people=None)
    return replace(study, unit=unit)


def set_budget(study: Study, **changes: Any) -> Study:
    """Change account or limit."""
    return replace(study, budget=replace(study.budget or Budget(), **changes))


def set_data(study: Study, **changes: Any) -> Study:
    """Change how the file is read."""
    return replace(study, data=replace(study.data or DataSource(), **changes))


def with_data(study: Study, table: str, data: DataSource) -> Study:
    """Let a table have other files, or the same read in another way."""
    if table == MAIN:
        return replace(study, data=data)
    tables = tuple(replace(t, data=data) if t.name == table else t for t in study.tables)
    return replace(study, tables=tables)


def declare_reading(study: Study, place: FilePlace = FIRST, **changes: Any) -> Study:
    """Change how a file is read, by hand: what was declared so is published."""
    return _read_otherwise(study, place, changes, is_by_hand=True)


def confirm_reading(study: Study, place: FilePlace = FIRST, **changes: Any) -> Study:
    """Take over what was recognised of a file: it stays out of what is published."""
    return _read_otherwise(study, place, changes, is_by_hand=False)


def _read_otherwise(
    study: Study, place: FilePlace, changes: Mapping[str, Any], is_by_hand: bool
) -> Study:
    """Change one file of a table; what is said of all of them is changed at the first."""
    data = study.data_of(place.table) or DataSource()
    of_all = {part: value for part, value in changes.items() if part in OF_ALL_FILES}
    own = {part: value for part, value in changes.items() if part not in of_all}
    if place.at:
        more = list(data.more)
        more[place.at - 1] = _read(more[place.at - 1], own, is_by_hand)
        data = replace(data, more=tuple(more))
    else:
        data = _read(data, own, is_by_hand)
    return with_data(study, place.table, replace(data, **of_all))


def _read(file: DataSource, changes: Mapping[str, Any], is_by_hand: bool) -> DataSource:
    before, now = frozenset(file.by_hand), frozenset(changes)
    declared = before | now if is_by_hand else before - now
    by_hand = tuple(part for part in RECOGNISED if part in declared)
    return replace(file, **changes, by_hand=by_hand)


# --- columns ------------------------------------------------------------------------------------


def propose_kind(name: str) -> str:
    """A first guess of a column's kind, from its name alone."""
    if _DATE_WORDS.search(name):
        return "date"
    if _NUMBER_WORDS.search(name):
        return "number"
    return "yes-no" if _YES_NO_WORDS.search(name) else "category"


def looks_like_person(name: str) -> bool:
    """Whether a header sounds like what tells people apart, rather than visits or rows."""
    if _PERSON_WORDS.fullmatch(name):
        return True
    # "id" alone may number rows as well.
    return identifier_kind(name) is IdentifierKind.PERSON and joined(name) != "id"


def use_column(
    study: Study,
    name: str,
    kind: str,
    header: tuple[str, ...] = (),
    further: Further = MappingProxyType({}),
) -> Study:
    """Declare a column; see ``use_columns``."""
    return use_columns(study, {name: kind}, header, further)


def new_column(name: str, kind: str, **kept: Any) -> Column:
    """A column that nobody asked about before: its cells are compared without case."""
    made: Column = KINDS[kind](name, **kept)
    return replace(made, compare=FOLDED) if isinstance(made, Listed) else made


def leave_out_column(study: Study, name: str) -> Study:
    """Take a column's declaration away; queries that use it will say so."""
    return leave_out_columns(study, (name,))


def replace_column(study: Study, column: Column) -> Study:
    """Put another declaration of the same name in place."""
    return replace(
        study, columns=tuple(column if c.name == column.name else c for c in study.columns)
    )


def change_kind(column: Column, kind: str) -> Column:
    """The same column as another kind; what both kinds share is kept.

    Of what kind a derived column is follows from what it is made of.
    """
    if column.kind == kind or column.made_from is not None:
        return column
    kept = {key: getattr(column, key) for key in _COMMON}
    if kept["missing"] not in ("drop", "category") or kind in ("number", "date"):
        kept["missing"] = "drop"
    if column.origin.suggested:
        kept |= {"basis": "", "origin": NO_ORIGIN}
    return new_column(kind=kind, **kept)


def with_values(
    column: CategoryColumn, values: tuple[str, ...], labels: tuple[str, ...]
) -> CategoryColumn:
    """The column with another list; one that was suggested and is edited loses its source."""
    if (values, labels) == (column.values, column.labels):
        return column
    return with_typed(replace(column, values=values, labels=labels))


def day_from_text(text: str, format: DateFormat) -> date | None:
    """A typed day, as ``YYYY-MM-DD`` or in the file's format; ``None`` where it is neither."""
    return strict_day(text.strip()) or strict_day(text.strip(), typed_form(format))


def clean_text(text: str) -> str:
    """A typed or pasted text as a study can keep it: plain spaces, nothing invisible, not too long.

    >>> clean_text("a\u00a0b\u200b")
    'a b'
    """
    return visible_text(text)[: limits.MAX_TEXT]


def visible_text(text: str) -> str:
    """A text with plain spaces and nothing invisible."""
    spaced = "".join(" " if c.isspace() else c for c in text)
    if limits.is_printable_text(spaced):
        return spaced
    return "".join(c for c in spaced if limits.is_printable_text(c))


def values_from_text(text: str) -> tuple[str, ...]:
    return tuple(clean for line in text.splitlines() if (clean := clean_text(line).strip()))


def has_field(column: Column, key: str) -> bool:
    """Whether this kind of column declares a field."""
    return key in {f.name for f in fields(column)}


# --- queries ------------------------------------------------------------------------------------


def new_query(study: Study, statistic: Statistic = "count", share: Share = FIRST_SHARE) -> Query:
    """A query that can be compiled at once where the columns allow it."""
    query = Query("").having(statistic=statistic, column=first_number(study, statistic))
    return completed(study, query, share)


def completed(study: Study, query: Query, share: Share) -> Query:
    """A query with a share and an id of its own in the study."""
    # Loaded here: the noise library comes with it, and edits are imported before there is a study.

    priced = query.at_share(share)
    return replace(priced, id=free_id(study, priced))


def first_number(study: Study, statistic: Statistic) -> str | None:
    """The column that a new sum or mean starts with."""
    if DECLARATIONS[statistic].column is None:
        return None
    return next((c.name for c in study.asked_columns if isinstance(c, NumberColumn)), None)


def add_query(study: Study, query: Query) -> Study:
    return replace(study, queries=(*study.queries, query))


def replace_query(study: Study, query: Query, query_id: str = "") -> Study:
    """Put another query in place of the one with an id, by default its own."""
    old = query_id or query.id
    return replace(study, queries=tuple(query if q.id == old else q for q in study.queries))


def remove_query(study: Study, query_id: str) -> Study:
    return replace(study, queries=tuple(q for q in study.queries if q.id != query_id))


def duplicate_query(study: Study, query_id: str) -> Study:
    """Add a copy of a query after it, under a name of its own."""
    query = study.query(query_id)
    if query is None:
        return study
    copy = replace(query, id=free_id(study, query))
    place = study.queries.index(query) + 1
    return replace(study, queries=(*study.queries[:place], copy, *study.queries[place:]))


class Differs:
    """What is shown for values that are not equal."""


DIFFERS = Differs()


def common(columns: Iterable[Column], key: str) -> Any:
    """The value that all columns declare, or ``DIFFERS``; ``None`` where there is no column."""
    values = [getattr(column, key, None) for column in columns]
    return DIFFERS if any(value != values[0] for value in values) else next(iter(values), None)


def change_columns(
    study: Study, names: Collection[str], change: Callable[[Column], Column]
) -> Study:
    """The study with a change made to each of the columns in use."""
    wanted = set(names)
    columns = tuple(change(c) if c.name in wanted else c for c in study.columns)
    return replace(study, columns=columns)


def set_field(study: Study, names: Collection[str], key: str, value: Any) -> Study:
    """The study with one value for a field of each column that has such a field."""

    def put(column: Column) -> Column:
        return typed(column, key, value) if has_field(column, key) else column

    return change_columns(study, names, put)


def set_kind(
    study: Study,
    names: Collection[str],
    kind: str,
    header: tuple[str, ...] = (),
    further: Further = MappingProxyType({}),
) -> Study:
    """The study with columns of one kind; those that are not used yet are switched on."""
    used = use_columns(study, dict.fromkeys(names, kind), header, further)
    return change_columns(used, names, lambda column: change_kind(column, kind))


def use_columns(
    study: Study,
    kinds: dict[str, str],
    header: tuple[str, ...] = (),
    further: Further = MappingProxyType({}),
) -> Study:
    """Declare columns, each of its kind, in the files' order; those in use stay as they are.

    Args:
        header: the columns of the main table.
        further: what the columns of further tables are called, each with its table and its header.
    """
    order = {column: place for place, column in enumerate((*header, *further))}
    new = ((n, kind) for n, kind in kinds.items() if study.column(n) is None)
    added = [new_column(n, kind, **_place(n, further)) for n, kind in new]
    columns = sorted([*study.columns, *added], key=lambda c: order.get(c.name, len(order)))
    return replace(study, columns=tuple(columns)) if added else study


def _place(name: str, further: Further) -> dict[str, str]:
    """Where a column is, as it is declared; nothing of one of the main table."""
    table, header = further.get(name, (MAIN, name))
    return {"table": table, "in_file": "" if header == name else header}


def needed_by(study: Study, name: str) -> tuple[Column, ...]:
    """The derived columns that are made of a column directly; it stays declared while there are."""
    return tuple(c for c in study.columns if name in operands(c) and c.name != name)


def leave_out_columns(study: Study, names: Collection[str]) -> Study:
    """Take the declarations of columns away; queries that use one will say so.

    One that a column which stays is made of stays, too.
    """
    rest = {c.name: c for c in study.columns if c.name not in names}
    unwanted = set(names) - with_operands(study.by_name, rest)
    left = tuple(c for c in study.columns if c.name not in unwanted)
    return study if len(left) == len(study.columns) else replace(study, columns=left)


def use_account(study: Study, name: str, total: Share) -> Study:
    """Pay from an account: what it may take is the limit, unless the study has a lower one already.

    Where the account is kept in another measure, the study's limit is that, and each share is taken
    over as the one of the same noise (``as_measure``).

    Args:
        study: the study.
        name: the account.
        total: the most that a study may take from it: what is left, or all where nothing is left.
    """

    budget = study.budget or Budget()
    limit = budget.limit
    if limit is None or limit.measure != total.measure or limit.units > total.units:
        limit = total
    queries = tuple(
        q.at_share(as_measure(q.share, total.measure)) if q.share else q for q in study.queries
    )
    tables = tuple(_table_as(study, table, total.measure) for table in study.baseline_tables)
    priced = replace(study, queries=queries, baseline_tables=tables)
    return set_budget(priced, account=name, **_either(limit))


def _table_as(study: Study, table: BaselineTable, measure: str) -> BaselineTable:
    """A Table 1 at about the same noise in a measure: noise is that of each query's own share."""
    parts = [q for q in study.queries if q.component and q.component.table == table.id]

    def priced(share: Share | None, shares: Iterable[Share | None]) -> Share | None:
        if share is None or share.measure == measure:
            return share
        units = sum(as_measure(one, measure).units for one in shares if one is not None)
        return type(zero(measure))(units) if units else as_measure(share, measure)

    places = [part.component.place if part.component else None for part in parts]
    rows = tuple(
        one.at_share(
            priced(one.share, [q.share for q, at in zip(parts, places, strict=True) if at == place])
        )
        for place, one in enumerate(table.characteristics)
    )
    price = priced(table.share, [q.share for q in parts])
    return replace(table, characteristics=rows).at_share(price)


def set_limit(study: Study, limit: Share) -> Study:
    """Change the most that the study may spend."""
    return set_budget(study, **_either(limit))


def _either(limit: Share) -> dict[str, Any]:
    rho = isinstance(limit, Rho)
    return {"epsilon": None if rho else limit, "rho": limit if rho else None}


def as_measure(share: Share, measure: str) -> Share:
    """A share of about the same noise in a measure: to begin with, no claim is made of it.

    Discrete Laplace noise of loss epsilon has rho epsilon ** 2 / 2 (Bun and Steinke, 2016).
    """
    if share.measure == measure:
        return share
    value = float(share.as_fraction())
    converted = value**2 / 2 if measure == "rho" else (2 * value) ** 0.5
    wanted = type(zero(measure))
    most = MAX_SHARE[measure].units
    return wanted(min(most, max(1, round(converted * wanted.PER_ONE))))
