# SPDX-License-Identifier: Apache-2.0
"""What a dossier says, in one language, whatever it is set in: one page model, set twice.

Facts and bounds only; whether the figures are anonymous in law is the reader's to decide.
"""

from __future__ import annotations

from dpdesk.release.bundle.query_headings import release_title
from dpdesk.release.bundle.report.content import Paragraph, Report, Section, Terms
from dpdesk.release.dossier.constants import constants_section
from dpdesk.release.dossier.governance import (
    context_section,
    decision_section,
    software_section,
    sources_section,
)
from dpdesk.release.dossier.hazards import hazards_section
from dpdesk.release.dossier.identifiability import attack_section, risk_sections
from dpdesk.release.dossier.label import (
    history_section,
    label_section,
    own_notices,
    unprotected_section,
)
from dpdesk.release.dossier.proofs import proof_sections
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.dossier.utility import utility_section


def dossier_report(subject: Subject) -> Report:
    """The whole document, in the order in which an officer asks."""
    words, record = subject.words, subject.record
    title = words.say("Dossier: {title}", title=release_title(record, words))
    return Report(
        title=title,
        author=record.study.text("organisation"),
        words=words,
        opening=_opening(subject),
        sections=(
            label_section(subject),
            context_section(subject),
            constants_section(subject),
            unprotected_section(subject),
            *risk_sections(subject),
            attack_section(subject),
            *proof_sections(subject),
            utility_section(subject),
            history_section(subject),
            hazards_section(subject),
            software_section(subject),
            decision_section(subject),
            _identity(subject),
            sources_section(subject),
        ),
        subject=words.say("Dossier for the data-protection officer"),
    )


def _opening(subject: Subject) -> tuple[Paragraph, ...]:
    words = subject.words
    organisation = subject.record.study.text("organisation")
    what = words.say(
        "For the data-protection officer. This document describes one release of statistics with "
        "differential privacy. It was made from the release's signed and verified bundle and "
        "from the custodian's entries; no data file was opened."
    )
    verdict = words.say(
        "It states facts and proven bounds. It is not a verdict that the figures are anonymous: "
        "you decide that, with the context in view."
    )
    first = (Paragraph(organisation),) if organisation else ()
    gone = (Paragraph(text, "warn") for text in own_notices(subject))
    return (*first, *gone, Paragraph(what), Paragraph(verdict, "warn"))


def _identity(subject: Subject) -> Section:
    """Which bundle the dossier is of."""
    record, words = subject.record, subject.words
    say = words.say
    pairs = (
        (say("SHA-256 of the bundle's manifest.json"), subject.manifest_sha256),
        (say("Release"), record.id),
        (say("Time"), words.minute(record.time)),
        (say("Ledger entry"), f"{record.place.sequence}, {subject.release.head}"),
        (say("Signer of the bundle"), subject.release.signer.identity),
        (say("Key"), subject.release.signer.fingerprint),
    )
    note = say("Verify both together: dpdesk verify BUNDLE.zip DOSSIER.zip")
    return Section(say("The bundle"), (Terms(pairs), Paragraph(note, "quiet")))
