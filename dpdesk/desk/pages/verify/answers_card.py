# SPDX-License-Identifier: Apache-2.0
"""What was found of a bundle, a line for each question that is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from PySide6.QtCore import Qt

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.verify.notice_answer import NoticeAnswer
from dpdesk.desk.pages.verify.verify_answers import VerifyAnswer
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.times import calendar_day
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card, Hairline
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.bundle.metadata.datapackage import part_name
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery, ReleaseRecord
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import Signers, known_signers
from dpdesk.release.verify.verification import Verification
from dpdesk.study.model.amount import Rho
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused
from dpdesk.study.text.number_text import rounded
from dpdesk.texts.verification import history_sentences


class AnswersCard(Card):
    """The answers about a bundle."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._signers = Signers()
        self.signature = VerifyAnswer(self.tr("Signature"))
        self.signer = VerifyAnswer(self.tr("Signer"))
        self.second = VerifyAnswer(self.tr("Second person"))
        self._second_line = Hairline()
        self.files = VerifyAnswer(self.tr("Files"))
        self.remade = VerifyAnswer(self.tr("Tables and report"))
        self.claim = VerifyAnswer(self.tr("Privacy claim"))
        self.history = VerifyAnswer(self.tr("Account history"))
        self.notice = NoticeAnswer(session, self.tr("Withdrawn or corrected"))
        self.add_signer = link(self.tr("I know this signer…"))
        self.sign_button = link(self.tr("Sign as the second person…"))
        self.table = ClaimTable()
        self._table_frame = Card()
        self._build()

    def _build(self) -> None:
        self.body.addWidget(self.signature)
        self.body.addWidget(Hairline())
        self.body.addWidget(self.signer)
        self.body.addWidget(self._second_line)
        self.body.addWidget(self.second)
        for answer in (self.files, self.remade, self.claim, self.history, self.notice):
            self.body.addWidget(Hairline())
            self.body.addWidget(answer)
        # Without an alignment the row would be as narrow as the button.
        self.signer.body.addWidget(self.add_signer, 0, Qt.AlignmentFlag.AlignLeft)
        self.second.body.addWidget(self.sign_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._table_frame.set_padding(1)
        self._table_frame.body.addWidget(self.table)
        self.claim.below.addWidget(self._table_frame)

    def show_answers(self, verification: Verification) -> None:
        self._signers = self._read_signers()
        self.notice.show_for(verification)
        self._say_whole(verification)
        self._say_who(verification)
        self._say_second(verification)
        self._say_remade(verification)
        self._say_claim(verification)
        self._say_history(verification)

    def _read_signers(self) -> Signers:
        try:
            return known_signers(self._session.home)
        except Refused:
            return Signers()

    def _say_whole(self, verification: Verification) -> None:
        signed = verification.who is not None
        good = self.tr("The signature belongs to this bundle’s list of files.")
        # Why stands in the verdict above; said twice it would look like two faults.
        bad = self.tr("The bundle as it is now has no valid signature.")
        self.signature.say(
            signed, good if signed else bad, self.tr("Valid") if signed else self.tr("Not valid")
        )
        count = len(verification.files)
        if verification.is_whole and verification.is_unjudged:
            text = self.tr("None was changed since the bundle was signed.")
            self.files.say(True, text, self.tr("Unchanged"))
        elif verification.is_whole:
            text = self.tr("All %n file(s) are unchanged since they were signed.", "", count)
            self.files.say(True, text, self.tr("{0} of {0}").format(count))
        elif verification.awaits_second:
            text = self.tr("None was changed, but one is missing: the second signature.")
            self.files.say(None, text, self.tr("Not finished"))
        elif signed:
            text = "\n".join(words.problem_sentence(p) for p in verification.whole)
            self.files.say(False, text, self.tr("%n changed", "", len(verification.whole)))
        else:
            self.files.say_unasked(self.tr("Not checked: there is no valid signature."))

    def _say_who(self, verification: Verification) -> None:
        who = verification.who
        self.add_signer.setVisible(who is not None and who.standing == "unknown")
        if who is None:
            self.signer.say_unasked(self.tr("Not checked: there is no valid signature."))
            return
        verdicts = {
            "known": (True, self.tr("Known")),
            "unknown": (None, self.tr("Unknown")),
            "changed": (False, self.tr("Changed")),
            "revoked": (False, self.tr("Revoked")),
        }
        good, verdict = verdicts[who.standing]
        key = who.fingerprint
        self.signer.say(good, self._revoked(key), verdict, who.identity, key)

    def _revoked(self, fingerprint: str) -> str:
        """When a key was revoked, and why; empty where it is not."""
        key = self._signers.revoked_key(fingerprint)
        if key is None:
            return ""
        return self.tr("Revoked on {0}: {1}").format(calendar_day(key.since), key.reason)

    def _say_second(self, verification: Verification) -> None:
        second = verification.second
        self.second.setVisible(second is not None)
        self.sign_button.setVisible(self._is_to_be_signed(verification))
        self._second_line.setVisible(second is not None)
        if second is None:
            return
        parts = []
        if second.plan is not None:
            done = self.tr("Has signed the plan.")
            parts.append(done if second.plan else self.tr("Has not signed the plan."))
        if second.manifest is not None:
            done = self.tr("Has signed this bundle.")
            parts.append(done if second.manifest else self.tr("Has not signed this bundle yet."))
        verdicts = {
            "known": (True, self.tr("Known")),
            "unknown": (None, self.tr("Unknown")),
            "changed": (False, self.tr("Changed")),
            "revoked": (False, self.tr("Revoked")),
        }
        good, verdict = verdicts[second.standing]
        if False in (second.plan, second.manifest):
            good, verdict = False, self.tr("Missing")
        key = second.fingerprint
        said = "\n".join(filter(None, (self._revoked(key), " ".join(parts))))
        self.second.say(good, said, verdict, second.person.identity, key)

    def _is_to_be_signed(self, verification: Verification) -> bool:
        """Whether this user is the second person whose signature is all that is missing.

        Nobody signs files that were not held to what was drawn.
        """
        second = verification.second
        if second is None or not verification.awaits_second:
            return False
        if verification.unjudged or not verification.claim_holds:
            return False
        try:
            own = keys.show(self._session.home.keys)
        except Refused:
            return False
        return own is not None and own.fingerprint == second.fingerprint

    def _say_remade(self, verification: Verification) -> None:
        if not (verification.is_whole and verification.claim_holds):
            text = self.tr("Checked only if files are unchanged and the privacy claim is correct.")
            self.remade.say_unasked(text)
        elif verification.is_remade:
            text = self.tr("dpdesk gets the same ones from the signed figures.")
            self.remade.say(True, text, self.tr("Reproduced"))
        else:
            text = " ".join(words.problem_sentence(p) for p in verification.unjudged)
            self.remade.say(None, text, self.tr("In part"))

    def _say_claim(self, verification: Verification) -> None:
        self._table_frame.setVisible(bool(verification.claim_holds))
        if verification.is_unjudged:
            text = " ".join(words.problem_sentence(p) for p in verification.unjudged)
            self.claim.say_unasked(text)
        elif verification.claim is None:
            self.claim.say_unasked(self.tr("Not checked: there is no valid signature."))
        elif verification.claim:
            text = "\n".join(words.problem_sentence(p) for p in verification.claim)
            self.claim.say(False, text, self.tr("Incorrect"))
        elif verification.release is not None:
            text = self.tr("Recomputed from the study and draws in the bundle.")
            if not verification.is_whole:
                text = self.tr("It applies to the files as they were signed, not to changed ones.")
            self.claim.say(True, " ".join((text, *self._more(verification))), self.tr("Correct"))
            self.table.show_claim(verification.release.record)

    def _more(self, verification: Verification) -> Iterator[str]:
        if verification.release is not None:
            text = ReleaseText(verification.release, ReleaseWords.of(catalogue().language))
            yield self.tr("It protects: {0}.").format(text.secret)
        claim = verification.release.record.claim if verification.release is not None else None
        if claim is not None and isinstance(claim.total, Rho):
            meant = words.meaning(claim.total, claim.delta)
            yield self.tr("In zCDP: {0}, which means {1}.").format(words.budget(claim.total), meant)

    def _say_history(self, verification: Verification) -> None:
        if not verification.claim_holds:
            text = self.tr("The history can be judged only if the privacy claim is correct.")
            self.history.say_unasked(text)
        elif verification.history:
            text = " ".join(history_sentences(verification))
            self.history.say(None, text, self.tr("Left open"))
        else:
            text = self.tr("Nothing in the bundle casts doubt on it.")
            self.history.say(True, text, self.tr("Nothing open"))


INDENT = "\N{EM SPACE}"


class ClaimTable(DataTable):
    """Sensitivity, budget, scale and margin of each draw, and their sum."""

    def __init__(self) -> None:
        heads = (
            tr("ClaimTable", "Query"),
            tr("ClaimTable", "Sensitivity"),
            tr("ClaimTable", "Budget"),
            tr("ClaimTable", "Noise scale"),
            tr("ClaimTable", "± (95 in 100)"),
        )
        self._claim = RowsModel(heads, right=(1, 2, 3, 4))
        self._claim.last_is_sum = True
        super().__init__(self._claim, tr("ClaimTable", "The privacy claim in numbers"))

    def show_claim(self, record: ReleaseRecord) -> None:
        study = record.study.study
        rows = [row for query in record.queries for row in _rows(_title(study, query), query)]
        total = words.budget(record.claim.total)
        self._claim.set_rows([*rows, (self.tr("Sum"), "", total, "", "")])
        self.clearSpans()
        for place, row in enumerate(rows):
            if len(row) == 1:
                self.setSpan(place, 0, 1, self._claim.columnCount())
        # All of it: the page scrolls, and a sum is read with what it sums.
        self.fit_height(len(rows) + 1)


def _title(study: Study | None, query: ReleasedQuery) -> str:
    planned = study.query(query.id) if study is not None else None
    if study is None or planned is None:
        return query.title or query.id
    return words.query_title(study, planned)


def _rows(title: str, query: ReleasedQuery) -> Iterator[tuple[str, ...]]:
    """One line a draw; those of a query with several stand below its title."""
    if not query.draws:
        yield (title, "–", words.amount(query.share), "–", "± 0")
        return
    if len(query.draws) == 1:
        yield (title, *_numbers(query.draws[0]))
        return
    yield (title,)
    for draw in query.draws:
        part = part_name(draw.name, ReleaseWords.of(catalogue().language))
        yield (INDENT + part, *_numbers(draw))


def _numbers(draw: ReleasedDraw) -> tuple[str, ...]:
    return (
        words.in_column(str(draw.sensitivity)),
        words.amount(draw.share),
        words.in_column(rounded(Fraction(repr(draw.noise.scale)), 6)),
        f"± {words.in_column(str(draw.half_width))}",
    )
