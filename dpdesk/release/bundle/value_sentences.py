# SPDX-License-Identifier: Apache-2.0
"""How derived columns are made, and how numbers and missing values count, in words.

As declared, whether any cell needed it or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.study.model.columns import CLAMP, DROP, Column, NumberColumn, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.steps.derivation import tables_with_cases
from dpdesk.study.model.steps.step import MOST_ROWS, PersonStep
from dpdesk.study.model.tables import Keep
from dpdesk.study.model.unit import IdCharacters, IdShape
from dpdesk.study.text.missing_cells import asked_columns, replaced_cells
from dpdesk.study.text.number_text import plain
from dpdesk.study.text.step_titles import made_from
from dpdesk.study.text.unit_names import names_of

_MADE: Final[Template] = "{column}: {recipe}."
_MADE_BOUNDED: Final[Template] = "{column}: {recipe}, from {lower} to {upper}."
_MADE_STEPPED: Final[Template] = "{column}: {recipe}, from {lower} to {upper}, in steps of {step}."
_SEEN: Final[Template] = (
    "A value of a {person}’s rows uses at most {most} of them, in the order of their content. Rows "
    "without an ID have no such value and add to none."
)
_OF_ALL_TABLES: Final[Template] = (
    "Each ID in any table is one {person}; all rows with it, in all tables, are protected together."
)
_OF_PEOPLE: Final[Template] = (
    "{columns}: of the table {table}, one value for each {person}; of several rows of one {person} "
    "{kept} counts."
)
_KEPT: Final[dict[Keep, Template]] = {
    "smallest": "the smallest or first listed value",
    "first": "the value of the earliest {by}",
    "last": "the value of the latest {by}",
}
_MEETS: Final[Template] = "Rows of the table {table} belong to those {rows} of the same {person}."
_MEETS_CASE: Final[Template] = (
    "Rows of the table {table} belong to those {rows} that have the same person ID and the same "
    "case number."
)
_ID_SHAPE: Final[Template] = "An ID is {shape}; any other cell is no ID."
_PREFIXED: Final[Template] = "“{prefix}” and {shape}"
_CHARACTERS: Final[dict[IdCharacters, Template]] = {
    "digits": "{count} digits",
    "letters-digits": "{count} letters or digits",
    "any": "{count} characters",
}
_FROM_TO: Final[Template] = "{shortest} to {longest}"
_ROUNDED: Final[Template] = (
    "Numbers are rounded to the nearest declared step, halves to the even one: {columns}."
)
_RESULTS: Final[Template] = (
    "Results of derived columns are rounded to the nearest of their steps, halves away from zero."
)
_BOUNDED: Final[Template] = "Numbers beyond these bounds count as the nearest of them: {columns}."
_RESULTS_BOUNDED: Final[Template] = (
    "Results of derived columns beyond their bounds count as the nearest of them: {columns}."
)
_LEFT_OUT: Final[Template] = (
    "Rows without a value in a column that a query asks about are left out of it: {columns}."
)
_BOUNDS: Final[Template] = "{column} {lower} to {upper}"
_STEP: Final[Template] = "{column} in steps of {step}"
_WITH_UNIT: Final[Template] = "{column} ({unit})"


def value_sentences(study: Study, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """How the columns that queries use come to their values; none where nothing is to be said.

    Of a column whose bounds are asked for, magnitudes are counted and nothing is rounded.
    """
    used = [column for column in study.columns if column.name in study.used_names]
    made = tuple(_recipe(study, column, words) for column in used if column.made_from is not None)
    tables = _tables(study, words)
    return (*made, *tables, *_seen(study, used, words), *_rounded(used, words))


def rule_sentences(study: Study, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """What becomes of numbers beyond their bounds and of missing values, where queries ask."""
    used = [column for column in study.columns if column.name in study.used_names]
    replaced = replaced_cells(_requested(study, used), words.language)
    return (*_bounded(used, words), *replaced, *_left_out(study, used, words))


def _tables(study: Study, words: ReleaseWords) -> Iterator[str]:
    """Over what further tables meet the main one, and what an id looks like."""
    names = names_of(study.unit, words.language.names)
    meeting = tables_with_cases(one for one in study.columns if one.name in study.used_names)
    yield from protected_together(study, words)
    for table in study.tables_of(study.used_names):
        by = column_title(column) if (column := study.column(table.by)) else ""
        kept = words.say(_KEPT[table.keep], by=by)
        said: dict[str, Any] = {"table": table.name, "person": names.person, "rows": names.rows}
        if not table.is_of_people:
            yield words.say(_MEETS_CASE if table.name in meeting else _MEETS, **said)
            continue
        columns = ", ".join(
            column_title(one)
            for one in study.columns
            if one.table == table.name and one.name in study.used_names
        )
        yield words.say(_OF_PEOPLE, columns=columns, kept=kept, **said)
    if study.unit is not None and study.unit.id_shape is not None:
        yield words.say(_ID_SHAPE, shape=_shape(study.unit.id_shape, words))


def protected_together(study: Study | None, words: ReleaseWords) -> Iterator[str]:
    """Whose rows are one privacy unit, where there are several tables.

    A table counts that no query uses: an id in it alone is a person of a query of people.
    """
    if study is not None and study.tables:
        person = names_of(study.unit, words.language.names).person
        yield words.say(_OF_ALL_TABLES, person=person)


def _shape(shape: IdShape, words: ReleaseWords) -> str:
    """What an id looks like: "6 digits", "“P” and 1 to 6 digits"."""
    ends = {"shortest": str(shape.shortest), "longest": str(shape.longest)}
    is_one = shape.shortest == shape.longest
    count = ends["longest"] if is_one else words.say(_FROM_TO, **ends)
    characters = words.say(_CHARACTERS[shape.of], count=count)
    if not shape.prefix:
        return characters
    return words.say(_PREFIXED, prefix=shape.prefix, shape=characters)


def _seen(study: Study, used: list[Column], words: ReleaseWords) -> tuple[str, ...]:
    """The public bound on the rows that are seen of a person; whether anybody has more is not."""
    if not any(isinstance(column.made_from, PersonStep) for column in used):
        return ()
    names = names_of(study.unit, words.language.names)
    most = words.number(MOST_ROWS)
    return (words.say(_SEEN, person=names.person, most=most),)


def _recipe(study: Study, column: Column, words: ReleaseWords) -> str:
    called, recipe = column_title(column), made_from(study, column, words.language)
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return words.say(_MADE, column=called, recipe=recipe)
    lower, upper = (words.number(plain(end)) for end in (column.lower, column.upper))
    upper = f"{upper} {column.label}".rstrip()
    made = {"column": called, "recipe": recipe, "lower": lower, "upper": upper}
    if column.step is None or is_unbounded(column):
        return words.say(_MADE_BOUNDED, **made)
    return words.say(_MADE_STEPPED, **made, step=words.number(plain(column.step)))


def _bounded(used: list[Column], words: ReleaseWords) -> Iterator[str]:
    """What becomes of numbers beyond the bounds; those of results are in how they are made."""
    kept = [one for one in used if isinstance(one, NumberColumn) and _is_clamped(one)]
    read = [
        words.say(
            _BOUNDS,
            column=column_title(column),
            lower=words.number(plain(column.lower)),
            upper=f"{words.number(plain(column.upper))} {column.label}".rstrip(),
        )
        for column in kept
        if column.made_from is None and column.lower is not None and column.upper is not None
    ]
    made = [column_title(column) for column in kept if column.made_from is not None]
    if read:
        yield words.say(_BOUNDED, columns="; ".join(read))
    if made:
        yield words.say(_RESULTS_BOUNDED, columns="; ".join(made))


def _is_clamped(column: NumberColumn) -> bool:
    """Whether numbers beyond known bounds count as the nearest of them."""
    is_known = column.lower is not None and column.upper is not None
    return is_known and column.outside == CLAMP and not is_unbounded(column)


def _requested(study: Study, used: list[Column]) -> list[Column]:
    """Those whose values queries ask about."""
    requested = {name for query in study.queries for name in asked_columns(query)}
    return [column for column in used if column.name in requested]


def _left_out(study: Study, used: list[Column], words: ReleaseWords) -> Iterator[str]:
    """Of which columns a row has to have a value.

    Not of those that others are made of alone, nor of those of which a query only asks whether
    there is a value: they leave nobody out.
    """
    dropped = [column_title(one) for one in _requested(study, used) if one.missing == DROP]
    if dropped:
        yield words.say(_LEFT_OUT, columns="; ".join(dropped))


def _rounded(used: list[Column], words: ReleaseWords) -> Iterator[str]:
    read = tuple(_steps((column for column in used if column.made_from is None), words))
    made = tuple(_steps((column for column in used if column.made_from is not None), words))
    if read:
        yield words.say(_ROUNDED, columns="; ".join(read))
    if made:
        yield words.say(_RESULTS)


def _steps(columns: Iterator[Column], words: ReleaseWords) -> Iterator[str]:
    for column in columns:
        if not isinstance(column, NumberColumn):
            continue
        if column.step is not None and not is_unbounded(column):
            called = column_title(column)
            if column.label:
                called = words.say(_WITH_UNIT, column=called, unit=column.label)
            yield words.say(_STEP, column=called, step=words.number(plain(column.step)))
