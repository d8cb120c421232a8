# SPDX-License-Identifier: Apache-2.0
"""Whose privacy is protected, against which neighbouring data, and who pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from dpdesk.study.model.amount import Epsilon, Measure, Rho, Share, zero

Neighbours = Literal["add-remove", "change-one"]
WithoutId = Literal["drop", "one-person"]
FileFormat = Literal["csv", "excel", "parquet", "spss", "stata", "sas"]
Thousands = Literal["", ",", ".", " ", "'"]
LineEnding = Literal["", "lf", "cr"]
FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)
THOUSANDS: tuple[Thousands, ...] = get_args(Thousands)
LINE_ENDINGS: tuple[LineEnding, ...] = get_args(LineEnding)
RECOGNISED = ("separator", "decimal", "encoding", "thousands", "line_ending")
"""Parts of how a file is read that are proposed by looking at the file, its rows among it.

A row belongs to a person: what was proposed stays out of all that is published.
"""


@dataclass(frozen=True)
class Unit:
    """The privacy unit: what shares one id, after ids that mean the same are made the same.

    One person under m ids loses m times the budget. Two people under one id are one unit: taking
    one of them away can replace all k kept rows, so each of them may lose twice the budget, and
    no more than that however many share the id. Hence ids are merged when in doubt.

    Attributes:
        person: header of the column that tells people apart; ``None``: every row is a person.
        max_rows: contribution bound k: rows of one person that queries may see.
        neighbours: ``add-remove`` (who is in the data is secret) or ``change-one`` (the number
            of people is public, what is recorded about one of them is secret).
        people: the public number of people, declared under ``change-one``.
        leading_zeros: whether ``007`` and ``7`` are two different people.
        without_id: rows without an id are left out, or together count as one person, which is
            then protected as one; the custodian declares that it is one.
        row_name, row_names: what one row and several are called ("admission", "admissions");
            words alone, no part of any question. See ``unit_names``.
        person_name, person_names: what one person and several are called.
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


@dataclass(frozen=True)
class Budget:
    """The account that pays, and the most that this study may draw from it.

    Attributes:
        account: name of the account; one per cohort, whatever files it is spread over.
        epsilon: upper limit for the study's plan; ``None`` while not declared.
        rho: the same where the account is kept in zCDP; then ``epsilon`` is ``None``.
    """

    account: str = ""
    epsilon: Epsilon | None = None
    rho: Rho | None = None

    @property
    def limit(self) -> Share | None:
        """The upper limit in the account's measure."""
        return self.rho if self.rho is not None else self.epsilon

    @property
    def measure(self) -> Measure:
        """What the study's shares are counted in."""
        return "epsilon" if self.rho is None else "rho"

    @property
    def nothing(self) -> Share:
        """No budget, in the study's measure."""
        return zero(self.measure)


@dataclass(frozen=True)
class DataSource:
    """Where the data lies and how it is to be read.

    Only CSV needs separator, encoding, quotes and lines; decimal mark and thousands separator are
    for numbers written as text, wherever that happens.

    Attributes:
        path: file path; relative to the study file where it is not absolute.
        format: kind of file.
        missing: cell texts that mean "missing" in every column; the empty cell always does.
        separator: one character between cells.
        decimal: decimal mark of numbers, ``.`` or ``,``.
        encoding: text encoding.
        extract: the custodian's name for this state of the data, for their own eyes; see
            ``extracts``. The same query on the same extract is answered from the ledger; nothing
            is released while it is empty.
        sheet: name of a workbook's sheet.
        header_row: number of the line or row that holds the column names, from 1; what stands
            above is passed over. 0: there are none. ``None``: the first that is not blank.
        thousands: what stands between groups of three digits, or nothing.
        quotes: whether quotation marks enclose cells; else they are characters like any other.
        line_ending: what ends a line: ``lf`` (with or without a carriage return) or ``cr``. Empty
            means ``lf``, for a header without a lone carriage return.
        line_breaks: whether quoted cells hold line breaks, so that a row may run over several
            lines. Then the file's writer is trusted to double each quotation mark inside a cell:
            one person's stray mark would move other people's rows. Else a line is a row.
        catalogue: file with the value labels of a SAS file.
        by_hand: which of ``RECOGNISED`` the custodian declared; a confirmed proposal is none of
            them. These alone are published. Empty in studies of before: nobody knows of them.
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
    catalogue: str = ""
    by_hand: tuple[str, ...] = ()
