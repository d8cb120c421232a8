# SPDX-License-Identifier: Apache-2.0
"""Before the release: what goes out, what stays, the account afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import islice

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.release.check_card import CheckCard
from dpdesk.desk.pages.release.counted_card import CountedCard
from dpdesk.desk.pages.release.notes_on_lines import NotesOnLines
from dpdesk.desk.pages.release.series_banner import SeriesBanner
from dpdesk.desk.pages.release.synthetic_card import SyntheticCard
from dpdesk.desk.text import accuracy_words, times, weak_words, words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card, ListCard
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.laying_out import laid_out_once
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.tab_stop import read_as_laid_out
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.release.bundle.query_headings import UNTITLED
from dpdesk.release.ledger.answers import Paid
from dpdesk.release.ledger.decisions.series import Series
from dpdesk.release.record.totals import together
from dpdesk.release.second_person.requirement import requirement_in
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.baseline.expansion import Asked, places, questions
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused
from dpdesk.study.text.shown_text import as_sentence

WEAK_AT_ONCE = 1
"""So many weaknesses are there at once; the others follow step by step, and the window lives on."""
WEAK_A_STEP = 5
QUERY, MARGIN = 1, 3
"""The table's column of margins, whose texts are short where there is little room."""


class ReleaseReview(QWidget):
    """The plan as it will be released.

    Signals:
        size_wanted: about how large a query's groups are is to be typed; carries its id.
    """

    size_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        heads = (
            "",
            self.tr("Query"),
            self.tr("Figures"),
            self.tr("± (95 in 100)"),
            self.tr("Budget"),
        )
        self._model = RowsModel(heads, right=(2, 3, 4), bold=(4,))
        self._model.accessible_heads = {0: self.tr("Number")}
        self.table = DataTable(
            self._model, self.tr("What will be released"), Space.ROW_REVIEW, stretch=1, wraps=True
        )
        self.rank = quiet()
        self.rank.setContentsMargins(*[Space.CARDS] * 4)
        self._goes = ListCard("upload", self.tr("Published, for anyone to read"))
        self._stays = ListCard("lock", self.tr("Stays here"))
        self._account_line = quiet()
        self._spent = Label("", Type.HEADING, semibold=True)
        self._left = Label("", Type.HEADING, semibold=True)
        self.untitled = Banner(
            Tone.ATTENTION,
            self.tr("This study has no title."),
            self.tr("Its report will be headed “{0}”.").format(catalogue().say(UNTITLED)),
            self.tr("Give it a title"),
            "pencil",
            stands_out=True,
        )
        self.counted = Banner(Tone.INFO, icon="people")
        self.second = Banner(Tone.INFO, icon="key")
        self.second.hide()
        self.stored = Banner(Tone.INFO, icon="history", stands_out=True)
        self.series = SeriesBanner(session)
        self.check = CheckCard(session)
        self.counted_by = CountedCard(session)
        self.synthetic = SyntheticCard(session)
        self._weak = QVBoxLayout(spacing=Space.CARDS)
        self.weak: list[Banner] = []
        self._coming = IdleSteps(self)
        self.open_lines = NotesOnLines(session)
        self._is_read = False
        self._key: object = None
        self._model.last_is_sum = True
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        frame = Card()
        frame.set_padding(1)
        frame.body.setSpacing(0)
        frame.body.addWidget(self.table)
        self.table.ring.radius = Radius.CARD
        frame.body.addWidget(self.rank)
        column.addWidget(self.series)
        column.addWidget(frame)
        column.addWidget(self.counted)
        column.addWidget(self.untitled)
        column.addLayout(self.open_lines)
        column.addLayout(self._weak)
        column.addWidget(self.second)
        column.addWidget(self.stored)
        self.stored.action_pressed.connect(
            lambda: self._session.draw_again(not self._session.state.fresh)
        )
        column.addWidget(self.check)
        column.addWidget(self.counted_by)
        pair = QHBoxLayout(spacing=Space.CARDS)
        pair.addWidget(self._goes, 1)
        pair.addWidget(self._stays, 1)
        column.addLayout(pair)
        column.addWidget(self.synthetic)
        column.addWidget(self._build_account())
        warning = Banner(
            Tone.ATTENTION,
            self.tr("This happens once."),
            self.tr(
                "Budget that is spent never comes back, and there is no second try. {0}"
            ).format(words.repeated()),
        )
        column.addWidget(warning)

    def _build_account(self) -> Card:
        card = Card()
        row = QHBoxLayout(spacing=Space.GAP)
        left = QVBoxLayout(spacing=Space.TIGHT)
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(IconLabel("scales", Role.ACCENT))
        head.addWidget(card.head(self.tr("The account afterwards")), 1)
        left.addLayout(head)
        left.addWidget(self._account_line)
        row.addLayout(left, 1)
        for name, value in ((self.tr("Spent"), self._spent), (self.tr("Remaining"), self._left)):
            column = QVBoxLayout(spacing=2)
            column.addWidget(quiet(name, wrap=False))
            column.addWidget(value)
            row.addLayout(column)
        card.body.addLayout(row)
        return card

    def forget(self) -> None:
        """Another study is open: nothing more is said of the one before."""
        self._coming.stop()
        self.check.forget()

    def enter(self) -> None:
        """Somebody reads the review: see which lines of the file are no rows."""
        self._is_read = True
        self.open_lines.look()
        self._show_second()

    def _show_second(self) -> None:
        """Say before anything is pressed that somebody else has to sign, too, and when."""
        account, found = self._session.state.account, None
        if account is not None:
            with suppress(Refused):  # whatever keeps it from being read is said at the release
                found = requirement_in(self._session.accounts.ledger(), account.name)
        self.second.setVisible(found is not None)
        if found is None:
            return
        person = found.person
        before = {
            "release": self.tr("They sign the plan first: Release… saves it for them."),
            "export": self.tr("They sign the bundle afterwards, before you send it."),
            "both": self.tr("They sign the plan first, and the bundle before you send it."),
        }
        head = self.tr("{0} must sign, too.").format(person.identity)
        self.second.say(head, before[person.before], Tone.INFO)

    def render_state(self) -> None:
        state = self._session.state
        self.check.setVisible(not state.in_database)
        self.check.render_state()
        self.counted_by.render_state()
        if self._is_read and self.isVisible():
            self.open_lines.look()
        key = (state.study, state.account, dict(state.stored), state.fresh)
        if key == self._key:
            return
        self._key = key
        self.synthetic.render_state()
        rows = [self._row(state, n, one) for n, one in enumerate(questions(state.study), 1)]
        figures, finds = how_many(state.plans.values())
        count = words.in_column(str(figures)) + (" +" if finds else "")
        total = ("", self.tr("Total"), count, "", words.amount(state.planned))
        self._model.set_rows([*rows, total])
        seconds = (self._second(state, one) for one in questions(state.study))
        self._model.seconds = {QUERY: [*seconds, ""]}
        self._model.short = {MARGIN: [*self._short_margins(state), ""]}
        weak = {one.query for one in state.weak_to_draw}
        numbers = places(state.study)
        self._model.warned = {(numbers[query] - 1, MARGIN) for query in weak}
        self.table.share_room()
        counted = words.counted_in_release(state.study)
        if str(counted) != self.counted.accessibleName():
            self.counted.say(counted.limit, counted.meaning)  # announced once
        self.counted.setVisible(bool(counted.limit))
        self.untitled.setVisible(not state.study.title.strip())
        self.table.fit_height(10)
        plans = [state.plans.get(query.id) for query in state.study.queries]
        self.rank.setText(accuracy_words.meaning_of_ranks(state.study, plans))
        self.rank.setVisible(bool(self.rank.text()))
        self._show_weak(state)
        self._show_stored(state)
        self._show_lists(state, figures, finds)
        self._show_account(state)

    def _second(self, state: DeskState, one: Asked) -> str:
        """What a title alone does not say: the sentence, or the columns of a Table 1."""
        if not isinstance(one, Query):
            return baseline_words.summary(state.study, one)
        return words.sentence(state.study, one) if one.title else ""

    def _table_row(self, state: DeskState, number: int, table: BaselineTable) -> tuple[str, ...]:
        plans = [state.plans.get(part.id) for part in state.parts_of(table)]
        figures = sum(len(plan.lines) for plan in plans if plan is not None)
        text, paid = baseline_words.title(state.study, table), state.to_pay(table)
        if state.is_answered(table):
            sources = {part.id: state.stored[part.id] for part in state.parts_of(table)}
            first = min(sources.values(), key=lambda one: one.sequence)
            text += self.tr(", answered from {0}").format(_source(first))
        cost = words.amount(paid) if paid is not None else "–"
        cost = self.tr("no cost") if state.is_free(table) else cost
        margin = baseline_words.margin(state, table) or "–"
        return (str(number), text, words.in_column(str(figures)), margin, cost)

    def _row(self, state: DeskState, number: int, query: Asked) -> tuple[str, ...]:
        if not isinstance(query, Query):
            return self._table_row(state, number, query)
        plan = state.plans.get(query.id)
        text = words.query_title(state.study, query)
        margin = "–"
        if plan is not None and plan.accuracy is not None:
            margin = accuracy_words.of_plan(state.study, plan)
        cost = words.amount(query.share) if query.share else "–"
        if query.id in state.free:
            is_public = query.id in state.public
            cost = self.tr("public, costs nothing") if is_public else self.tr("no cost")
        if query.id in state.answered:
            paid = state.stored[query.id]
            text += self.tr(", answered from {0}").format(_source(paid))
            if paid.revoked is not None:
                text += f", {_taken_back(paid.revoked.kind)}"
        elif query.id in state.repeats:
            text += self.tr(", the same query as above, charged once")
        count = words.in_column(str(len(plan.lines))) if plan else "–"
        if plan is not None and finds_its_figures(plan):
            count = self.tr("as found")
        return (str(number), text, count, margin, cost)

    def _short_margins(self, state: DeskState) -> list[str]:
        return [self._short_margin(state, one) for one in questions(state.study)]

    def _short_margin(self, state: DeskState, one: Asked) -> str:
        if not isinstance(one, Query):
            return baseline_words.margin(state, one) or "–"
        plan = state.plans.get(one.id)
        if plan is None or plan.accuracy is None:
            return "–"
        return accuracy_words.in_short(state.study, plan)

    def _show_weak(self, state: DeskState) -> None:
        """One banner a weakness, each with the change that helps; none of them stops the release.

        What must be typed is typed at its query.
        """
        empty(self._weak)
        self.weak = []
        numbers = places(state.study)
        coming = self._add_weak([(numbers[one.query], one) for one in state.weak_to_draw])
        for _ in islice(coming, WEAK_AT_ONCE):
            pass
        self._coming.begin(coming)

    def _add_weak(self, weaknesses: Sequence[tuple[int, Weakness]]) -> Iterator[None]:
        """Show the first weakness, then some a step, those of a step as one."""
        starts = range(1 - WEAK_A_STEP, len(weaknesses), WEAK_A_STEP)
        for start in starts if weaknesses else ():
            group, column = _group(Space.CARDS)
            for place, weakness in weaknesses[max(0, start) : start + WEAK_A_STEP]:
                self.weak.append(self._weak_banner(place, weakness))
                column.addWidget(self.weak[-1])
            with laid_out_once(self):
                self._weak.addWidget(group)
                group.show()  # by itself a turn later
            read_as_laid_out(self)
            yield

    def _weak_banner(self, place: int, weakness: Weakness) -> Banner:
        study = self._session.state.study
        lead = self.tr("Query {0}.").format(place)
        said = f"{weak_words.first(study, weakness)} {weak_words.rest(study, weakness)}"
        part = study.query(weakness.query)
        if part is not None and part.component is not None:
            said = f"{baseline_words.part_title(study, part)}: {said}"
        banner = Banner(Tone.ATTENTION, lead, said, stands_out=True)
        after = weakness.remedy.study
        action = weak_words.action(study, weakness)
        banner.set_action(action)
        if action:
            banner.action.setAccessibleName(f"{lead} {action}")
        if after is not None:
            banner.action_pressed.connect(
                lambda: self._session.edit(after, self.tr("Improve a query"))
            )
        else:
            banner.action_pressed.connect(lambda: self.size_wanted.emit(weakness.query))
        return banner

    def _show_stored(self, state: DeskState) -> None:
        """Say what the ledger answers, and offer to draw it again."""
        self.series.show_state(state)
        self.stored.setVisible(bool(state.stored) and not self._session.series)
        if state.fresh:
            self.stored.say(
                self.tr("Every query gets new noise and is charged again."),
                self.tr("The earlier figures stay valid; both together reveal more than one."),
                Tone.ATTENTION,
            )
            self.stored.set_action(self.tr("Use the stored figures"))
            return
        revoked = _revoked(state.stored)
        free = self.tr(
            "They cost nothing, and the data is not read for them. If the data has changed, "
            "change the extract’s name in Data."
        )
        self.stored.say(
            _from_ledger(state, state.stored),
            f"{revoked} {free}" if revoked else free,
            Tone.ATTENTION if revoked else Tone.INFO,
        )
        self.stored.set_action(self.tr("Draw and charge again"))

    def _show_lists(self, state: DeskState, figures: int, finds: bool) -> None:
        unit = state.study.unit
        by_person = unit is not None and unit.person is not None
        rows = unit.max_rows if unit and by_person else 1
        names = words.names(state.study)
        limit = f"{words.grouped(rows)} {names.row if rows == 1 else names.rows}"
        goes = [self.tr("%n figure(s) with noise, each with its margin", "", figures)]
        if finds:
            found = self.tr("Every category found, as the file writes it, with its number of {0}")
            goes = [*(goes if figures else ()), found.format(names.people)]
        if state.study.rounding is not None:
            rounded = self.tr("Counts rounded to {0} after the noise; the margins include that")
            goes.append(rounded.format(state.study.rounding))
        if any(query.whole_numbers for query in state.study.queries):
            goes.append(self.tr("No count below zero where you chose so; small ones are too high"))
        if state.study.synthetic_rows is not None:
            goes.append(self.tr("Synthetic data, made of the released counts alone"))
        goes += [
            self.tr("Your bounds and categories, and where they come from"),
            self.tr("The method, the budget, and {0} per {1}").format(limit, names.person),
            self.tr("Your signature"),
        ]
        sources = state.study.sources
        if any(one.format == "csv" and one.line_breaks for one in sources):
            goes.append(self.tr("That quotation marks in cells are assumed to be doubled"))
        if any(one.fill_down for one in sources) and by_person:
            goes.append(self.tr("That a row without an id belongs to the person above it"))
        if not by_person:
            goes.append(self.tr("The privacy unit: one {0}, not one person").format(names.row))
        stays = [
            self.tr(
                "The {0}, the ids of {1}, the file, its name and the name of its extract"
            ).format(names.rows, names.people),
            self.tr("The exact figures, which are never stored or shown"),
            self.tr("What a check against the file finds"),
        ]
        if state.in_database:
            stays[-1] = self.tr("The counts, which only this computer can open")
        if unit is None or unit.neighbours == "add-remove":
            stays.append(self.tr("The exact number of {0}").format(names.people))
        self._goes.set_lines("check", Role.ACCENT, goes)
        self._stays.set_lines("cross", Role.TEXT_QUIET, stays)

    def _show_account(self, state: DeskState) -> None:
        account = state.account
        if account is None:
            self._account_line.setText(self.tr("No account is chosen yet."))
            for one in (self._spent, self._left):
                one.setText("–")
                one.setAccessibleName("")
            return
        template = self.tr("Account {0}, {1} in total")
        self._account_line.setText(template.format(account.name, words.amount(account.total)))
        after = state.spent_after
        left = words.amount_of_units(state.left_after, state.measure)
        self._show_change(self._spent, words.amount(account.spent), words.amount(after))
        self._show_change(self._left, words.amount(account.left), left)
        self._left.set_role(Role.DANGER if state.left_after < 0 else Role.TEXT)

    def _show_change(self, label: Label, before: str, after: str) -> None:
        """Readers pass over an arrow, or say "rightwards arrow"."""
        label.setText(f"{before} → {after}")
        label.setAccessibleName(self.tr("from {0} to {1}").format(before, after))


