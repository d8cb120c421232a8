# SPDX-License-Identifier: Apache-2.0
"""What refuses a codebook, and what of one cannot be carried over."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # Codebooks: what refuses one
    "codebook-file-missing": "{name} does not exist. Check the name and the folder.",
    "codebook-file-unreadable": "{name} cannot be read. Check its name and permissions, and that "
    "it is a file.",
    "codebook-file-damaged": "The labels of {name} cannot be read; save the file again in the "
    "program that wrote it.",
    "codebook-file-unwritable": "{name} cannot be written. Check the disk and the permissions of "
    "the folder, or choose another folder.",
    "codebook-too-large": "A codebook has at most {most} MB; choose the codebook, not the data.",
    "codebook-too-deep": "This file is nested too deeply. Choose another file.",
    "codebook-too-many-variables": "A codebook has at most {most} variables; split it.",
    "codebook-unknown": "dpdesk does not recognise this codebook: it reads a REDCap dictionary, "
    "a Table Schema, CSVW metadata, ISARIC ARC, a file of SPSS, Stata or SAS, or a CSV file with "
    "columns such as name, type, min, max, values.",
    "codebook-workbook": "This workbook or archive cannot be read as a codebook; save the sheet "
    "with the variables as CSV and choose that.",
    "codebook-codes-alone": "These are codes and their names, but not of which column; add a first "
    "column “variable” with the column's name in each row.",
    "codebook-catalogue": "These are the value labels of another SAS file; choose that file as "
    "codebook and this one as its catalogue.",
    "codebook-table-malformed": "The codebook's table is broken here; fix the quotation marks in "
    "this line or before it.",
    "codebook-name-missing": "A variable has no name here; enter it.",
    "codebook-name-invalid": "The variable's name contains invisible characters or is too long; "
    "fix it.",
    "codebook-name-twice": "This variable occurs twice in the codebook; remove one.",
    "codebook-says-nothing": "The codebook describes no variable; choose another file.",
    "codebook-elsewhere": "The schema is at another address, which dpdesk does not fetch; choose "
    "the file that contains it.",
    "codebook-tables-several": "The codebook describes several tables; name one of: {names}.",
    "codebook-table-unknown": "The codebook describes no table “{table}”. Name one of its own, or "
    "leave out --table.",
    "codebook-catalogue-unused": "{name} has no catalogue of value labels; a SAS data file "
    "(.sas7bdat) has. Leave out --catalogue.",
    "codebook-not-named": "Name the codebook to compare with, or only the file for --write.",
    "codebook-not-offered": "The codebook offers nothing for “{name}”; leave it out.",
    "codebook-name-unknown": "The codebook has no variable “{name}”; check its spelling.",
    "codebook-study-changed": "The declaration of “{name}” has changed since the comparison; "
    "compare again.",
    "codebook-too-many-columns": "A study has at most {most} columns; import those that you "
    "need, by name.",
    "codebook-operand-not-chosen": "“{name}” is made of “{operand}”; select that column, too.",
    "codebook-column-of-file": "“{name}” is neither made from others nor of a further table; "
    "declare it as a field.",
    # Lists of values
    "value-list-of-data": "{name} is one of the study’s files, or a copy. Values come from a "
    "codebook or protocol, never from the data.",
    "value-list-columns": "These are more than two columns. Copy the codes, and their names beside "
    "them.",
    "value-list-empty": "There are no values here. Choose the column with the codes.",
    "value-list-too-long": "A category has at most {most} values. Choose a shorter list.",
    "value-list-two-names": "“{value}” has two different names. Remove one.",
    # Codebooks: what cannot be carried over
    "codebook-operand-missing": "It is made of “{operand}”, which is neither declared nor in "
    "this file.",
    "codebook-recipe-taken": "A column of this name is in the file; give the derived one another "
    "name.",
    "codebook-record-id": "This identifies the record and cannot be counted; if it identifies "
    "the person, choose it in People.",
    "codebook-type-unsaid": "The codebook does not say what this contains; it stays as it is.",
    "codebook-type-unused": "A study has no columns of this type.",
    "codebook-free-text": "This is free text, which no statistic counts.",
    "codebook-attachment": "This is an attached file, which no statistic counts.",
    "codebook-not-data": "This is a text of the form and does not occur in the data.",
    "codebook-time": "A study has no times of day; export the day only.",
    "codebook-several-choices": "A cell may contain several values; export one column for each.",
    "codebook-calculated": "This is calculated from other variables; declare bounds for it.",
    "codebook-values-unsaid": "The codebook lists no values; declare them.",
    "codebook-choices-uncoded": "The codebook names the choices without codes; declare codes where "
    "the file has numbers instead.",
    "codebook-values-elsewhere": "The values are in a list outside the codebook; declare them.",
    "codebook-values-invalid": "The codebook's list of values cannot be read; declare them.",
    "codebook-values-beside-numbers": "Some numbers have a meaning of their own; declare those "
    "that mean missing.",
    "codebook-yes-unsaid": "The codebook does not say which texts mean yes and no; declare them.",
    "codebook-labels-left-out": "A single value has a label, which was left out; declare the "
    "value as missing if that is its meaning.",
    "codebook-missing-range": "A whole range of values means missing; declare the values one by "
    "one.",
    "codebook-today": "The codebook's last date is today, which changes; declare a date.",
    "codebook-bound-invalid": "A bound or step of the codebook cannot be read as a number or date; "
    "declare it.",
    "codebook-bound-exclusive": "The codebook gives a bound that is itself excluded; declare the "
    "nearest value inside.",
    "codebook-number-ambiguous": "A number of the codebook can be read in thousands or with "
    "decimals; declare it.",
    "codebook-number-format": "The codebook states how numbers are written; check the decimal "
    "mark of the data.",
    "codebook-date-format": "dpdesk does not read the codebook's date format; declare one.",
}
