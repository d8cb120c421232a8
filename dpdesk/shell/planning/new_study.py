# SPDX-License-Identifier: Apache-2.0
"""``dpdesk new``: a study about another file, with the declarations of an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

from dpdesk.data.inspection.about import top_table
from dpdesk.data.inspection.next_file import NextFile, look_at_next
from dpdesk.data.inspection.number_marks import NumberMarks, marks_to_confirm
from dpdesk.data.progress import CancelToken
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.shell.extract import files_by_table, on_files
from dpdesk.shell.output import DONE, print_json, say, say_count
from dpdesk.study.checks.extracts import checked_extract, plain_extract, proposed_extract
from dpdesk.study.json.study_files import load_study, moved_data, save_new
from dpdesk.study.model.dates import FIRST_YEAR, LAST_YEAR
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.problem import refuse
from dpdesk.study.reuse.earlier_study import ALL, Carried, carry_over
from dpdesk.study.reuse.moved_periods import (
    moved_study,
    periods_by_column,
    periods_of,
    proposed_to_move,
)

_SHOWN = 12
"""Names that are listed; of more their number alone is said."""


@dataclass(frozen=True)
class NewOptions:
    """What is wanted of a new study.

    Attributes:
        study: the file to write.
        data: its files, each with its table; see ``extract``.
        extract: name of the extract; proposed where none is given.
        without: what is not carried over: members of ``Parts``.
        later: by how many months declared periods are moved.
        move: the columns whose periods are; those of short ones where none is named.
    """

    study: Path
    like: Path
    data: tuple[str, ...]
    extract: str | None = None
    without: tuple[str, ...] = ()
    later: int = 0
    move: tuple[str, ...] = ()
    as_json: bool = False


def run(wish: NewOptions, home: Home) -> int:
    """Write the study, and print what did not fit. Of the data, header and first rows are read.

    Raises:
        Refused: the earlier study or the file cannot be read; ``study-file-exists`` (name);
            ``study-file-unwritable`` (name); what is wrong with an extract's name;
            ``period-none`` (name) of a column without a period, ``period-beyond`` (params first,
            last) of one that would lie too far off.
    """
    if wish.study.exists():
        raise refuse("study-file-exists", name=wish.study.name)
    earlier, path, named = _handed_over(load_study(wish.like).study, wish.data)
    next_file = look_at_next(earlier, path)
    extract = _extract(wish, path.name, earlier, home)
    source = replace(next_file.source, extract=extract)
    parts = replace(ALL, **dict.fromkeys(wish.without, False))
    carried = carry_over(earlier, source, next_file.header, parts, named)
    carried = replace(carried, study=_moved(carried.study, wish))
    folder = wish.study.absolute().parent
    save_new(moved_data(carried.study, folder, folder), wish.study)
    marks = _marks(next_file, path.parent)
    members = {**_members(carried, next_file, marks), "periods": _periods(carried.study)}
    print_json(members) if wish.as_json else _print(members, wish)
    return DONE


def _moved(study: Study, wish: NewOptions) -> Study:
    """The study with the periods later that are wanted."""
    own = periods_by_column(study)
    names = wish.move or proposed_to_move(study)
    unknown = next((name for name in names if name not in own), None)
    if unknown is not None:
        raise refuse("period-none", name=unknown)
    try:
        return moved_study(study, wish.later, {one for name in names for one in own[name]})
    except ValueError:
        raise refuse("period-beyond", first=str(FIRST_YEAR), last=str(LAST_YEAR)) from None


def _handed_over(earlier: Study, given: tuple[str, ...]) -> tuple[Study, Path, frozenset[str]]:
    """The earlier study on the files that are named, the first one, and which tables these are.

    One file of a main table of several is named alone: the others are looked for beside it.

    Raises:
        Refused: ``data-main-not-named``, ``data-file-missing``, or as ``files_by_table`` and
            ``on_files``.
    """
    named = files_by_table(earlier, given)
    main = named.get(MAIN)
    if main is None:
        raise refuse("data-main-not-named", "$.data.path")
    if len(main) == 1:
        del named[MAIN]
    study = on_files(earlier, named)
    for at, table in enumerate(study.tables):
        if not all(path.is_file() for path in named.get(table.name, ())):
            raise refuse("data-file-missing", f"$.tables[{at}].data.path")
    return study, main[0], frozenset(named)


def _extract(wish: NewOptions, name: str, earlier: Study, home: Home) -> str:
    """The extract's name: the one that is given, else one that means no other state yet."""
    if wish.extract is not None:
        return checked_extract(wish.extract)
    today = datetime.now().astimezone().date()
    return proposed_extract(name, today, _is_taken(earlier, home))


