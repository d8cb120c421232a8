# SPDX-License-Identifier: Apache-2.0
"""What the views render: the study, what is wrong with it, what it will cost. No Qt, no data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from dpdesk.desk.core.counting import Counting
from dpdesk.release.record.amounts import found_problem, neighbours_problem
from dpdesk.release.record.totals import plus, share_of, together
from dpdesk.study.checks.extracts import check_extract
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import NO_DELTA, WITHOUT_DELTA, ZERO, AccountDelta, Delta, Share
from dpdesk.study.model.baseline.expansion import Asked, questions
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.public_numbers import share_paid

if TYPE_CHECKING:
    from dpdesk.privacy.plan import QueryPlan
    from dpdesk.privacy.planning.weak import Weakness
    from dpdesk.release.ledger.answers import Paid

STEPS = ("data", "people", "columns", "queries", "release")
_STEP_PATHS = {
    "data": ("$.data", "$.tables", "$.unit.case", "$.title", "$.organisation"),
    "people": ("$.unit", "$.budget", "$.rounding"),
    "columns": ("$.columns",),
    "queries": ("$.queries", "$.baseline_tables", "$.synthetic_rows"),
}
_COMPILED_FROM = ("data", "unit", "budget", "rounding", "tables")
"""Beside itself and its columns, what of the study a query is compiled from."""


NONE_FURTHER: Mapping[str, tuple[str, str]] = {}


class StepState(Enum):
    """How far a step is."""

    NOT_YET = "not yet"
    ATTENTION = "attention"
    DONE = "done"


@dataclass(frozen=True)
class PastRelease:
    """A release of the account, as the ledger counts it.

    Attributes:
        number: which release of its account it is, the first being 1.
        time: see ``Entry``.
        paid: what it spent.
    """

    number: int
    time: str
    paid: Share


@dataclass(frozen=True)
class AccountView:
    """The account that pays, as the gauge shows it; absent while none is chosen or known.

    Attributes:
        name, total, spent, locked: see ``AccountState``; delta: its delta, in its parts.
        delta_left: what found categories can still charge; of the series as ``reserved``.
        needs_opening: a person has to open it, rather than to reconcile the ledger.
        is_moved: it was moved to another computer.
        needs_reconciling: an older copy of the ledger is in use; that comes before all else.
        releases: the last ones, the newest first.
        reserved: what running series keep for themselves, in the measure's smallest parts; without
            the instalment that is to be released now.
        neighbours: of which kind its losses are; empty before its first release.
    """

    name: str
    total: Share
    spent: Share
    locked: bool = False
    delta: AccountDelta = WITHOUT_DELTA
    delta_left: Delta = NO_DELTA
    needs_opening: bool = False
    reserved: int = 0
    is_moved: bool = False
    needs_reconciling: bool = False
    releases: tuple[PastRelease, ...] = ()
    neighbours: str = ""

    @cached_property
    def measure(self) -> str:
        return self.total.measure

    @cached_property
    def left(self) -> Share:
        """What can still be spent beside what is reserved."""
        return share_of(self.measure, max(0, self.total.units - self.spent.units - self.reserved))


@dataclass(frozen=True)
class DeskState:
    """Everything a view needs, derived from the study and the account.

    Attributes:
        study: the open study.
        problems: what is wrong with the study, and an account kept in another measure; with
            ``file_problems`` it is ``blocking``.
        plans: the compiled plan of each query that is complete, by query id.
        planned: what releasing the queries would cost, complete or not; questions that were
            answered before are answered again for free, and one that is asked twice is paid once.
        answered: ids of the queries that the ledger will answer, without reading the data.
        repeats: ids of the queries that ask what an earlier one in this study asks.
        account: the paying account.
        header: the columns of the data file, in its order; empty while unknown.
        file_problems: what is wrong with the data file, as last looked at: it is not there, or
            lacks a declared column. They belong on Data and keep the study from being released.
        stored: by query id, the release that the ledger could answer it from.
        fresh: whether these are to be drawn and paid again all the same.
        checked: of the problems, those that the study has by itself, whatever the account.
        further: what columns of further tables are called, each with its table and its header.
        counting: how far the counting next to a database is.
    """

    study: Study = field(default_factory=Study)
    problems: tuple[Problem, ...] = ()
    plans: Mapping[str, QueryPlan] = field(default_factory=dict)
    planned: Share = ZERO
    answered: frozenset[str] = frozenset()
    account: AccountView | None = None
    header: tuple[str, ...] = ()
    file_problems: tuple[Problem, ...] = ()
    stored: Mapping[str, Paid] = field(default_factory=dict)
    fresh: bool = False
    repeats: frozenset[str] = frozenset()
    checked: tuple[Problem, ...] = ()
    further: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    counting: Counting = Counting.NONE

    def place_of(self, name: str) -> tuple[str, str]:
        """The table that a column is of, ``MAIN`` or a further one's name, and its header there.

        Of one that is made from others, its own name.
        """
        column = self.study.column(name)
        if column is not None:
            return column.table, column.in_file or name
        return self.further.get(name, (MAIN, name))

    @property
    def in_database(self) -> bool:
        """Whether the rows are in a database, so that a release wants sealed counts."""
        return self.study.data is not None and self.study.data.in_database

    @cached_property
    def must_read(self) -> bool:
        """Whether a release draws anything, and so wants the file or the counts."""
        return any(plan.query.id not in self.answered for plan in self.plans.values())

    @property
    def lacks_counts(self) -> bool:
        """Whether all is declared and nothing but counts from the database is wanting."""
        is_whole = bool(self.study.queries) and not self.blocking and self.must_read
        return self.in_database and is_whole and self.counting is not Counting.OPENED

    @cached_property
    def free(self) -> frozenset[str]:
        """Ids of the queries that cost nothing at their share."""
        return self.answered | self.repeats | self.public

    @cached_property
    def public(self) -> frozenset[str]:
        """Ids of the queries whose answer is public, so that they cost nothing at any share."""
        return frozenset(query_id for query_id, plan in self.plans.items() if plan.is_public)

    @property
    def uses_withdrawn(self) -> bool:
        """Whether an answer is of a release that was withdrawn or corrected since."""
        return any(self.stored[query].revoked is not None for query in self.answered)

    @cached_property
    def blocking(self) -> tuple[Problem, ...]:
        """Everything that keeps the study from being released: in it, then in its file."""
        return (*self.problems, *self.file_problems)

    @cached_property
    def weak_to_draw(self) -> tuple[Weakness, ...]:
        """Of what would say nothing, what is still to be drawn: no stored answer gets better."""
        return tuple(one for one in self.weak if one.query not in self.answered)

    @cached_property
    def weak(self) -> tuple[Weakness, ...]:
        """What in the plan would say nothing, with what helps; worked out when it is looked at."""
        # Loaded here and below: a window without a study shows before there is a plan.
        from dpdesk.privacy.planning.weak import weaknesses

        return weaknesses(self.study, self.plans, self._spare, self.answered)

    @cached_property
    def weak_count(self) -> int:
        """How many queries and Table 1s say little that are still to be drawn."""
        weak = {one.query for one in self.weak_to_draw}
        return self.asked_in(weak) if weak else 0

    def asked_in(self, ids: Collection[str]) -> int:
        """How many queries and Table 1s these queries answer, or a part of."""
        return sum(any(p.id in ids for p in self.parts_of(one)) for one in questions(self.study))

    def weak_of(self, query_id: str) -> tuple[Weakness, ...]:
        """What of the query or the Table 1 of that id would say nothing."""
        return self._weak_by_query.get(query_id, ())

    @cached_property
    def _weak_by_query(self) -> Mapping[str, tuple[Weakness, ...]]:
        """Each card asks for its own at each keystroke."""
        found: dict[str, tuple[Weakness, ...]] = {}
        tables = {q.id: q.component.table for q in self.study.queries if q.component is not None}
        for one in self.weak:
            asked_id = tables.get(one.query, one.query)
            found[asked_id] = (*found.get(asked_id, ()), one)
        return found

    @property
    def _spare(self) -> Share | None:
        """What may be spent beyond this plan, by the account and by the study's own limit."""
        if self.account is None or self.account.measure != self.planned.measure:
            return None
        limit = self.study.budget.limit if self.study.budget else None
        within = [self.left_after]
        if limit is not None and limit.measure == self.planned.measure:
            within.append(limit.units - self._all_shares)
        return type(self.planned)(max(0, min(within)))

    @cached_property
    def left_after(self) -> int:
        """What stays after this plan; negative when over-planned.

        In the smallest parts of the account's measure; a plan in another one takes nothing.
        """
        if self.account is None:
            return -self.planned.units
        fits = self.account.measure == self.planned.measure
        return self.account.left.units - (self.planned.units if fits else 0)

    @cached_property
    def spent_after(self) -> Share:
        """What the account has spent once this plan is released."""
        if self.account is None or self.account.measure != self.planned.measure:
            return self.account.spent if self.account else self.planned
        return plus(self.account.spent, self.planned)

    @cached_property
    def measure(self) -> str:
        """What the account is kept in, or the study's shares while there is none."""
        return self.account.measure if self.account else self.planned.measure

    @cached_property
    def over_planned(self) -> bool:
        """Whether the plan costs more than is left, or than the study's own limit."""
        return self.account is not None and (self.left_after < 0 or self.over_limit_by > 0)

    @cached_property
    def over_limit_by(self) -> int:
        """How much more the plan costs than the study may spend, in the measure's units."""
        limit = self.study.budget.limit if self.study.budget else None
        return max(0, self._all_shares - limit.units) if limit is not None else 0

    @cached_property
    def _all_shares(self) -> int:
        """What the queries would cost together if none were answered, in the measure's units."""
        return _shares(self.study, self.plans, frozenset()).units

    @property
    def limit_is_exceeded_more(self) -> bool:
        """Whether the study's own limit is exceeded, by no less than the account: say that one.

        What was answered before counts towards the limit and not towards what the account pays.
        """
        return self.over_limit_by > 0 and self.over_limit_by >= -self.left_after

    def column_problems(self, name: str) -> tuple[Problem, ...]:
        return self._by_column.get(name, ())

    def query_problems(self, asked_id: str) -> tuple[Problem, ...]:
        """Those of a query or of a Table 1."""
        return self._by_query.get(asked_id, ())

    def parts_of(self, one: Asked) -> tuple[Query, ...]:
        """The queries that answer what is asked: it, or those that a Table 1 is made of."""
        return (one,) if isinstance(one, Query) else self._by_table.get(one.id, ())

    @cached_property
    def _by_table(self) -> Mapping[str, tuple[Query, ...]]:
        found: dict[str, list[Query]] = {}
        for query in self.study.queries:
            if query.component is not None:
                found.setdefault(query.component.table, []).append(query)
        return {table: tuple(queries) for table, queries in found.items()}

    def is_answered(self, one: Asked) -> bool:
        """Whether the ledger answers all of it."""
        parts = self.parts_of(one)
        return bool(parts) and all(part.id in self.answered for part in parts)

    def is_free(self, one: Asked) -> bool:
        """Whether all of it costs nothing at its share."""
        parts = self.parts_of(one)
        return bool(parts) and all(part.id in self.free for part in parts)

    def to_pay(self, one: Asked) -> Share | None:
        """What is still to be paid of its share, where that is in the study's measure."""
        measure = (self.study.budget or Budget()).measure
        if one.share is None or one.share.measure != measure:
            return None
        if isinstance(one, Query):
            return share_of(measure, 0) if one.id in self.free else one.share
        shares = [part.share for part in self.parts_of(one) if part.id not in self.free]
        if None in shares:  # a Table 1 whose price cannot be spread
            return one.share
        return together(measure, (share for share in shares if share is not None))

    @cached_property
    def _by_column(self) -> Mapping[str, tuple[Problem, ...]]:
        """By name, those of the first column that has it; a list of thousands asks."""
        names = [column.name for column in self.study.columns]
        return _of_each(self.problems, "$.columns[", names)

    @cached_property
    def _by_query(self) -> Mapping[str, tuple[Problem, ...]]:
        found = _of_each(self.problems, "$.queries[", [query.id for query in self.study.queries])
        tables = [table.id for table in self.study.baseline_tables]
        return {**found, **_of_each(self.problems, "$.baseline_tables[", tables)}

    def problems_at(self, prefix: str) -> tuple[Problem, ...]:
        """The problems whose path is ``prefix`` or is below it."""
        return tuple(p for p in self.problems if _below(p.path, prefix))

    def step_problems(self, step: str) -> tuple[Problem, ...]:
        """The problems that belong on a step's page."""
        problems = self._by_step.get(step, ())
        return (*self.file_problems, *problems) if step == "data" else problems

    @cached_property
    def _by_step(self) -> Mapping[str, tuple[Problem, ...]]:
        """The rail and each page ask for them several times; there may be thousands."""
        found: dict[str, list[Problem]] = {}
        for problem in self.problems:
            found.setdefault(_step_of(problem.path), []).append(problem)
        return {step: tuple(problems) for step, problems in found.items()}