def _group(spacing: int) -> tuple[QWidget, QVBoxLayout]:
    """A widget for several others, to be shown as one.

    Qt lays out the whole page for each widget that is shown on a page on show, which takes longer
    than ten banners take to make.
    """
    group = QWidget()
    column = QVBoxLayout(group, spacing=spacing, contentsMargins=NO_MARGINS)
    return group, column


def _source(paid: Paid) -> str:
    text = tr("ReleaseReview", "release {0} of {1}")
    # A number is nothing without its word.
    whole = text.replace(" {0}", "\N{NO-BREAK SPACE}{0}")
    return whole.format(paid.number, times.day(paid.time, brief=True))


def _taken_back(decision: str) -> str:
    """What became of the release that an answer comes from."""
    withdrawn = tr("ReleaseReview", "which was withdrawn")
    return withdrawn if decision == "withdrawn" else tr("ReleaseReview", "which was corrected")


def _revoked(stored: Mapping[str, Paid]) -> str:
    """Which of the releases that answer were withdrawn or corrected, and why; empty for none."""
    texts = {
        "withdrawn": tr(
            "ReleaseReview", "Release {0} was withdrawn; its figures would be published again: {1}"
        ),
        "corrected": tr(
            "ReleaseReview", "Release {0} was corrected; its figures would be published again: {1}"
        ),
    }
    sources = sorted(set(stored.values()), key=lambda paid: paid.sequence)
    return " ".join(
        texts[paid.revoked.kind].format(paid.number, as_sentence(paid.revoked.reason))
        for paid in sources
        if paid.revoked is not None
    )


