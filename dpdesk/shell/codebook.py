# SPDX-License-Identifier: Apache-2.0
"""``dpdesk codebook``: a codebook against a study, and importing what was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any, Final

from dpdesk.catalogue import Template, spoken
from dpdesk.data.codebook.change import Change, MemberChange
from dpdesk.data.codebook.diff import accept, diff, named, offered
from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.read import described_tables, read_codebook, takes_catalogue
from dpdesk.data.codebook.table_diff import diff_of_table
from dpdesk.data.codebook.write import schema_to_bytes, table_schema, write_schema
from dpdesk.data.opened import read_header
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import DONE, print_json, say, say_count
from dpdesk.study.json.study_files import StudyFile, load_study, save_over
from dpdesk.study.model.columns import CellReading, Column, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse
from dpdesk.study.suggest.column_names import column_names
from dpdesk.study.text.sentence_language import language_of
from dpdesk.study.text.step_titles import made_from
from dpdesk.texts import shared
from dpdesk.texts.problems import sentence

_ALL = "all"
_SHOWN_TEXT = 200
_STATES: Final[dict[str, Template]] = {
    "new": "new",
    "differs": "differs",
    "same": "the same",
    "not-in-file": "not in the file",
    "not-in-codebook": "declared, not in the codebook",
    "person": "person ID column",
    "nothing-proposed": "nothing proposed",
}


@dataclass(frozen=True)
class CodebookOptions:
    """What is wanted of a codebook.

    Attributes:
        codebook: the codebook's file; ``None`` where only ``write`` is wanted.
        accept: ``all``, or names of the variables to import.
        write: where the study's declarations go as a Table Schema.
        of: the further table of the study that it describes; the main one where none is named.
        table: the wanted table of a codebook that describes several.
        catalogue: file with the value labels of a SAS file.
    """

    study: Path
    codebook: Path | None = None
    accept: tuple[str, ...] = ()
    write: Path | None = None
    of: str = MAIN
    table: str = ""
    catalogue: Path | None = None
    as_json: bool = False


def run(wish: CodebookOptions) -> int:
    """Print what a codebook would change; import what is chosen; write a Table Schema.

    Of the data file, at most the header is read.

    Raises:
        Refused: the study, the codebook or a file's header cannot be read;
            ``table-unknown`` (table, tables) or ``table-none`` (table);
            ``codebook-table-unknown`` (table), ``codebook-catalogue-unused`` (name);
            ``codebook-not-named``,
            ``codebook-name-unknown`` or ``codebook-not-offered`` (name);
            ``output-exists`` or ``codebook-file-unwritable`` (name).
    """
    opened = load_study(wish.study)
    study = opened.study
    members: dict[str, Any] = {"written": False}
    if wish.codebook is None:
        if wish.write is None or wish.accept:
            raise refuse("codebook-not-named")
        _check_new(study, wish)
    else:
        _check_used(wish, wish.codebook)
        codebook = read_codebook(wish.codebook, _tables(wish, study), _catalogue(wish, opened))
        changes = _changes(study, codebook, wish.of, opened.folder)
        study = accept(study, _chosen(changes, wish.accept))
        _check_new(study, wish)
        if wish.accept:
            save_over(opened, study)
        members = _members(codebook, changes, study, wish)
    if wish.write is not None:
        write_schema(study, wish.write)
        members["schema"] = wish.write.name
    print_json(members) if wish.as_json else _print(members, wish)
    return DONE


def _check_used(wish: CodebookOptions, codebook: Path) -> None:
    """Refuse what was said of the codebook and means nothing for it."""
    if wish.table and not any(wish.table in names for names in described_tables(codebook)):
        raise refuse("codebook-table-unknown", table=wish.table)
    if wish.catalogue is not None and not takes_catalogue(codebook):
        raise refuse("codebook-catalogue-unused", name=codebook.name)


def _check_new(study: Study, wish: CodebookOptions) -> None:
    """Refuse a taken name before the study's own file is changed."""
    if wish.write is not None:
        refuse_taken(wish.write, schema_to_bytes(table_schema(study)))


def _tables(wish: CodebookOptions, study: Study) -> tuple[str, ...]:
    """The table that is meant: the named one, else the one that describes the study's file."""
    data = _data(study, wish.of)
    path = data.path.replace("\\", "/") if data is not None else ""
    return (wish.table,) if wish.table else (PurePath(path).name,)


def _data(study: Study, of: str) -> DataSource | None:
    """The first file of a table, and how it is read."""
    if of != MAIN and study.table(of) is None:
        tables = ", ".join(one.name for one in study.tables)
        code = "table-unknown" if tables else "table-none"
        raise refuse(code, table=of, tables=tables)
    return study.data_of(of)


