# SPDX-License-Identifier: Apache-2.0
"""What is wrong with what a study declares."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
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
    "sheet-not-chosen": "Choose the sheet of the workbook that contains the table.",
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
    "row-names-without-header": "Row names need a header, but the file names no columns (0); "
    "change one of the two.",
    "fill-down-without-person": "Blank ids take the person of the row above, but there is no "
    "person ID column; choose it in People, or leave blank ids as they are.",
    "fill-down-of-one-person": "Rows without an id are declared to be one person, and blank ids to "
    "take the person of the row above; change one of the two.",
    "decimal-is-separator": "Decimal mark and separator are the same, and quotation marks enclose "
    "no cells; change one of the three.",
    "unit-not-declared": "Choose in People whose privacy is protected.",
    "max-rows-out-of-range": "The row limit per person must be between 1 and {most}.",
    "max-rows-without-person": "Without a person ID column every row is one person; set the row "
    "limit per person to 1, or choose the column.",
    "people-not-declared": "Enter the public number of people in the data.",
    "people-out-of-range": "The number of people must be a whole number of 1 or more.",
    "people-declared-but-secret": "The number of people is secret here; remove it, or declare it "
    "as public.",
    "unit-name-wanted": "Enter both the singular and the plural, such as admission and "
    "admissions, or neither.",
    "account-not-chosen": "Choose the account from which this study spends.",
    "budget-not-declared": "Set this study's limit, the most budget that it may spend.",
    "name-malformed": "A name has 1 to {most} characters: small letters from a to z, digits and "
    "hyphens; it begins and ends with a letter or digit.",
    "name-of-device": "Windows reserves the name “{name}” for a device; choose another.",
    # Derived columns
    "step-kind": "How a derived column is made is exactly one of these: {choices}.",
    "type-pair-of-ends": "A time is between two ends, each the name of a date column or a day.",
    "type-pair-of-numbers": "Arithmetic takes two numbers, each the name of a number column or a "
    "constant.",
    "type-operand": "This must be a column's name, a power of a column, or a constant.",
    "step-circle": "This column is made of itself ({chain}); choose other columns.",
    "step-other-kind": "What is made here is of another kind: {kinds}.",
    "step-value-not-declared": "“{value}” can come out but is not in the list of values; add it.",
    "step-without-bounds": "Set the lowest and highest value of “{name}”; bounds of a derived "
    "column cannot be searched for.",
    "step-too-fine": "Bounds and steps have too many digits here for exact arithmetic; choose a "
    "larger step, here or in the columns that this one is made of.",
    "step-wants-date": "“{name}” is not a date; choose a date column.",
    "step-wants-category": "“{name}” has no list of values; choose a category or yes/no column.",
    "step-wants-number": "“{name}” is not a number; choose a number column.",
    "step-wants-time": "Hours need a time of day, which only a date column of the file has, of a "
    "table with several rows per person; choose such a column.",
    "step-day-out-of-range": "The day must be in the years {first} to {last}.",
    "step-of-no-column": "Choose at least one column.",
    "step-without-entries": "Say what becomes of at least one value.",
    "step-entry-empty": "Say what becomes “{value}”.",
    "code-digits-out-of-range": "Codes are filled up to between 0 and {most} digits.",
    "code-range-malformed": "“{code}” is not the beginning of a code or a range of them; write "
    "capital letters and digits, such as I21 or A00-B99.",
    "bands-other-number": "There are {edges} bands and {values} names; each band needs one name.",
    "step-without-conditions": "Add a condition.",
    "step-power": "Only the power 2 is possible.",
    "step-divides-by-zero": "Nothing can be divided by 0; enter another number.",
    "step-wants-two": "Choose at least two columns.",
    "step-mixed-kinds": "“{name}” is of another kind than this column; choose columns of one kind.",
    "step-without-person": "Values of a person need a person ID column; choose it in People.",
    "step-column-wanted": "Choose the column whose value is taken.",
    "step-column-not-wanted": "No column's value is taken here; leave the column out.",
    "step-date-wanted": "Choose the date column that orders the rows of a person.",
    "step-date-not-wanted": "The order of rows changes nothing here; leave the date column out.",
    # Several tables
    "tables-without-person": "Tables meet over the person: choose the person ID column in People.",
    "table-twice": "Another table is called “{name}” too; give each a name of its own.",
    "table-without-person": "Choose the column of “{table}” that tells people apart.",
    "table-undeclared": "There is no table “{name}”; add it in Data, or choose another.",
    "table-of-derived": "A derived column is in the table of the columns that it is made of; leave "
    "the table out.",
    "header-of-derived": "A derived column is not read from a file; leave its header out.",
    "extract-of-table": "One name says which state of the data it is, for all tables together; "
    "leave it out here.",
    "files-of-further-file": "List each file of this table beside its first one.",
    "said-of-first-file": "This is said once for the whole table, of its first file; leave it out "
    "here.",
    "file-without-label": "Give each file of this table a label in Data; the column holds it.",
    "case-not-chosen": "“{table}” meets rows by a case number: choose the case number of the main "
    "table in Data.",
    "case-without-person": "Case numbers are compared within a person: choose the person ID column "
    "in People.",
    "case-of-people": "“{table}” has one row per person and needs no case number; leave it out.",
    "keep-wants-date": "Choose the date column of “{table}” by which the first or last row counts.",
    "keep-by-not-wanted": "The date changes nothing here; leave it out.",
    "keep-by-other": "Rows of “{table}” are put in order by a date column that is read from this "
    "table; choose one.",
    "id-prefix-malformed": "What IDs begin with has at most 20 characters and no blanks.",
    "id-length-out-of-range": "An ID has 1 to {most} characters behind its beginning; the shortest "
    "is not longer than the longest.",
    "id-shape-of-one-person": "Where cells of another shape are no IDs, rows without an ID must be "
    "left out: together they are not one person.",
    "step-two-tables": "This is made of rows of two tables ({tables}); first take one value per "
    "person of the further table, in a column of its own.",
    "step-other-table": "“{name}” takes rows of another table than its columns are of; choose "
    "columns of one table.",
    "step-of-people-table": "“{table}” has one row per person; use its columns directly.",
    "step-case-of-main": "Rows of a case are in a further table; choose which.",
    "step-without-case": "“{table}” has no case number yet; choose it in Data, there and in the "
    "main table.",
    "column-of-table": "“{name}” has many values per person, in “{table}”; make a column of one of "
    "them, such as the first, the mean or the number.",
    "response-tables": "With several tables it is not public how many rows answer; choose another "
    "question.",
    "found-of-table": "“{name}” is of a further table; its values are declared and cannot be "
    "searched for.",
    "people-wants-person-columns": "“{name}” is of rows, but the query is of people; choose a "
    "column that has one value per person.",
    "people-without-person": "A query of people needs a person ID column; choose it in People.",
    "people-of-statistic": "This statistic counts people by itself; let it be of rows.",
    "found-of-derived": "“{name}” is made from others; its values are declared and cannot be "
    "searched for.",
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
    "has-wanted": "Choose the property whose share is wanted, or the event that ends a time.",
    "quantiles-wanted": "Enter the quantiles, for example 0.25 and 0.75.",
    "quantile-out-of-range": "A quantile is a number between 0 and 1, for example 0.25.",
    "quantile-too-fine": "A quantile has at most three decimals.",
    "candidates-wanted": "List the candidate values to choose from.",
    "candidates-too-few": "List at least two candidates.",
    "candidate-not-on-grid": "{value} is not a value of “{name}”; candidates run from the lower "
    "to the upper bound in whole steps.",
    "too-many-candidates": "That would be {count} candidates, more than {most}; list the ones "
    "that matter, or choose a larger step.",
    "number-twice": "“{value}” is listed twice; remove one.",
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
    "model-columns-wanted": "Choose one column or more that explain the outcome.",
    "model-explains-itself": "“{name}” is the outcome; remove it from the columns that explain it.",
    "model-column-kind": "“{name}” is neither a number nor a yes/no column; derive a yes/no column "
    "in Columns for each category that matters, and choose those.",
    "column-without-groups": "“{name}” has no listed values; choose a category or yes/no column.",
    "choice-of-one": "“{name}” has only one value to choose from; list more in Columns.",
    "grouping-is-choice": "The choice is made among the values of “{name}”; remove it from the "
    "groups.",
    "top-out-of-range": "Choose between 1 and {most} most common values.",
    "edges-missing": "Enter where each bin begins.",
    "edge-not-on-grid": "{value} is not a value of “{name}” above its lower bound; bins begin at "
    "whole steps.",
    "bins-of-no-number": "“{name}” is not a number, so it has no bins; group by its own values.",
    "groupings-not-wanted": "This statistic has no groups; remove them.",
    "noise-not-wanted": "This statistic chooses a value and adds no noise to it; leave the noise "
    "on automatic.",
    "population-not-known": "An interval for the population is known for counts, shares and means "
    "only; remove it from this query.",
    "population-no-variance": "The interval for the population of a mean follows from the "
    "variance of the same rows. Add a query for the variance or the standard deviation of the "
    "same column, groups and conditions.",
    "population-several-rows": "An interval for the population takes each row for another person; "
    "here a person may have several. Set the row limit per person to 1, or count people.",
    "population-cells": "{cells} groups are too many for intervals for the population; at most "
    "{most} can have them.",
    "comparison-not-known": "Groups are compared by counts, shares and means, those of a rate by "
    "a model; remove the comparisons of this query.",
    "comparison-without-groups": "A comparison needs groups; choose some, or remove it.",
    "comparison-several-rows": "Groups are compared as groups of different people; here a person "
    "may have several rows. Set the row limit per person to 1, or ask of people.",
    "comparison-public-total": "These two counts add up to a public number, so they are one "
    "figure. Compare shares instead.",
    "comparison-not-a-group": "“{name}” is not among the groups of this query, so its groups "
    "cannot be compared. Add it to the groups, or remove the comparison.",
    "comparison-twice": "This comparison is listed twice; remove one.",
    "comparison-one-group": "There is only one group, and nothing to compare it with.",
    "comparison-reference-wanted": "Choose the group with which the others are compared.",
    "comparison-reference-unknown": "“{group}” is not a group of “{name}”; choose the group with "
    "which the others are compared.",
    "comparison-model-of-what": "A model is of shares, means or rates by groups; choose another "
    "comparison.",
    "comparison-model-too-large": "A model can have at most {most} groups, those of all groupings "
    "together; merge some, or choose another comparison.",
    "comparison-reference-not-wanted": "A trend or a test compares all groups; remove the "
    "reference.",
    "comparison-trend-of-what": "A trend is over three or more bins, years, quarters or months; "
    "choose another comparison.",
    "comparison-test-of-what": "A chi-squared test is of shares by groups, or of counts by two "
    "groupings; choose another comparison.",
    "whole-numbers-not-counts": "Whole numbers, none below zero, are for counts of rows or people; "
    "remove them from this query.",
    "rounding-unknown": "Published counts can be rounded to 5 or to 10; choose one, or none.",
    "group-limit-of-statistic": "This statistic has no limit on a person's rows in one group; "
    "remove it.",
    "group-limit-one-row": "Each person has one row here, so a limit on a person's rows in one "
    "group changes nothing; remove it.",
    "group-limit-without-groups": "A limit on a person's rows in one group needs groups; choose "
    "some, or remove the limit.",
    "group-limit-out-of-range": "A person's rows in one group can be limited to between 1 and "
    "{most}, fewer than the row limit per person.",
    "delta-wanted": "Enter the delta that this query may spend, such as 1e-10: the chance that a "
    "category of a single person is published.",
    "query-delta-too-large": "The delta of a query must be five in ten million (5e-7) or less.",
    "found-needs-zcdp": "Categories found in the data need an account in zCDP, and the study's "
    "budget in rho. In People, press New account… and then Choose how losses add up (zCDP)….",
    "category-wanted": "Choose the category column whose categories are to be found.",
    "column-not-a-category": "“{name}” is not a category; choose a category column, with or "
    "without declared values.",
    "response-rows-secret": "Randomised response reveals how many rows there are; declare in "
    "People that the number of people is public, or choose a share instead.",
    "response-many-rows": "Randomised response needs one row per person; set the row limit per "
    "person to 1, or choose a share instead.",
    "response-too-many-rows": "Randomised response handles at most {most} rows; choose a share "
    "instead.",
    "rows-per-person-without-person": "Rows per person needs a person ID column; choose one in "
    "People, or remove the query.",
    "rows-per-person-condition": "Rows per person counts all rows of each person; remove the "
    "condition.",
    "rate-per-wanted": "Choose of how much exposure the rate tells the events, such as 1,000.",
    "survival-many-rows": "Each person has one time until an event; ask it of people, or set the "
    "row limit per person to 1.",
    "entry-wanted": "Choose the number column that says when each person came under observation, "
    "or remove what is declared of entries.",
    "entry-is-the-time": "When a person came under observation cannot be the time itself; choose "
    "another column.",
    "entry-edges-missing": "Enter where the bins of the entry begin, each where a bin of the time "
    "begins.",
    "entry-edge-no-begin": "No bin of the time begins at {value}; bins of the entry begin at some "
    "of {begins}.",
    "entry-too-many-bins": "With entries there are at most {most} bins of the time; choose wider "
    "ones.",
    "entry-late-missing": "Choose what becomes of a person whose entry is not before the time: "
    "left out, or at risk in the last bin.",
    "incidence-kinds": "The kinds of event are values of one column; choose one condition, that a "
    "column is one of them.",
    "incidence-many-kinds": "Choose at most {most} kinds of event.",
    "survival-time-no-end": "{time} is not the end of a bin. Choose from {ends}.",
    "rate-per-unknown": "A rate is told per one of {choices}.",
    "rate-typical-not-positive": "The typical rate must be above 0; leave it empty if it is not "
    "known.",
    "expected-exposure-out-of-range": "The expected mean must be above 0 and within the bounds "
    "of “{name}”; leave it empty if it is not known.",
    "expected-deviation-out-of-range": "The expected standard deviation must be above 0 and at "
    "most half of the range of “{name}”; leave it empty if it is not known.",
    "rate-exposure-negative": "“{name}” can be below 0, so no rate can be told per so much of it; "
    "set its lowest value to 0 or more in Columns.",
    "age-groups-wanted": "Choose the column of the age groups.",
    "age-groups-twice": "“{name}” makes groups of this query already; choose one column for the "
    "age groups and another for the groups.",
    "age-groups-many": "A standardised figure has at most {most} age groups; take some together.",
    "standard-wanted": "Choose a standard population, or your own weights.",
    "standard-groups-differ": "The age group “{group}” is not made of whole age bands of this "
    "standard, which begin at {firsts}. Change the groups, or enter your own weights.",
    "weights-of-standard": "A standard population has its own weights; leave these out, or choose "
    "own weights.",
    "reference-wanted": "Enter the reference rate of each age group, from another source than "
    "this file.",
    "one-number-a-group": "There are {numbers} numbers and {groups} age groups; each group needs "
    "one.",
    "number-below-zero": "A number is below 0; enter 0 or more.",
    "numbers-all-zero": "All numbers are 0; at least one must be above.",
    "top-code-wanted": "Enter the number of rows at which the last group begins, such as 10.",
    "top-code-out-of-range": "The last group begins at a number of rows from 2 to {most}.",
    "response-condition": "In a randomised response every row answers; remove the condition, or "
    "make it part of the property.",
    "response-noise": "Randomised response has its own noise; leave the noise on automatic.",
    "response-drops-rows": "In a randomised response every row answers, but “{name}” leaves some "
    "out; in Columns, count its missing and other cells as a group or replace them.",
    "gaussian-needs-zcdp": "Gaussian noise needs an account in zCDP; this one is in pure epsilon.",
    # Columns
    "column-nameless": "A column needs the name that it has in the file.",
    "column-twice": "The column “{name}” is declared twice; remove one.",
    "column-is-person": "“{name}” is the person ID column and cannot be counted or published; "
    "choose another column.",
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
    "reading-of-number": "“{value}” is a number already; only other cells can be read as one.",
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
    "baseline-empty": "Choose the characteristics of Table 1.",
    "baseline-twice": "“{name}” is in Table 1 twice with the same summary; remove one.",
    "baseline-by-itself": "“{name}” makes the columns of Table 1; remove it from the rows.",
    "baseline-no-number": "“{name}” is not a number, so it has no mean and no median; choose "
    "counts.",
    "baseline-edges": "“{name}” has bins, which are counted; choose counts, or remove the bins.",
    "baseline-too-cheap": "{price} is too little for Table 1 and the shares that its "
    "characteristics have; raise its price or lower theirs.",
    "baseline-too-many-queries": "With those of its Table 1s the study has {count} queries; at "
    "most {most} are possible.",
    "synthetic-no-count": "Synthetic rows keep counts by group without conditions; add one, or "
    "leave the rows out.",
    "synthetic-not-counted": "No count that the synthetic rows keep is by “{name}”; add one, or "
    "remove it here.",
    "column-undeclared": "“{name}” is not declared in Columns; declare it there first.",
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
    "condition-wants-category": "“{name}” is a number; enter the lowest and the highest value "
    "that count.",
    "condition-wants-number": "“{name}” is not a number; choose from its values.",
    "condition-wants-days": "“{name}” is a date; enter the first and the last day that count.",
    "condition-wants-date": "“{name}” is not a date; choose from its values.",
    "between-reversed": "The first value must not be above the second.",
    "expected-out-of-range": "The expected size must be a whole number of 1 or more.",
}
