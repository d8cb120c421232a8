# SPDX-License-Identifier: Apache-2.0
"""The rail beside a study: how far each step is, what is set in it, and where to go on."""

from __future__ import annotations

from pathlib import PurePath

from dpdesk.desk.core.counting import Counting
from dpdesk.desk.core.state import STEPS, DeskState, StepState, is_open, step_state
from dpdesk.desk.pages.page_list import PAGES, Rail
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import ICON_RAIL_BELOW, NARROW_RAIL_BELOW
from dpdesk.desk.widgets.rail import RailEntry, RailForm, StepRail
from dpdesk.study.model.baseline.expansion import questions


def rail_entries() -> tuple[RailEntry, ...]:
    return tuple(
        RailEntry(page.key, page.title(), page.icon, page.rail is Rail.STEP)
        for page in PAGES.values()
        if page.rail is not Rail.NONE
    )


def rail_form(width: float) -> RailForm:
    if width < ICON_RAIL_BELOW:
        return RailForm.ICONS
    return RailForm.NARROW if width < NARROW_RAIL_BELOW else RailForm.WIDE


def first_open_step(state: DeskState) -> str:
    """Where a study that was opened goes on: its first step that is not done."""
    if state.study.unit is None:
        return "data"
    for step in STEPS[:-1]:
        if step_state(state, step) is not StepState.DONE:
            return step
    return "queries"


def show_steps(rail: StepRail, state: DeskState, released: bool) -> None:
    """Show each step in the rail; what is described in one is worded where that changed."""
    study = state.study
    parts = {"data": study.data, "people": study.unit, "columns": study.columns}
    for step in STEPS:
        item = rail.item(step)
        is_counted = step == "data" and study.data is not None and study.data.in_database
        # Where the data is in a database, its step is made of more.
        counted = (state.counting, state.lacks_counts) if is_counted else ()
        made_of = (parts[step], state.step_problems(step), *counted) if step in parts else None
        if made_of is not None and made_of == item.made_of:
            continue
        item.made_of = made_of
        item.set_state(*rail_state(state, step, released))
        if step == "people":
            item.set_hint(hint(state, step))


def rail_state(state: DeskState, step: str, released: bool) -> tuple[StepState, str, int]:
    """How far a step is, its second line, and how many things in it need attention."""
    how_far, count = step_state(state, step), _wrong(state, step)
    if step == "data" and how_far is StepState.ATTENTION:
        count = max(count, 1)  # an order that waits is one thing, too
    if step == "release" and released:
        how_far = StepState.DONE
    if step == "queries" and how_far is StepState.DONE:
        count = 1 if state.over_planned else state.weak_count
        how_far = StepState.ATTENTION if count else how_far
    return how_far, second_line(state, step, released), count


def _wrong(state: DeskState, step: str) -> int:
    """What is wrong, as the page counts it: what is only not declared yet is still to declare."""
    return sum(not is_open(problem) for problem in state.step_problems(step))


def second_line(state: DeskState, step: str, released: bool) -> str:
    if step == "release":
        return _release(state, released)
    if step == "data" and state.in_database and not state.step_problems(step):
        return _counting(state)
    if step_state(state, step) is StepState.NOT_YET:
        if step == "columns" and state.study.columns:
            # Columns, as below the page: a number's bounds and step are one thing to declare.
            lacking = sum(bool(state.column_problems(c.name)) for c in state.study.columns)
            return tr("RailView", "%n still to declare", "", lacking)
        return tr("RailView", "Not yet")
    makers = {"data": _data, "people": _people, "columns": _columns, "queries": _queries}
    return makers[step](state)


def _data(state: DeskState) -> str:
    data = state.study.data
    if count := len(state.study.tables):
        return tr("RailView", "%n table(s)", "", count + 1)
    return PurePath(data.path.replace("\\", "/")).name if data else ""


def _counting(state: DeskState) -> str:
    """How far the counting next to a database is."""
    if state.counting is Counting.OPENED:
        return tr("RailView", "Counts opened")
    if not state.lacks_counts:
        return tr("RailView", "In a database")
    waits = state.counting is Counting.WAITING
    return tr("RailView", "Order waits") if waits else tr("RailView", "Save the order")


def _people(state: DeskState) -> str:
    unit = state.study.unit
    names = words.names(state.study)
    if unit is None or unit.person is None:
        return tr("RailView", "One {0} each").format(names.row)
    limit = unit.max_rows
    counted = f"{words.grouped(limit)} {names.row if limit == 1 else names.rows}"
    return tr("RailView", "{0} each").format(counted)


def hint(state: DeskState, step: str) -> str:
    """What a second line means, where it is too short to say so by itself."""
    unit = state.study.unit
    if step != "people" or unit is None or unit.person is None:
        return ""
    if step_state(state, step) is StepState.NOT_YET:
        return ""
    names, limit = words.names(state.study), unit.max_rows
    counted = f"{words.grouped(limit)} {names.row if limit == 1 else names.rows}"
    return tr("RailView", "At most {0} per {1}").format(counted, names.person)


def _columns(state: DeskState) -> str:
    count = _wrong(state, "columns")
    if count:
        return tr("RailView", "%n to fix", "", count)
    return tr("RailView", "%n declared", "", len(state.study.columns))


def _queries(state: DeskState) -> str:
    count = _wrong(state, "queries")
    if count:
        return tr("RailView", "%n to fix", "", count)
    if state.over_planned:
        return tr("RailView", "Over budget")
    if state.weak_count:
        return tr("RailView", "%n to check", "", state.weak_count)
    count = len(questions(state.study))
    if _is_answered(state):
        return tr("RailView", "%n released", "", count)
    return tr("RailView", "%n planned", "", count)


def _is_answered(state: DeskState) -> bool:
    """Whether the ledger holds all that the study asks: it was released, maybe another day."""
    ids = {query.id for query in state.study.queries}
    return bool(ids) and ids <= state.free


def _release(state: DeskState, released: bool) -> str:
    if released:
        return tr("RailView", "Released")
    if state.blocking or state.account is None:
        # Above, Queries says that all was released: the study was changed since then.
        if _is_answered(state):
            return tr("RailView", "Changed since")
        # "Not yet" would deny what was released before, from this study or another.
        if state.account is not None and state.account.spent.units:
            return tr("RailView", "Not ready")
        return tr("RailView", "Not yet")
    if state.over_planned:
        return tr("RailView", "Over budget")
    data = state.study.data
    if data is not None and data.in_database and state.lacks_counts:
        return tr("RailView", "Waits for counts")
    if _is_answered(state):
        return tr("RailView", "See History")
    return tr("RailView", "Ready")
