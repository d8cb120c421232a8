# SPDX-License-Identifier: Apache-2.0
"""Asks for what no program knows of a release, then writes its dossier."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.text import times, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField
from dpdesk.program.materials import materials_digest
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.dossier.dossier_file import build_dossier, dossier_name, write_dossier
from dpdesk.release.dossier.kept_stated import keep_stated, read_stated
from dpdesk.release.dossier.stated import MOST_SIGNS, Stated, stated_of
from dpdesk.release.dossier.subject import demand_release, subject_of, with_account_notices
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.dates import ISO
from dpdesk.study.problem import Problem, Refused

DATE_LENGTH = 10
EXAMPLE_REVIEW = date(2027, 1, 31)


class DossierDialog(LedgerDialog):
    """A form with what was typed in last time, and the passphrase."""

    sign = "file"

    def __init__(
        self, window: QWidget, session: Session, record: ReleaseRecord, bundle: Path
    ) -> None:
        title = tr("DossierDialog", "Dossier for the data-protection officer")
        text = tr(
            "DossierDialog",
            "A signed document about this release: what is protected and what is not, with "
            "numbers, sources and room for the decision. No data is read and nothing is spent. "
            "What you type here appears unchanged in the document.",
        )
        super().__init__(window, session, title, text)
        self._record, self._bundle = record, bundle
        self.fields = self._build_fields(read_stated(session.home, record))
        self.passphrase = PasswordField(self.tr("Pa&ssphrase of the signing key"))
        self.show_parts(self.passphrase)
        self.ok = self.add_primary(self.tr("Sign and save…"))
        next(iter(self.fields.values())).edit.setFocus()

    def _build_fields(self, stated: Stated) -> dict[str, LineField]:
        example = self.tr("For example {0}").format(times.typed(EXAMPLE_REVIEW))
        purpose = self.tr("For example annual report on lengths of stay")
        recipient = self.tr("For example regional cancer registry")
        route = self.tr("For example Art. 6(1)(e) GDPR, public interest")
        fields = {
            "purpose": LineField(self.tr("&Purpose"), placeholder=purpose),
            "recipient": LineField(self.tr("&Recipient"), placeholder=recipient),
            "release_model": LineField(
                self.tr("&How it is released"),
                placeholder=self.tr("For example published on a web page"),
            ),
            "legal_route": LineField(self.tr("&Legal basis"), placeholder=route),
            "review_date": LineField(self.tr("Review &date"), placeholder=example),
        }
        for name, field in fields.items():
            field.edit.setMaxLength(MOST_SIGNS)
            field.set_text(stated.members[name])
            self.body.addWidget(field)
        fields["review_date"].edit.setMaxLength(DATE_LENGTH)
        fields["review_date"].set_text(times.typed_iso(stated.review_date))
        return fields

    def stated(self) -> Stated | None:
        """What is typed in; ``None``, and a sentence beside the field, where it cannot stand."""
        for field in self.fields.values():
            field.set_error("")
        try:
            typed = {name: field.text for name, field in self.fields.items()}
            typed["review_date"] = times.iso_typed(typed["review_date"])
            return stated_of(typed)
        except Refused as refused:
            self._show_wrong(refused.problems[0])
            return None

    def _show_wrong(self, problem: Problem) -> None:
        field = self.fields[problem.path.removeprefix("$.")]
        if problem.code == "dossier-date-invalid":
            field.set_error(words.day_wanted(ISO, EXAMPLE_REVIEW))
        else:
            field.set_error(words.problem_sentence(problem))
        field.edit.setFocus()

    def ask(self) -> None:
        if self.stated() is None:
            return
        title, kinds = self.tr("Save the dossier"), self.tr("Dossiers (*.zip)")
        start = str(self._bundle.with_name(dossier_name(self._bundle.name)))
        self.ask_place(title, start, self.write, kinds)

    def write(self, path: Path) -> None:
        stated = self.stated()
        if stated is None:
            return
        home, record, bundle = self.session.home, self._record, self._bundle
        passphrase, language = self.passphrase.text, catalogue().language

        def work() -> str:
            found = verify(bundle, known_signers(home))
            demand_release(found, record.id)
            about = subject_of(found, stated, ReleaseWords.of(language), materials_digest())
            key = keys.unlock(home.of_account(record.account.name).keys, passphrase)
            about = with_account_notices(about, home, key)
            write_dossier(path, build_dossier(about, key))
            keep_stated(home, record, stated)
            return path.name

        self.begin(work, self._say)

    def _say(self, name: str) -> str:
        self.passphrase.edit.clear()
        return self.tr("{0} is saved. Send it together with the bundle.").format(name)
