# SPDX-License-Identifier: Apache-2.0
"""Asked before a release from an account that requires a second person: the plan they signed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import existing_file, new_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.privacy import compiler
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.handed_over import write_handed
from dpdesk.release.second_person.plan_signature import (
    ReturnedPlan,
    plan_to_sign,
    read_returned_plan,
)
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.study.problem import Refused

_WIDTH = 600
PLAN_NAME = "plan.json"


class SecondPersonDialog(Dialog):
    """Writes the plan for the second person, and takes it back with their signature.

    Signals:
        chosen: carries the plan with its signature.
    """

    chosen = Signal(object)

    def __init__(self, window: QWidget, session: Session, person: SecondPerson) -> None:
        title = tr("SecondPersonDialog", "A second person signs the plan")
        super().__init__(window, title, person.identity, "key", width=_WIDTH)
        self._session = session
        self.body.addWidget(
            quiet(
                self.tr(
                    "This account requires their signature before a release. Save the plan, give "
                    "it to them, and choose it when it comes back with its signature beside it. "
                    "You then release exactly what they signed, once."
                )
            )
        )
        self.body.addWidget(quiet(fingerprint_of(person.blob)))
        self.trouble = Banner(Tone.ERROR)
        self.trouble.hide()
        self.body.addWidget(self.trouble)
        self.add_safe(self.tr("Cancel"))
        self.write = self.add_other(self.tr("Save the plan…"))
        self.write.clicked.connect(self._ask_write)
        self.choose = self.add_primary(self.tr("Choose the signed plan…"))

    def accept(self) -> None:
        """Ask for the signed plan; the dialog stays until there is one."""
        title, kinds = self.tr("Choose the signed plan"), self.tr("Plans (*.json *.sig)")
        if (chosen := existing_file(self, title, "", kinds)) is not None:
            self.take(chosen)

    def take(self, path: Path) -> None:
        try:
            signed: ReturnedPlan = read_returned_plan(path)
        except Refused as refused:
            self._say(refused)
            return
        super().accept()
        self.chosen.emit(signed)

    def _ask_write(self) -> None:
        start = self._session.proposed_folder / PLAN_NAME
        title, kinds = self.tr("Save the plan"), self.tr("Plans (*.json)")
        chosen = new_file(self, title, str(start), kinds)
        if chosen:
            self.write_to(chosen)

    def write_to(self, path: Path) -> None:
        state = self._session.state
        try:
            plan = compiler.compile(state.study)
            ledger, series = self._session.accounts.ledger(), self._session.series
            found = plan_to_sign(ledger, plan, state.fresh, series)
            path.unlink(missing_ok=True)  # the system's own dialog asked
            write_handed(path, found.to_bytes())
        except Refused as refused:
            self._say(refused)
            return
        self.trouble.say(
            "", self.tr("{0} is saved. Give it to the second person.").format(path.name), Tone.DONE
        )
        self.trouble.show()

    def _say(self, refused: Refused) -> None:
        text = " ".join(words.problem_sentence(problem) for problem in refused.problems)
        self.trouble.say("", text, Tone.ERROR)
        self.trouble.show()
