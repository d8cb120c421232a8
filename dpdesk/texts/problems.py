# SPDX-License-Identifier: Apache-2.0
"""One sentence for each mistake: what is wrong, and what to do.

The core knows codes only. Shell and window say these sentences, each in its own language. A test
demands a sentence for every code that the core can give.
"""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Catalogue, Template, spoken
from dpdesk.study.problem import Problem
from dpdesk.study.text.language import localised

SENTENCES: Final[dict[str, Template]] = {
    # The study as a file
    "json-invalid": "Line {line}, column {column} is not valid JSON; fix it there.",
    "json-not-text": "This is not a text file in UTF-8; choose a study file.",
    "json-too-large": "This file is too large for a study; choose a study file.",
    "json-too-deep": "This file is nested too deeply for a study; choose a study file.",
    "json-duplicate-key": "The member “{key}” is a duplicate; remove one.",
    "json-number": "A number is too long or invalid; use at most 15 digits.",
    "not-a-study": 'This is not a dpdesk study; it must contain "dpdesk": 1.',
    "study-too-new": "This study was saved by a newer dpdesk (format {found}, this one reads up "
    "to {known}); open it there, or update this one.",
    "study-file-missing": "There is no study file {name}; check the name and the folder.",
    "study-file-unreadable": "The study file {name} cannot be read; check its permissions, and "
    "that it is a file.",
    "study-file-unwritable": "The study file {name} cannot be written; save it in another folder.",
    "study-file-exists": "There is a file {name} already; choose another name.",
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
    "date-format-unknown": "Dates in a column are read in one format: {choices}, each optionally "
    "followed by HH:MM, or YYYYMMDDHHMM; choose the format that the file uses for this column, "
    "or leave the column out.",
    "date-format-short-year": "Two-digit years are read in one of these formats: {choices}, each "
    "optionally followed by HH:MM; choose one, and declare with pivot the first of the hundred "
    "years that they lie in.",
    "not-a-choice": "Choose one of: {choices}.",
    "condition-kind": "A condition needs exactly one of: in, not_in, between, from and to, "
    "missing.",
    "grouping-kind": "A grouping needs exactly one of: edges, period.",
    # A dossier
    "dossier-bundle-not-verified": "A dossier is made of a bundle that verifies: whole, signed by "
    "a signer you know, and with a claim that adds up.",
    "dossier-date-invalid": "The review date is a day such as 2027-01-31; type it so.",
    "dossier-fields-invalid": "What was typed in for the dossier cannot be read; type it in again.",
    "dossier-files-odd": "This dossier does not hold the files that a dossier has.",
    "dossier-manifest-odd": "The dossier's manifest is not as dpdesk writes it.",
    "dossier-other-bundle": "This bundle is of another release; choose the one that was exported "
    "of this release.",
    # Data and people
    "data-not-chosen": "Choose the data file.",
    "seems-aggregates": "This looks like counts or averages of groups. Is it one row per visit or "
    "person?",
    "seems-codebook": "This looks like a list of variables, a codebook. Is it one row per visit or "
    "person?",
    "seems-text": "This looks like running text, with no separator between columns; choose "
    "another separator if it is a table. Is it one row per visit or person?",
    "seems-stacked": "This looks like several tables in one file: row {row} reads as another "
    "header. Is it one row per visit or person?",
    "separator-unknown": "Choose comma, semicolon, tab or | as the separator.",
    "encoding-unknown": "Choose one of these encodings: {choices}.",
    "sheet-not-chosen": "Choose the sheet of the workbook that holds the table.",
    "header-row-not-chosen": "Choose which row of the sheet names the columns, or that the file "
    "names no columns (0).",
    "header-row-out-of-range": "The row that names the columns must be between 1 and {most}; 0 "
    "means that the file names no columns.",
    "thousands-is-decimal": "Decimal mark and thousands separator are the same; change one of "
    "them.",
    "line-ending-not-declared": "The header contains a carriage return without a line feed; "
    "choose what ends the lines of this file.",
    "line-breaks-without-quotes": "Cells can contain line breaks only where quotation marks "
    "enclose cells; change one of the two.",
    "decimal-is-separator": "Decimal mark and separator are the same, and quotation marks enclose "
    "no cells; change one of the three.",
    "unit-not-declared": "Choose in People whose privacy is protected.",
    "max-rows-out-of-range": "Rows per person must be between 1 and {most}.",
    "max-rows-without-person": "Without a column that tells people apart every row is one person; "
    "set rows per person to 1 or choose the column.",
    "people-not-declared": "Enter the public number of people in the data.",
    "people-out-of-range": "The number of people must be a whole number of 1 or more.",
    "people-declared-but-secret": "The number of people is secret here; remove it, or declare it "
    "as public.",
    "unit-name-wanted": "Enter both the singular and the plural, such as admission and "
    "admissions, or neither.",
    "account-not-chosen": "Choose the budget account that pays for this study.",
    "budget-not-declared": "Set the largest budget that this study may spend.",
    "name-malformed": "A name consists of {words} and begins and ends with a letter or digit.",
    "name-of-device": "Windows reserves the name “{name}” for a device; choose another.",
    # Amounts
    "epsilon-not-positive": "The budget must be more than 0.",
    "epsilon-too-fine": "The budget has at most six decimals.",
    "epsilon-too-large": "The budget must be 100 or less.",
    "share-not-set": "Set how much budget this query may spend.",
    "share-too-small-to-split": "This query makes {draws} draws, so it needs a budget of at "
    "least {least}.",
    "share-measure-differs": "This study's budget is counted in {wanted}; give the query its "
    "share in the same measure.",
    "rho-too-fine": "A budget in rho has at most nine decimals.",
    "budget-twice": "Give the budget in epsilon or in rho, not in both.",
    "member-not-wanted": "The statistic “{statistic}” does not use this; remove it.",
    "has-wanted": "Choose the property that the share is of.",
    "quantiles-wanted": "Enter the quantiles, for example 0.25 and 0.75.",
    "quantile-out-of-range": "A quantile is a number between 0 and 1, for example 0.25.",
    "quantile-too-fine": "A quantile has at most three decimals.",
    "candidates-wanted": "List the candidate values to choose from.",
    "candidates-too-few": "List at least two candidates.",
    "candidate-not-on-grid": "{value} is not a value of “{name}”; candidates lie on its grid, "
    "from the lower to the upper bound in whole steps.",
    "too-many-candidates": "That would be {found} candidates, and {most} is the most; list the "
    "ones that matter, or choose a larger step.",
    "number-twice": "{value} is listed twice; remove one.",
    "values-not-rising": "{value} comes after a larger number; list the values in ascending order.",
    "candidates-too-far-apart": "The lowest and the highest candidate are too far apart for this "
    "step; choose a larger step in Columns, or fewer candidates.",
    "score-wanted": "Choose what makes a cut-off good: its value times the rows that reach it, "
    "or how close these rows come to a target.",
    "score-without-sensitivity": "No sensitivity is declared for the score “{score}”, so it "
    "cannot be used; choose one of these: {choices}.",
    "target-wanted": "Enter how many rows should reach the cut-off.",
    "target-not-wanted": "A value times a count has no target; remove it.",
    "target-out-of-range": "The target must be a whole number of rows, 1 or more.",
    "groups-wanted": "Choose a category or yes/no column whose most common value is wanted, or "
    "list several yes/no columns.",
    "column-and-columns": "Choose one column or list several yes/no columns, not both.",
    "columns-too-few": "List at least two yes/no columns.",
    "column-not-yes-no": "“{name}” is not a yes/no column; remove it from the list.",
    "column-without-groups": "“{name}” has no listed values; choose a category or yes/no column.",
    "choice-of-one": "“{name}” has only one value to choose from; list more in Columns.",
    "grouping-is-choice": "The choice is made among the values of “{name}”; remove it from the "
    "groups.",
    "top-out-of-range": "Choose between 1 and {most} most common values.",
    "edges-missing": "Enter where each bin begins.",
    "edge-not-on-grid": "{value} is not a value of “{name}” above its lower bound; a bin begins "
    "on the column's grid.",
    "bins-of-no-number": "“{name}” is not a number, so it has no bins; group by its own values.",
    "groupings-not-wanted": "This statistic has no groups; remove them.",
    "noise-not-wanted": "This statistic chooses a value and adds no noise to it; leave the noise "
    "on automatic.",
    "delta-wanted": "Enter the delta that this query may spend, such as 1e-10: the chance that a "
    "category of a single person is published.",
    "query-delta-too-large": "The delta of a query must be five in ten million (5e-7) or less, "
    "half of what an account may have.",
    "found-needs-zcdp": "Categories found in the data need an account with a delta, that is, one "
    "in zCDP; give this study's budget in rho.",
    "category-wanted": "Choose the category column whose categories are to be found.",
    "column-not-a-category": "“{name}” is not a category; choose a category column, with or "
    "without declared values.",
    "delta-exceeded": "This costs a delta of {requested}, but only {left} of the delta of the "
    "account “{name}” is left for such queries; lower the queries' deltas.",
    "response-rows-secret": "Randomised response reveals how many rows there are; declare in "
    "People that the number of people is public, or choose a share instead.",
    "response-many-rows": "Randomised response needs one row per person; set rows per person to "
    "1, or choose a share instead.",
    "response-too-many-rows": "Randomised response handles at most {most} rows; choose a share "
    "instead.",
    "response-condition": "In a randomised response every row answers; remove the condition, or "
    "make it part of the property.",
    "response-noise": "Randomised response has its own noise; leave the noise on automatic.",
    "response-drops-rows": "In a randomised response every row answers, but “{name}” leaves some "
    "out; in Columns, count its missing and other cells as a group or replace them.",
    "gaussian-needs-zcdp": "Gaussian noise needs an account that is kept in zCDP; this one is "
    "kept in pure epsilon.",
    # Columns
    "column-nameless": "A column needs the name that it has in the file.",
    "column-twice": "The column “{name}” is declared twice; remove one.",
    "column-is-person": "“{name}” tells people apart and cannot be counted or published; choose "
    "another column.",
    "lower-not-declared": "Set the lowest value that “{name}” can have.",
    "upper-not-declared": "Set the highest value that “{name}” can have.",
    "step-not-declared": "Set the step of “{name}”, such as 1 for whole numbers.",
    "upper-not-above-lower": "The highest value must be above the lowest ({lower}).",
    "upper-not-above-lower+suggestion": "The highest value must be above the lowest ({lower}). "
    "Did you mean {suggestion}?",
    "step-too-long": "A bound may turn out as high as 2 to the power of {bits} steps, and must "
    "then be a number of at most 15 digits; choose a step such as 1, 0.1 or 0.01.",
    "condition-without-bounds": "“{name}” has no bounds yet, so its own values cannot be a "
    "condition; remove the condition.",
    "step-not-positive": "The step must be more than 0.",
    "step-does-not-divide": "The step must divide the range of {range} evenly.",
    "step-does-not-divide+suggestion": "The step must divide the range of {range} evenly. Did you "
    "mean {suggestion}?",
    "grid-too-fine": "The bounds are too wide for this step; choose a larger step or narrower "
    "bounds.",
    "constant-outside-bounds": "The replacement must be a number between lowest and highest.",
    "first-not-declared": "Set the first day that “{name}” can have.",
    "last-not-declared": "Set the last day that “{name}” can have.",
    "days-reversed": "The last day ({last}) must not be before the first ({first}).",
    "pivot-not-declared": "Years have two digits here; enter the year in which their hundred "
    "years begin: with 1925, 25 is 1925 and 24 is 2024.",
    "pivot-out-of-range": "The hundred years must begin between {least} and {most}.",
    "year-out-of-range": "The year must be between {least} and {most}.",
    "period-too-long": "The period is longer than {most} years; bring the first and last day "
    "closer together.",
    "constant-not-a-day": "The replacement must be a date from {first} to {last}, written in the "
    "same format.",
    "constant-not-a-value": "The replacement must be one of the listed values.",
    "values-not-declared": "List at least one value.",
    "value-blank": "A listed value is empty; remove it.",
    "value-twice": "“{value}” is listed twice; remove one.",
    "value-means-missing": "“{value}” is declared as missing and cannot be a value; remove it in "
    "one of the two places.",
    "value-reserved": "“{value}” is a name that dpdesk itself uses; choose another.",
    "labels-count-differs": "Values and labels differ in number ({values} and {labels}); give each "
    "value one label, or none of them.",
    "label-blank": "A label is empty; enter the name of its value.",
    "label-twice": "Two values have the label “{label}”; give each a label of its own.",
    "label-is-other-value": "The label “{label}” is also another value of the list, so a cell "
    "could mean either; choose another label.",
    "label-means-missing": "“{label}” is declared as missing and cannot be a label; change it in "
    "one of the two places.",
    "label-reserved": "“{label}” is a name that dpdesk itself uses; choose another label.",
    # Queries
    "no-queries": "Add a query first.",
    "query-twice": "Two queries are called “{name}”; rename one.",
    "column-undeclared": "“{name}” is not described in Columns; describe it there first.",
    "column-wanted": "Choose the column for this statistic.",
    "column-not-wanted": "A count has no column; remove it, or use it as a group or a condition.",
    "column-not-a-number": "“{name}” is not a number column; choose a number column.",
    "grouping-by-number": "“{name}” is a number: enter where its bins begin, or choose a "
    "category or yes/no column.",
    "grouping-by-date": "“{name}” is a date: choose whether to group by its year, quarter, month "
    "or weekday.",
    "period-of-no-date": "“{name}” is not a date, so it has no periods; choose a date column, or "
    "remove the period.",
    "grouping-twice": "The same column is used for grouping twice; remove one.",
    "too-many-groupings": "A query has at most {most} grouping columns; remove one.",
    "too-many-cells": "This makes {cells} figures, but one query may have at most {most}; use "
    "fewer groups.",
    "condition-unknown-value": "“{value}” is not a listed value of “{name}”; list it in Columns or "
    "remove it here.",
    "condition-empty": "Choose at least one value for the condition.",
    "condition-wants-category": "“{name}” is a number; enter between which values it lies.",
    "condition-wants-number": "“{name}” is not a number; choose from its values.",
    "condition-wants-days": "“{name}” is a date; enter between which dates it lies.",
    "condition-wants-date": "“{name}” is not a date; choose from its values.",
    "between-reversed": "The first value must not be above the second.",
    "expected-out-of-range": "The expected size must be a whole number of 1 or more.",
    # The data file
    "data-file-missing": "The data file is missing; check its name and folder.",
    "data-on-network": "The data file is on another computer, to which dpdesk has not connected "
    "yet; agree to connect in Data.",
    "data-file-unreadable": "The data file cannot be read; check its permissions, or close the "
    "program that has it open.",
    "data-file-empty": "The data file is empty; choose a file with a header.",
    "data-header-name-too-long": "The name of a column is longer than {most} characters; check the "
    "encoding, the separator and the row of names in Data.",
    "data-header-too-wide": "The data file has more than {most} columns, or names of more than "
    "{text} characters together; save the columns that the queries need as a file of their own.",
    "data-header-open": "A quotation mark in the header is not closed on its line; declare that "
    "cells contain line breaks, or fix the header.",
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
    "data-file-compressed": "The data file is compressed in a way that dpdesk does not read, or "
    "does not contain text; unpack it and choose what comes out.",
    "data-file-several": "The compressed file contains more than one file, or extra bytes before "
    "or after it; unpack it and choose the table.",
    "data-file-unpacks-large": "The compressed file unpacks to far more than any table; unpack "
    "it and check what it is.",
    "data-file-picture": "The data file is a picture; ask for the table itself, as CSV or a "
    "workbook.",
    "data-file-database": "The data file is a database; save one of its tables as CSV.",
    "data-file-r": "The data file is in R's own format; save the table from R with write.csv().",
    "data-file-columnar": "The data file is a scientific container (such as HDF5, Arrow or "
    "MATLAB); save its table as Parquet or CSV.",
    "data-file-damaged": "The data file is damaged; save it again in the program that wrote it, "
    "or save it there as CSV.",
    "data-file-wrong-format": "The data file is not of the chosen kind; choose its kind in Data.",
    "data-file-locked": "The data file is protected by a password; save it without one.",
    "data-file-too-large": "The workbook unpacks to more than dpdesk opens; save its sheet as CSV.",
    "data-file-too-wide": "A cell of the workbook lies far below its table or to the right of it; "
    "delete the empty-looking rows and columns there, or save the sheet as CSV.",
    "data-file-catalogue": "These are the value labels of a SAS file; choose the SAS file itself.",
    "data-file-encoding": "Some text in the data file is not in the encoding that the file names "
    "or that was chosen; choose its encoding in Data.",
    "sheet-absent": "The workbook has no sheet “{name}”; choose one that it has: {sheets}.",
    "header-row-absent": "The sheet ends above the row that names the columns; choose another row.",
    "column-not-flat": "Every cell of “{name}” contains a list or a record; dpdesk reads one "
    "value per cell. Remove its declaration.",
    "data-column-absent": "The data file has no column “{name}”; check its spelling or remove "
    "its declaration. The header that was read: {header}.",
    "data-header-duplicate": "The data file has duplicate columns “{name}”; choose one by its "
    "position, as in “{name} (column 7)”, or rename one in the file.",
    "people-count-differs": "The number of people in the file is not the public number declared; "
    "check the declaration or the file.",
    "data-known-elsewhere": "This data is about people of the account “{known}”; use that "
    "account, or give the reason why these are other people (in the shell: --separate-from "
    "{known} REASON).",
    "extract-not-declared": "Enter in Data which extract this is, such as “stays.csv, "
    "2026-11-22” (in the shell: --extract NAME). The name stays on this computer.",
    "extract-of-other-file": "This is not the study’s file; name its extract with --extract NAME.",
    "extract-used": "This extract was used on {day}; confirm whether this is the same file. In "
    "the shell, add --same-extract if it is, and --extract NAME with another name if it is not.",
    "extract-used-bytes-same": "This extract was used on {day}, and the file’s bytes are the "
    "same; add --same-extract. If the data differs nevertheless, name it with --extract NAME.",
    "extract-used-bytes-differ": "This extract was used on {day}, and the file’s bytes differ "
    "now; if the data has changed, name it with --extract NAME. Only if the same data was saved "
    "again, add --same-extract.",
    "extract-used-bytes-unknown": "This extract was used on {day}, and whether the file’s bytes "
    "are still the same is not known; add --same-extract if it is the same file. If it is not, "
    "name it with --extract NAME.",
    "rows-not-acknowledged": "If each row is about one visit or person nevertheless, add "
    "--rows-are-people.",
    # Budget
    "plan-over-study-limit": "The queries cost {planned}, {over} more than the {limit} that this "
    "study may spend; lower their shares.",
    "release-too-many-lines": "The tables of this release would have {found} lines, counting "
    "those of variances, standard deviations and distributions twice; at most {most} can be "
    "verified. Release it in parts.",
    "release-too-many-candidates": "This release would choose from {found} candidates; at most "
    "{most} can be verified. Declare fewer candidates, or release it in parts.",
    "release-too-many-bins": "The distributions of this release would have {found} bins; at most "
    "{most} can be verified. Release it in parts.",
    "release-too-many-answers": "The randomised responses of this release would draw {found} "
    "separate answers; at most {most} can be drawn. Release it in parts.",
    "release-names-too-long": "The names of groups in the tables of this release would take more "
    "than {most} bytes; shorten them, or release it in parts.",
    "release-study-too-large": "The study with its lists of values takes more than {most} bytes; "
    "remove columns and values that no query uses, or release it in parts.",
    "account-unknown": "There is no budget account “{name}” in this ledger; open it with: dpdesk "
    "account new {name} EPSILON",
    "account-exists": "There is already a budget account “{name}”; choose another name.",
    "budget-exceeded": "This costs {requested}, but only {left} is left in the account “{name}”; "
    "{short} is missing.",
    "raise-not-upwards": "The account “{name}” already has {total}; a total can only be raised.",
    "reason-missing": "Give a reason; it stays in the ledger permanently.",
    "amount-comma": "Write the amount with a point, such as 0.25.",
    "amount-malformed": "Write the amount as a plain number such as 0.25.",
    "account-measure-differs": "The account “{name}” is kept in {measure}, and this is an amount "
    "of {other}; the two cannot be added, so choose an account in {other}.",
    "rho-unreachable": "At this delta not even a rho of 0.000000001 stays within this epsilon; "
    "choose a larger epsilon.",
    "delta-malformed": "Write the delta as a number such as 1e-9.",
    "delta-not-positive": "An account in zCDP needs a delta above 0, such as 1e-9.",
    "delta-too-fine": "A delta is a multiple of 1e-18, at least two of them.",
    "delta-too-large": "The delta must be one in a million (1e-6) or less: with that chance, the "
    "protection of a person can fail entirely.",
    "delta-without-rho": "An account in pure epsilon has no delta; open one in zCDP for that.",
    "group-size-out-of-range": "A group has 1 to {most} people; choose a number in this range.",
    # Fitting shares
    "fit-nothing": "State what the shares are fitted to: --within QUERY=MARGIN, or --total with "
    "an amount to spread.",
    "fit-without-total": "Weights and locks spread a total; give it with --total.",
    "fit-pair-malformed": "Write “{text}” as QUERY=NUMBER with a number above 0, such as stays=10.",
    "fit-twice": "“{name}” is named twice; name it once.",
    "fit-query-unknown": "The study has no query “{name}”; it has {known}.",
    "fit-no-expected": "“{name}” divides by the size of a group; set the size that you expect, "
    "so that its margin is known before the release.",
    "fit-no-margin": "“{name}” has no margin that is known before the release; leave it out.",
    "fit-margin-out-of-reach": "“{name}” cannot be within {margin}: with a budget of {most} its "
    "margin is still {best}; choose a wider margin.",
    "fit-over-limit": "The total cost would be {planned}, {over} more than the {limit} that this "
    "study may spend; choose wider margins.",
    "fit-total-over-limit": "{total} is more than the {limit} that this study may spend; spread "
    "less.",
    "fit-total-too-small": "{total} is too little to spread: locked queries have {locked}, and "
    "the others need at least {least}.",
    "fit-all-locked": "Every query is locked, with {locked} in total, so none of {total} can be "
    "spread; lock fewer.",
    "fit-locked-asked": "“{name}” is locked and has a weight; remove one of them.",
    "fit-locked-not-set": "“{name}” is locked, but has no share yet; set its share first.",
    # The ledger
    "home-open": "Everybody on this computer can write into {name}, where budgets and keys are "
    "kept; take that right away from others (chmod o-w).",
    "home-unwritable": "dpdesk cannot write to its folder {name}; check its permissions, or "
    "choose another with DPDESK_HOME.",
    "ledger-unwritable": "The ledger cannot be written, so nothing was spent; check the disk and "
    "the permissions of its folder.",
    "ledger-unconfirmed": "The disk failed while the ledger was written: the release may be paid "
    "for. Nothing of it is shown; History and the same command show it for free if it is.",
    "ledger-busy": "Another program is using the ledger, so nothing was spent; try again.",
    "ledger-damaged": "The ledger is damaged ({what}); restore it from a backup and reconcile it.",
    "ledger-too-new": "The ledger was written by a newer dpdesk (format {found}); update this one.",
    "ledger-network-path": "The ledger lies on a network drive, where it is not safe; move "
    "DPDESK_HOME to a local disk.",
    "ledger-rolled-back": "An older copy of the ledger is in use, so nothing can be spent from "
    "{accounts}; run: dpdesk ledger reconcile --reason “…”",
    "ledger-not-rolled-back": "The ledger is up to date; there is nothing to reconcile.",
    "account-recovery": "What was spent from the account “{name}” is not certain: it was restored "
    "from a backup or rebuilt. A person opens it with a reason: dpdesk ledger unlock {name} "
    "--reason “…”",
    "account-moved": "The account “{name}” was moved to another computer; release there. If that "
    "computer is lost, a person opens it here: dpdesk ledger unlock {name} --reason “…”",
    "account-not-locked": "The account “{name}” is not locked.",
    "move-code-wrong": "This is not the code that the new computer shows; type its 16 characters "
    "again.",
    "move-to-itself": "This code is this computer's own; type the code that the new computer "
    "shows.",
    "ledger-moved": "The ledger was already moved to another computer; only that one goes on "
    "with it.",
    "series-count-wrong": "A series has 1 to {most} instalments.",
    "series-month-wrong": "Write the month of the first instalment as 2026-12.",
    "series-costs-nothing": "The study asks nothing that costs, so there is nothing to reserve.",
    "series-exists": "The account has a series “{name}” already, maybe an ended one; choose "
    "another name.",
    "series-exceeds-budget": "The whole series needs {requested}, but only {left} is neither spent "
    "nor reserved in the account “{name}”; {short} is missing.",
    "series-exceeds-delta": "The whole series needs more of the delta of the account “{name}” than "
    "is neither spent nor reserved.",
    "series-unknown": "The account “{account}” has no series “{name}”.",
    "series-finished": "The series “{name}” of the account “{account}” has no instalments left.",
    "series-plan-differs": "The study asks something else, or at another price, than the series "
    "“{name}” reserved; release it by itself, or end the series and begin another.",
    "release-unknown": "Entry {sequence} of the ledger is no release.",
    "release-withdrawn": "This release was already withdrawn; dpdesk ledger notice {sequence} FILE "
    "writes its notice again.",
    "correction-not-later": "A correction names a later release of the same account.",
    "notice-entry-unknown": "Entry {sequence} of the ledger is no withdrawal or correction.",
    "notice-exists": "{name} exists already; choose another name for the notice.",
    "notice-unwritable": "The notice {name} cannot be written; the entry is in the ledger, and "
    "dpdesk ledger notice writes it for free.",
    "notice-unreadable": "The notice {name} cannot be read; check its name and permissions.",
    "notice-altered": "{name} was changed after it was signed, so it says nothing.",
    "notice-malformed": "{name} is no notice of dpdesk.",
    "notice-bundle-unsound": "The notice cannot be held against this bundle, because the bundle "
    "is not whole or does not say which release it is.",
    "notice-other-release": "The notice is about another release than this bundle's.",
    "notice-stranger": "The notice is signed by {identity} with the key {fingerprint}, which is "
    "neither the bundle's key nor one that followed it, so it does not count.",
    "import-not-own": "{name} is not signed by this computer's own key or one before it, so it "
    "does not count.",
    "import-not-whole": "{name} is no whole bundle or its claim does not add up, so it does not "
    "count.",
    "import-other-chain": "{name} cannot be linked to this ledger, so it does not count; import it "
    "together with the bundles before it.",
    "ledger-synced": "Ledger and keys lie in a folder that {name} synchronises: a second computer "
    "would spend the same budget from its own copy. Move them to a folder that stays on this "
    "computer, by DPDESK_HOME.",
    "data-synced": "The data lies in a folder that {name} synchronises, so patients' rows leave "
    "this computer; move it to a folder that stays here.",
    "ledger-anchor-missing": "The second record of the ledger was missing and was written again. "
    "An older copy of the ledger may have come into use unnoticed; every account and its next "
    "bundles say so.",
    "ledger-anchor-damaged": "The second record of the ledger was damaged and was written again. "
    "An older copy of the ledger may have come into use unnoticed; every account and its next "
    "bundles say so.",
    "ledger-anchor-unwritable": "The second record of the ledger cannot be written, so an older "
    "copy of the ledger would go unnoticed; make its folder writable.",
    "backup-no-ledger": "There is no ledger yet, so there is nothing to back up.",
    "backup-at-home": "A backup in dpdesk's own folder would be lost with it; choose another "
    "folder, best on another disk.",
    "backup-empty": "The backup's ledger has no entries, so there is nothing to restore.",
    "backup-unwritable": "The backup {name} cannot be written; check the disk and the permissions "
    "of its folder.",
    "backup-unreadable": "The backup {name} cannot be read; check its name and permissions.",
    "backup-damaged": "{name} is no backup of a ledger or is damaged, so nothing was restored; "
    "use another backup.",
    "backup-too-large": "The ledger is too large for a backup in one file; copy dpdesk's folder "
    "while no dpdesk is open.",
    "backup-key-open": "The signing key has no passphrase, so it is not put into a backup; back "
    "up without it.",
    "backup-other-ledger": "The backup is of another ledger than this computer's, so nothing was "
    "restored.",
    "backup-behind": "This computer knows entries of {accounts} that the backup lacks, so nothing "
    "was restored: what was spent stays spent.",
    "backup-not-newer": "The ledger already holds every entry of the backup.",
    "export-exists": "{name} exists already; choose another name for the export.",
    "export-unwritable": "The export {name} cannot be written; check the disk and the permissions "
    "of its folder.",
    "ledger-clock-back": "The computer's clock went back before entry {sequence}.",
    "entry-too-new": "Entry {sequence} was written by a newer dpdesk; update this one.",
    "entry-unknown": "The ledger has no entry {sequence}.",
    "sqlite-too-old": "The SQLite of this Python ({found}) is too old for the ledger; update "
    "Python.",
    # Keys and signers
    "key-missing": "There is no signing key yet; make one with: dpdesk key new --name NAME",
    "key-exists": "There is already a signing key; it is not overwritten.",
    "key-damaged": "The signing key's file is damaged; restore it from a backup.",
    "key-busy": "Another program is changing the signing key; try again.",
    "key-unwritable": "The signing key cannot be written; check the permissions of its folder.",
    "key-wrong-passphrase": "The passphrase is wrong, so nothing was spent; type it again.",
    "key-not-openssh": "This is not a private key in OpenSSH's format; choose a file that "
    "ssh-keygen -t ed25519 makes.",
    "key-type-unsupported": "The key is of the type {kind}; dpdesk signs with ssh-ed25519 keys "
    "only.",
    "key-notice-unwritable": "The notice cannot be written there; choose a new file's name with "
    "--out.",
    "key-notice-wrong": "This is not a notice of a new key with its signature beside it, or one "
    "of them was changed; ask the signer for both.",
    "key-notice-unknown": "The notice is not signed by the latest key that is known of {identity}; "
    "ask them for the line of their new key.",
    "key-revoked": "The key of {identity} is revoked since {since} ({reason}), so it signs "
    "nothing; make or ask for a new one.",
    "revocation-wrong": "This is not a revocation with its signature beside it, or one of them was "
    "changed; ask the signer for both.",
    "revocation-unknown": "The revocation is not signed by a known key of {identity}, or by one "
    "that came after it; ask them.",
    "revocation-day": "The day is written as 2026-11-22.",
    "paper-lines": "A key on paper has {wanted} lines of words, and {given} were typed; type all "
    "of them.",
    "paper-line-length": "Line {line} has {given} words instead of 5; type it again.",
    "paper-word-unknown": "Word {place} of line {line} is no word of the list; compare it with "
    "the page.",
    "paper-line-wrong": "Line {line} is not as it was printed: one of its words is another, or "
    "two changed places; compare it with the page.",
    "paper-words-wrong": "Each line is right, but they do not belong together; compare them all "
    "with the page.",
    "page-form": "{name} ends neither with .pdf nor with .html; name the page so.",
    # A second person
    "second-person-required": "The account “{account}” requires {name} already; write the change "
    "to a file with --to, for them to sign.",
    "second-person-missing": "The account “{account}” requires no second person, so there is "
    "nothing to change; require one with --signer FILE.",
    "second-person-unclear": "Name the second person with --signer FILE, a file with their line.",
    "second-person-change-needed": "The present second person of “{account}” has to sign this; "
    "write it to a file with --to.",
    "second-person-self": "{name} is the signer's own name or key; the second person is somebody "
    "else.",
    "second-persons-damaged": "The record of second persons beside the ledger's heads is damaged; "
    "restore it from a backup of that folder, or ask support.",
    "change-malformed": "This is not a change of a second person as dpdesk writes it.",
    "change-not-of-now": "The change does not belong to the account “{account}” as it is now; "
    "write a new one.",
    "countersignature-missing": "This account requires the signature of {name} over the plan; "
    "write the plan with --to and release it with --countersignature. Nothing was spent.",
    "countersignature-wrong": "The signature is not that of {name} over this file; ask them for "
    "it again. Nothing was spent.",
    "countersigner-other": "{name} is to sign this, with another key than yours.",
    "countersign-needs-nobody": "This bundle needs no signature besides those that it has.",
    "countersign-signature-of-bundle": "A signature is put into a bundle alone; of a plan, give it "
    "back as it is.",
    "plan-needs-nobody": "The account “{account}” does not require a second person's signature "
    "over plans.",
    "plan-malformed": "This is not a plan as dpdesk writes it.",
    "plan-differs": "This version makes another plan of the same study: the file was changed, or "
    "another version wrote it; ask for a new one.",
    "plan-not-as-signed": "The study is not the one whose plan was signed, so nothing was spent; "
    "release it as it was, or have the new plan signed.",
    "plan-used": "This plan was released before (ledger entry {entry}), so it is not drawn again; "
    "have a new plan signed.",
    "plan-used-lost": "This plan was released before, by an entry that an older copy of the ledger "
    "lacks; have a new plan signed.",
    "handed-unreadable": "{name} cannot be read; check its name, and that its signature lies "
    "beside it.",
    "handed-exists": "{name} exists already; it is not overwritten.",
    "handed-unwritable": "{name} cannot be written; check the disk and the permissions of its "
    "folder.",
    "identity-malformed": "A signer's name consists of letters, digits and . _ + @ - only, such "
    "as data-office@hospital.example.",
    "passphrase-too-short": "The passphrase needs at least {least} characters.",
    "passphrase-too-long": "The passphrase may have at most {most} bytes.",
    "passphrase-file-unreadable": "The passphrase's file cannot be read; check its name and "
    "permissions, and that it is a file.",
    "signers-unreadable": "The file of signers {name} cannot be read; check its name and that it "
    "is a file of plain text.",
    "signers-unwritable": "The file of signers {name} cannot be written; check its permissions.",
    "signer-malformed": "Line {line} is not an allowed_signers line with an ssh-ed25519 key.",
    "signer-key-weak": "The key in line {line} is insecure and is not accepted.",
    "signer-changed": "{identity} is known with another key ({known}); ask them which one is "
    "valid.",
    # Bundles
    "bundle-missing": "There is no bundle {name}; check the name and the folder.",
    "bundle-unreadable": "The bundle {name} cannot be read; check its permissions, and that it "
    "is a file.",
    "bundle-unwritable": "The bundle {name} cannot be written there; choose another folder.",
    "bundle-no-room": "There is no room for the bundle {name}, so nothing was spent: up to "
    "{megabytes} MB are needed; free some room or choose another disk.",
    "release-unwritten": "The release is paid and kept in the ledger: {paid} of account "
    "“{account}”, {left} left of {total}. The same command writes its bundle for free, elsewhere "
    "with --out.",
    "output-unwritable": "The release is paid and its bundle is {name}, but what this command says "
    "cannot be written; the same command says it again for free.",
    "made-up-rows": "A rehearsal makes up {least} to {most} rows.",
    "made-up-over-other": "{name} is there and is no rehearsal; choose another name.",
    "bundle-made-up": "Made up, not a release: this is a rehearsal on made-up rows. It says "
    "nothing about any data, and nobody signed it.",
    "bundle-not-a-bundle": "This is not a bundle as dpdesk writes it, or it was changed.",
    "bundle-too-large": "This is too large for a bundle.",
    "bundle-file-odd": "The bundle contains a file that does not belong in a bundle.",
    "bundle-file-too-large": "The file {name} is larger than any in a bundle.",
    "bundle-file-missing": "The file {name} is missing from the bundle.",
    "bundle-file-unlisted": "The file {name} was added to the bundle after it was signed.",
    "bundle-file-changed": "The file {name} was changed after it was signed.",
    "bundle-drawn-odd": "The manifest does not record what was drawn for its queries; dpdesk did "
    "not write this bundle in its present form.",
    "bundle-active-content": "The file {name} holds more than text and drawings, which a browser "
    "or spreadsheet might run; do not open it.",
    "bundle-file-not-as-drawn": "{name} does not follow from the numbers that were drawn; ask "
    "the sender for a new bundle.",
    "bundle-table-odd": "The table {name} does not have the rows that its query requests.",
    # The privacy claim of a bundle
    "claim-format-unknown": "The privacy claim is of a format that this dpdesk does not know; "
    "update it.",
    "claim-word-unknown": "The manifest has a word at {place} that this dpdesk does not know; "
    "update it.",
    "claim-member-missing": "The manifest lacks {place}, which dpdesk always writes.",
    "claim-member-unknown": "The manifest has a member in {place} that dpdesk never writes.",
    "claim-malformed": "The manifest's {place} is not as dpdesk writes it.",
    "claim-list-too-long": "The manifest's list {place} has more than {most} items, which no "
    "release has.",
    "claim-drawn-malformed": "The manifest does not record what was drawn for {query} as dpdesk "
    "writes it.",
    "claim-not-of-format": "Format {format} cannot hold {query}; ask the signer for a bundle as "
    "dpdesk writes it.",
    "claim-format-differs": "The bundle is in format {format}, which dpdesk {version} never "
    "wrote; ask the signer for a bundle as dpdesk writes it.",
    "claim-noise-impossible": "The noise stated for {query} ({part}) cannot be drawn: its scale "
    "or sensitivity is out of range.",
    "claim-loss-differs": "The loss stated for {query} ({part}) is {claimed}, but its sensitivity "
    "and scale give {computed}.",
    "claim-loss-over-share": "The loss of {query} ({part}) is {computed}, more than the {share} "
    "that was charged for it.",
    "claim-shares-differ": "The parts of {query} add up to {computed}, not to its share {claimed}.",
    "claim-total-differs": "The queries add up to {computed}, not to the stated total {claimed}.",
    "claim-rho-differs": "A release in zCDP states its rho, one in pure epsilon states none; this "
    "one does otherwise.",
    "claim-measure-differs": "The claim and the account are not in the same measure.",
    "claim-delta-not-of-account": "The claim states the delta {claimed}, but its account has "
    "{account}.",
    "claim-delta-in-epsilon": "The release is in pure epsilon, which has no delta, and states one.",
    "claim-delta-impossible": "No account in zCDP can have a delta of {delta}.",
    "claim-meaning-differs": "The epsilon stated for the release is {claimed}, but {computed} "
    "follows from its rho and delta.",
    "claim-study-unreadable": "The study in the manifest is not one that dpdesk reads.",
    "claim-study-not-priced": "The study in the manifest cannot be released: no plan follows from "
    "it.",
    "claim-study-local": "The manifest reveals details of the signer's file that no bundle "
    "contains ({members}); notify the signer, and ask for a bundle as dpdesk writes it.",
    "claim-unit-differs": "The claim is for another unit of privacy than its study declares.",
    "claim-account-name-differs": "The account is not the one that the study names.",
    "claim-limit-missing": "The study sets no limit in {measure}, in which the release is counted.",
    "claim-over-study-limit": "The release costs {claimed}, more than the {limit} that its study "
    "may spend.",
    "claim-queries-differ": "The queries that were answered are not those of the study.",
    "claim-query-repeated": "The query {query} was answered more than once.",
    "claim-question-differs": "What was answered as {query} is not what the study requests.",
    "claim-price-differs": "The share of {query} is not the one that its study declares.",
    "claim-title-differs": "The title of the query “{query}” is not what its study requests.",
    "claim-name-differs": "The table of the query “{query}” is not named after its title.",
    "claim-cells-differ": "The number of lines stated for {query} is not what its study gives.",
    "claim-draws-differ": "The draws stated for {query} are not those that its study calls for.",
    "claim-mechanism-differs": "The noise of {query} ({part}) is not of the kind that its study "
    "calls for.",
    "claim-sensitivity-too-small": "The noise of {query} covers a change of {claimed}, but one "
    "person can change it by {computed}.",
    "claim-margin-differs": "The margin stated for {query} is not what its noise gives.",
    "claim-threshold-too-small": "The threshold of {query} ({part}) is {claimed}, below the "
    "{computed} that its delta needs.",
    "claim-query-delta-differs": "The delta of {query} is not the one that its study declares.",
    "claim-chain-differs": "The release is said to be entry {sequence} of its ledger, before "
    "which no account was opened.",
    "claim-spent-after-differs": "The account is said to have spent {claimed} afterwards; with "
    "what was charged it is {computed}.",
    "claim-account-overspent": "The account has spent {spent}, more than its total of {total}.",
    "claim-charges-differ": "The account's charges add up to {claimed}, but {computed} was spent.",
    "claim-charges-unordered": "The account's charges are out of order, or of entries after this "
    "one.",
    "claim-charge-here-differs": "The account's charge for this release is {claimed}, but its "
    "queries were charged {computed}.",
    "claim-charge-not-share": "{query} was charged an amount other than its share.",
    "claim-stored-charged": "{query} was answered from an earlier release and charged again.",
    "claim-drawn-elsewhere": "{query} is said to be drawn in an entry that cannot have drawn it.",
    "claim-drawn-times-differ": "Answers from one earlier release are said to be of different "
    "times.",
    "claim-question-paid-twice": "{query} repeats a question of this release and was charged "
    "again.",
    "claim-question-drawn-twice": "{query} repeats a question of this release and was drawn in "
    "another entry.",
    "claim-draw-unpaid": "{query} was drawn in this release, and no query paid for it.",
    "claim-earlier-unpaid": "The answers from entry {sequence} cost more than that entry was "
    "charged.",
    "claim-earlier-delta-unpaid": "The answers from entry {sequence} cost more delta than that "
    "entry was charged.",
    "claim-delta-charge-differs": "{query} was charged a delta other than what it costs.",
    "claim-delta-after-differs": "The delta spent before and after does not match what was "
    "charged.",
    "claim-delta-charges-differ": "The account's charges of delta do not add up to what was spent "
    "of it.",
    "claim-delta-here-differs": "The account's charge of delta for this release is not what its "
    "queries were charged.",
    "claim-delta-overspent": "The account has spent more than the half of its delta that releases "
    "may charge.",
    "bundle-list-odd": "The bundle's list of files is invalid.",
    "bundle-signer-differs": "The bundle names a signer other than the one whose key signed it.",
    "bundle-plan-unsigned": "The account requires the signature of {name} over the plan, and this "
    "plan does not have it.",
    "bundle-second-missing": "The account requires a second signature, of {name}, and this bundle "
    "does not have it yet.",
    "bundle-second-wrong": "The second signature is not that of {name} over this bundle's "
    "manifest.",
    "bundle-second-self": "The second person, {name}, is the signer: one person signed twice.",
    "manifest-malformed": "The bundle's manifest is not as dpdesk writes it.",
    "signature-malformed": "The bundle's signature is not as dpdesk writes it.",
    "signature-wrong": "The signature does not belong to this bundle's list of files.",
    "signature-key-weak": "The key that signed is insecure and is not accepted.",
    "bundles-fork": "Entries {first} and {second} belong to two histories of one ledger: an "
    "older copy was used again, or two copies were kept; ask the signer.",
    "bundles-missing": "The account “{account}” was also charged by the entries {sequences}, whose "
    "bundles are not here.",
    "figure-malformed": "A figure of the table {table} is not a number.",
    # Codebooks: what refuses one
    "codebook-file-missing": "There is no codebook {name}; check the name and the folder.",
    "codebook-file-unreadable": "The codebook {name} cannot be read; check its permissions, and "
    "that it is a file.",
    "codebook-file-damaged": "The labels of {name} cannot be read; save the file again in the "
    "program that wrote it.",
    "codebook-file-unwritable": "The file {name} cannot be written; choose another folder.",
    "codebook-too-large": "A codebook has at most {most} MB; choose the codebook, not the data.",
    "codebook-too-deep": "This file is nested too deeply for a codebook; choose another file.",
    "codebook-too-many-variables": "A codebook has at most {most} variables; split it.",
    "codebook-unknown": "dpdesk does not recognise this codebook: it reads a REDCap dictionary, "
    "a Table Schema, CSVW metadata, ISARIC ARC, a file of SPSS, Stata or SAS, or a CSV file with "
    "columns such as name, type, min, max, values.",
    "codebook-workbook": "dpdesk reads no codebook from a workbook or an archive; save its sheet "
    "as CSV and choose that.",
    "codebook-catalogue": "These are the value labels of another SAS file; choose that file as "
    "codebook and this one as its catalogue.",
    "codebook-table-malformed": "The codebook's table is broken here; fix the quotation marks in "
    "this line or before it.",
    "codebook-name-missing": "A variable has no name here; enter it.",
    "codebook-name-odd": "The variable's name is invalid: it contains invisible characters or is "
    "too long; fix it.",
    "codebook-name-twice": "This variable is a duplicate in the codebook; remove one.",
    "codebook-says-nothing": "The codebook describes no variable; choose another file.",
    "codebook-elsewhere": "The schema is at another address, which dpdesk does not fetch; choose "
    "the file that contains it.",
    "codebook-tables-several": "The codebook describes several tables; name one of: {names}.",
    "codebook-not-named": "Name the codebook to compare with, or only the file for --write.",
    "codebook-not-offered": "The codebook offers nothing for “{name}”; leave it out.",
    "codebook-name-unknown": "The codebook has no variable “{name}”; check its spelling.",
    "codebook-study-changed": "The declaration of “{name}” has changed since the comparison; "
    "compare again.",
    "codebook-too-many-columns": "A study has at most {most} columns; import those that you "
    "need, by name.",
    # Codebooks: what cannot be carried over
    "codebook-record-id": "This identifies the record and is nothing to count; choose it in "
    "People if it tells people apart.",
    "codebook-type-unsaid": "The codebook does not say what this holds; declare its kind.",
    "codebook-type-unused": "No column of a study holds values of this type.",
    "codebook-free-text": "This is free text, which no statistic counts.",
    "codebook-attachment": "This is an attached file, which no statistic counts.",
    "codebook-not-data": "This is a text of the form and does not occur in the data.",
    "codebook-time": "No column of a study holds times of day; export the day alone.",
    "codebook-several-choices": "A cell may hold several values; export one column for each.",
    "codebook-calculated": "This is calculated from other variables; declare bounds for it.",
    "codebook-values-unsaid": "The codebook lists no values; declare them.",
    "codebook-values-elsewhere": "The values are in a list outside the codebook; declare them.",
    "codebook-values-odd": "The codebook's list of values is invalid; declare them.",
    "codebook-values-beside-numbers": "Some numbers have a meaning of their own; declare those "
    "that mean missing.",
    "codebook-yes-unsaid": "The codebook does not say which texts mean yes and no; declare them.",
    "codebook-labels-left-out": "A single value has a label, which was left out; declare the "
    "value as missing if that is its meaning.",
    "codebook-missing-range": "A whole range of values means missing; declare the values one by "
    "one.",
    "codebook-today": "The codebook's last date is today, which changes; declare a date.",
    "codebook-bound-odd": "A bound or step of the codebook is not a valid number or date; "
    "declare it.",
    "codebook-bound-exclusive": "The codebook gives a bound that is itself excluded; declare the "
    "nearest value inside.",
    "codebook-number-ambiguous": "A number of the codebook can be read in thousands or with "
    "decimals; declare it.",
    "codebook-number-format": "The codebook states how numbers are written; check the decimal "
    "mark of the data.",
    "codebook-date-format": "dpdesk does not read the codebook's date format; declare one.",
    # The program itself
    "screen-missing": "There is no screen for the window; start dpdesk in a desktop session. The "
    "commands of dpdesk --help need none.",
    "installation-no-list": "There is no list of installed files: dpdesk runs from its source, or "
    "the list was removed.",
    "noise-library-altered": "The noise library is not the one that was installed; install dpdesk "
    "again.",
    "installation-list-invalid": "Line {line} of installed-files.sha256 is damaged; install dpdesk "
    "again.",
    # Passphrases and faults
    "passphrase-not-asked": "There is no terminal to ask for the passphrase; name a file that "
    "contains it in {variable}.",
    "passphrases-differ": "The two passphrases differ; type them again.",
    "internal-fault": "dpdesk made a mistake ({kind}), recorded in faults.log; the account shows "
    "whether anything was spent.",
}
_SUGGESTING = "+suggestion"
"""Ends the code of a sentence that offers what would be right."""


def sentence(problem: Problem, catalogue: Catalogue | None = None) -> str:
    """The sentence for a problem, in a language: where none is named, in that of the commands."""
    catalogue = catalogue or spoken()
    suggesting = problem.code + _SUGGESTING
    offers = "suggestion" in problem.params and suggesting in SENTENCES
    template = SENTENCES[suggesting if offers else problem.code]
    return catalogue.say(template, **localised(problem.params, catalogue))


def located(problem: Problem, catalogue: Catalogue | None = None) -> str:
    """The sentence with its JSON path in front."""
    where = "" if problem.path == "$" else f"{problem.path}: "
    return where + sentence(problem, catalogue)