def _catalogue(wish: CodebookOptions, opened: StudyFile) -> Path | None:
    """The value labels of a SAS file: the named ones, else those of the study's file."""
    data = _data(opened.study, wish.of)
    of_study = data.catalogue if data is not None else ""
    return wish.catalogue or (opened.folder / of_study if of_study else None)


def _changes(study: Study, codebook: Codebook, of: str, folder: Path) -> tuple[Change, ...]:
    """What the codebook would change in one table's columns."""
    header, about = _header(study, of, folder), study.table(of)
    if about is None:
        return diff(study, codebook, header)
    headers = {of: header or (), MAIN: _header(study, MAIN, folder) or ()}
    called = column_names(study, headers)
    names = {head: name for name, (table, head) in called.items() if table == of}
    return diff_of_table(study, about, codebook, header, names)


def _header(study: Study, of: str, folder: Path) -> tuple[str, ...] | None:
    """The columns of all files of a table; ``None`` where there is no file yet."""
    data = study.data_of(of)
    if data is None or not data.path:
        return None
    columns = (name for one in data.files for name in read_header(one, folder))
    return tuple(dict.fromkeys(columns))


def _chosen(changes: tuple[Change, ...], names: tuple[str, ...]) -> tuple[Change, ...]:
    return offered(changes) if names == (_ALL,) else named(changes, names)


def _members(
    codebook: Codebook, changes: tuple[Change, ...], after: Study, wish: CodebookOptions
) -> dict[str, Any]:
    return {
        "kind": codebook.kind,
        "basis": codebook.basis,
        "may_list_data": codebook.may_list_data,
        "variables": [_variable(change) for change in changes],
        "accepted": [c.name for c in changes if c.is_offered and c.proposed in after.columns],
        "written": bool(wish.accept),
    }


def _variable(change: Change) -> dict[str, Any]:
    return {
        "name": change.name,
        "state": change.state,
        "identifier": change.identifier,
        "changes": [
            {"field": m.field, "declared": _plain(m.declared), "proposed": _plain(m.proposed)}
            for m in _named_recipe(change)
        ],
        "notes": [
            {"code": note.code, "place": note.path, "sentence": sentence(note)}
            for note in change.notes
        ],
    }


def _named_recipe(change: Change) -> Iterator[MemberChange]:
    """The members that change; how a derived column is made is said in a sentence."""
    for member in change.members:
        if member.field == "made_from":
            recipes = map(_recipe, (change.declared, change.proposed))
            member = MemberChange(member.field, *recipes)
        yield member


def _recipe(column: Column | None) -> str:
    """How a derived column is made, by the names of its columns."""
    return "" if column is None else made_from(Study(), column, language_of(spoken()))


def _plain(value: Any) -> Any:
    """A member's value in JSON: decimals and days as texts."""
    if isinstance(value, Replace):
        return {"replace": _plain(value.value)}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, CellReading):
        return f"{value.cell} = {value.value}"
    return str(value) if isinstance(value, Decimal | date) else value


def _print(members: dict[str, Any], wish: CodebookOptions) -> None:
    if "basis" in members:
        print(members["basis"])
        _print_variables(members["variables"])
        if members["may_list_data"]:
            print(say(shared.LISTS_OF_LABELS))
        if members["written"]:
            count = len(members["accepted"])
            one, many = "Imported {n} column into {name}.", "Imported {n} columns into {name}."
            print(say_count(count, one, many, n=count, name=wish.study.name))
        else:
            print(say("Nothing was imported; use --accept all, or --accept with names."))
    if wish.write is not None:
        print(say("Exported the declarations to {name} as a Table Schema.", name=wish.write.name))


def _print_variables(variables: Iterable[dict[str, Any]]) -> None:
    for variable in variables:
        identifies = say(", identifies people") if variable["identifier"] else ""
        print(f"{variable['name']}: {say(_STATES[variable['state']])}{identifies}")
        for change in variable["changes"]:
            before = change["declared"]
            old = "" if before in (None, "", []) else f"{_text(before)} -> "
            print(f"  {change['field']}: {old}{_text(change['proposed'])}")
        for note in variable["notes"]:
            print(f"  {note['sentence']}")


def _text(value: Any) -> str:
    """A member's value on one line, cut where it is long."""
    if isinstance(value, dict):
        return say("replace with {value}", value=value["replace"])
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return text if len(text) <= _SHOWN_TEXT else f"{text[:_SHOWN_TEXT]}…"
