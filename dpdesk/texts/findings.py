# SPDX-License-Identifier: Apache-2.0
"""What a check against the file says, and what would help: the words of window and shell.

No sentence holds a cell, a count or a share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dpdesk.catalogue import Catalogue, Template, spoken
from dpdesk.data.inspection.finding import Finding
from dpdesk.study.model.columns import DateColumn, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem
from dpdesk.study.text.sentence_language import localised
from dpdesk.study.text.unit_names import names_of, translated_names
from dpdesk.texts.problems import SENTENCES as PROBLEMS
from dpdesk.texts.problems import sentence as problem_sentence

LINES: Final[dict[str, Template]] = {
    "few": "A few lines",
    "some": "Some lines",
    "most": "Most lines",
}
"""What sentences about lines begin with."""

SENTENCES: Final[dict[str, Template]] = {
    # Columns: each stands behind the column's name.
    "numbers-nearly-all": "nearly all cells are numbers.",
    "numbers-some": "some cells are numbers, others are not.",
    "numbers-hardly-any": "hardly any cell is a number{place}.",
    "numbers-none": "no cell is a number{place}.",
    "days-nearly-all": "nearly all cells are dates written as {format}.",
    "days-some": "some cells are dates written as {format}, others are not.",
    "days-hardly-any": "hardly any cell is a date written as {format}{place}.",
    "days-none": "no cell is a date written as {format}{place}.",
    "listed-nearly-all": "nearly all cells are one of its values.",
    "listed-some": "some cells are one of its values, others are not.",
    "listed-hardly-any": "hardly any cell is one of its values.",
    "listed-none": "no cell is one of its values.",
    "codes-nearly-all": "nearly all codes belong to one of its values.",
    "codes-some": "some codes belong to one of its values, others do not.",
    "codes-hardly-any": "hardly any code belongs to one of its values.",
    "codes-none": "no code belongs to one of its values.",
    "codes-several-some": "some cells contain several codes; they count as unknown.",
    "codes-several-many": "many cells contain several codes; they count as unknown.",
    "outside-bounds-some": "some numbers are outside the bounds.",
    "outside-bounds-many": "many numbers are outside the bounds.",
    "outside-period-some": "some days are outside the period.",
    "outside-period-many": "many days are outside the period.",
    "between-steps-some": "some numbers are between its steps; they are rounded.",
    "between-steps-many": "many numbers are between its steps; they are rounded.",
    "numbers-ambiguous": "all numbers with a mark can be read in two ways: with decimals, or with "
    "the mark between thousands.",
    "hours-as-days": "some cells are days of the year 1900: times of 24 hours or more, or numbers "
    "in a format of days.",
    # What most cells of a column look like that cannot be read.
    "seen-unit": "most of the other cells have a unit.",
    "seen-percent": "most of the other cells have a percent sign.",
    "seen-comparison": "most of the other cells are comparisons, such as less than or more than.",
    "seen-range": "most of the other cells are ranges.",
    "seen-pair": "most of the other cells are two numbers.",
    "seen-decimal": "most of the other cells have another decimal mark.",
    "seen-thousands": "most of the other cells have a mark between thousands.",
    "seen-day": "most of the other cells are dates.",
    "seen-time": "most of the other cells are times.",
    "seen-marker": "most of the other cells are signs for a missing value.",
    "seen-formula": "most of the other cells are formulas.",
    "seen-error": "most of the other cells are a spreadsheet’s errors.",
    "seen-codes": "most of the other cells are numbers, so the file seems to contain codes.",
    "seen-names": "most of the other cells are no numbers, so the file seems to contain names.",
    "seen-coded": "its values are the names of codes in {source}, so the file seems to contain "
    "the codes.",
    "seen-labelled": "its values are codes in {source}, so the file seems to contain their names.",
    "seen-format": "most of the other cells are dates written in another way.",
    "seen-partial": "most of the other cells are no day: a part of it is unknown.",
    "seen-month": "most of the other cells are no day: a month and a year.",
    "seen-year": "most of the other cells are no day: a year.",
    "seen-week": "most of the other cells are no day: a week.",
    "seen-serial": "most of the other cells are no day: numbers of days, as spreadsheets store "
    "dates.",
    "seen-seconds": "most of the other cells are no day: seconds since 1970.",
    "seen-day-of-year": "most of the other cells are no day: a year and its day’s number.",
    "seen-order": "most of the other cells are dates in an order that dpdesk does not read.",
    "seen-weekday": "most of the other cells begin with a word, such as a day of the week.",
    "column-absent": "this file has no such column; it is missing in all its rows.",
    # Ids: each stands behind the name of their column.
    "ids-missing-some": "some rows have no id.",
    "ids-missing-most": "most rows have no id.",
    "ids-equal": "nearly all ids are the same.",
    "ids-exponent": "nearly all ids end in E+ and digits, as spreadsheets shorten long numbers.",
    # A further table and the main one: each stands behind the table's name.
    "rows-meet-nearly-all": "nearly all its rows belong to {rows} of the main table.",
    "rows-meet-some": "some of its rows belong to {rows} of the main table, others do not.",
    "rows-meet-hardly-any": "hardly any of its rows belongs to {rows} of the main table.",
    "rows-meet-none": "none of its rows belongs to {rows} of the main table.",
    "rows-of-people-nearly-all": "nearly all {rows} have their {person} in it.",
    "rows-of-people-some": "some {rows} have their {person} in it, others do not.",
    "rows-of-people-hardly-any": "hardly any of the {rows} has its {person} in it.",
    "rows-of-people-none": "none of the {rows} has its {person} in it.",
    # The file.
    "people-known": "These people seem to be those of the account “{account}”.",
    "rows-none": "It has no rows.",
    "file-copied": "It has the same content as another file of this table.",
    "row-names": "Each row has one cell more than the header: its first cell has no name, as R "
    "writes row names, or a decimal comma parts a number.",
    "rows-wider": "{lines} have more cells than the header.",
    "rows-narrower": "{lines} have fewer cells than the header.",
    "lines-open": "{lines} contain an unclosed quotation mark.",
    "lone-cr": "{lines} contain a carriage return that ends no line.",
    "formulas-uncalculated": "Some formulas of the workbook have no stored result.",
    "bytes-unread": "Some cells contain bytes that cannot be read as {encoding}.",
}
"""What is found, by a finding's code and amount, or by its code alone."""

