# SPDX-License-Identifier: Apache-2.0
"""Verify: open anyone's bundle and see whether it is whole, who signed it, whether it adds up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.file_dialogs import existing_file, existing_folder
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.key_dialog import UnlockDialog
from dpdesk.desk.pages.keys.sign_dialog import HandedFile, SignDialog
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.pages.verify.answers_card import AnswersCard
from dpdesk.desk.pages.verify.compared_dossier import ComparedDossier, check_beside
from dpdesk.desk.pages.verify.dossier_answer import dossier_sentences, dossier_title
from dpdesk.desk.pages.verify.notice_answer import NoticeMemory, taken_back_title
from dpdesk.desk.pages.verify.signer_dialog import AddSignerDialog
from dpdesk.desk.pages.verify.verify_answers import Verdict
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.times import day, when
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.heading import CARD_LEVEL
from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import headed, quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.pressing import allow
from dpdesk.program.written_kinds import TO_SIGN, TO_VERIFY, belongs_elsewhere, kind_of
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.bundle_zip import pack
from dpdesk.release.bundle.second_signature import sign_bundle
from dpdesk.release.dossier.dossier_check import is_dossier
from dpdesk.release.notices.notice_file import SUFFIX as NOTICE_SUFFIX
from dpdesk.release.notices.notice_file import Revocation
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.release.notices.standing import NoticeFound
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.release.verify.zip_reader import read_bundle
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.text.shown_text import shown_text
from dpdesk.texts import shared
from dpdesk.texts.verification import source_sentence, tables_sentence


@dataclass(frozen=True)
class Remembered:
    """What the page of a window in another language says again, without a look at the file.

    Attributes:
        path: the bundle's, or the dossier's.
        notice: what is held against it.
        found: what was found; ``None`` while it is being verified, or where it cannot be.
    """

    path: Path
    notice: NoticeMemory
    found: Verification | ComparedDossier | None


class VerifyPage(StepPage):
    """Checks a bundle, or a dossier."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.set_line(self.tr("Check a bundle from anyone. Nothing is spent."))
        self._path: Path | None = None
        self._latest = LatestJob(session.jobs, self)
        self.found: Verification | None = None
        self.found_dossier: ComparedDossier | None = None
        self.dossier = Verdict()
        self.after_dossier = secondary(self.tr("Open another…"), small=True)
        self.empty = EmptyState(
            "shield",
            self.tr("No bundle is open"),
            self.tr("Open or drop a bundle to see whether you can rely on it."),
            self.tr("Open a bundle…"),
        )
        self._trouble = Banner(Tone.ERROR)
        self._name = headed(ElidedLabel(Type.CARD, semibold=True), CARD_LEVEL)
        self._file_line = quiet()
        self.another = secondary(self.tr("Open another…"), small=True)
        self.verdict = Verdict()
        self.answers = AnswersCard(session)
        self._opened = QWidget()
        self._build()
        self._connect()
        self._render()

    def _build(self) -> None:
        column = QVBoxLayout(self._opened, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        column.addWidget(self._build_file())
        column.addWidget(self.verdict)
        column.addWidget(self.answers)
        self.body.addWidget(self._trouble)
        self.body.addWidget(self.empty)
        self.body.addWidget(self.dossier)
        self.dossier.body.addWidget(self.after_dossier, 0, Qt.AlignmentFlag.AlignRight)
        self.body.addWidget(self._opened)
        self.figures_button = primary(self.tr("Save the figures…"), before="table")
        self.footer.set_primary(self.figures_button)

    def _build_file(self) -> Card:
        card = Card()
        row = AlignedRow(spacing=Space.CARD - 4)
        row.addWidget(IconLabel("parcel", Role.ACCENT, 19, tile=Role.TINT))
        text = QVBoxLayout(spacing=2)
        text.addWidget(self._name)
        text.addWidget(self._file_line)
        row.addLayout(text, 1)
        row.addWidget(self.another)
        card.body.addLayout(row)
        return card

    def _connect(self) -> None:
        self.empty.action_pressed.connect(self._ask)
        self.another.clicked.connect(self._ask)
        self.after_dossier.clicked.connect(self._ask)
        self.answers.add_signer.clicked.connect(self._ask_signer)
        self.answers.sign_button.clicked.connect(self._ask_to_sign)
        self.answers.notice.opened.connect(self._render)
        self.figures_button.clicked.connect(self._ask_save)
        self.footer.cancelled.connect(self._stop)

    def enter(self) -> None:
        """The bundle is not read again by itself; its release may have been withdrawn since."""
        if self.found is not None and not self._latest.is_pending:
            self._render()

    def memory(self) -> object:
        """The bundle, what was found of it, and the notice that is held against it."""
        if self._path is None:
            return None
        found = self.found_dossier or self.found
        return Remembered(self._path, self.answers.notice.memory(), found)

    def recall(self, memory: Remembered) -> None:
        """Say what was found in another language; what was not found yet is verified now."""
        self.answers.notice.recall(memory.notice)
        if memory.found is None:
            self.open_bundle(memory.path)
        else:
            self._path = memory.path
            self._show(memory.found)

    def recall_others(self, memory: Remembered) -> None:
        self.recall(memory)

    def _ask(self) -> None:
        kinds = self.tr("Bundles, plans and notices (*.zip *.json *.notice)")
        start = str(self.session.proposed_folder)
        chosen = existing_file(self, self.tr("Verify a bundle"), start, kinds)
        if chosen is not None:
            self.open_bundle(chosen)

    def open_bundle(self, path: Path) -> None:
        """Check a bundle off the GUI thread; what else dpdesk wrote goes where it belongs.

        A plan to be signed has a dialog of its own, a notice is held against a bundle.
        """
        kind = kind_of(path)
        if kind == "notice" or path.suffix.lower() == NOTICE_SUFFIX:
            self.open_notice(path)
        elif kind in TO_SIGN or (kind is None and path.suffix.lower() == ".json"):
            self._open_handed(path)
        elif kind is None or kind in TO_VERIFY:
            self._verify(path)
        else:
            self._refused(belongs_elsewhere(path, kind).problems)

    def _verify(self, path: Path) -> None:
        if self._path is not None:
            self.answers.notice.forget()
        self._path, self.found, self.found_dossier = path, None, None
        home = self.session.home

        def work(_progress: Progress, _cancel: CancelToken) -> Verification | ComparedDossier:
            is_one = is_dossier(path)
            return check_beside(path, home) if is_one else verify(path, known_signers(home))

        self.footer.start_progress(self.tr("Checking the bundle"))
        self.footer.show()
        self._latest.run(work, self._show, self._refused)

    def open_notice(self, path: Path) -> None:
        """Hold a notice against the bundle on show, or against the next one that is opened."""
        self.answers.notice.open_notice(path)
        if self._path is None:
            text = self.tr("{0} is a signer’s notice. Open the bundle that it is about.")
            self._trouble.say("", text.format(path.name), Tone.INFO)
            self._trouble.show()

    def _open_handed(self, path: Path) -> None:
        try:
            handed = HandedFile(path)
        except Refused as refused:
            self._refused(refused.problems)
            return
        self._trouble.hide()
        self.handed = SignDialog(self, self.session, handed)
        said = self.tr("Return {0} and {1}, both in one folder.")
        self.handed.signed.connect(
            lambda written: self._say_signed(said.format(path.name, written.name))
        )
        self.handed.open()

    def _say_signed(self, text: str) -> None:
        """Say at the top, where it is seen, what was signed and what is to be done with it."""
        self._trouble.say(self.tr("Signed."), text, Tone.DONE)
        self._trouble.show()
        self.scroll_area.verticalScrollBar().setValue(0)

    def _ask_to_sign(self) -> None:
        found = self.found.second if self.found is not None else None
        if found is None:
            return
        # Loaded here: what sets pages comes with it.
        from dpdesk.release.plan_report.lines_to_sign import lines_of_bundle

        release = self.found.release if self.found is not None else None
        content = "\n".join(lines_of_bundle(release)) if release is not None else ""
        action = self.tr("Sign the bundle")
        self.unlock = UnlockDialog(self, self.session, found.person.identity, action, content)
        self.unlock.unlocked.connect(self.sign_as_second)
        self.unlock.open()

    def sign_as_second(self, key: SigningKey) -> None:
        found = self.found.second if self.found is not None else None
        if found is None or self._path is None:
            return
        try:
            raw = pack(read_bundle(self._path))
            write_bundle(self._path, sign_bundle(raw, found.person, key))
        except Refused as refused:
            self._trouble.say("", " ".join(words.problem_sentence(p) for p in refused.problems))
            self._trouble.show()
            return
        self.open_bundle(self._path)

    def _say_below(self, text: str) -> None:
        """Say something in the foot, which is empty and hidden where no bundle is open."""
        self.footer.say(text)
        self.footer.setVisible(bool(text) or self.found is not None)

    def _stop(self) -> None:
        self._latest.drop()
        self.footer.stop_progress()
        self.footer.setVisible(self.found is not None)

    def _show(self, found: Verification | ComparedDossier) -> None:
        self.footer.stop_progress()
        if isinstance(found, ComparedDossier):
            self.found_dossier = found
        else:
            self.found = found
        self._trouble.hide()
        self._render()
        self.scroll_area.verticalScrollBar().setValue(0)

    def _refused(self, problems: tuple[Problem, ...]) -> None:
        self.footer.stop_progress()
        self.found = self.found_dossier = None
        self._render()
        self._trouble.say("", " ".join(words.problem_sentence(p) for p in problems))
        self._trouble.show()
        self.scroll_area.verticalScrollBar().setValue(0)

    def _render(self) -> None:
        verification = self.found
        self._opened.setVisible(verification is not None)
        self.empty.setVisible(verification is None and self.found_dossier is None)
        self._trouble.hide()
        # Where nothing is open there is one thing to do.
        self.figures_button.setVisible(verification is not None)
        self._say_dossier()
        if verification is None:
            allow(self.figures_button, "")
            self.figures_button.setEnabled(False)
            self._say_below("")
            return
        self._name.setText(shown_text(self._path.name) if self._path else "")
        line = self._describe(verification)
        self._file_line.setText(line)
        self._file_line.setVisible(bool(line))
        self.answers.show_answers(verification)
        # A notice that closes the figures was held against the bundle just now.
        closed = self._why_closed(verification)
        allow(self.figures_button, closed)
        self._say_verdict(verification)
        steps = self.tr("Anyone can check it without dpdesk: the steps are in its README.txt.")
        self._say_below(closed or steps)

    def _why_closed(self, found: Verification) -> str:
        """Why the figures cannot be saved, in the order of the verdict; empty where they can."""
        if self.answers.notice.is_withdrawn and (found.is_good or found.is_open):
            return self.tr("Figures locked: their release was withdrawn.")
        if found.is_good:
            return ""
        who = found.who.standing if found.who is not None else ""
        reasons = (
            (found.is_made_up, self.tr("Figures locked: they are made up.")),
            (
                found.awaits_second,
                self.tr("Figures locked until the second person has signed."),
            ),
            (
                not found.is_whole,
                self.tr("Figures locked: the bundle has changed since it was signed."),
            ),
            (
                bool(found.claim),
                self.tr("Figures locked: the privacy claim is incorrect."),
            ),
            (
                who == "revoked",
                self.tr("Figures locked: the signer’s key is revoked."),
            ),
            (
                who == "changed",
                self.tr("Figures locked: this is not the key that you know of the signer."),
            ),
            (
                found.is_open,
                self.tr("Figures locked: this dpdesk cannot check all of them."),
            ),
            (
                found.is_known,
                self.tr("Figures locked until you know the second person."),
            ),
        )
        unknown = self.tr(
            "Figures locked. Check the signer’s key, then press I know this signer… to add it."
        )
        return next((said for holds, said in reasons if holds), unknown)

    def _say_dossier(self) -> None:
        """What was found of a dossier, where one was opened instead of a bundle."""
        found = self.found_dossier
        self.dossier.setVisible(found is not None)
        if found is not None:
            name = shown_text(self._path.name) if self._path else ""
            text = "\n".join((name, *dossier_sentences(found)))
            self.dossier.say(found.is_good, dossier_title(found), text)

    def _describe(self, verification: Verification) -> str:
        if verification.release is None:
            return ""
        time = when(verification.release.record.time)
        if not verification.files:
            return self.tr("Released {0}.").format(time)
        return self.tr("Released {0}. %n file(s).", "", len(verification.files)).format(time)

    def _say_own(self, own: TakenBack) -> None:
        """What was decided here needs no notice to be so."""
        if own.tables:
            self._say_tables(own.decision, own.tables, day(own.time), own.reason)
            return
        texts = {
            "withdrawn": self.tr(
                "It was withdrawn on this computer on {0}. Do not use its figures. Reason: {1}"
            ),
            "corrected": self.tr(
                "It was corrected on this computer on {0}. Use the corrected release. Reason: {1}"
            ),
        }
        self._say_taken_back(own.decision, texts[own.decision].format(day(own.time), own.reason))

    def _say_taken_back(self, decision: Revocation, text: str) -> None:
        if sequence := self.answers.notice.drawn_in:
            text = f"{source_sentence(sequence)} {text}"
        notice = self.answers.notice
        title = taken_back_title(decision, notice.drawn_in, notice.tables)
        self.verdict.say(False, title, text)

    def _say_tables(
        self, decision: Revocation, tables: tuple[str, ...], when: str, reason: str
    ) -> None:
        """Only tables of it were taken back."""
        texts = {
            "withdrawn": self.tr("Withdrawn on {0}. {1} Reason: {2}"),
            "corrected": self.tr("Corrected on {0}. {1} Reason: {2}"),
        }
        said = texts[decision].format(when, tables_sentence(tables, decision), reason)
        self._say_taken_back(decision, said)

    def _say_notice(self, notice: NoticeFound) -> None:
        """What its sender said of the release later is the news."""
        own = notice.notice
        if own.tables:
            self._say_tables(own.kind, own.tables, day(own.time), own.reason)
            return
        texts = {
            "withdrawn": self.tr(
                "Its signer withdrew it on {0}. Do not use its figures. Reason: {1}"
            ),
            "corrected": self.tr(
                "Its signer corrected it on {0}. Use the corrected release. Reason: {1}"
            ),
        }
        self._say_taken_back(own.kind, texts[own.kind].format(day(own.time), own.reason))

    def _say_verdict(self, verification: Verification) -> None:
        notice, own = self.answers.notice.found, self.answers.notice.own
        # Which release it is, is known of one that is not judged, too.
        is_named = verification.is_good or verification.is_open
        if is_named and notice is not None and self.answers.notice.counts:
            self._say_notice(notice)
            return
        if is_named and own is not None:
            self._say_own(own)
            return
        if verification.is_good:
            text = self.tr(
                "It is complete, signed by someone you know, and its privacy claim is correct."
            )
            if verification.history:
                text += " " + self.tr("Its account’s history leaves something open; see below.")
            self.verdict.say(True, self.tr("You can rely on this bundle"), text)
            return
        good: bool | None = False
        title = self.tr("Do not rely on this bundle")
        yet = self.tr("You cannot rely on this bundle yet"), None
        if verification.awaits_second:
            title, good = yet
            text = words.problem_sentence(verification.whole[0])
        elif verification.is_open:
            title, good = yet
            text = " ".join(words.problem_sentence(p) for p in verification.unjudged)
        elif not verification.is_whole:
            text = words.problem_sentence(verification.whole[0]) + " "
            released = self.tr("Ask the sender for the bundle of the release.")
            fresh = self.tr("Ask the sender for a fresh copy.")
            text += released if verification.is_made_up else fresh
        elif verification.claim:
            text = self.tr("Its privacy claim is incorrect. Ask the signer what happened.")
        elif verification.who is not None and verification.who.standing == "revoked":
            text = self.tr(
                "The signer’s key is revoked. Ask them for a bundle signed with their new key."
            )
        elif verification.who is not None and verification.who.standing == "changed":
            text = catalogue().say(shared.OTHER_KEY)
        elif verification.is_known and verification.second is not None:
            title, good = yet
            text = self.tr(
                "You know the signer, but not this key of the second person. Get their public key "
                "from them."
            )
        else:
            title, good = yet
            text = self.tr(
                "It is complete and its privacy claim is correct, but you do not know the signer."
            )
        self.verdict.say(good, title, text)

    def _ask_signer(self) -> None:
        dialog = AddSignerDialog(self, self.session)
        dialog.accepted.connect(self._again)
        dialog.open()

    def _again(self) -> None:
        if self._path is not None:
            self.open_bundle(self._path)

    def _ask_save(self) -> None:
        chosen = existing_folder(self, self.tr("Choose a folder for the figures"))
        if chosen:
            self.save_figures(chosen)

    def save_figures(self, folder: Path) -> None:
        """Write the verified tables and the report into a folder of their own."""
        if self.found is None or self._why_closed(self.found) or self._path is None:
            return
        place = folder / self._path.stem
        try:
            place.mkdir(exist_ok=True)
            for name, content in self.found.files.items():
                if name.endswith((".csv", ".xlsx")) or name in ("report.html", "report.pdf"):
                    (place / name.rpartition("/")[2]).write_bytes(content)
        except OSError:
            self._trouble.say("", self.tr("dpdesk cannot save there. Choose another folder."))
            self._trouble.show()
            return
        self.footer.say(self.tr("The figures are in {0}.").format(place.name))
