# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a data file."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    "data-file-missing": "The data file is missing; check its name and folder.",
    "data-on-network": "The data file is on another computer, to which dpdesk has not connected "
    "yet; agree to connect in Data.",
    "data-file-unreadable": "The data file cannot be read; check its permissions, or close the "
    "program that has it open.",
    "data-file-changed": "The data file changed while dpdesk read it; release again when no "
    "other program writes to it. Nothing was spent.",
    "data-file-changed-since": "A data file changed after its check; check it again, then release. "
    "Nothing was spent.",
    "data-file-twice": "This table has the same file or sheet twice, so that its rows would count "
    "twice; remove one of them.",
    "data-file-empty": "The data file is empty; choose a file with a header.",
    "data-header-name-too-long": "The name of a column is longer than {most} characters; check the "
    "encoding, the separator and the row of names in Data.",
    "data-header-too-wide": "The data file has more than {most} columns, or names of more than "
    "{text} characters together; save the columns that the queries need as a file of their own.",
    "data-header-open": "A quotation mark in the header is not closed on its line; close it, "
    "and write the header on one line.",
    "data-file-not-text": "The data file is not a text table; save it as CSV.",
    "data-file-json": "The data file is JSON, not a table; save it as CSV in the program that "
    "wrote it, with a header and one row per visit or person.",
    "data-file-markup": "The data file is a web page or XML, not a table; open it in a spreadsheet "
    "program and save it as CSV.",
    "data-file-pdf": "The data file is a PDF; ask for the table itself, as CSV or a workbook.",
    "data-file-rtf": "The data file is a formatted text; save its table as CSV.",
    "data-file-document": "The data file is a text document or a presentation; copy its table "
    "into a spreadsheet program and save it as CSV.",
    "data-file-archive": "The data file is an archive of other files; unpack it and choose the "
    "table in it.",
    "data-file-bundle": "The data file is a bundle, not a table of people; check it with Verify.",
    "data-file-compressed": "The data file is compressed in a way that dpdesk does not read, or "
    "does not contain text; unpack it and choose the unpacked file.",
    "data-file-several": "The compressed file contains more than one file, or extra bytes before "
    "or after it; unpack it and choose the table.",
    "data-file-unpacks-large": "The compressed file unpacks to more than 64 GB; unpack it and "
    "choose the unpacked file.",
    "data-file-picture": "The data file is a picture; ask for the table itself, as CSV or a "
    "workbook.",
    "data-file-database": "The data file is a database; save one of its tables as CSV.",
    "data-file-r": "The data file is in R's own format; save the table from R with write.csv().",
    "data-file-columnar": "The data file is a scientific container (such as HDF5, Arrow or "
    "MATLAB); save its table as Parquet or CSV.",
    "data-file-dbase": "The data file is a table of dBASE; open it in a spreadsheet program and "
    "save it as CSV.",
    "data-file-hl7": "The data file contains HL7 messages; ask for a table of them, with a row for "
    "each visit or person.",
    "data-file-arff": "The data file is in the format of Weka (ARFF); save its table as CSV.",
    "data-file-sas-program": "The data file is a SAS program with data in it; save the table that "
    "it makes as CSV or as a SAS file.",
    "data-file-fixed-width": "The columns of the data file are separated by blanks or by fixed "
    "widths, not by a separator; save the table as CSV.",
    "data-file-newer": "The data file was written by a newer version of Stata; save it for "
    "Stata 17 or earlier, or as CSV.",
    "data-file-packed-table": "The compressed file contains a workbook or another file that is "
    "not text; unpack it and choose the unpacked file.",
    "data-file-backslashes": "The parts of the workbook are named with backslashes, which no "
    "spreadsheet program does; open it in one and save it again.",
    "data-file-damaged": "The data file is damaged; save it again in the program that wrote it, "
    "or save it there as CSV.",
    "data-file-wrong-format": "The data file is not of the chosen kind; choose its kind in Data.",
    "data-file-locked": "The data file is protected by a password; save it without one.",
    "data-file-too-large": "The workbook unpacks to more than dpdesk opens; save its sheet as CSV.",
    "data-file-too-wide": "A cell of the workbook is far below its table or to the right of it; "
    "delete the empty-looking rows and columns there, or save the sheet as CSV.",
    "data-file-catalogue": "These are the value labels of a SAS file; choose the SAS file itself.",
    "data-file-encoding": "Some text in the data file is not in the encoding that the file names "
    "or that was chosen; choose its encoding in Data.",
    "sheet-absent": "The workbook has no sheet “{name}”; choose one that it has: {sheets}.",
    "header-row-absent": "The sheet ends above the row that names the columns; choose another row.",
    "column-not-flat": "Every cell of “{name}” contains a list or a record; dpdesk reads one "
    "value per cell. Remove its declaration.",
    "data-column-absent": "The data file has no column “{name}”; check its spelling, the separator "
    "and the line of the header, or remove its declaration.",
    "data-column-absent-in": "File {file} of this table has no column “{name}”; check its "
    "separator, the line of its header, and how the name is written there.",
    "data-header-duplicate-in": "File {file} of this table has duplicate columns “{name}”; rename "
    "one in the file.",
    "data-header-duplicate": "The data file has duplicate columns “{name}”; choose one by its "
    "position, as in “{name} (column 7)”, or rename one in the file.",
    "people-count-differs": "The number of people in the file is not the declared public number; "
    "check the declaration or the file.",
    "extract-not-declared": "Enter in Data which extract this is, such as “stays.csv, "
    "2026-11-22” (in the shell: --extract NAME). The name stays on this computer.",
    "extract-of-other-file": "This is not the study’s file; name its extract with --extract NAME.",
    "table-unknown": "The study has no table “{table}”, only these further ones: {tables}.",
    "table-none": "The study has no table “{table}”, only its main one; leave out --of.",
    "data-table-unknown": "The study has no table “{table}”, only {tables}. For a file of that "
    "name, write --data ./{given}.",
    "data-names-no-file": "“--data {given}” names no file; add its path.",
    "data-files-other-number": "Files of this table in the study: {files}; with --data: {given}. "
    "Name each of its files, in the study’s order.",
    "data-main-not-named": "Only files of further tables are named; add --data FILE for the main "
    "table.",
    "extract-used": "This extract was used on {day}; confirm whether this is the same file. In "
    "the shell, add --same-extract if it is, and --extract NAME with another name if it is not.",
    "extract-used-bytes-same": "This extract was used on {day}, and the file has not changed; "
    "add --same-extract. If the data differs nevertheless, name it with --extract NAME.",
    "extract-used-bytes-differ": "This extract was used on {day}, and the file has changed "
    "since. If the data has changed, name it with --extract NAME. Only if the same data was "
    "saved again, add --same-extract.",
    "extract-used-bytes-unknown": "This extract was used on {day}; dpdesk cannot tell whether "
    "the file has changed. Add --same-extract if it is the same file. If it is not, name it with "
    "--extract NAME.",
    "answers-withdrawn": "Release {release} was withdrawn (“{reason}”), and this would publish "
    "its figures again. Draw new ones with --fresh, or add --use-withdrawn. Nothing was spent.",
    "answers-corrected": "Release {release} was corrected (“{reason}”), and this would publish "
    "its figures again. Draw new ones with --fresh, or add --use-withdrawn. Nothing was spent.",
    "release-not-asked": "There is no terminal to ask at; add --yes to release without being "
    "asked. Nothing was spent.",
    "release-declined": "Not released; nothing was spent.",
}
