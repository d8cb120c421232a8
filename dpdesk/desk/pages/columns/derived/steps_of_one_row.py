# SPDX-License-Identifier: Apache-2.0
"""The steps that see one row: what each is called, begins with and says in words and chips."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, cast

from dpdesk.desk.pages.columns.derived import derived_edits, step_words
from dpdesk.desk.pages.columns.derived.step_declaration import StepDeclaration
from dpdesk.desk.pages.columns.derived.steps_of_many_rows import files_chip
from dpdesk.desk.pages.sentence.numbers_dialog import Numbers, NumbersDialog
from dpdesk.desk.text import query_words, suggestion_words, times, typed_numbers
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.steps.step import (
    Arithmetic,
    Bands,
    CodePrefix,
    DatePart,
    FileLabel,
    FirstThere,
    Holds,
    Operand,
    Recode,
    TimeBetween,
)
from dpdesk.study.suggest.code_lists import CodeList, code_lists, code_lists_for

if TYPE_CHECKING:
    from dpdesk.desk.pages.columns.derived.step_sentence import StepSentence

DAY, NUMBER, SQUARE, REMOVE, OWN = "\0day:", "\0number:", "\0square:", "\0remove", "\0"
EVERY = (NumberColumn, CategoryColumn, YesNoColumn, DateColumn)


def _between(at: StepSentence, step: TimeBetween) -> None:
    def end_chip(key: str, place: int) -> None:
        end = step.between[place]
        is_day = isinstance(end, date)
        now = f"{DAY}{end.isoformat()}" if isinstance(end, date) else end

        def put(chosen: str) -> TimeBetween:
            found: str | date = chosen
            if chosen.startswith(DAY):
                found = date.fromisoformat(chosen.removeprefix(DAY))
            ends = list(step.between)
            ends[place] = found
            return replace(step, between=(ends[0], ends[1]))

        choices = at.columns(DateColumn)
        if is_day:
            choices.append(_day(cast(date, end)))
        text = _day(cast(date, end)).text if is_day else at.title(cast(str, end))
        at.list_chip(key, text, lambda: choices, now, put, _typed_day)

    end_chip("end", 1)
    at.word(tr("StepSentence", "minus"))
    end_chip("begin", 0)
    at.word(tr("StepSentence", "in"))
    units = step_words.units()
    at.choice_chip("unit", units, step.unit, lambda unit: replace(step, unit=unit))


def _day(day: date) -> Choice:
    return Choice(f"{DAY}{day.isoformat()}", times.calendar_day(day.isoformat()))


def _typed_day(text: str) -> Choice | None:
    day = times.day_from_text(text)
    return None if day is None else _day(day)


def _arithmetic(at: StepSentence, step: Arithmetic) -> None:
    def operand_chip(key: str, place: int) -> None:
        operand = step.operands[place]
        now = _operand_key(operand)

        def put(chosen: str) -> Arithmetic:
            operands = list(step.operands)
            operands[place] = _operand(chosen)
            return replace(step, operands=(operands[0], operands[1]))

        choices = at.columns(NumberColumn)
        squares = [Choice(f"{SQUARE}{c.key}", f"{c.text}²") for c in choices]
        constant = [] if isinstance(operand, Operand) else [_constant(operand)]
        offered = [*choices, *squares, *constant]
        at.list_chip(key, _operand_text(at, operand), lambda: offered, now, put, _typed)

    operand_chip("first", 0)
    signs = step_words.operations()
    choices = [Choice(key, text) for key, text in signs.items()]

    def put(key: Any) -> Arithmetic:
        return replace(step, operation=key)

    sign = step_words.SIGNS[step.operation]
    at.list_chip("operation", sign, lambda: choices, step.operation, put)
    at.chip("operation").setAccessibleName(signs[step.operation])
    operand_chip("second", 1)


def _operand_key(operand: Operand | Decimal) -> str:
    if isinstance(operand, Decimal):
        return f"{NUMBER}{operand}"
    return operand.column if operand.power == 1 else f"{SQUARE}{operand.column}"


def _operand(key: str) -> Operand | Decimal:
    if key.startswith(NUMBER):
        return Decimal(key.removeprefix(NUMBER))
    if key.startswith(SQUARE):
        return Operand(key.removeprefix(SQUARE), 2)
    return Operand(key)


def _operand_text(at: StepSentence, operand: Operand | Decimal) -> str:
    if isinstance(operand, Decimal):
        return _constant(operand).text
    if not operand.column:
        return tr("StepSentence", "column or number")
    return at.title(operand.column) + ("²" if operand.power > 1 else "")


def _constant(value: Decimal) -> Choice:
    return Choice(f"{NUMBER}{value}", query_words.number(value))


def _typed(text: str) -> Choice | None:
    value = typed_numbers.decimal_from_text(text)
    return None if value is None else _constant(value)


def _bands(at: StepSentence, step: Bands) -> None:
    at.column_chip("column", step.column, (NumberColumn,), lambda c: replace(step, column=c))
    at.word(tr("StepSentence", "in bands from"))
    text = query_words.numbers(step.edges) or tr("StepSentence", "where?")
    at.add_chip("edges", text, partial(_ask_edges, at, step))


def _ask_edges(at: StepSentence, step: Bands) -> None:
    """Ask where bands begin."""
    study = at.study
    dialog = NumbersDialog(
        at.window(),
        tr("StepSentence", "Where the bands begin"),
        tr("StepSentence", "&Lowest number of each band"),
        tr("StepSentence", "With semicolons, such as 0; 18; 65."),
        step.edges,
        _judge,
        lambda edges: ", ".join(derived_edits.band_names(replace(step, edges=edges), study)),
    )
    at.anchor.ask(dialog, lambda edges: at.changed.emit(replace(step, edges=edges)))


def _judge(edges: Numbers) -> str:
    if not edges:
        return tr("StepSentence", "Type at least one number.")
    is_rising = all(a < b for a, b in pairwise(edges))
    return "" if is_rising else tr("StepSentence", "Each number must be higher than the last.")


def _recode(at: StepSentence, step: Recode) -> None:
    def put(name: str) -> Recode:
        return step if name == step.column else derived_edits.recoded(at.study, name)

    at.word(tr("StepSentence", "the values of"))
    at.column_chip("column", step.column, (CategoryColumn, YesNoColumn), put)
    at.word(tr("StepSentence", "merged as listed below"))


def _codes(at: StepSentence, step: CodePrefix) -> None:
    # Those first that sound like codes.
    person = at.study.unit.person if at.study.unit else None
    names = sorted((one for one in at.header if one != person), key=_is_no_code)
    choices = [Choice(name, name) for name in names]
    title = at.title(step.header)
    at.list_chip("codes", title, lambda: choices, step.header, lambda c: replace(step, header=c))
    at.word(tr("StepSentence", "by how its codes begin:"))
    found = list_of(step)
    text = _own_groups() if found is None else suggestion_words.called_list(found)
    at.add_chip("list", text, partial(_ask_list, at, found))


def _is_no_code(name: str) -> bool:
    return not code_lists_for(name)


def _own_groups() -> str:
    return tr("StepSentence", "own groups")


def _ask_list(at: StepSentence, now: CodeList | None) -> None:
    """Offer the public lists, or entries of one's own."""
    lists = {one.key: one for one in code_lists()}
    choices = [Choice(key, suggestion_words.called_list(one)) for key, one in lists.items()]
    offered = [*choices, Choice(OWN, _own_groups())]
    at.offer(offered, now.key if now else OWN, lambda key: at.list_picked.emit(lists.get(key)))


