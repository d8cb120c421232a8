# SPDX-License-Identifier: Apache-2.0
"""Whether the sender withdrew or corrected the bundle on show, by a notice that is opened too."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.verify.verify_answers import VerifyAnswer
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.times import day, when
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.buttons import link
from dpdesk.release.notices.notice_file import SUFFIX, Notice, Revocation, read_notice
from dpdesk.release.notices.own_decision import TakenBack, own_decision
from dpdesk.release.notices.standing import NoticeFound, hold_against
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import Verification
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.shared import NOTICE_KEYS
from dpdesk.texts.verification import source_sentence, tables_sentence

NoticeMemory = tuple[Notice | None, Problem | None]


class NoticeAnswer(VerifyAnswer):
    """What a notice says of the bundle.

    Attributes:
        found: the notice, held against the bundle; ``None`` where none is open.
        own: what this computer's own ledger decided on the release; ``None`` where nothing.

    Signals:
        opened: another notice is open.
    """

    opened = Signal()

    def __init__(self, session: Session, question: str) -> None:
        super().__init__(question)
        self._session = session
        self._notice: Notice | None = None
        self._problem: Problem | None = None
        self.found: NoticeFound | None = None
        self.own: TakenBack | None = None
        self.button = link(self.tr("Open a notice…"))
        # Without an alignment the row would be as narrow as the button.
        self.body.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        # Not to the method itself: it would no longer be read out as a group, see ``set_role_of``.
        self.button.clicked.connect(lambda: self.ask())

    @property
    def counts(self) -> bool:
        """Whether the bundle was withdrawn or corrected by somebody who may say so."""
        return self.found is not None and self.found.right is not None

    @property
    def drawn_in(self) -> int:
        """The entry of the release that was taken back, where it is not the bundle's own."""
        if self.found is not None and self.counts:
            return self.found.drawn_in
        return self.own.drawn_in if self.own is not None else 0

    @property
    def is_withdrawn(self) -> bool:
        """Whether its figures are not to be used, by a notice that counts or by the own ledger.

        Where only tables of it are withdrawn, the others can be used. Which of its figures are
        from tables of an earlier release, a bundle does not say.
        """
        found, own = self.found if self.counts else None, self.own
        said = [(found.notice.kind, found.notice.tables, found.drawn_in)] if found else []
        said += [(own.decision, own.tables, own.drawn_in)] if own else []
        return any(kind == "withdrawn" and (source or not only) for kind, only, source in said)

    @property
    def tables(self) -> tuple[str, ...]:
        """The only tables that what is shown is about; empty where it is about all of them."""
        if self.found is not None and self.counts:
            return self.found.notice.tables
        return self.own.tables if self.own is not None else ()

    def ask(self) -> None:
        if (chosen := ask_notice(self)) is not None:
            self.open_notice(chosen)

    def open_notice(self, path: Path) -> None:
        self._notice = self._problem = None
        try:
            self._notice = read_notice(path)
        except Refused as refused:
            self._problem = refused.problems[0]
        self.opened.emit()

    def forget(self) -> None:
        """Another bundle is opened: the notice was for the one before."""
        self._notice = self._problem = self.found = self.own = None

    def memory(self) -> NoticeMemory:
        return self._notice, self._problem

    def recall(self, memory: NoticeMemory) -> None:
        """Hold the notice of another window against the bundle that is opened next."""
        self._notice, self._problem = memory

    def show_for(self, verification: Verification) -> None:
        """Hold the notice against a bundle and say what comes of it."""
        self.found = None
        self.own = own_decision(self._session.home, verification)
        if self._problem is not None:
            self.say(False, words.problem_sentence(self._problem), self.tr("Not valid"))
        elif self._notice is None and self.own is not None:
            self._say_own(self.own)
        elif self._notice is None:
            text = self.tr("Not checked: no notice from the signer is open.")
            self.say_unasked(text, self.tr("Not checked"))
        else:
            signers = known_signers(self._session.home)
            self.found = hold_against(self._notice, verification, signers)
            self._say_found(self.found)

    def _say_own(self, own: TakenBack) -> None:
        verdicts = {"withdrawn": self.tr("Withdrawn"), "corrected": self.tr("Corrected")}
        said = self.tr("In this computer’s ledger on {0}: {1}").format(day(own.time), own.reason)
        whole = " ".join(filter(None, (said, tables_sentence(own.tables, own.decision))))
        self.say(False, _of_source(own.drawn_in, whole), verdicts[own.decision])

    def _say_found(self, found: NoticeFound) -> None:
        if found.problem is not None:
            self.say(False, words.problem_sentence(found.problem), self.tr("Not valid"))
            return
        notice = found.notice
        verdicts = {"withdrawn": self.tr("Withdrawn"), "corrected": self.tr("Corrected")}
        why = _of_source(found.drawn_in, f"{when(notice.time)}: {notice.reason}")
        why = " ".join(filter(None, (why, tables_sentence(notice.tables, notice.kind))))
        said = [why, catalogue().say(NOTICE_KEYS[found.right or "same"])]
        if notice.replaced_by:
            said.append(
                self.tr("Corrected by the release whose entry has the hash {0}.").format(
                    notice.replaced_by
                )
            )
        self.say(False, "\n".join(said), verdicts[notice.kind])


def taken_back_title(decision: Revocation, drawn_in: int, tables: tuple[str, ...] = ()) -> str:
    """The verdict in a line, on a release or on an earlier one that its figures are from."""
    if tables and not drawn_in:
        return {
            "withdrawn": tr("NoticeAnswer", "Tables of this release were withdrawn"),
            "corrected": tr("NoticeAnswer", "Tables of this release were corrected"),
        }[decision]
    if drawn_in:
        return {
            "withdrawn": tr("NoticeAnswer", "Its figures are from a withdrawn release"),
            "corrected": tr("NoticeAnswer", "Its figures are from a corrected release"),
        }[decision]
    return {
        "withdrawn": tr("NoticeAnswer", "This release was withdrawn"),
        "corrected": tr("NoticeAnswer", "This release was corrected"),
    }[decision]


def _of_source(sequence: int, said: str) -> str:
    return " ".join(filter(None, (source_sentence(sequence), said)))


def ask_notice(parent: QWidget) -> Path | None:
    """Ask for a notice's file; ``None`` where none was chosen."""
    kinds = tr("NoticeAnswer", "Notices ({0})").format(f"*{SUFFIX}")
    return existing_file(parent, tr("NoticeAnswer", "Open a notice"), "", kinds)
