# SPDX-License-Identifier: Apache-2.0
"""Which files and which extract a command line means; neither is written into the study.

``--data FILE`` names a file of the main table, ``--data TABLE=FILE`` one of a further table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dpdesk.shell.output import complain, say
from dpdesk.study import limits
from dpdesk.study.checks.extracts import PLACE, check_extract, checked_extract
from dpdesk.study.json.study_files import StudyFile
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import real_path


def with_data(file: StudyFile, given: Sequence[str], extract: str | None) -> Study:
    """A study on the files and the extract that the command line names, where it names them.

    Raises:
        Refused: ``extract-of-other-file``: another file has a name of its own; what is wrong with
            a name; as :func:`with_files`.
    """
    named = with_extract(file.study, extract)
    study = with_files(named, given)
    pairs = zip(file.study.sources, study.sources, strict=True)
    same = (_is_same(file.folder / a.path, file.folder / b.path) for a, b in pairs)
    if extract is None and not all(same):
        raise refuse("extract-of-other-file", PLACE)
    return study


def with_files(study: Study, given: Sequence[str]) -> Study:
    """A study on the files that the command line names, where it names any.

    Raises:
        Refused: as :func:`files_by_table` and :func:`on_files`.
    """
    return on_files(study, files_by_table(study, given))


def on_files(study: Study, named: Mapping[str, Sequence[Path]]) -> Study:
    """A study with other files of some tables.

    A table of several files is named completely, each file once and in the study's order; a
    workbook of which it has several sheets is one file. Where tables share a file, as sheets of
    one workbook, a table that is not named follows the main one.

    Raises:
        Refused: ``data-files-other-number``.
    """
    if study.data is None:
        return study
    main = _others(study.data, named.get(MAIN), "$.data")
    tables = []
    for at, table in enumerate(study.tables):
        own = _others(table.data, named.get(table.name), f"$.tables[{at}].data")
        tables.append(replace(table, data=_on(table.data, own or main)))
    return replace(study, data=_on(study.data, main), tables=tuple(tables))


def say_unnamed(study: Study, given: Sequence[str]) -> None:
    """Say which further tables are those of the study although other files are named.

    Raises:
        Refused: as :func:`files_by_table`.
    """
    named = files_by_table(study, given)
    shared = paths_of(study.data or DataSource()) if MAIN in named else []
    rest = [
        table.name
        for table in study.tables
        if table.name not in named and not set(paths_of(table.data)) <= set(shared)
    ]
    if given and rest:
        said = "Not named with --data, so read from the study’s own files: {tables}."
        complain(say(said, tables=", ".join(rest)))


def files_by_table(study: Study, given: Sequence[str]) -> dict[str, list[Path]]:
    """The files that each ``--data`` names, by table and in their order.

    Raises:
        Refused: ``data-table-unknown`` (params given, table, tables) or ``data-names-no-file``
            (param given).
    """
    named: dict[str, list[Path]] = {}
    for one in given:
        table, path = _table_and_path(study, one)
        named.setdefault(table, []).append(path)
    return named


def _table_and_path(study: Study, given: str) -> tuple[str, Path]:
    """Only where a study has further tables, the text before ``=`` may be the name of one."""
    table, mark, path = given.partition("=")
    if not study.tables or not mark or not limits.ID_PATTERN.match(table):
        table, path = MAIN, given
    elif study.table(table) is None:
        tables = ", ".join(one.name for one in study.tables)
        raise refuse("data-table-unknown", given=given, table=table, tables=tables)
    if not path:
        raise refuse("data-names-no-file", given=given)
    return table, Path(path).absolute()


def _others(data: DataSource, paths: Sequence[Path] | None, place: str) -> dict[str, str]:
    """Of each file that a table declares the one that is named instead; none where none is."""
    declared = paths_of(data)
    if paths is not None and len(paths) != len(declared):
        files, given = str(len(declared)), str(len(paths))
        raise refuse("data-files-other-number", place, files=files, given=given)
    return dict(zip(declared, map(str, paths or ()), strict=False))


def _on(data: DataSource, other: Mapping[str, str]) -> DataSource:
    """A table's declaration on other files."""
    more = tuple(replace(one, path=other.get(one.path, one.path)) for one in data.more)
    return replace(data, path=other.get(data.path, data.path), more=more)


def paths_of(data: DataSource) -> list[str]:
    """The files that a table's rows are in; one of several sheets once."""
    return [*dict.fromkeys(one.path for one in data.files)]


def with_extract(study: Study, extract: str | None) -> Study:
    """The study on an extract that the command line names, if it names one.

    Raises:
        Refused: what is wrong with the name.
    """
    if extract is None or study.data is None:
        return study
    return replace(study, data=replace(study.data, extract=checked_extract(extract)))


def refuse_undeclared(study: Study) -> None:
    """Refuse a study that does not say which extract it is about.

    Raises:
        Refused: ``extract-not-declared``.
    """
    undeclared = tuple(check_extract(study.data))
    if undeclared:
        raise Refused(undeclared)


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, be it there or not."""
    try:
        return one.samefile(other)
    except OSError:
        return real_path(one) == real_path(other)