def list_of(step: CodePrefix) -> CodeList | None:
    """The public list that sorts the codes; ``None`` where none does."""
    for codes in code_lists():
        listed = derived_edits.by_list(step, codes)
        if (listed.entries, listed.digits) == (step.entries, step.digits):
            return codes
    return None


def _holds(at: StepSentence, step: Holds) -> None:
    texts = {"all": tr("StepSentence", "and"), "any": tr("StepSentence", "or")}

    def join(place: int) -> None:
        if place == 1:
            at.choice_chip("how", texts, step.how, lambda how: replace(step, how=how))
        else:
            at.word(texts[step.how])

    at.word(tr("StepSentence", "yes where"))
    at.add_conditions(
        step.conditions,
        lambda conditions: replace(step, conditions=conditions),
        lambda: at.columns(*EVERY),
        join,
    )


def _part(at: StepSentence, step: DatePart) -> None:
    parts = step_words.parts()
    at.choice_chip("part", parts, step.part, lambda part: replace(step, part=part))
    at.word(tr("StepSentence", "of"))
    at.column_chip("column", step.column, (DateColumn,), lambda c: replace(step, column=c))


def _first(at: StepSentence, step: FirstThere) -> None:
    def offered() -> list[Choice]:
        found = at.study.column(next(iter(step.columns), ""))
        others = len([name for name in step.columns if name]) > 1
        return at.columns(type(found)) if found is not None and others else at.columns(*EVERY)

    def pressed(place: int) -> None:
        now = step.columns[place] if place < len(step.columns) else ""
        taken = {*step.columns} - {now}
        choices = [choice for choice in offered() if choice.key not in taken]
        if place < len(step.columns) and len(step.columns) > len(("one", "other")):
            choices.append(Choice(REMOVE, tr("StepSentence", "Remove"), "cross"))

        def put(chosen: str) -> None:
            columns = list(step.columns)
            columns[place : place + 1] = [] if chosen == REMOVE else [chosen]
            at.changed.emit(FirstThere(tuple(columns)))

        at.offer(choices, now, put)

    for place, name in enumerate(step.columns):
        if place:
            at.word(tr("StepSentence", "where it is missing:"))
        at.add_chip(f"first-{place}", at.title(name), partial(pressed, place))
    plus = tr("StepSentence", "Add a column")
    at.add_chip("add", "+", lambda: pressed(len(step.columns)), plus)


