# SPDX-License-Identifier: Apache-2.0
"""The bundle's datapackage.json: every table and column described (Frictionless, version 1).

Descriptions are for people, so their numbers are rounded; the exact ones stand in the manifest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.usable import NO, YES
from dpdesk.release.bundle.baseline.documents import data_table
from dpdesk.release.bundle.baseline.released import ReleasedBaseline
from dpdesk.release.bundle.compared_text import compared_file
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.bundle.derived_lines import about_derived
from dpdesk.release.bundle.query_headings import WORDS, Heading, ReleaseWords, adds_up
from dpdesk.release.bundle.readable import forms_of, with_rate_unit
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.printed_columns import column_heading, is_of_band
from dpdesk.release.bundle.synthetic.rows import FILE, MARK, ReleasedRows
from dpdesk.release.bundle.synthetic.words import MADE_UP_ROWS, SYNTHETIC
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.record.table_names import derived_file
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery
from dpdesk.study.text.number_text import exact, in_column, in_text, rounded
from dpdesk.study.text.spreadsheet_cells import neutral, neutral_parts

_ROLES: Final[dict[str, Template]] = {
    "group": "Group, as declared in the study before any data was read.",
    "value": "Released figure, noise included.",
    "half-width": "The exact figure is within this distance of the released one in at least 95 "
    "of 100 releases.",
    "choice": "The choice among the declared candidates.",
    "quartile": "A quartile: the choice among the declared candidates.",
    "score-bound": "The choice is at most this far from the best one in at least 95 of 100 "
    "releases; in rows_off_95 or people_off_95 of a quantile, from the wanted rank itself. Empty "
    "where it is not known, as for quantiles that came out in the wrong order and were sorted.",
    "bound": "Bound of the column's values, estimated from noisy counts.",
    "share": "Released share of all rows, noise included.",
    "share-half-width": "The exact share is within this distance of the released one in at least "
    "95 of 100 releases.",
    "lowest": "Lower end of the 95 % interval, cut to what is possible.",
    "highest": "Upper end of the 95 % interval, cut to what is possible.",
    "nearest": "The possible value nearest to the figure, where noise moved the whole interval "
    "out of the possible range; the interval is then uncut. Otherwise empty.",
    "population-lowest": "Lower end of the interval for the population, which holds 95 times in "
    "100 over noise and chance: the rows are taken for a sample, each person independently. Of a "
    "mean it is approximate, and empty for fewer than 30 rows.",
    "population-highest": "Upper end of the interval for the population.",
    "measure": "Which figure of the comparison it is.",
    "p-value": "How often noise and chance alone would make groups that are alike differ as much, "
    "of 10,000 tables drawn from the released figures; of an effect of a model by a score test. "
    "Empty where the level of such a test is not known.",
    "why": "What is missing of the comparison; empty where nothing is.",
    "mark": "Whether the figure, by itself and its margin, is too noisy to use: it cannot "
    "be distinguished from 0, a mean or a share has a margin of at least half the possible range, "
    "or there is no figure at all.",
    "found": "Text found in the data; published because the noisy count of people who have it "
    "reached a threshold.",
    "label": "Name of the text, as declared in the study; empty where none is.",
    "beside": "Count that fits the noisy ones best, rounded: in a curve over time who is at risk "
    "when the interval begins, who has the event in it, and who is censored in it.",
    "aside": "What stands beside the figure and follows from the same noisy numbers: the crude "
    "rate, events, or the events that reference rates make expected.",
    "aside-half-width": "The exact number is within this distance of the one before it in at least "
    "95 of 100 releases.",
    "part": "Noisy number that the released figure was computed from.",
}

_DERIVED: Final[dict[str, Template]] = {
    "figure": "Which figure it is: survival or incidence up to the end of a bin, the median and "
    "the restricted mean of the time without an event, a difference of two groups, or the "
    "statistic of the log-rank test; the group that it is compared with; or why there is none: not "
    "reached, or not known because noise hides it.",
    "p-value": "How often chance and noise give a statistic of the test that is as large, where "
    "all groups have one curve; rounded up.",
}

_BAND: Final[dict[str, Template]] = {
    "half-width": "How far the farther end of the band is from the curve.",
    "lowest": "Lower end of the band: in at least 95 of 100 releases the whole curve of a group is "
    "within its band, of noise alone. It is no range of one figure: quote that for the population, "
    "or of derived figures.",
    "highest": "Upper end of the band of the whole curve.",
}
_BASELINE: Final[Template] = (
    "All figures of the table, one a line, each with its margin. They are those of the tables "
    "above, totals and shares of these, and means of the same noisy sums as the standard "
    "deviations; they cost nothing more."
)

_COMPARED: Final[Template] = (
    "Comparisons of the groups above, made of what was drawn for that table alone; they cost "
    "nothing more."
)

_BY_NAME: Final[dict[str, Template]] = {
    "degrees_of_freedom": "Degrees of freedom of the test.",
    "noisy_sum": "Noisy sum that was drawn, in whole numbers: a combination, fixed before any data "
    "was read, of the group's rows, their values and squares, or of events and exposure. dpdesk "
    "makes the figure from these sums again when it verifies the bundle.",
}
"""Parts that are no plain count, by their name without its number."""
_NUMBERED = re.compile(r"_[0-9]+$", re.ASCII)

_TEXTS = ("group", "choice", "found", "label", "figure", "measure", "why")
_TYPES = {**dict.fromkeys(_TEXTS, "string"), "mark": "boolean"}

_MECHANISMS: Final[dict[str, Template]] = {
    "laplace": "discrete Laplace noise of scale {scale} on whole numbers{worth}, 95 times in 100 "
    "within {half_width}{of_them}",
    "gaussian": "discrete Gaussian noise of scale {scale} on whole numbers{worth}, 95 times in 100 "
    "within {half_width}{of_them}",
    "noisy-max": "a choice by report noisy max of scale {scale}",
    "randomised-response": "randomised response, true with probability {scale}",
}
_NORMS: Final[dict[str, Template]] = {
    "l1": "L1 sensitivity {number}",
    "l2-squared": "squared L2 sensitivity {number}",
    "linf": "L-infinity sensitivity {number}",
    "linf-squared": "squared L-infinity sensitivity {number}, summed over groups",
    "rows": "row sensitivity {number}",
}
_PARTS: Final[dict[str, Template]] = {
    "rows": "rows",
    "people": "people",
    "sum": "sum",
    "sums": "sums",
    "bins": "bins",
    "tree": "tree",
    "weighted-bins": "weighted bins",
    "magnitudes": "magnitudes",
    "events": "events",
    "choice": "choice",
    "yeses": "yeses",
}
"""What the draws of a query are for, by their names; those of quantiles say which."""
_QUANTILE = re.compile(r"quantile-([0-9]+)-([0-9]+)", re.ASCII)


def datapackage(
    text: ReleaseText,
    tables: Iterable[Table],
    files: Mapping[str, bytes],
    baselines: Sequence[ReleasedBaseline] = (),
    rows: ReleasedRows | None = None,
) -> dict[str, Any]:
    """The description of a release's tables.

    Args:
        tables: its tables, in the order of its queries.
        files: content of each table's file by its name, in the order of the tables.
        baselines: its Table 1s.
        rows: its synthetic rows.
    """
    record, headings, words = text.release.record, text.headings, text.words
    study = record.study.study
    made = () if study is None else value_sentences(study, words)
    named = zip(tables, record.queries, files.items(), strict=True)
    resources = [
        one
        for table, query, file in named
        for one in _resources(
            with_rate_unit(table, study, query, words), query, file, headings[query.id], text
        )
    ]
    return {
        "profile": "tabular-data-package",
        "name": f"release-{record.id}",
        "id": record.id,
        "title": neutral(text.title),
        "description": neutral(" ".join(filter(None, (text.exact, text.counted, *made)))),
        "created": record.time.replace("Z", ":00Z"),
        "resources": [
            *resources,
            *(_baseline(one, words) for one in baselines),
            *([] if rows is None else [_synthetic(rows, words)]),
        ],
    }


def _resource(
    table: Table,
    query: ReleasedQuery,
    file: tuple[str, bytes],
    heading: Heading,
    text: ReleaseText,
) -> dict[str, Any]:
    (name, content), words = file, text.words
    about = filter(None, (_request(heading), _mechanism(query, words), adds_up(table, words)))
    named = {
        "name": name,
        "path": f"results/{name}.csv",
        "title": neutral(heading.title),
        "description": " ".join(about),
    }
    columns: list[TableColumn] = []
    for column, form in zip(table.columns, forms_of(table, query), strict=True):
        # A share is a number up to 1 in its file, whatever people read.
        shown = "number" if form in ("percent", "points") else form
        head = column_heading(column, shown, text.names, words)
        is_known = head in (one.title for one in columns) and column.role == "part"
        columns.append(replace(column, title=column.name if is_known else head))
    return named | _described(replace(table, columns=tuple(columns)), content, words)


def _resources(
    table: Table,
    query: ReleasedQuery,
    file: tuple[str, bytes],
    heading: Heading,
    text: ReleaseText,
) -> Iterator[dict[str, Any]]:
    """A table, then what follows from it and the comparisons of its groups."""
    words = text.words
    yield _resource(table, query, file, heading, text)
    if table.derived is not None:
        named = {
            "name": f"{query.name}.derived",
            "path": derived_file(query.name),
            "title": neutral(heading.title),
            "description": about_derived(table, words),
        }
        fields = [_field(one, words, is_derived=True) for one in table.derived.columns]
        yield named | _csv(fields, csv_bytes(table.derived))
    if table.compared is not None:
        named = {
            "name": f"comparisons-{query.name}",
            "path": compared_file(query),
            "title": neutral(heading.title),
            "description": words.say(_COMPARED),
        }
        yield named | _described(table.compared, csv_bytes(table.compared), words)


def _baseline(baseline: ReleasedBaseline, words: ReleaseWords) -> dict[str, Any]:
    """The figures of a Table 1, one a line."""
    (path, content), *_others = baseline.files.items()
    named = {
        "name": f"tables-{baseline.printed.id}",
        "path": path,
        "title": neutral(baseline.printed.title),
        "description": words.say(_BASELINE),
    }
    return named | _described(data_table(baseline.layout), content, words)


def _synthetic(rows: ReleasedRows, words: ReleaseWords) -> dict[str, Any]:
    """The synthetic rows, of which every one says that it is made up."""
    fields: list[dict[str, Any]] = [
        {"name": MARK, "type": "boolean", "trueValues": [YES], "falseValues": [NO]},
        *({"name": neutral_parts(name), "type": kind} for name, kind in rows.columns.items()),
    ]
    named = {
        "name": "synthetic-rows",
        "path": FILE,
        "title": words.say(SYNTHETIC),
        "description": words.say(MADE_UP_ROWS),
    }
    return named | _csv(fields, rows.content)


def _described(table: Table, content: bytes, words: ReleaseWords) -> dict[str, Any]:
    """What is said of every file of figures."""
    return _csv([_field(c, words) for c in table.columns], content)


def _csv(fields: list[dict[str, Any]], content: bytes) -> dict[str, Any]:
    return {
        "profile": "tabular-data-resource",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "header": True},
        "schema": {"fields": fields, "missingValues": [""]},
    }


def meaning_of(column: TableColumn, words: ReleaseWords, *, is_derived: bool = False) -> str:
    """What a column holds: of the band of a curve by what it is of, by its name, or by its role."""
    if is_of_band(column):
        return words.say(_BAND[column.role])
    if is_derived and column.role in _DERIVED:
        return words.say(_DERIVED[column.role])
    name = _NUMBERED.sub("", column.name)
    if column.role == "part" and name in _BY_NAME:
        return words.say(_BY_NAME[name])
    return words.say(_ROLES[column.role])


def _field(column: TableColumn, words: ReleaseWords, *, is_derived: bool = False) -> dict[str, Any]:
    about, role = column.title, column.role
    field: dict[str, Any] = {
        "name": neutral_parts(column.name),
        "type": _TYPES.get(role, "number"),
        "title": about or column.name,
        "description": meaning_of(column, words, is_derived=is_derived),
    }
    if role == "mark":
        field |= {"trueValues": [YES], "falseValues": [NO]}
    return {**field, "unit": column.unit} if column.unit else field


def _request(heading: Heading) -> str:
    """What is asked where the title does not say it, and which rows are counted."""
    question = f"{neutral(heading.question)}." if heading.question else ""
    return " ".join(filter(None, (question, *map(neutral, heading.notes))))


def _mechanism(query: ReleasedQuery, words: ReleaseWords) -> str:
    if not query.draws:
        return draws_in_words(query, words)
    cost = words.say("It cost {share} of the budget.", share=words.number(query.share))
    return f"{cost} {draws_in_words(query, words)}"


def draws_in_words(query: ReleasedQuery, words: ReleaseWords = WORDS) -> str:
    """How each draw of a query was made; what it was drawn for, where there are several."""
    if not query.draws:
        return words.say("The figure is public: nothing was drawn, and it cost nothing.")
    if len(query.draws) == 1:
        return _sentence(in_words(query.draws[0], words))
    each = "{part}: {how}, for {share} of the budget"
    reported = (
        words.say(
            each, part=part_name(d.name, words), how=in_words(d, words), share=words.number(d.share)
        )
        for d in query.draws
    )
    return _sentence("; ".join(reported))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def part_name(name: str, words: ReleaseWords = WORDS) -> str:
    """What a draw is for.

    >>> part_name("quantile-0-25"), part_name("rows")
    ('quantile 0.25', 'rows')
    """
    match = _QUANTILE.fullmatch(name)
    if match is not None:
        return words.say("quantile {p}", p=words.number(f"{match[1]}.{match[2]}"))
    return words.say(_PARTS[name]) if name in _PARTS else name


def in_words(draw: ReleasedDraw, words: ReleaseWords = WORDS) -> str:
    """How one draw of a record was made, for people who know the field."""
    say, numbers = words.say, words.numbers
    is_one = draw.width == 1
    how = say(
        _MECHANISMS[draw.noise.mechanism],
        scale=in_column(rounded(Fraction(repr(draw.noise.scale))), numbers),
        worth="" if is_one else say(" worth {width} each", width=_width(draw.width, words)),
        half_width=in_column(str(draw.half_width), numbers),
        of_them="" if is_one else say(" of them"),
    )
    if draw.noise.threshold is not None:
        least = in_column(str(draw.noise.threshold), numbers)
        how += say(", published from {threshold} upwards", threshold=least)
    sensitivity = in_column(str(draw.sensitivity), numbers)
    norm = say(_NORMS[draw.noise.norm], number=sensitivity)
    moves = say(" (largest rise plus largest fall)") if draw.noise.monotonic else ""
    loss = in_text(rounded(Fraction(repr(draw.loss)), up=True), numbers)
    return f"{how}, {norm}{moves}, {say('privacy loss {loss}', loss=loss)}"


def _width(width: Fraction, words: ReleaseWords) -> str:
    """What one of the whole numbers is worth; a fraction stays one where it never ends."""
    text = exact(width)
    return str(width) if text is None else in_text(text, words.numbers)