def _step_of(path: str) -> str:
    """The first step that a problem belongs to; none where it belongs to the release."""
    steps = (step for step, parts in _STEP_PATHS.items() if any(_below(path, x) for x in parts))
    return next(steps, "")


def _below(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith((prefix + ".", prefix + "["))


def _of_each(
    problems: Iterable[Problem], prefix: str, names: Sequence[str]
) -> Mapping[str, tuple[Problem, ...]]:
    """The problems of the parts of a list, by name; of equal names the first one's."""
    by_number: dict[int, list[Problem]] = {}
    for problem in problems:
        index = problem.path.removeprefix(prefix).partition("]")[0]
        if index.isdigit():
            by_number.setdefault(int(index), []).append(problem)
    return {names[at]: tuple(by_number[at]) for at in sorted(by_number, reverse=True)}


def _shares(study: Study, plans: Mapping[str, QueryPlan], answered: frozenset[str]) -> Share:
    """What the queries that are not answered yet cost together, in the study's measure."""
    measure = (study.budget or Budget()).measure
    asked = (query for query in study.queries if query.id not in answered)
    shares = (plans[q.id].share if q.id in plans else share_paid(study, q) for q in asked)
    return together(measure, (s for s in shares if s is not None and s.measure == measure))


def _account_problems(study: Study, account: AccountView | None) -> tuple[Problem, ...]:
    """Where the account counts in another measure, or between other neighbours, than the study."""
    if account is None:
        return ()
    wanted, unit = (study.budget or Budget()).measure, study.unit
    if account.measure != wanted:
        params = {"name": account.name, "measure": account.measure, "other": wanted}
        return (Problem("$.budget.account", "account-measure-differs", params),)
    if unit is None or account.neighbours in ("", unit.neighbours):
        return ()
    problem = neighbours_problem(account.name, account.neighbours, unit.neighbours)
    return (problem,) if problem is not None else ()


def _found_problems(
    plans: Mapping[str, QueryPlan], account: AccountView | None, free: frozenset[str], study: Study
) -> Iterator[Problem]:
    """Each query of found categories that the account's delta does not reach to, at its query.

    Codes: those of ``found_problem``.
    """
    if account is None or account.measure != "rho":
        return
    requested = NO_DELTA
    for index, query in enumerate(study.queries):
        plan = plans.get(query.id)
        if plan is None or query.id in free or not plan.delta.atto:
            continue
        requested += plan.delta
        path = f"$.queries[{index}].delta"
        problem = found_problem(*(account.name, account.delta, account.delta_left, requested), path)
        if problem is not None:
            yield problem


def derive(
    study: Study,
    account: AccountView | None = None,
    header: tuple[str, ...] = (),
    find_answer: Callable[[QueryPlan], Paid | None] = lambda _plan: None,
    file_problems: tuple[Problem, ...] = (),
    fresh: bool = False,
    before: DeskState | None = None,
    further: Mapping[str, tuple[str, str]] = NONE_FURTHER,
    counting: Counting = Counting.NONE,
) -> DeskState:
    """Work out the state of a study; milliseconds, because unchanged queries compile once.

    Args:
        study: the open study.
        account: the account that pays.
        header: the file's columns.
        find_answer: the release in which a question was answered before, on the same extract.
        file_problems: what is wrong with the data file.
        fresh: draw and pay again for what was answered before.
        before: the state before; what follows from a part of the study that is the same is taken
            over from it.
        further, counting: see ``DeskState``.
    """
    known = before if before is not None and before.study is study else None
    plans = _plans(study, before) if known is None else known.plans
    checked = _checked(study, plans) if known is None else known.checked
    answers = {query_id: find_answer(plan) for query_id, plan in plans.items()}
    stored = {query_id: paid for query_id, paid in answers.items() if paid is not None}
    plans = _joined(plans, {} if fresh else stored, before)
    answered = frozenset() if fresh else frozenset(stored)
    repeats = _repeats(plans, answered)
    planned = _shares(study, plans, answered | repeats)
    found = _found_problems(plans, account, answered | repeats, study)
    problems = (*checked, *_account_problems(study, account), *found)
    made = DeskState(
        study,
        problems,
        plans,
        planned,
        answered,
        account,
        header,
        # What keeps a file from being read may be the study's own problem.
        tuple(p for p in file_problems if p not in problems),
        stored,
        fresh and bool(stored),
        repeats,
        checked,
        further,
        counting,
    )
    return made if known is None or not _is_same(made, known) else known


def _is_same(made: DeskState, known: DeskState) -> bool:
    """Whether states of one study differ in nothing; what was worked out of the old one is kept."""
    names = ("account", "header", "file_problems", "stored", "fresh", "further", "counting")
    return all(getattr(made, name) == getattr(known, name) for name in names)


def _checked(study: Study, plans: Mapping[str, QueryPlan]) -> tuple[Problem, ...]:
    """Every problem of a study; of a query that compiled nothing is checked a second time."""
    sound = {query_id: plan.query for query_id, plan in plans.items()}
    return (*check(study, sound), *_extract_problems(study.data))


@lru_cache(maxsize=2)
def _extract_problems(data: DataSource | None) -> tuple[Problem, ...]:
    """A keystroke in a query asks for the same ones again."""
    return tuple(check_extract(data))


def _plans(study: Study, before: DeskState | None) -> dict[str, QueryPlan]:
    """The plan of each query that is complete; of those that did not change, as it was."""
    from dpdesk.privacy.compiler import compile_at_share, compile_query

    plans = {}
    known = _declared_alike(study, before) if before is not None else {}
    for query in study.queries:
        old, plan = known.get(query.id, (None, None))
        if old is query and plan is not None:
            plans[query.id] = plan
            continue
        is_repriced = old is not None and old.unpriced == query.unpriced
        with suppress(Refused):
            if is_repriced and plan is not None:
                plans[query.id] = compile_at_share(study, plan, query)
            else:
                plans[query.id] = compile_query(study, query)
    return plans


def _joined(
    plans: Mapping[str, QueryPlan], stored: Mapping[str, Paid], before: DeskState | None
) -> Mapping[str, QueryPlan]:
    """The plans with the margins that the release will state; those that did not change as before.

    What the ledger answers was drawn by an earlier entry.
    """
    from dpdesk.privacy.reconcile.planned import planned

    def entry_of(plan: QueryPlan) -> int | None:
        paid = stored.get(plan.query.id)
        return None if paid is None else paid.sequence

    made = planned(tuple(plans.values()), entry_of, before.plans if before else {})
    is_same = all(one is other for one, other in zip(made, plans.values(), strict=True))
    return plans if is_same else dict(zip(plans, made, strict=True))


def _declared_alike(study: Study, before: DeskState) -> dict[str, tuple[Query, QueryPlan]]:
    """The queries that compiled in the study before, of the very same columns, with their plans."""
    old = before.study
    if any(getattr(old, name) is not getattr(study, name) for name in _COMPILED_FROM):
        return {}
    changed: set[str] = set()
    if old.columns is not study.columns:
        were, are = ({(id(c), c.name) for c in one.columns} for one in (old, study))
        changed = {name for _id, name in were ^ are}
    kept = (q for q in old.queries if not changed or changed.isdisjoint(old.with_operands(q.names)))
    plans = ((q, before.plans[q.id]) for q in kept if q.id in before.plans)
    return {q.id: (q, plan if plan.joined is None else plan.alone) for q, plan in plans}


def _repeats(plans: Mapping[str, QueryPlan], answered: frozenset[str]) -> frozenset[str]:
    """The queries that an earlier one pays for, as a release reckons."""
    from dpdesk.release.ledger.spending.prices import unanswered

    # Whatever asks the same asks for the same statistic at the same share.
    alike: dict[object, list[QueryPlan]] = {}
    for plan in plans.values():
        alike.setdefault((plan.query.statistic, plan.share), []).append(plan)
    several = [plan for group in alike.values() if len(group) > 1 for plan in group]
    if not several:
        return frozenset()
    stored = {plan.canonical for plan in several if plan.query.id in answered}
    own = {plan.query.id for plan in unanswered(several, stored).values()}
    return frozenset(plan.query.id for plan in several) - answered - own


def is_open(problem: Problem) -> bool:
    """Whether something is only not declared yet, rather than wrong."""
    return problem.code.endswith("-not-declared")


def step_state(state: DeskState, step: str) -> StepState:
    """How far a step is: untouched or not complete, with things to fix, or done."""
    if step == "release":
        return StepState.NOT_YET
    untouched = {
        "data": state.study.data is None,
        "people": state.study.unit is None,
        "columns": not state.study.columns,
        "queries": not state.study.queries,
    }[step]
    if untouched:
        return StepState.NOT_YET
    if step == "data" and state.lacks_counts:
        is_waiting = state.counting is Counting.WAITING
        return StepState.ATTENTION if is_waiting else StepState.NOT_YET
    problems = state.step_problems(step)
    if all(is_open(problem) for problem in problems):
        return StepState.NOT_YET if problems else StepState.DONE
    return StepState.ATTENTION