def _label(at: StepSentence, step: FileLabel) -> None:
    at.word(tr("StepSentence", "the label of the file that a row is from"))
    if at.study.tables:
        files_chip(at)


OF_ONE_ROW: Final = (
    StepDeclaration(
        "between",
        "calendar",
        lambda: tr("Steps", "Time between"),
        _between,
        TimeBetween(("", "")),
        (DateColumn,),
        lambda study, _name: derived_edits.first_time(study),
    ),
    StepDeclaration(
        "arithmetic",
        "hash",
        lambda: tr("Steps", "Arithmetic"),
        _arithmetic,
        Arithmetic("divide", (Operand(""), Operand(""))),
        (NumberColumn,),
        lambda _study, name: Arithmetic("divide", (Operand(name), Operand(""))),
    ),
    StepDeclaration(
        "bands", "sliders", lambda: tr("Steps", "Bands"), _bands, Bands("", ()), (NumberColumn,)
    ),
    StepDeclaration(
        "recode",
        "tag",
        lambda: tr("Steps", "Merged values"),
        _recode,
        Recode("", ()),
        (CategoryColumn, YesNoColumn),
        derived_edits.recoded,
    ),
    StepDeclaration(
        "codes", "stethoscope", lambda: tr("Steps", "Code groups"), _codes, CodePrefix("", ())
    ),
    StepDeclaration("holds", "switch", lambda: tr("Steps", "Conditions"), _holds, Holds(())),
    StepDeclaration(
        "part",
        "calendar",
        lambda: tr("Steps", "Part of a date"),
        _part,
        DatePart("year", ""),
        (DateColumn,),
    ),
    StepDeclaration(
        "first", "columns", lambda: tr("Steps", "First not missing"), _first, FirstThere(("", ""))
    ),
    StepDeclaration(
        "label",
        "file",
        lambda: tr("Steps", "File label"),
        _label,
        FileLabel(),
        is_of_use=lambda study: bool(derived_edits.tables_of_files(study)),
    ),
)
