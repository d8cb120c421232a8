# SPDX-License-Identifier: Apache-2.0
"""The hazards that NIST SP 800-226 warns of, one by one, with what this release does about each.

The order is that of the publication's subjects; the headings are ours, not quoted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.release.bundle.release_text import unit
from dpdesk.release.bundle.report.report_blocks import Paragraph, Section, Terms
from dpdesk.release.dossier.blocks import in_100, number
from dpdesk.release.dossier.label import amount_text
from dpdesk.release.dossier.subject import Subject
from dpdesk.study.model.amount import AccountDelta

_LOSS: Final[Template] = (
    "This release costs {release}. The account may spend {life} in all: a guess is then right at "
    "most {most} times; a coin toss: 50 in 100. You judge whether that is little enough."
)
_DELTA: Final[dict[str, Template]] = {
    "pure": "There is none: the guarantee is pure and never fails.",
    "whole": "δ is at most one in a million in the account's whole life; all of it converts ρ to "
    "ε.",
    "parts": "δ is at most one in a million in the account's whole life. A part of it, {kept}, is "
    "for found categories, which may fail with that probability in all; the rest converts ρ to ε "
    "and never changes.",
}
_UNIT: Final[dict[str, Template]] = {
    "person": "The unit is {unit}, not one row. Equivalent ids are made the same first; rows "
    "beyond the row limit are left out.",
    "row": "The unit is {unit}: a person with several of them is protected less.",
}
_NEIGHBOURS: Final[dict[str, Template]] = {
    "add-remove": "Two data sets are neighbours where one has all rows of a unit more: presence "
    "itself is protected.",
    "change-one": "Two data sets are neighbours where one unit has other rows: the number of units "
    "is public and was declared, not counted.",
}
_OTHERS: Final[tuple[tuple[Template, Template], ...]] = (
    (
        "Sensitivity and bounds from the data",
        "Bounds, lists and row limits are declared. Values beyond are moved or left out by a "
        "declared rule before anything is computed; their number is not published.",
    ),
    (
        "Composition and repeated queries",
        "Every draw is charged to the one account of its people before anything is shown, and "
        "never refunded. A repeated query gets the stored figure.",
    ),
    (
        "Groups, empty ones too",
        "Every declared group is printed, the empty ones too; groups found in the data leave only "
        "above a threshold whose failure δ counts.",
    ),
    (
        "Utility and statistical bias",
        "Every figure has its margin; clipping to bounds and leaving out rows shift the exact "
        "figure by an amount that no margin contains, see the section on utility.",
    ),
    (
        "Bias against small groups",
        "The same noise weighs more in small groups, whose figures are marked as too noisy to use "
        "rather than dropped. Bias in how the data came about stays as it is.",
    ),
    (
        "Query model",
        "Not interactive: recipients get the tables; nobody outside asks the data.",
    ),
    (
        "Trust model",
        "Central: the custodian sees the data and is trusted with them and with keeping one "
        "ledger. Recipients are not trusted.",
    ),
    (
        "Floating-point attacks",
        "Noise is drawn on whole numbers by OpenDP and scaled back by exact decimals.",
    ),
    (
        "Timing and other side channels",
        "Nothing published tells how long anything took, how large a file was, or how many rows a "
        "rule touched. Who can watch the custodian's computer is not covered.",
    ),
    (
        "Errors in the implementation",
        "The noise library is pinned by its digest. Tests compare neighbouring files with the same "
        "noise byte for byte and audit losses statistically; none proves the absence of errors.",
    ),
    (
        "Data security and access control",
        "The program opens no network connection and writes no exact figure. Disk encryption, "
        "accounts and backups are the custodian's.",
    ),
    (
        "Exposure when data are collected",
        "Outside the program: how the data were collected, kept and linked before.",
    ),
    (
        "Post-processing and derived claims",
        "Whatever is computed from the tables costs nothing more. Conclusions about a group may "
        "still harm its members.",
    ),
)


def hazards(subject: Subject) -> Iterator[tuple[str, str]]:
    """Each hazard with what is done about it, in the dossier's language."""
    words, record = subject.words, subject.record
    say, claim, account = words.say, record.claim, record.account
    kept = number(account.delta.kept, words)
    most = in_100(account_right_in_100(account.total, account.delta), words)
    release = amount_text(claim.total, claim.delta, words)
    life = amount_text(account.total, account.delta, words)
    yield say("Large privacy loss"), say(_LOSS, release=release, life=life, most=most)
    yield say("Failure probability δ"), say(_DELTA[_kind(account.delta)], kept=kept)
    yield say("Privacy unit"), say(_UNIT[claim.unit], unit=unit(record, words))
    yield say("Neighbouring data sets"), say(_NEIGHBOURS[claim.neighbours])
    for pair in _OTHERS:
        title, answer = map(say, pair)
        yield title, answer


def _kind(delta: AccountDelta) -> str:
    if not delta.whole.units:
        return "pure"
    return "parts" if delta.kept.units else "whole"


def hazards_section(subject: Subject) -> Section:
    note = subject.words.say(
        "After the subjects of NIST SP 800-226 (2025), from the privacy parameters down to data "
        "collection; the headings are this program's."
    )
    title = subject.words.say("Hazards (NIST SP 800-226)")
    return Section(title, (Paragraph(note, "quiet"), Terms(tuple(hazards(subject)))))