def _from_ledger(state: DeskState, stored: Mapping[str, Paid]) -> str:
    """How many queries come from which releases, in the order of the releases."""
    count = state.asked_in(stored)
    text = tr("ReleaseReview", "%n quer(y|ies) use(s|) stored figures: {0}.", "", count)
    sources = sorted(set(stored.values()), key=lambda paid: paid.sequence)
    return text.format("; ".join(_source(paid) for paid in sources))


def _what_happens(state: DeskState) -> str:
    """What is drawn, and what comes from the ledger without reading the data."""
    drawn = [plan for key, plan in state.plans.items() if key not in state.answered]
    answered = {key: paid for key, paid in state.stored.items() if key in state.answered}
    stored = _from_ledger(state, answered)
    cost = tr("ReleaseConfirm", "They cost nothing.")
    if revoked := _revoked(answered):
        stored = f"{stored} <b>{escape(revoked)}</b>"
    stored = f"{stored} {cost}"
    if not drawn:
        rest = tr("ReleaseConfirm", "No data is read and nothing is spent. The release is signed.")
        return f"{stored} {rest}"
    figures, finds = how_many(drawn)
    text = tr(
        "ReleaseConfirm",
        "<b>This cannot be undone.</b><br>%n figure(s) (is|are) computed once, with new noise, "
        "and signed.",
        "",
        figures,
    )
    if finds:
        found = tr(
            "ReleaseConfirm",
            "Every category found is published as well; how many is not known in advance.",
        )
        text = f"{text}<br>{found}" if figures else _only_found()
    return f"{text}<br>{stored}" if state.answered else text