def _is_taken(earlier: Study, home: Home) -> Callable[[str], bool]:
    """Whether a name means the earlier study's extract, or one that the account drew from."""
    own = plain_extract(earlier.data.extract) if earlier.data else ""
    account = earlier.budget.account if earlier.budget else ""
    answered = Ledger.open(home).answered() if home.ledger.exists() else None

    def is_taken(name: str) -> bool:
        used = answered is not None and answered.is_used(account, name)
        return used or plain_extract(name) == own

    return is_taken


def _marks(next_file: NextFile, folder: Path) -> tuple[NumberMarks, ...]:
    """How numbers seem to be written, where the study reads them otherwise or in doubt."""
    if not next_file.header:
        return ()
    _header, rows = top_table(next_file.source, folder, CancelToken())
    return marks_to_confirm(next_file.source, rows)


def _members(
    carried: Carried, next_file: NextFile, marks: tuple[NumberMarks, ...]
) -> dict[str, Any]:
    study = carried.study
    is_read = bool(next_file.header)
    return {
        "columns": [column.name for column in study.columns],
        "account": study.budget.account if study.budget else None,
        "queries": [query.id for query in study.queries],
        "extract": study.data.extract if study.data else "",
        "header_read": is_read,
        "missing": list(carried.missing) if is_read else [],
        "spelled_differently": carried.spellings() if is_read else {},
        "undeclared": list(carried.undeclared),
        "people_to_declare": carried.asks_people,
        "files": [PurePath(one).name for one in carried.files],
        "files_missing": [PurePath(one).name for one in carried.files if not Path(one).is_file()],
        "numbers": [{"decimal": one.decimal, "thousands": one.thousands} for one in marks],
    }


def _periods(study: Study) -> list[dict[str, str]]:
    """Every declared period of the new study."""
    return [
        {"what": one.what, "column": one.column, "first": str(one.first), "last": str(one.last)}
        for one in periods_of(study)
    ]


def _print(members: dict[str, Any], wish: NewOptions) -> None:
    columns, queries = len(members["columns"]), len(members["queries"])
    print(
        say(
            "{name}: {columns} and {queries} copied from {earlier}.",
            name=wish.study.name,
            columns=say_count(columns, "{n} column", "{n} columns", n=columns),
            queries=say_count(queries, "{n} query", "{n} queries", n=queries),
            earlier=wish.like.name,
        )
    )
    if members["account"]:
        print(say("The budget comes from the account “{name}”.", name=members["account"]))
    print(say("Extract: {name}", name=members["extract"]))
    if wish.later:
        for one in members["periods"]:
            days = {"first": one["first"], "last": one["last"]}
            print(say("Period: {column}, {first} to {last}", column=one["column"], **days))
    if not members["header_read"]:
        print(say("The columns of the file are not known: choose its sheet and header row."))
    if members["missing"]:
        names = _listed(members["missing"])
        print(say("Declared, but not in the file: {names}", names=names))
    for name, there in members["spelled_differently"].items():
        print(say("The file has “{there}” instead of “{name}”.", there=there, name=name))
    if members["files"]:
        names = _listed(members["files"])
        print(say("Further files, as before, from the folder of the file: {names}", names=names))
    if members["files_missing"]:
        names = _listed(members["files_missing"])
        print(
            say(
                "Not in that folder: {names}. Put them there, or declare others in $.data.more and "
                "$.tables.",
                names=names,
            )
        )
    if members["undeclared"]:
        names = _listed(members["undeclared"])
        print(say("In the file, but not declared: {names}", names=names))
    if members["people_to_declare"]:
        print(say("Declare the public number of people of this file: $.unit.people."))
    if members["numbers"]:
        print(_numbers(members["numbers"]))
    print(say("Nothing was released or spent."))


def _numbers(marks: list[dict[str, str]]) -> str:
    """How numbers seem to be written: for the custodian to declare, never declared by itself."""
    if len(marks) == 1:
        return say(
            "Numbers in the first rows seem to be written with “{decimal}” as decimal mark and "
            "“{thousands}” between thousands. Declare that in $.data.",
            **marks[0],
        )
    return say(
        "Numbers in the first rows can be read in two ways: “{mark}” is the decimal mark or stands "
        "between thousands. Declare which in $.data.decimal and $.data.thousands.",
        mark=next(one["thousands"] for one in marks if one["thousands"]),
    )


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    others = say_count(more, "and {n} other", "and {n} others", n=more) if more > 0 else ""
    return f"{', '.join(names[:_SHOWN])} {others}".rstrip()