REMEDIES: Final[dict[str, Template]] = {
    "numbers": "Is the decimal mark right, and is this a number at all?",
    "days": "Are dates written like this in the file?",
    "listed": "Are they spelled as in the file?",
    "codes": "Is it the right list of codes, and did a program drop zeros at their beginning?",
    "outside-bounds": "Do bounds and file have the same unit?",
    "codes-several": "Ask for the file with one code a cell, or a column for each.",
    "outside-period": "Is the period right?",
    "between-steps": "Is the step right?",
    "numbers-ambiguous": "Declare decimal mark and thousands separator.",
    "hours-as-days": "They are not read. Ask for the file with the format [h]:mm:ss, or with plain "
    "numbers.",
    "seen-unit": "Ask for the file with the numbers alone.",
    "seen-percent": "Ask for the file with the numbers alone.",
    "seen-comparison": "They are not numbers: ask for the values, or declare a category.",
    "seen-range": "They are not numbers: declare a category.",
    "seen-pair": "Ask for a column for each.",
    "seen-decimal": "Change the decimal mark.",
    "seen-thousands": "Declare the thousands separator.",
    "seen-day": "Declare the column as a date.",
    "seen-time": "Ask for the file with numbers.",
    "seen-marker": "Declare them as missing.",
    "seen-formula": "Ask for the file with values instead of formulas.",
    "seen-error": "Ask for the file without them, or declare them as missing.",
    "seen-codes": "Import the file’s codebook, or declare the codes and keep these values as their "
    "names.",
    "seen-names": "Declare the names that the file contains.",
    "seen-coded": "Import that list: dpdesk then reads the codes and shows the names.",
    "seen-labelled": "Import that list: dpdesk then reads codes and names.",
    "seen-format": "Look at the rows in Data, or ask the file’s author, then change the format.",
    "seen-partial": "Ask for days, or declare a category.",
    "seen-month": "Ask for days, or declare a category.",
    "seen-year": "Ask for days, or declare a number.",
    "seen-week": "Ask for days, or declare a category.",
    "seen-serial": "Ask for the file with its dates as text.",
    "seen-seconds": "Ask for the file with its dates as text.",
    "seen-day-of-year": "Ask for the file with its dates as text.",
    "seen-order": "Ask for the file with its dates as YYYY-MM-DD.",
    "seen-weekday": "Ask for the file with the dates alone.",
    "ids-missing": "They are left out, or count as one person. Were ids merged over several rows? "
    "Then declare that blank ids are those of the row above.",
    "ids-equal": "Is this the person ID column?",
    "ids-exponent": "Different people have the same id now. Ask for the file with its ids as text.",
    "rows-meet": "Are person ID and case number the right columns, and written alike in both "
    "tables?",
    "rows-of-people": "Is it the right person ID column, and are IDs written alike in both tables?",
    "people-known": "If so, use that account: nobody may get a second budget. If not, declare "
    "that they are other people.",
    "rows-none": "Is it the right file or sheet, and its header row the right one?",
    "file-copied": "If it is a copy, remove it: its rows would count twice.",
    "column-absent": "Is its name written alike in every file?",
    "row-names": "So each name is above its neighbour’s cells. Declare row names, or ask for the "
    "file with decimal points or semicolons.",
    "rows-wider": "Cells beyond the header are ignored. Is the separator right, or does a decimal "
    "comma part numbers?",
    "rows-narrower": "These cells count as missing. Is the separator right?",
    "lines-open": "They do not count as rows. Do cells contain line breaks?",
    "lone-cr": "What follows it is part of the row before. If rows begin there, declare that "
    "carriage returns end lines, too.",
    "formulas-uncalculated": "They count as missing. Open the workbook in a spreadsheet program "
    "and save it, so that they are calculated.",
    "bytes-unread": "Change the encoding.",
}
"""What would help, by a finding's code; of what is good, nothing is said."""