def _only_found() -> str:
    """What happens where every figure is one of a category that is found."""
    return tr(
        "ReleaseConfirm",
        "<b>This cannot be undone.</b><br>Every category found is computed once, with new noise, "
        "and signed; how many is not known in advance.",
    )


def finds_its_figures(plan: QueryPlan) -> bool:
    """Whether nobody knows before the release how many figures there will be."""
    return not plan.lines


def how_many(plans: Iterable[QueryPlan]) -> tuple[int, bool]:
    """The figures that are known to come, and whether there are others that must be found."""
    listed = list(plans)
    return sum(len(plan.lines) for plan in listed), any(map(finds_its_figures, listed))


def _paid(state: DeskState, table: BaselineTable) -> str:
    """What a Table 1 costs in this release."""
    paid = state.to_pay(table)
    if state.is_free(table) or paid is None:
        return tr("ReleaseReview", "no cost")
    return words.amount(paid)


def _parts_of_price(state: DeskState) -> list[tuple[str, str]]:
    """What each Table 1 costs, and all other queries together; nothing where there is none."""
    tables = state.study.baseline_tables
    rows = [(baseline_words.title(state.study, one), _paid(state, one)) for one in tables]
    others = [query for query in state.study.queries if query.component is None]
    paid = [share for query in others if (share := state.to_pay(query)) is not None]
    if rows and others:
        named = tr("ReleaseConfirm", "%n other quer(y|ies)", "", len(others))
        rows.append((named, words.amount(together(state.measure, paid))))
    return rows


