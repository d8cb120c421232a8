# SPDX-License-Identifier: Apache-2.0
"""Whose privacy is protected, against which neighbouring data, and who pays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

from dpdesk.study.model.amount import Epsilon, Measure, Rho, Share, zero

Neighbours = Literal["add-remove", "change-one"]
WithoutId = Literal["drop", "one-person"]
IdCharacters = Literal["digits", "letters-digits", "any"]
FileFormat = Literal["csv", "excel", "parquet", "spss", "stata", "sas"]
Thousands = Literal["", ",", ".", " ", "'"]
LineEnding = Literal["", "lf", "cr", "any"]
FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)
THOUSANDS: tuple[Thousands, ...] = get_args(Thousands)
LINE_ENDINGS: tuple[LineEnding, ...] = get_args(LineEnding)
RECOGNISED = ("separator", "decimal", "encoding", "thousands", "line_ending", "row_names")
"""Parts of how a file is read that are proposed by looking at the file, its rows among it.

A row belongs to a person: what was proposed stays out of all that is published.
"""
ENCODINGS = (
    "utf-8",
    "latin-1",
    "cp1252",
    "utf-16",
    "utf-16-be",
    "iso-8859-15",
    "cp1250",
    "cp850",
)
"""What a text file may be written in."""


@dataclass(frozen=True)
class IdShape:
    """What an id looks like; a cell of another shape, such as "Total", is no id.

    A cell is compared in lower case, without outer white space and the traces of spreadsheets, and
    with its leading zeros.

    Attributes:
        prefix: what each id begins with.
        of: what follows it.
        shortest: how many characters follow at least.
        longest: how many follow at most.
    """

    prefix: str = ""
    of: IdCharacters = "digits"
    shortest: int = 1
    longest: int = 40


@dataclass(frozen=True)
class Unit:
    """The privacy unit: what shares one id, after ids that mean the same are made the same.

    One person under m ids loses m times the budget. Two people under one id are one unit: taking
    one of them away can replace all k kept rows, so each of them may lose twice the budget, and
    no more than that however many share the id. Hence ids are merged when in doubt.

    Words for rows and people are no part of any question; see ``unit_names``.

    Attributes:
        person: header of the column that tells people apart; without one, every row is a different
            person.
        max_rows: how many rows of one person queries may see (the contribution bound k), 1 to
            10,000; 1 where every row is a person.
        neighbours: what is secret. add-remove: whether a person is in the data, and so every
            count; change-one: what is recorded about one person, while the number of people is
            public.
        people: the public number of people; declared under change-one, and only there.
        leading_zeros: whether 007 and 7 are two different people.
        without_id: rows without an id are left out, or together count as one person, who is then
            protected as one; the custodian declares that it is one.
        case: header of the main table's column with the case number, over which rows of further
            tables meet its rows; equal numbers of two people never meet.
        id_shape: what an id looks like, in every table; any cell that is not missing where it is
            left out.
        row_name: what one row is called in sentences, such as "admission".
        row_names: what several rows are called.
        person_name: what one person is called in sentences, such as "patient".
        person_names: what several people are called.
    """

    person: str | None = None
    max_rows: int = 1
    neighbours: Neighbours = "add-remove"
    people: int | None = None
    leading_zeros: bool = False
    without_id: WithoutId = "drop"
    row_name: str = ""
    row_names: str = ""
    person_name: str = ""
    person_names: str = ""
    case: str = ""
    id_shape: IdShape | None = None


@dataclass(frozen=True)
class Budget:
    """The account that pays, and the most that this study may draw from it.

    Attributes:
        account: name of the account that pays; one per cohort, whatever files it is spread over.
            1 to 40 of a-z, 0-9 and -.
        epsilon: the most that this study may spend.
        rho: the same, where the account is kept in zCDP; then there is no epsilon.
    """

    account: str = ""
    epsilon: Epsilon | None = None
    rho: Rho | None = None

    @cached_property
    def limit(self) -> Share | None:
        return self.rho if self.rho is not None else self.epsilon

    @cached_property
    def measure(self) -> Measure:
        return "epsilon" if self.rho is None else "rho"

    @property
    def nothing(self) -> Share:
        return zero(self.measure)


@dataclass(frozen=True)
class DataSource:
    """Where the data is and how it is to be read.

    Only CSV needs separator, encoding, quotes and lines; decimal mark and thousands separator are
    for numbers written as text, wherever that happens.

    An extract's name is for the custodian's own eyes; see ``extracts``. Of ``by_hand``, a confirmed
    proposal is none, and it is empty in studies of before: nobody knows of them.

    Attributes:
        path: the data file; a relative path starts at the study file.
        format: how the file is laid out.
        missing: cell texts that mean "missing" in every column; the empty cell always does.
        separator: the character between cells: comma, semicolon, tab or |.
        decimal: decimal mark of numbers; the separator only where quotation marks enclose cells.
        encoding: text encoding of a CSV file: utf-8, latin-1, cp1252, utf-16, utf-16-be,
            iso-8859-15, cp1250 or cp850.
        extract: name for this state of the data, without which nothing is released; it is never
            exported. A query that was already answered on the same extract is not charged again.
        sheet: name of the workbook's sheet; only for excel, which needs it.
        header_row: number of the line or row with the column names, from 1 to 1,000; what is
            above is passed over. 0 where there are none; the first that is not blank where it is
            left out, which excel does not allow.
        thousands: what is between groups of three digits in numbers; nothing where it is left
            out.
        quotes: whether quotation marks enclose cells; if not, they are characters like any other.
        line_ending: what ends a line of a CSV file: lf, with or without a carriage return, cr, or
            any: each of them. Where it is left out, lf is meant, and the header must not hold a
            carriage return of its own.
        line_breaks: whether quoted cells of a CSV file hold line breaks, so that a row may run
            over several lines. Then the file's writer is trusted to double each quotation mark
            inside a cell: one person's stray mark would move other people's rows. If not, each
            line is a row, and one on which a quoted cell stays open is no row.
        row_names: whether a first column without a name is before the header's, as R writes
            row names; only in a CSV file with a header. It is called ``(column 1)``, and each
            name of the header means the column after its own place.
        fill_down: whether a row with nothing in the column of people belongs to the person of the
            row above, as where a spreadsheet merges the ids of several rows. A line that is no
            row, and an id that says that there is none, end this: the rows below have no id.
        catalogue: file with the value labels of a SAS file; a relative path starts at the study
            file.
        in_database: whether the rows are in a database, which counts them by an order of this
            study; a release then wants the sealed counts, and the file, if there is one, only
            names the columns. It is never released: each answer says who counted.
        by_hand: which of separator, decimal, encoding, thousands, line_ending and row_names were
            declared by hand; these alone are released. The others were recognised, perhaps by
            somebody's row.
        label: what the file is called where a column says which file a row is from.
        more: further files or sheets of the same table, such as one a year. Columns are matched by
            name; one that a file lacks is missing there. What means "missing", and whether ids are
            filled down, is said once, of the first.
    """

    path: str = ""
    format: FileFormat = "csv"
    missing: tuple[str, ...] = ()
    separator: str = ","
    decimal: Literal[".", ","] = "."
    encoding: str = "utf-8"
    extract: str = ""
    sheet: str = ""
    header_row: int | None = None
    thousands: Thousands = ""
    quotes: bool = True
    line_ending: LineEnding = ""
    line_breaks: bool = False
    row_names: bool = False
    fill_down: bool = False
    catalogue: str = ""
    in_database: bool = False
    by_hand: tuple[str, ...] = ()
    label: str = ""
    more: tuple[DataSource, ...] = ()

    @property
    def files(self) -> tuple[DataSource, ...]:
        """Each file or sheet of the table by itself, as it is read."""
        rest = (
            replace(one, missing=self.missing, fill_down=self.fill_down, more=())
            for one in self.more
        )
        return (replace(self, more=()), *rest)
