# SPDX-License-Identifier: Apache-2.0
"""What Verify says of a dossier, in the window's words."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.desk.pages.verify.compared_dossier import ComparedDossier
from dpdesk.desk.pages.verify.notice_answer import taken_back_title
from dpdesk.desk.text import words
from dpdesk.desk.text.times import when
from dpdesk.desk.text.translating import tr
from dpdesk.release.dossier.dossier_check import Countersignature, DossierCheck
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.texts.verification import source_sentence, tables_sentence


def dossier_title(found: ComparedDossier) -> str:
    check = found.check
    if check.is_good and check.is_given and found.decided:
        # Of its own release before one that its figures are from, and a withdrawal first.
        worst = min(
            found.decided,
            key=lambda one: (one.drawn_in > 0, one.is_partial, one.decision != "withdrawn"),
        )
        return taken_back_title(worst.decision, worst.drawn_in, worst.tables)
    if not check.is_whole:
        return tr("DossierAnswer", "Do not rely on this dossier")
    if check.is_good:
        return tr("DossierAnswer", "You can rely on this dossier")
    return tr("DossierAnswer", "You cannot rely on this dossier yet")


def dossier_sentences(found: ComparedDossier) -> Iterator[str]:
    check = found.check
    if check.whole:
        yield from map(words.problem_sentence, check.whole)
        return
    if check.who is not None:
        yield _signer(check).format(check.who.identity, check.who.fingerprint)
    template = tr(
        "DossierAnswer",
        "It is about a release and is not a bundle. It belongs to the bundle whose manifest has "
        "the SHA-256 digest {0}.",
    )
    yield template.format(check.manifest_sha256)
    yield _compared(check, found.bundle)
    yield from map(words.problem_sentence, check.notice_problems)
    yield from map(_decided, found.decided)
    yield from map(_countersigned, check.countersignatures)


def _decided(decided: TakenBack) -> str:
    template = {
        "withdrawn": tr("DossierAnswer", "The release was withdrawn on {0}: {1}"),
        "corrected": tr("DossierAnswer", "The release was corrected on {0}: {1}"),
    }[decided.decision]
    said = template.format(when(decided.time), decided.reason)
    tables = tables_sentence(decided.tables, decided.decision)
    return " ".join(filter(None, (source_sentence(decided.drawn_in), said, tables)))


def _compared(check: DossierCheck, bundle: str) -> str:
    if not check.is_given:
        return tr(
            "DossierAnswer",
            "That bundle is not in the dossier’s folder, or you cannot rely on it. Put it there "
            "and open the dossier again to compare the two.",
        )
    found = {
        "yes": tr("DossierAnswer", "Compared with {0}: every page follows from that bundle."),
        "no": tr("DossierAnswer", "Compared with {0}: it differs from that bundle."),
        "not-checked": tr(
            "DossierAnswer",
            "{0} is its bundle. Another version made the dossier, so dpdesk could not check its "
            "pages.",
        ),
    }[check.remade]
    return found.format(bundle)


def _signer(check: DossierCheck) -> str:
    standing = check.who.standing if check.who is not None else "unknown"
    return {
        "known": tr("DossierAnswer", "Signed by {0}, whom you know, with key {1}."),
        "unknown": tr("DossierAnswer", "Signed by {0}, whom you do not know, with key {1}."),
        "changed": tr("DossierAnswer", "Signed as {0}, but with a key that you do not know: {1}."),
        "revoked": tr("DossierAnswer", "Signed by {0} with key {1}, which is revoked."),
    }[standing]


def _countersigned(found: Countersignature) -> str:
    if found.problem is not None:
        template = tr("DossierAnswer", "The second person’s signature {0} is not valid.")
        return template.format(found.name)
    if not found.identity:
        template = tr(
            "DossierAnswer", "Signed by a second person whom you do not know, with key {0}."
        )
        return template.format(found.fingerprint)
    template = tr("DossierAnswer", "Signed by the second person {0}, with key {1}.")
    return template.format(found.identity, found.fingerprint)