def _of_series(series: Series | None) -> list[tuple[str, str]]:
    if series is None:
        return []
    of = tr("ReleaseConfirm", "{0}, release {1} of {2}").format(
        series.begun.name, series.drawn + 1, series.begun.count
    )
    return [(tr("ReleaseConfirm", "Series"), of)]


def confirm_dialog(
    window: QWidget, state: DeskState, signer: str, series: Series | None = None
) -> Dialog:
    """The one question before budget is spent, with the numbers in it.

    Args:
        window: the window to dim.
        state: what the desk shows.
        signer: whose key signs.
        series: the one that this is the next release of.
    """
    account = state.account
    left = words.amount(account.left) if account else ""
    cost = words.amount(state.planned)
    title = tr("ReleaseConfirm", "Spend {0} of the remaining {1}?")
    dialog = Dialog(window, title.format(cost, left), _what_happens(state), "stamp", Role.DANGER)
    rows = _parts_of_price(state)
    if account is not None:
        of = tr("ReleaseConfirm", "{0} of {1}")
        after = words.amount(state.spent_after)
        rows += [
            (tr("ReleaseConfirm", "Account"), account.name),
            *_of_series(series),
            (
                tr("ReleaseConfirm", "Spent afterwards"),
                of.format(after, words.amount(account.total)),
            ),
            (
                tr("ReleaseConfirm", "Remaining for later releases"),
                words.amount_of_units(state.left_after, state.measure),
            ),
            (tr("ReleaseConfirm", "Signed as"), signer),
        ]
    if rows:
        dialog.add_rows(rows)
    safe = dialog.add_safe(tr("ReleaseConfirm", "Not now"))
    dialog.add_danger(tr("ReleaseConfirm", "Spend {0} and release").format(cost), "stamp")
    safe.setFocus()
    return dialog
