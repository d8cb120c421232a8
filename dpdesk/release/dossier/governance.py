# SPDX-License-Identifier: Apache-2.0
"""What people say and decide: the typed context, software, sources, decision and countersigning."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.report.report_blocks import Blanks, Paragraph, Section, Terms
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.signing.stock_commands import ON_WINDOWS

MANIFEST = "dossier-manifest.json"
COUNTERSIGN_NAMESPACE = "dpdesk-countersign-v1"

_FIELDS: Final[dict[str, Template]] = {
    "purpose": "Purpose",
    "recipient": "Recipient",
    "release_model": "Release model",
    "legal_route": "Legal route",
    "review_date": "Review date",
}
_DECISIONS: Final[tuple[Template, ...]] = (
    "The release may be handed over as described.",
    "The release may be handed over under the conditions below.",
    "The release may not be handed over.",
    "More information is needed, see below.",
)
_LINES: Final[tuple[Template, ...]] = (
    "Conditions",
    "Reasons",
    "Next review",
    "Name and function",
    "Place and date",
    "Signature",
)
_SIGNERS: Final[tuple[Template, ...]] = (
    "Custodian: name, date, signature",
    "Second person: name, date, signature",
    "Data-protection officer: name, date, signature",
)
_COUNTERSIGN: Final[Template] = (
    "On a computer, a countersignature is made over {manifest}, which lists the digest of every "
    "file of this dossier: take it out of the dossier and run ssh-keygen -Y sign -n {namespace} -f "
    "KEY {manifest}. On Windows, write {windows} in place of ssh-keygen. Put the signature beside "
    "the dossier, named like it with .NAME.sig at the end; dpdesk verify shows it."
)
_SOURCES = (
    "Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216)",
    "Regulation (EU) 2016/679 (GDPR), Recital 26",
    "ISO/IEC 27559:2022, Privacy enhancing data de-identification framework",
    "NIST SP 800-226, Guidelines for Evaluating Differential Privacy Guarantees (2025), "
    "doi:10.6028/NIST.SP.800-226",
    "Bun and Steinke, Concentrated differential privacy (2016)",
    "Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy (2020)",
    "Cesar and Rogers, Bounding, concentrating and truncating (2021)",
    "Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection (2022)",
    "Ding, Kifer, Steinke and others, The permute-and-flip mechanism is identical to "
    "report-noisy-max with exponential noise (2021)",
    "Durfee and Rogers, Practical differentially private top-k selection (2019)",
    "Dwork and Roth, The algorithmic foundations of differential privacy (2014)",
    "Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms (2009)",
    "Kairouz, Oh and Viswanath, The composition theorem for differential privacy (2015)",
    "Korolova, Kenthapadi, Mishra and Ntoulas, Releasing search queries and clicks privately "
    "(2009)",
    "McKenna and Sheldon, Permute-and-flip (2020)",
    "McSherry and Talwar, Mechanism design via differential privacy (2007)",
    "Warner, Randomized response (1965)",
    "Wasserman and Zhou, A statistical framework for differential privacy (2010)",
    "Wilson and others, Differentially private SQL with bounded user contribution (2020)",
)


def context_section(subject: Subject) -> Section:
    """What was typed in, as it was typed in."""
    say, stated = subject.words.say, dict(subject.stated.members)
    stated["review_date"] = subject.words.day(stated["review_date"])
    unsaid = say("not stated")
    pairs = tuple((say(_FIELDS[name]), stated[name] or unsaid) for name in _FIELDS)
    note = Paragraph(say("As typed in by the custodian; dpdesk checks none of it."), "quiet")
    return Section(say("Context (ISO/IEC 27559, clause 6)"), (note, Terms(pairs)))


def software_section(subject: Subject) -> Section:
    say, software = subject.words.say, subject.record.software
    materials = subject.materials or say("none: the program ran from its sources")
    pairs = (
        (say("Program"), f"dpdesk {software.dpdesk}"),
        (say("Noise library"), f"OpenDP {software.opendp}"),
        (say("SHA-256 of the noise library"), software.opendp_library_sha256),
        (say("SHA-256 of the bill of materials (sbom.cdx.json)"), materials),
    )
    note = say(
        "The bill of materials is beside the installed program and lists every component with "
        "version, licence and digest; dpdesk --verify-installation compares every installed file."
    )
    return Section(say("Software and bill of materials"), (Terms(pairs), Paragraph(note, "quiet")))


def decision_section(subject: Subject) -> Section:
    say = subject.words.say
    review = subject.stated.review_date
    lines = tuple(map(say, _LINES))
    when = [Paragraph(say("Review date: {day}", day=subject.words.day(review)))] if review else []
    how = say(_COUNTERSIGN, manifest=MANIFEST, namespace=COUNTERSIGN_NAMESPACE, windows=ON_WINDOWS)
    return Section(
        say("Governance and decision (ISO/IEC 27559, clause 9)"),
        (
            *when,
            Paragraph(say("Decision of the data-protection officer")),
            Blanks(tuple(map(say, _DECISIONS)), lines),
            Paragraph(say("Countersignatures")),
            Blanks((), tuple(map(say, _SIGNERS))),
            Paragraph(how, "quiet"),
        ),
    )


def sources_section(subject: Subject) -> Section:
    return Section(
        subject.words.say("Sources"), tuple(Paragraph(source, "quiet") for source in _SOURCES)
    )
