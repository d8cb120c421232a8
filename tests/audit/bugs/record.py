# SPDX-License-Identifier: Apache-2.0
"""Bugs of what is published: all in a record or a bundle that is neither declared nor noise."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encoding.number import GridReader
from dpdesk.data.inspection import column_tally
from dpdesk.desk.core.edits import study_edits
from dpdesk.privacy import published_tables
from dpdesk.privacy.noise import door
from dpdesk.privacy.question import Question
from dpdesk.privacy.reconcile import figures, joined_tables, marginals, same_rows
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy
from dpdesk.privacy.running_counts.square_root import SquareRoot
from dpdesk.privacy.statistics import counts
from dpdesk.privacy.statistics import mean as statistics_mean
from dpdesk.privacy.statistics.distribution import Distribution
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.share import Proportion
from dpdesk.privacy.usable import Possible
from dpdesk.release.bundle import signed_bundle
from dpdesk.release.record import released_study, reprice
from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.release.run import reading
from dpdesk.release.run import release_run as run
from dpdesk.study.json.study_writer import study_to_members
from dpdesk.study.problem import refuse
from tests.audit.bugs.planting import Bug, bug

RECORD: list[Bug] = []

Truth = dict[str, list[list[int]]]


def _put_in_record(patch: pytest.MonkeyPatch, more: dict[str, Any]) -> None:
    """Put something more into the record."""
    real = run.compose_release

    def compose_with_more(*arguments: Any) -> Any:
        stored = real(*arguments)
        study = ReleasedStudy({**stored.record.study.members, "organisation": json.dumps(more)})
        return replace(stored, record=replace(stored.record, study=study))

    patch.setattr(run, "compose_release", compose_with_more)


def _look(patch: pytest.MonkeyPatch, see: Callable[[Any, Path], None]) -> None:
    """Let somebody see the table and its file once it is read."""
    real = reading.encode

    def encode(study: Any, folder: Path, *more: Any, **named: Any) -> Any:
        table = real(study, folder, *more, **named)
        see(table, folder / study.data.path)
        return table

    patch.setattr(reading, "encode", encode)


def _truth(patch: pytest.MonkeyPatch) -> Truth:
    """The exact answers of the release that is going on, by query."""
    truth: Truth = {}
    real = run.draw_query

    def noise(study: Any, query: Any, table: Any, at: Any) -> Any:
        exact = (door._open(measure(table, study, part.measure)) for part in query.parts)
        truth[query.query.id] = [vector.tolist() for vector in exact]
        return real(study, query, table, at)

    patch.setattr(run, "draw_query", noise)
    return truth


def _rows_by_truth(patch: pytest.MonkeyPatch, change: Callable[[Any, list[int]], Any]) -> None:
    """Rebuild each table's rows with a look at the first part's exact counts."""
    truth, real = _truth(patch), reprice.table

    def table(*arguments: Any) -> Any:
        found = real(*arguments)
        counts = truth.get(found.id, [[]])[-1]
        rows = change(list(found.rows), counts) if counts else found.rows
        return replace(found, rows=tuple(map(tuple, rows)))

    patch.setattr(reprice, "table", table)


@bug(RECORD, "only groups that occur are printed", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    _rows_by_truth(patch, lambda rows, n: [r for r, c in zip(rows, n, strict=True) if c])


@bug(RECORD, "tables made to add up to the true total", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    truth, real = _truth(patch), reprice.consistent_in

    def consistent_in(queries: Any, plans: Any) -> Any:
        found = real(queries, plans)
        for name, one in found.items():
            exact = sum(truth.get(name, [one.published])[0])  # of twins one is drawn
            beyond = (sum(one.published) - exact) // len(one.published)
            found[name] = replace(one, published=tuple(n - beyond for n in one.published))
        return found

    patch.setattr(reprice, "consistent_in", consistent_in)


@bug(RECORD, "people added up who have several rows", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = same_rows.same_rows

    def of_one_row(plan: Any) -> Any:
        unit = replace(plan.question.unit, max_rows=1)
        return real(replace(plan, question=replace(plan.question, unit=unit)))

    patch.setattr(same_rows, "same_rows", of_one_row)


@bug(RECORD, "tables made consistent whatever limit each of their groups has", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = same_rows.same_rows

    def unlimited(plan: Any) -> Any:
        query = replace(plan.question.query, rows_per_group=None)
        return real(replace(plan, question=replace(plan.question, query=query), query=query))

    patch.setattr(same_rows, "same_rows", unlimited)


@bug(RECORD, "tables of other groups made consistent under one limit for each", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = same_rows.same_rows

    def by_limit(plan: Any) -> Any:
        *others, _groups, limit = real(plan)
        return *others, limit

    patch.setattr(same_rows, "same_rows", by_limit)


@bug(RECORD, "tables made consistent beside rows that one of them drops", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(same_rows, "keeps_every_row", lambda column: True)


@bug(RECORD, "tables made consistent whatever their conditions", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Question, "conditions", ())


@bug(RECORD, "shares joined with tables that hold what they drop", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    _drop_nothing(patch, Proportion)


@bug(RECORD, "bins joined with tables that hold rows without a number", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    _drop_nothing(patch, Distribution)


def _drop_nothing(patch: pytest.MonkeyPatch, method: Any) -> None:
    real = method.added

    def added(self: Any, plan: Any) -> Any:
        found = real(self, plan)
        return found and replace(found, dropping=frozenset())

    patch.setattr(method, "added", added)


@bug(RECORD, "sums made to add up to a public number of rows", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(joined_tables, "total_of", lambda plan: plan.question.public_total)


@bug(RECORD, "a public number of rows taken for one less", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = joined_tables.total_of

    def less(plan: Any) -> Any:
        total = real(plan)
        return None if total is None else total - 1

    patch.setattr(joined_tables, "total_of", less)


@bug(RECORD, "a question asked twice counts as two draws", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = figures._of_set

    def of_set(answers: Any, places: Any) -> Any:
        named = (
            replace(a, plan=replace(a.plan, find_canonical=lambda i=i: str(i)))
            for i, a in enumerate(answers)
        )
        return real(tuple(named), places)

    patch.setattr(figures, "_of_set", of_set)


@bug(RECORD, "margins as if each noise counted alone", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = marginals.Marginals.noises

    def noises(self: Any, *wanted: Any, **more: Any) -> Any:
        return tuple((noise, weight, 1) for noise, weight, _many in real(self, *wanted, **more))

    patch.setattr(marginals.Marginals, "noises", noises)


@bug(RECORD, "a tree's noises as before other tables said how many rows there are", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = joined_tables.TreeErrors._total.func
    _tree_total(patch, lambda errors: (1.0, real(errors)[1]))


@bug(RECORD, "a tree made consistent as if other tables had no noise", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = joined_tables.TreeErrors._total.func
    _tree_total(patch, lambda errors: (real(errors)[0], ()))


def _tree_total(patch: pytest.MonkeyPatch, instead: Any) -> None:
    patch.setattr(joined_tables.TreeErrors, "_total", property(instead))


@bug(RECORD, "every count of a tree moved by all that its total moved", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    for strategy in (Hierarchy, SquareRoot):
        real = strategy.counts_below

        def moved(tree: Any, drawn: Any, total: Any, real: Any = real) -> Any:
            counts = real(tree, drawn, None)
            return tuple(count + (total or counts[-1]) - counts[-1] for count in counts)

        patch.setattr(strategy, "counts_below", moved)


@bug(RECORD, "a share of bins as if its two counts had no noise in common", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = joined_tables.LineErrors.terms

    def terms(self: Any, line: int = 0, share: float = 0.0) -> Any:
        whole = real(self, joined_tables.lines_of(self.plan) - 1) if share else ()
        beside = ((noise, -share * weight, many) for noise, weight, many in whole)
        return (*real(self, line), *beside)

    patch.setattr(joined_tables.LineErrors, "terms", terms)


@bug(RECORD, "groups sorted by their true count", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    def by_count(rows: list[Any], counts: list[int]) -> list[Any]:
        order = sorted(range(len(rows)), key=lambda i: (-counts[i], i))
        return [rows[i] for i in order]

    _rows_by_truth(patch, by_count)


@bug(RECORD, "small groups suppressed on their true count", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    def suppressed(rows: list[Any], counts: list[int]) -> list[Any]:
        return [r if c >= 5 else ["<5"] * len(r) for r, c in zip(rows, counts, strict=True)]

    _rows_by_truth(patch, suppressed)


@bug(RECORD, "a mean divided by the true count", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    truth = _truth(patch)

    def mean(plan: Any, grid: Any, found: tuple[int, ...]) -> Any:
        count = truth[plan.query.id][1][0]
        value = grid.quantum * Fraction(found[0], max(1, count))
        return Figure(value, Fraction(1)) if count else None

    patch.setattr(statistics_mean, "mean_figure", mean)


@bug(RECORD, "the margin is the error that was made", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    truth, real = _truth(patch), reprice.table

    def table(*arguments: Any) -> Any:
        found = real(*arguments)
        roles = [column.role for column in found.columns]
        rows = [list(row) for row in found.rows]
        if {"half-width", "part"} <= set(roles):
            margin, drawn = roles.index("half-width"), roles.index("part")
            for row, exact in zip(rows, truth.get(found.id, [[]])[0], strict=False):
                row[margin] = str(abs(int(row[drawn]) - exact))
        return replace(found, rows=tuple(map(tuple, rows)))

    patch.setattr(reprice, "table", table)


@bug(RECORD, "what is too noisy is marked by the true count", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    truth, real = _truth(patch), published_tables._marked

    def marked(plan: Any, columns: Any, rows: Any) -> Any:
        counts = truth.get(plan.query.id, [[]])[-1]
        columns, rows = real(plan, columns, rows)
        if columns[-1].role != "mark" or len(counts) < len(rows):
            return columns, rows
        pairs = zip(rows, counts, strict=False)
        return columns, tuple((*row[:-1], "no" if count > 5 else "yes") for row, count in pairs)

    patch.setattr(published_tables, "_marked", marked)


@bug(RECORD, "an interval is cut at the true count", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    truth = _truth(patch)

    def possible(_self: Any, plan: Any) -> Any:
        return Possible(Fraction(0), Fraction(truth[plan.query.id][0][0]), is_total=True)

    patch.setattr(counts.CountRows, "possible", possible)


@bug(RECORD, "a count is rounded towards the true one", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    _publish(patch, lambda count, figure, step: replace(figure, value=step * (count // step)))


@bug(RECORD, "a count of nobody is published as 0 without a margin", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    def known(count: int, figure: Figure, _step: int) -> Figure:
        return figure if count else Figure(Fraction(0), Fraction(0))

    _publish(patch, known)


def _publish(patch: pytest.MonkeyPatch, see: Callable[[int, Figure, int], Figure]) -> None:
    """Let the published form of a count see the true one."""
    truth, real = _truth(patch), published_tables._in_form

    def in_form(plan: Any, columns: Any, rows: Any, exact: Any) -> Any:
        counts = truth.get(plan.query.id, [[]])[-1]
        lines = list(real(plan, columns, rows, exact))
        if len(counts) < len(lines):
            return lines
        at = [column.role for column in columns]
        value, half = at.index("value"), at.index("half-width")
        for place, line in enumerate(lines):
            figure = Figure(Fraction(line[value]), Fraction(line[half]))
            changed = see(counts[place], figure, plan.form.step)
            cells = list(line)
            cells[value], cells[half] = str(changed.value), str(changed.half_width)
            lines[place] = tuple(cells)
        return lines

    patch.setattr(published_tables, "_in_form", in_form)


@bug(RECORD, "the file's hash in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    more: dict[str, Any] = {}
    _put_in_record(patch, more)
    _look(
        patch,
        lambda _table, path: more.update(sha256=hashlib.sha256(path.read_bytes()).hexdigest()),
    )


@bug(RECORD, "the number of rows in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    more: dict[str, Any] = {}
    _put_in_record(patch, more)
    _look(patch, lambda table, _path: more.update(rows=len(table.persons())))


@bug(RECORD, "the number of clipped values in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    more = {"clipped": 0}
    _put_in_record(patch, more)
    _look(patch, lambda _table, _path: None)
    real = GridReader.index

    def index(self: Any, number: Any) -> tuple[int, bool]:
        found, inside = real(self, number)
        more["clipped"] += not inside
        return found, inside

    patch.setattr(GridReader, "index", index)


@bug(RECORD, "the file's date in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    more: dict[str, Any] = {}
    _put_in_record(patch, more)
    _look(patch, lambda _table, path: more.update(changed=int(path.stat().st_mtime)))


@bug(RECORD, "the file's name in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(released_study, "public_study", study_to_members)


@bug(RECORD, "what was recognised by looking at rows is released", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(released_study, "RECOGNISED", ())


@bug(RECORD, "the only sheet that is filled is released", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(released_study, "_PLACES", ("path", "catalogue"))


@bug(RECORD, "a confirmed proposal counts as declared by hand", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(study_edits, "confirm_reading", study_edits.declare_reading)


@bug(RECORD, "what a check against the file found is in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    more: dict[str, Any] = {}
    _put_in_record(patch, more)
    real = column_tally.ColumnTally.findings

    def findings(self: Any) -> Any:
        for found in real(self):
            more[self.column.name] = found.amount
            yield found

    patch.setattr(column_tally.ColumnTally, "findings", findings)


@bug(RECORD, "a check against the file leaves a line in the log", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    real = column_tally.how_many_read

    def how_many_read(read: int, unread: int) -> Any:
        found = real(read, unread)
        logging.getLogger("dpdesk").debug("%s", found)
        return found

    patch.setattr(column_tally, "how_many_read", how_many_read)


@bug(RECORD, "an empty table is refused", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    def refused(table: Any, _path: Path) -> None:
        if not len(table.persons()):
            raise refuse("data-file-empty", "$.data.path")

    _look(patch, refused)


@bug(RECORD, "a group without rows is not asked", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    real = run.draw_query

    def noise(study: Any, query: Any, table: Any, at: Any) -> Any:
        if not len(table.persons()):
            return tuple((0,) * part.cells for part in query.parts)
        return real(study, query, table, at)

    patch.setattr(run, "draw_query", noise)


@bug(RECORD, "the report tells how many rows were read", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    _look(patch, lambda table, _path: rows.append(len(table.persons())))
    real = signed_bundle.html_bytes
    patch.setattr(signed_bundle, "html_bytes", lambda report: real(report) + f"{rows}".encode())


@bug(RECORD, "the printed report tells how many rows were read", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    _look(patch, lambda table, _path: rows.append(len(table.persons())))
    real = signed_bundle.pdf_bytes
    patch.setattr(signed_bundle, "pdf_bytes", lambda report: real(report) + f"{rows}".encode())


@bug(RECORD, "the workbook tells how many rows were read", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    _look(patch, lambda table, _path: rows.append(len(table.persons())))
    real = signed_bundle.workbook_bytes
    patch.setattr(signed_bundle, "workbook_bytes", lambda *given: real(*given) + f"{rows}".encode())


@bug(RECORD, "the bundle carries the hour in which the file was changed", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    hours: list[int] = [0]
    _look(patch, lambda _table, path: hours.append(int(path.stat().st_mtime // 3600)))
    real = signed_bundle.readme_bytes
    patch.setattr(
        signed_bundle, "readme_bytes", lambda *given: real(*given) + f"{hours[-1]}".encode()
    )


@bug(RECORD, "the extract's name in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    real = released_study.public_study

    def public(study: Any) -> Any:
        members = real(study)
        return {**members, "data": {**members["data"], "extract": study.data.extract}}

    patch.setattr(released_study, "public_study", public)


@bug(RECORD, "the digest of the file's bytes in the record", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    more: dict[str, Any] = {}
    real = run.note_use

    def note(transaction: Any, account: str, extract: str, digest: bytes) -> None:
        more["bytes"] = digest.hex()
        real(transaction, account, extract, digest)

    patch.setattr(run, "note_use", note)
    _put_in_record(patch, more)
