# SPDX-License-Identifier: Apache-2.0
"""What is to be known of the two releases themselves: one history, and none taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.verify.notice_answer import ask_notice
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.release.comparison.sides import ComparedSide, SideName, fork_between
from dpdesk.release.comparison.taken_back import NoticeHeld, hold_notice, own_taken, taken_of
from dpdesk.release.notices.notice_file import Notice, read_notice
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.comparison import taken_sentences


@dataclass(frozen=True)
class KnownOfSides:
    """What ledger and bundles say by themselves, without a notice.

    Attributes:
        sides: the two releases.
        taken: what this ledger withdrew or corrected.
        fork: why no single history holds both.
    """

    sides: Mapping[SideName, ComparedSide]
    taken: Mapping[SideName, TakenBack]
    fork: Problem | None


def known_of_sides(home: Home, earlier: ComparedSide, later: ComparedSide) -> KnownOfSides:
    """Look both up; reads the ledger."""
    sides: dict[SideName, ComparedSide] = {"earlier": earlier, "later": later}
    return KnownOfSides(sides, own_taken(home, sides), fork_between(earlier, later))


class SidesStanding(QWidget):
    """Banners about the two releases, and the way to a notice."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._known: KnownOfSides | None = None
        self._notices: list[Notice] = []
        self.forked = Banner(Tone.ERROR)
        self.taken_back = Banner(Tone.ATTENTION)
        self._ask_line = quiet(
            self.tr("Was a bundle withdrawn or corrected? Open the signer’s notice to find out.")
        )
        self.notice_button = link(self.tr("Open a notice…"))
        self.notice_button.clicked.connect(self.ask)
        self._notice_row = QWidget()
        row = AlignedRow(self._notice_row, spacing=Space.SMALL)
        row.setContentsMargins(NO_MARGINS)
        row.addWidget(self._ask_line, 1)
        row.addWidget(self.notice_button)
        column = QVBoxLayout(self, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        for part in (self.forked, self.taken_back, self._notice_row):
            column.addWidget(part)
        self.clear()

    def clear(self) -> None:
        self._known = None
        for part in (self, self.forked, self.taken_back):
            part.hide()

    def forget_notices(self) -> None:
        self._notices = []

    def memory(self) -> tuple[Notice, ...]:
        return tuple(self._notices)

    def recall(self, memory: tuple[Notice, ...]) -> None:
        """Hold the notices of another window against what is compared next."""
        self._notices = list(memory)

    def show_known(self, known: KnownOfSides) -> None:
        self._known = known
        self.forked.say_led(words.problem_sentence(known.fork) if known.fork else "")
        self.forked.setVisible(known.fork is not None)
        has_bundle = any(side.bundle is not None for side in known.sides.values())
        self._notice_row.setVisible(has_bundle)
        self._say_taken_back()

    def ask(self) -> None:
        if (chosen := ask_notice(self)) is not None:
            self.open_notice(chosen)

    def open_notice(self, path: Path) -> None:
        """Hold a notice against the bundles, now and against those that are chosen next."""
        try:
            notice = read_notice(path)
        except Refused as refused:
            self._say_taken_back(refused.problems)
            return
        self._notices.append(notice)
        held = self._held(notice)
        self._say_taken_back(held.problems if held is not None else ())

    def _held(self, notice: Notice) -> NoticeHeld | None:
        if self._known is None:
            return None
        return hold_notice(notice, self._known.sides, known_signers(self._session.home))

    def _say_taken_back(self, problems: tuple[Problem, ...] = ()) -> None:
        texts = [*self._taken_sentences(), *(words.problem_sentence(p) for p in problems)]
        self.taken_back.say_led(" ".join(texts))
        self.taken_back.setVisible(bool(texts))
        shown = (self.forked, self.taken_back, self._notice_row)
        self.setVisible(self._known is not None and any(not part.isHidden() for part in shown))

    def _taken_sentences(self) -> Iterator[str]:
        """What this ledger knows; where it knows nothing, what a notice says that counts."""
        if self._known is None:
            return
        held = [one for one in map(self._held, self._notices) if one is not None]
        yield from taken_sentences(taken_of(self._known.taken, held))
