# SPDX-License-Identifier: Apache-2.0
"""Compare: two releases side by side, both verified, and whether a change is more than noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.jobs.latest_job import LatestJob, Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.comparison.compared_card import ComparedCard
from dpdesk.desk.pages.comparison.side_field import LedgerRelease, SideField, SideMemory
from dpdesk.desk.pages.comparison.sides_standing import (
    KnownOfSides,
    SidesStanding,
    known_of_sides,
)
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.plots.pictures import ask_save, save_without
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import primary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.laying_out import laid_out_once, lay_out_now
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.page import stacking
from dpdesk.desk.widgets.tab_stop import read_as_laid_out
from dpdesk.release.comparison.compare_records import (
    ReleaseComparison,
    compare_records,
)
from dpdesk.release.comparison.sides import ComparedSide, bundle_side, ledger_side
from dpdesk.release.ledger import Ledger, release_numbers
from dpdesk.release.notices.notice_file import Notice
from dpdesk.release.signing.signers import known_signers
from dpdesk.study.problem import Refused
from dpdesk.texts.comparison import MARGINS, POPULATIONS, meanings, only_sentences, unlike_sentence

Compared = tuple[ReleaseComparison, KnownOfSides]
AT_ONCE = 2
"""So many cards are filled before they are shown; the others follow one by one."""
MANY_LINES = 500
"""Cards of more lines than these together are filled one by one from the first."""


class ComparisonPage(StepPage):
    """Two releases.

    Attributes:
        earlier, later: choose them.
        standing: what is to be known of the two releases themselves.
        cards: one for each question that both answered.
        save_button: saves all that is shown as one picture.
        comparison: what is on show; ``None`` before both are chosen.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.set_line(self.tr("dpdesk uses only published figures and spends nothing."))
        self.earlier = SideField(self.tr("Ea&rlier release"))
        self.later = SideField(self.tr("&Later release"))
        self.comparison: ReleaseComparison | None = None
        self.cards: list[ComparedCard] = []
        self.banner = Banner(Tone.ERROR)
        self.standing = SidesStanding(session)
        self.nothing = EmptyState(
            "history",
            self.tr("No earlier release yet"),
            self.tr(
                "This account has no earlier release. Choose a release of another account above, "
                "or a bundle that you have."
            ),
            self.tr("Choose a bundle…"),
        )
        self._comparing = LatestJob(session.looks, self)
        self._coming = IdleSteps(self)
        self._places = QVBoxLayout(spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        self._others = QVBoxLayout(spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        self._found = QWidget()
        self._populations = quiet(catalogue().say_word("", POPULATIONS))
        self.save_button = primary(self.tr("Save comparison…"), before="upload")
        self._build()

    def _build(self) -> None:
        sides = self._sides = QBoxLayout(stacking(False), spacing=Space.CARDS)
        for side in (self.earlier, self.later):
            card = Card()
            card.body.addWidget(side)
            sides.addWidget(card, 1)
            side.chosen.connect(self.compare)
        self.body.addLayout(sides)
        self.banner.hide()
        self.body.addWidget(self.banner)
        self.body.addWidget(self.standing)
        self.nothing.hide()
        self.nothing.action_pressed.connect(self.earlier.ask_bundle)
        self.body.addWidget(self.nothing)
        # Closer than cards stand elsewhere: the last line is whole where a page begins at its top.
        column = QVBoxLayout(self._found, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        column.addLayout(self._places)
        column.addLayout(self._others)
        column.addLayout(self._meanings())
        self.body.addWidget(self._found)
        self._found.hide()
        self._allow_save(False)
        self.save_button.clicked.connect(self.ask_save)
        self.footer.set_primary(self.save_button)

    def _meanings(self) -> QVBoxLayout:
        column = QVBoxLayout(spacing=Space.SMALL)
        both = QHBoxLayout(spacing=Space.CARDS)
        for head, text in meanings():
            card = Card(head)
            card.body.addWidget(quiet(text))
            card.body.addStretch(1)
            both.addWidget(card, 1)
        column.addLayout(both)
        column.addWidget(quiet(catalogue().say_word("", MARGINS)))
        column.addWidget(self._populations)
        return column

    def set_narrow(self, narrow: bool) -> None:
        super().set_narrow(narrow)
        self._sides.setDirection(stacking(narrow))

    def first_to_do(self) -> QWidget | None:
        return self.nothing.button if self.nothing.isVisibleTo(self) else self.earlier.combo

    def begin(self, sequence: int) -> None:
        """Compare a release of the ledger with one that is still to be chosen.

        Args:
            sequence: its entry; the one before it of the same account is proposed.
        """
        self.standing.forget_notices()
        releases = self._releases()
        own = next((one for one in releases if one.sequence == sequence), None)
        account = own.account if own is not None else ""
        before = [
            one.sequence for one in releases if one.account == account and one.sequence < sequence
        ]
        self.later.offer(releases, sequence)
        self.earlier.offer(releases, before[0] if before else None)
        self.compare()

    def _releases(self) -> tuple[LedgerRelease, ...]:
        if not self.session.home.ledger.exists():
            return ()
        try:
            history = Ledger(self.session.home).history()
        except Refused as refused:
            self._refuse(refused.problems)
            return ()
        numbers = release_numbers(one.entry for one in history)
        return tuple(
            LedgerRelease(numbers[one.entry.sequence], one)
            for one in reversed(history)
            if one.entry.sequence in numbers and not one.damage
        )

    def compare(self) -> None:
        self._show_nothing()
        is_alone = self._read(self.earlier) is None
        if not is_alone and self.window().focusWidget() is self.nothing.button:
            self.earlier.combo.setFocus(Qt.FocusReason.OtherFocusReason)  # not out of the page
        self.nothing.setVisible(is_alone)
        self.renew_first()
        if None in (self._read(self.earlier), self._read(self.later)):
            return
        reads = [read for side in (self.earlier, self.later) if (read := self._read(side))]
        home = self.session.home

        def work(_progress: Progress, _cancel: CancelToken) -> Compared:
            earlier, later = (read() for read in reads)
            found = compare_records(earlier.record, later.record)
            _ = found.more_than_noise  # counted beside the window's thread
            return found, known_of_sides(home, earlier, later)

        self._comparing.run(work, self._show, self._refuse)

    def _read(self, side: SideField) -> Callable[[], ComparedSide] | None:
        """What reads a side's release; ``None`` while none is chosen."""
        path, sequence, home = side.path, side.sequence, self.session.home
        if path is not None:
            return lambda: bundle_side(path, known_signers(home))
        if sequence is not None:
            return lambda: ledger_side(home, sequence)
        return None

    def _refuse(self, problems: Problems) -> None:
        self.nothing.hide()
        self.banner.say("", " ".join(words.problem_sentence(p) for p in problems), Tone.ERROR)
        self.banner.show()

    def _show(self, compared: Compared) -> None:
        self.comparison, known = compared
        found = self.comparison
        self.standing.show_known(known)
        self.earlier.report_verified(known.sides["earlier"])
        self.later.report_verified(known.sides["later"])
        for card in self.cards:
            card.hide()
        empty(self._others)
        self._populations.setVisible(any(query.has_population for query in found.queries))
        self._found.show()
        coming = self._fill_cards(found)
        many = sum(len(query.lines) for query in found.queries[:AT_ONCE]) > MANY_LINES
        for _ in islice(coming, 2 * (1 if many else AT_ONCE)):  # each card comes in two steps
            pass
        self._coming.begin(coming)
        self._allow_save(True)
        self._say_outcome(found)

    def _say_outcome(self, found: ReleaseComparison) -> None:
        """Anyone who chose another release hears what came of it without leaving the choice."""
        said = self.tr(
            "%n figure(s) (differs|differ) by more than noise.", "", found.more_than_noise
        )
        announce(self._found, said if found.queries else " ".join(self._not_compared(found)))

    def _fill_cards(self, found: ReleaseComparison) -> Iterator[None]:
        for place, query in enumerate(found.queries):
            if place == len(self.cards):
                self.cards.append(ComparedCard())
                self._places.addWidget(self.cards[place])
                read_as_laid_out(self._found)
            self.cards[place].show_query(found.study, query)
            yield
            with laid_out_once(self._found):
                self.cards[place].show()
            lay_out_now()
            yield
        for text in self._not_compared(found):
            line = quiet(text)
            self._others.addWidget(line)
            line.show()  # by itself a turn later, after the layout
        lay_out_now()

    def finish(self) -> None:
        self._coming.finish()

    def _not_compared(self, found: ReleaseComparison) -> Iterator[str]:
        """Each question that is asked otherwise, and then what one of them does not ask at all."""
        for other in found.unlike:
            yield unlike_sentence(words.query_title(found.study, other.query), other.why)
        yield from only_sentences(found, lambda one: words.query_title(one.study, one.query))

    def memory(self) -> object:
        sides = (self.earlier.memory(), self.later.memory())
        return (*sides, self.standing.memory())

    def recall(self, memory: tuple[SideMemory, SideMemory, tuple[Notice, ...]]) -> None:
        """Compare both sides again: what comes of it is said in another language."""
        self.recall_others(memory)
        self.standing.recall(memory[-1])
        self.compare()

    def recall_others(self, memory: tuple[SideMemory, SideMemory, tuple[Notice, ...]]) -> None:
        """Both sides are chosen again, and not compared until somebody asks."""
        earlier, later, _notices = memory
        self.earlier.recall(earlier)
        self.later.recall(later)

    def forget(self) -> None:
        self._comparing.drop()
        self.standing.forget_notices()
        self._show_nothing()

    def _allow_save(self, allowed: bool) -> None:
        """Where nothing is compared, nothing offers to save it."""
        self.save_button.setEnabled(allowed)
        self.save_button.setVisible(allowed)

    def _show_nothing(self) -> None:
        self._coming.stop()
        self.comparison = None
        self._found.hide()
        self.banner.hide()
        self.standing.clear()
        self._allow_save(False)

    def ask_save(self) -> None:
        """Ask where a picture of the whole comparison goes, without the buttons of its cards."""
        self.finish()
        tools = [one for card in self.cards for one in card.buttons]
        start = str(self.session.proposed_folder / self.tr("comparison.pdf"))
        ask_save(self, start, lambda path: save_without(self.shown, path, tools))
