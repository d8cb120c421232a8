# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a study as a file."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    "json-invalid": "Line {line}, column {column} is not valid JSON; fix it there.",
    "study-file-empty": "This file is empty; choose a study file, or an earlier copy of this one.",
    "json-not-text": "This is not a text file in UTF-8; choose a study file.",
    "json-too-large": "This file is too large for a study; choose a study file.",
    "json-too-deep": "This file is nested too deeply. Choose another file.",
    "json-duplicate-key": "The member “{key}” occurs twice; remove one.",
    "json-number": "A number is too long or invalid; use at most 15 digits.",
    "not-a-study": 'This is not a dpdesk study; it must contain "dpdesk": 1.',
    "study-too-new": "This study was saved by a newer dpdesk (format {found}, this one reads up "
    "to {known}); open it there, or update this one.",
    "study-file-missing": "{name} does not exist. Check the name and the folder.",
    "study-file-unreadable": "{name} cannot be read. Check its name and permissions, and that it "
    "is a file.",
    "study-file-unwritable": "{name} cannot be written. Check the disk and the permissions of "
    "the folder, or choose another folder.",
    "study-file-busy": "Another program is writing to the folder of {name}; try again in a moment.",
    "study-file-changed": "Another program has changed {name}, so it stays as it is; run the "
    "command again.",
    "studies-folder-missing": "The folder {name} for studies does not exist; choose another in "
    "Edit, Preferences.",
    "pdf-not-shown": "No program of this system opens {name}; save the plan as a PDF and print it "
    "elsewhere.",
    "plan-form": "Give the plan a name that ends in .pdf; {name} does not.",
    "plan-unwritable": "{name} cannot be written. Check the disk and the permissions of the "
    "folder, or choose another folder.",
    "period-none": "{name} has no declared period: neither a first and a last day nor a condition "
    "on days.",
    "period-beyond": "A period would lie outside the years {first} to {last}. Move it by fewer "
    "months, or name the columns that are moved.",
    "study-file-exists": "{name} exists already. Choose another name.",
    "unknown-member": "dpdesk does not know this member; remove it or check its spelling.",
    "missing-member": "This member is missing; add it.",
    "type-object": "Expected an object in braces here.",
    "type-list": "Expected a list in square brackets here.",
    "type-text": "Expected text in quotes here.",
    "type-number": "Expected a number here, without quotes.",
    "number-too-long": "A number has at most {most} significant digits; shorten it.",
    "type-whole": "Expected a whole number here.",
    "type-flag": "Expected true or false here.",
    "type-pair": "Expected two numbers here, such as [18, 65].",
    "type-date": "Expected a date in quotes here, such as 2020-01-31.",
    "type-constant": "Expected a number or text as the replacement here.",
    "list-too-long": "This list has more than {most} entries; shorten it.",
    "text-too-long": "This text is longer than {most} characters; shorten it.",
    "text-invisible": "This text contains invisible characters; type it again.",
    "date-format-unknown": "Dates in a column are read in one format: {choices}, or "
    "YYYYMMDDHHMM; a time may follow each. Choose the format that the file uses for this column, "
    "or leave the column out.",
    "date-format-short-year": "Two-digit years are read in one of these formats: {choices}; choose "
    "one, and declare with pivot the first of the hundred years that they lie in.",
    "not-a-choice": "Choose one of: {choices}.",
    "condition-kind": "A condition needs exactly one of: in, not_in, between, from and to, "
    "missing.",
    "grouping-kind": "A grouping needs exactly one of: edges, period.",
}