_CODEBOOK: Final[Template] = "the codebook {name}"
_OWN_LABELS: Final[Template] = "the file’s own labels"
_FILE: Final[Template] = "file {number}"
_LINE: Final[Template] = ", first in line {line}"
_ROW: Final[Template] = ", first in row {row} below the header"


def said(
    finding: Finding,
    study: Study,
    catalogue: Catalogue | None = None,
    date_format: Callable[[str], str] = str,
) -> str:
    """What was found, in a sentence; of a column without its name.

    Args:
        catalogue: the language; where none is named, that of the commands.
        date_format: how a format of days is shown.
    """
    catalogue = catalogue or spoken()
    if finding.code in PROBLEMS:
        row = {} if finding.row is None else {"row": str(finding.row)}
        return problem_sentence(Problem("$.data.path", finding.code, row), catalogue)
    key = f"{finding.code}-{finding.amount}"
    column = study.column(finding.column)
    names = names_of(study.unit, translated_names(catalogue))
    lines = LINES.get(finding.amount)
    values: dict[str, str] = {
        "place": _place(finding, catalogue),
        "lines": catalogue.say(lines) if lines else "",
        "format": date_format(column.format) if isinstance(column, DateColumn) else "",
        "source": _source(finding, catalogue),
        "encoding": _file_of(finding, study).encoding,
        "account": finding.account,
        "rows": names.rows,
        "person": names.person,
    }
    return catalogue.say(SENTENCES.get(key) or SENTENCES[finding.code], **values)


def remedy(finding: Finding, catalogue: Catalogue | None = None) -> str:
    """What would help, in a sentence; empty where the finding says it."""
    text = REMEDIES.get(finding.code)
    return (catalogue or spoken()).say(text) if text else ""


def subject(finding: Finding, study: Study, catalogue: Catalogue | None = None) -> str:
    """What is before the sentence: a table's and a column's name; empty where it is the file."""
    column = study.column(finding.column)
    name = column_title(column) if column is not None else finding.column
    file = ""
    if finding.file:
        number = (catalogue or spoken()).say(_FILE, number=str(finding.file))
        file = _file_of(finding, study).label or number
    return ", ".join(part for part in (finding.table, file, name) if part)


def _file_of(finding: Finding, study: Study) -> DataSource:
    """How the file is read that it is about."""
    data = study.data_of(finding.table) or DataSource()
    return data.files[max(finding.file - 1, 0)]


def _source(finding: Finding, catalogue: Catalogue) -> str:
    """Which codebook it is, by its file's name."""
    if finding.source:
        return catalogue.say(_CODEBOOK, name=finding.source)
    return catalogue.say(_OWN_LABELS)


def _place(finding: Finding, catalogue: Catalogue) -> str:
    """Where the first cell is that cannot be read."""
    if finding.line is not None:
        return catalogue.say(_LINE, **localised({"line": str(finding.line)}, catalogue))
    if finding.row is not None:
        return catalogue.say(_ROW, **localised({"row": str(finding.row)}, catalogue))
    return ""
