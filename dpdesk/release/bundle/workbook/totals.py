# SPDX-License-Identifier: Apache-2.0
"""The lines of a question's sheet: those of its table, their totals, and what each is per cent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.reconcile.cross_totals import AddingTable, CellShare, CellTotal
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.figures_text import fixed
from dpdesk.privacy.usable import YES, interval
from dpdesk.release.bundle.charts.share_decimals import decimals_of, with_decimals
from dpdesk.release.bundle.report.printed_columns import TOO_NOISY
from dpdesk.release.bundle.report.query_chart import ALL, Charted

_PER_CENT: Final[Template] = "% of each {group}"
_OF_ALL: Final[Template] = "% of all"
_POINTS: Final[Template] = "± 95 % (points)"
_ABOVE: Final[Template] = "sum of the {n} lines above"
_OVER: Final[Template] = "sum over {group}"
_SUM: Final[Template] = "sum of all lines"
_SUM_ALONE: Final[Template] = "sum of all lines; may differ from other tables"
_BOTH: Final[Template] = "{note}; {other}"
_WHOLE: Final = CellShare("100", "0", is_noisy=False)


@dataclass(frozen=True)
class SheetLine:
    """One line.

    Attributes:
        cells: one a column of the table, as published; of a total those of its figure alone.
        labels: of a total, what its groups' cells say, by their places.
        share: what it is per cent; ``None`` where that is not known.
        note: whether it is too noisy to use, and what it adds up.
    """

    cells: tuple[str, ...]
    labels: Mapping[int, str] = field(default_factory=dict)
    share: CellShare | None = None
    note: str = ""
    is_noisy: bool = False

    @property
    def is_total(self) -> bool:
        return bool(self.labels)


@dataclass(frozen=True)
class SheetLines:
    """The lines of one question.

    Attributes:
        is_alone: its total was not made to agree with that of other tables.
    """

    charted: Charted
    is_alone: bool = False

    @cached_property
    def groups(self) -> tuple[int, ...]:
        columns = self.charted.table.columns
        return tuple(i for i, column in enumerate(columns) if column.role == "group")

    @cached_property
    def adding(self) -> AddingTable | None:
        """What totals follow from; ``None`` where its lines have none that people ask for."""
        adding, groups = self.charted.adding, self.groups
        is_small = adding is not None and adding.adds_up and 1 <= len(groups) <= 2
        return adding if is_small and len(groups) == len(self.charted.query.question.by) else None

    @cached_property
    def _across(self) -> int:
        """Which grouping the per cent of a table by two are of: that of the report's columns."""
        cross = self.charted.cross
        return 0 if cross is not None and cross.is_turned else 1

    @cached_property
    def share_heads(self) -> tuple[str, ...]:
        """What heads the per cent and their margins; none where figures count nothing."""
        if self.adding is None or not self.adding.has_shares:
            return ()
        say, head = self.charted.words.say, _OF_ALL
        group = ""
        if len(self.groups) > 1:
            head, group = _PER_CENT, self.charted.table.columns[self._across].title
        return say(head, group=group), say(_POINTS)

    def lines(self, most: int) -> Iterator[SheetLine]:
        """Each line of the table, then totals.

        Args:
            most: of a longer table that many are read, without totals.
        """
        rows, adding = self.charted.table.rows, self.adding
        if adding is None or len(rows) > most:
            yield from (self._line(row, None) for row in rows[:most])
        elif len(self.groups) == 1:
            shares = self._shares(adding, (0,), ())
            yield from (self._line(row, shares.get(row[:1])) for row in rows)
            yield self._all(adding)
        else:
            yield from self._blocks(adding)

    def _blocks(self, adding: AddingTable) -> Iterator[SheetLine]:
        """Each group of the first grouping with its total, then totals by the second."""
        across, say = self._across, self.charted.words.say
        inside = self._shares(adding, (0, 1), (across,))
        beside = self._shares(adding, (1 - across,), ())
        totals = adding.totals((0,))
        for first, block in groupby(self.charted.table.rows, key=lambda row: row[0]):
            rows = list(block)
            yield from (self._line(row, inside.get(row[:2])) for row in rows)
            labels = {0: self._written(0, first), 1: say(ALL)}
            share = _WHOLE if across == 0 else beside.get((first,))
            yield self._total(totals[first,], labels, share, say(_ABOVE, n=str(len(rows))))
        over = say(_OVER, group=self.charted.table.columns[0].title)
        for (second,), total in adding.totals((1,)).items():
            labels = {0: say(ALL), 1: self._written(1, second)}
            share = _WHOLE if across == 1 else beside.get((second,))
            yield self._total(total, labels, share, over)
        yield self._all(adding)

    def _all(self, adding: AddingTable) -> SheetLine:
        say = self.charted.words.say
        labels = dict.fromkeys(self.groups, say(ALL))
        note = say(_SUM_ALONE if self.is_alone else _SUM)
        return self._total(adding.totals(())[()], labels, _WHOLE, note)

    def _shares(
        self, adding: AddingTable, kept: Sequence[int], of: Sequence[int]
    ) -> dict[tuple[str, ...], CellShare]:
        if not adding.has_shares:
            return {}
        found = adding.shares(kept, of)
        decimals = decimals_of(found.values())
        return {groups: with_decimals(share, decimals) for groups, share in found.items()}

    def _line(self, row: tuple[str, ...], share: CellShare | None) -> SheetLine:
        columns = self.charted.table.columns
        is_noisy = any(row[i] == YES for i, one in enumerate(columns) if one.role == "mark")
        note = self.charted.words.say(TOO_NOISY) if is_noisy else ""
        return SheetLine(row, share=share, note=note, is_noisy=is_noisy)

    def _total(
        self, total: CellTotal, labels: Mapping[int, str], share: CellShare | None, note: str
    ) -> SheetLine:
        """A total with its interval, as the lines have theirs."""
        words, shares = self.charted.words, self.share_heads
        cells = {"value": total.value, "half-width": total.half_width, **self._ends(total)}
        texts = tuple(cells.get(column.role, "") for column in self.charted.table.columns)
        if total.is_noisy:
            note = words.say(_BOTH, note=words.say(TOO_NOISY), other=note)
        is_of_some = bool(shares) and Fraction(total.value) > 0
        return SheetLine(texts, labels, share if is_of_some else None, note, total.is_noisy)

    def _ends(self, total: CellTotal) -> dict[str, str]:
        plan = self.adding.plan if self.adding is not None else None
        possible = METHODS[plan.query.statistic].possible(plan) if plan is not None else None
        if possible is None:
            return {}
        digits = len(total.value.partition(".")[2])
        ends = interval(Fraction(total.value), Fraction(total.half_width), possible)
        # What noise took out of the possible as a whole has no range that anyone could quote.
        shown = {"lowest": ends.low, "highest": ends.high}
        shown = shown if ends.nearest is None else {"nearest": ends.nearest}
        return {role: fixed(round(end * 10**digits), digits) for role, end in shown.items()}

    def _written(self, place: int, text: str) -> str:
        return self.charted.figures.writer(place)(text)
