# SPDX-License-Identifier: Apache-2.0
"""What a query's figures state, in a sentence above its chart: no more than their ranges allow.

Groups are named as different only where ranges of noise and chance are apart, and as the largest
only where noise cannot make another one larger. Mixed groups are in no statement.

The two that are furthest apart are chosen from all. Of equal groups as exact as one another their
ranges of 95 % are apart when the studentized range is above 2 * 1.96: of 5 groups 4.4 times in 100,
of 6 groups 6, of 8 groups 10. So of more than ``MOST_APART`` nothing is said of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.reconcile.cross_totals import CellShare
from dpdesk.privacy.statistics.base import is_from_best
from dpdesk.release.bundle.charts.description import QUARTILES, ChartFigure
from dpdesk.release.bundle.charts.share_decimals import decimals_of, with_decimals
from dpdesk.release.bundle.charts.suitable_charts import BOX, LINE
from dpdesk.release.bundle.derived_lines import (
    may_be_equal,
    p_text,
    shares_at_last_time,
    unit_of,
)
from dpdesk.release.bundle.readable import POPULATION_ROLES, cell_writer, within
from dpdesk.release.bundle.report.curve_readings import has_readings
from dpdesk.release.bundle.report.key_figures import whole_years
from dpdesk.release.bundle.report.notes.comparable import mixed_groups
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.study.text.number_text import PLUS_MINUS
from dpdesk.study.text.titles import in_sentence, joined
from dpdesk.study.text.unit_names import UnitNames, in_query

_MORE: Final[Template] = "{last}: {total} {rows}, {change} more than in {first}."
_FEWER: Final[Template] = "{last}: {total} {rows}, {change} fewer than in {first}."
_SAME: Final[Template] = "{last}: {total} {rows}; noise hides the change from {first}."
_LARGEST: Final[Template] = "Largest group by {column}: {group}, {figure} {rows} ({share} %)."
_TOGETHER: Final[Template] = (
    "From {lowest} to {highest}. Every range for the population includes {common}, so these "
    "figures do not tell the groups apart."
)
_COMMON: Final[Template] = (
    "From {lowest} to {highest}. Every range for the population includes {common}."
)
_DIFFERENT: Final[Template] = (
    "{one} ({figure}) and {other} ({second}) differ by more than noise and chance: their ranges "
    "for the population are apart."
)
_NOISE: Final[Template] = "From {lowest} to {highest}. Noise alone could explain these differences."
_MORE_THAN_NOISE: Final[Template] = (
    "From {lowest} to {highest}: more than noise, but whether it is chance was not tested."
)
_WITHOUT: Final[Template] = "Without {groups}: {statement}"
_QUOTED: Final[Template] = "“{group}”"
_MEDIANS: Final[Template] = (
    "The medians are from {lowest} to {highest}; half of each group is between its quartiles."
)
_ONE_MEDIAN: Final[Template] = (
    "Every median is {lowest}; half of each group is between its quartiles."
)
_AFTER: Final[Template] = "Without an event after {time}: {shares}."
_AFTER_WITH_RANGES: Final[Template] = (
    "Without an event after {time}, with 95 % ranges for the population: {shares}."
)
_OF_GROUP: Final[Template] = "{group} {share}"
_OF_GROUP_WITH_RANGE: Final[Template] = "{group} {share} ({range})"
_DIFFER: Final[Template] = (
    "Over all of the time these curves differ by more than noise and chance (log-rank test, {p})."
)
_DO_NOT: Final[Template] = (
    "Over all of the time the log-rank test finds no difference of these curves beyond noise and "
    "chance ({p})."
)
_MAY_BE_CHANCE: Final[Template] = (
    "Noise and chance could explain the difference at each declared time; no test of these curves "
    "as a whole is shown here."
)
_LEVEL = Decimal("0.05")
MOST_APART: Final = 5
MOST_ADDED_UP: Final = 200
"""Lines of a table whose largest group is looked for: each group adds all of them up."""
_MEDIAN = "0.5"


Kind = Literal["differ", "largest", "alike", "open"]


@dataclass(frozen=True)
class FigureStatement:
    """What figures state.

    Attributes:
        text: one or two sentences.
        kind: ``differ`` is a change or a difference that noise, and where it is said chance, do not
            explain; ``largest`` that noise leaves no doubt which group that is; ``alike`` that
            nothing tells them apart; else ``open``.
    """

    text: str
    kind: Kind = "open"


def statement(charted: Charted, names: UnitNames) -> FigureStatement | None:
    """What is stated; ``None`` where figures state nothing that is certain enough.

    Args:
        charted: with the comparisons that are shown.
        names: what rows and people are called.
    """
    asked = charted.requested
    if charted.is_made_up or asked is None or not asked.by:
        return None
    if has_readings(charted):
        return _of_curves(charted)
    if charted.charts.kinds[0] == BOX:
        return _of_medians(charted)
    if asked.declaration.is_total:
        rows = in_query(names, charted.query.question.subject).rows
        counted = {"rows": rows, "people": names.people}.get(asked.unit or "", "")
        if not counted:
            return None
        if charted.charts.kinds[0] == LINE:
            return _of_years(charted, counted)
        return _largest(charted, counted)
    return _of_ranges(charted) if len(asked.by) == 1 else None


def _of_years(charted: Charted, rows: str) -> FigureStatement | None:
    """The last whole year, and how it differs from the one before."""
    found, words = whole_years(charted), charted.words
    years = [*found][: (len(found) + 1) // 2]
    if len(years) < 2:
        return None
    write = cell_writer("number", words)
    first, last = years[-2:]
    total, (*_others, change) = found[last], found.values()
    shown = f"{write(total.value)} {PLUS_MINUS} {write(total.half_width)}"
    said = {"last": last, "first": first, "rows": rows, "total": shown}
    if change.is_noisy:
        return FigureStatement(words.say(_SAME, **said), "alike")
    size = f"{write(change.value.lstrip('-'))} {PLUS_MINUS} {write(change.half_width)}"
    is_less = change.value.startswith("-")
    return FigureStatement(words.say(_FEWER if is_less else _MORE, change=size, **said), "differ")


def _largest(charted: Charted, rows: str) -> FigureStatement | None:
    """The largest group of the first grouping, where noise leaves no doubt of that."""
    adding, words = charted.adding, charted.words
    if adding is None or not adding.has_shares or len(charted.table.rows) > MOST_ADDED_UP:
        return None
    totals = adding.totals((0,))
    by_size = sorted(totals, key=lambda key: Fraction(totals[key].value), reverse=True)
    if len(by_size) < 2:
        return None
    (first, second), write = by_size[:2], cell_writer("number", words)
    lowest = Fraction(totals[first].value) - Fraction(totals[first].half_width)
    highest = Fraction(totals[second].value) + Fraction(totals[second].half_width)
    label = cell_writer(charted.forms[0], words)(first[0])
    if lowest <= highest or label in mixed_groups(charted):
        return None
    shares = adding.shares((0,), ())
    if not shares[first].percent:
        return None
    figure = f"{write(totals[first].value)} {PLUS_MINUS} {write(totals[first].half_width)}"
    shown = with_decimals(shares[first], decimals_of((*shares.values(), *_inner(charted))))
    share = f"{write(shown.percent)} {PLUS_MINUS} {write(shown.half_width)}"
    column = in_sentence(charted.table.columns[0].title, words.language)
    said = {"column": column, "group": label, "figure": figure, "rows": rows, "share": share}
    return FigureStatement(words.say(_LARGEST, **said), "largest")


def _inner(charted: Charted) -> Iterable[CellShare]:
    """The shares that its table has beside these, in as many decimals."""
    adding, cross = charted.adding, charted.cross
    if adding is None or cross is None:
        return ()
    return adding.shares((0, 1), (0 if cross.is_turned else 1,)).values()


def _of_ranges(charted: Charted) -> FigureStatement | None:
    """How far figures of groups go, and whether their ranges have something in common."""
    if charted.cross is not None or not charted.figures.has_intervals:
        return None
    mixed, figures = mixed_groups(charted), charted.figures.figures
    usable = {
        at: one
        for at, one in enumerate(figures)
        if one is not None and not one.is_noisy and one.label not in mixed
    }
    if len(usable) < 2:
        return None
    said = _compared(charted, usable)
    if said is None:
        return None
    left_out = any(one is not None and one.label in mixed for one in figures)
    return _without(charted, said, mixed) if left_out else said


def _without(charted: Charted, said: FigureStatement, left_out: Sequence[str]) -> FigureStatement:
    """A statement that is of all groups but some, and says so."""
    words = charted.words
    groups = joined([words.say(_QUOTED, group=one) for one in left_out], words.language)
    return replace(said, text=words.say(_WITHOUT, groups=groups, statement=said.text))


def _compared(charted: Charted, usable: dict[int, ChartFigure]) -> FigureStatement | None:
    words = charted.words
    has_chance = all(one.population is not None for one in usable.values())
    ends = {at: one.population or (one.low, one.high) for at, one in usable.items()}
    low, high = max(ends, key=lambda at: ends[at][0]), min(ends, key=lambda at: ends[at][1])
    overlap = ends[low][0] <= ends[high][1]
    values = sorted(usable, key=lambda at: usable[at].value)
    lowest, highest = usable[values[0]].figure, _with_unit(charted, usable[values[-1]].figure)
    said = {"lowest": lowest.removesuffix("%").rstrip(), "highest": highest}
    if not overlap and len(usable) > MOST_APART:
        return None
    if not has_chance:
        if overlap:
            return FigureStatement(words.say(_NOISE, **said), "alike")
        return FigureStatement(words.say(_MORE_THAN_NOISE, **said))
    if not overlap:
        one, other = usable[low], usable[high]
        first, second = (_with_unit(charted, each.figure) for each in (one, other))
        shown = {"figure": first, "second": second}
        stated = words.say(_DIFFERENT, one=one.label, other=other.label, **shown)
        return FigureStatement(stated, "differ")
    first, last = POPULATION_ROLES
    written = (charted.figures.written(low, first), charted.figures.written(high, last))
    common = _with_unit(charted, within(*written, words))
    is_tested = any(Decimal(p) < _LEVEL for p in _p_values(charted.table.compared))
    if is_tested:
        return FigureStatement(words.say(_COMMON, common=common, **said))
    return FigureStatement(words.say(_TOGETHER, common=common, **said), "alike")


def _p_values(compared: Table | None) -> Iterator[str]:
    if compared is not None:
        at = [column.role for column in compared.columns].index("p-value")
        yield from (row[at] for row in compared.rows if row[at])


def _with_unit(charted: Charted, figure: str) -> str:
    return " ".join(filter(None, (figure, charted.figures.unit)))


def _of_medians(charted: Charted) -> FigureStatement | None:
    """Between which values the medians of all groups are, beside their quartiles.

    Of candidates that leave values out it is not known where half of a group is.
    """
    columns, words, mixed = charted.table.columns, charted.words, mixed_groups(charted)
    asked = charted.requested
    names, roles = [one.name for one in columns], [one.role for one in columns]
    if asked is None or charted.charts.quantiles != QUARTILES or any(map(is_from_best, names)):
        return None
    at, value = names.index("quantile"), roles.index("value")
    found = [
        (charted.figures.label_at(line, 0), row, Decimal(row[value]))
        for line, row in enumerate(charted.table.rows)
        if row[at] == _MEDIAN and row[value]
    ]
    small = [label for label, row, _median in found if row[:1] in charted.small.counted]
    if charted.small.counted and not small:
        return None  # of groups by two columns one name says too little
    left_out = list(dict.fromkeys(label for label, *_ in found if label in (*mixed, *small)))
    medians = [median for label, _row, median in found if label not in left_out]
    if len(medians) < 2:
        return None
    write, unit = cell_writer(charted.forms[value], words), columns[value].unit
    ends = (write(str(min(medians))), write(str(max(medians))))
    is_one = ends[0] == ends[1]
    shown = (" ".join(filter(None, (ends[1], unit))), ends[0])
    said = words.say(_MEDIANS, lowest=shown[1], highest=shown[0])
    if is_one:
        said = words.say(_ONE_MEDIAN, lowest=shown[0])
    stated = FigureStatement(said)
    return _without(charted, stated, left_out) if left_out else stated


def _of_curves(charted: Charted) -> FigureStatement | None:
    """The curves at the last of the declared times, and what a test of all says."""
    words, mixed, study = charted.words, mixed_groups(charted), charted.study
    column = None if study is None else study.column(charted.query.question.column)
    time, shares = shares_at_last_time(charted.table, unit_of(column), words)
    usable = {group: share for group, share in shares.items() if group not in mixed}
    if len(usable) < 2:
        return None
    tested, kind = _tested(charted)
    if all(chance for _share, chance in usable.values()):
        listed = [
            words.say(_OF_GROUP_WITH_RANGE, group=group, share=share, range=chance)
            for group, (share, chance) in usable.items()
        ]
        said = words.say(_AFTER_WITH_RANGES, time=time, shares=joined(listed, words.language))
    else:
        listed = [
            words.say(_OF_GROUP, group=group, share=share)
            for group, (share, _chance) in usable.items()
        ]
        said = words.say(_AFTER, time=time, shares=joined(listed, words.language))
    return FigureStatement(" ".join(filter(None, (said, tested))), kind)


def _tested(charted: Charted) -> tuple[str, Kind]:
    """What the test of all curves says, or where there is none, their differences."""
    table, words = charted.table, charted.words
    p = next(iter(() if table.derived is None else _p_values(table.derived)), "")
    if p:
        is_sure = Decimal(p) < _LEVEL
        said = words.say(_DIFFER if is_sure else _DO_NOT, p=p_text(p, words))
        return said, "differ" if is_sure else "alike"
    return (words.say(_MAY_BE_CHANCE), "alike") if may_be_equal(table) else ("", "open")
