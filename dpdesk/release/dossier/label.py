# SPDX-License-Identifier: Apache-2.0
"""The privacy label, what is not protected, and the account's history as of the release's entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_epsilon, account_right_in_100
from dpdesk.privacy.accounting.guess_probability import (
    group_delta,
    group_epsilon,
    group_rho,
)
from dpdesk.release.bundle.assumptions import RECOVERY, assumptions, override_sentences
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import unit
from dpdesk.release.bundle.report.report_blocks import Block, Paragraph, Section, Terms
from dpdesk.release.dossier.blocks import grid, in_100, number
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.ledger.decisions.decided import table_files
from dpdesk.release.notices.notice_file import Notice, Revocation
from dpdesk.release.record.values import ReleasedAccount
from dpdesk.study.model.amount import AccountDelta, Epsilon, Share

FAMILY = 4

_SECRETS: Final[dict[str, Template]] = {
    "add-remove": "whether one {person} is in the data, and everything recorded about them",
    "change-one": "everything recorded about one {person}; that they are in the data, and how many "
    "there are, is public",
}
_NOTIONS: Final[dict[str, Template]] = {
    "epsilon": "Pure differential privacy",
    "rho": "Zero-concentrated differential privacy (zCDP)",
}
_GENERAL: Final[tuple[Template, ...]] = (
    "Everything that the study declares is public: queries, bounds, categories, rules, shares, "
    "and that the release took place.",
    "What holds for people in general: anyone who learns from the figures that a group is often "
    "ill may suspect it of a person of this group, in the data or not. No release that says "
    "something useful about a group prevents that.",
    "A person under several ids, or in several accounts, is protected less: the losses add up.",
    "The data themselves, with all copies and backups, and the computer, its users and its keys: "
    "they need the custodian's own safeguards.",
    "What was published about the same people by other means, or is charged to another ledger.",
    "What the custodian had seen of the data before the bounds were declared.",
)
_FLAGS: Final[dict[str, Template]] = {
    "rollback_suspected": "An older copy of the ledger may once have been in use: more may have "
    "been spent than is listed here.",
    "separate_people_declared": "That other accounts are about other people was declared, not "
    "measured.",
    "recovery_opened": RECOVERY,
}
_OWN: Final[dict[Revocation, Template]] = {
    "withdrawn": "This release was withdrawn on {day} by ledger entry {entry}, signed by "
    "{identity}, {fingerprint}. Reason: {reason}",
    "corrected": "This release was corrected on {day} by ledger entry {entry}, signed by "
    "{identity}, {fingerprint}. Reason: {reason}",
}
_EACH: Final[dict[Revocation, Template]] = {
    "withdrawn": "The release of ledger entry {release} was withdrawn on {day} by entry {entry}, "
    "signed by {identity}, {fingerprint}. Reason: {reason}",
    "corrected": "The release of ledger entry {release} was corrected on {day} by entry {entry}, "
    "signed by {identity}, {fingerprint}. Reason: {reason}",
}
_ONLY: Final[Template] = "(It is only about {files}; the other tables stay as they are.)"
_BY_THIS: Final[Template] = "(The release of this dossier takes its place.)"
_BY: Final[Template] = "(In its place is the release whose entry has the hash {head}.)"
_UP_TO: Final[Template] = (
    "Withdrawals and corrections of this release and of earlier ones of the account are given up "
    "to the ledger's entry {entry} with the hash {head}; what was decided later is not in this "
    "dossier. dossier.json contains the signed notices."
)
_LATER: Final[Template] = (
    "A release can be withdrawn or corrected after its dossier was made: its signer's notices say "
    "so, and dpdesk verify BUNDLE.zip --notice FILE checks them."
)


def label_section(subject: Subject) -> Section:
    """The label: what a person who reads nothing else should read."""
    record, words = subject.record, subject.words
    say, claim, account = words.say, record.claim, record.account
    person = subject.one
    pairs = (
        (say("Privacy unit"), unit(record, words)),
        (say("Protected"), say(_SECRETS[claim.neighbours], person=person)),
        (say("Notion"), say(_NOTIONS[claim.total.measure])),
        (say("Privacy loss of this release"), amount_text(claim.total, claim.delta, words)),
        (say("Total budget"), amount_text(account.total, account.delta, words)),
        (
            say("Spent after this release"),
            say(
                "{spent} of {total}",
                spent=number(account.spent_after, words),
                total=number(account.total, words),
            ),
        ),
        (say("A guess about one {person}", person=person), _guess(subject)),
    )
    return Section(say("Privacy label"), (Terms(pairs),))


def _guess(subject: Subject) -> str:
    claim, account, words = subject.record.claim, subject.record.account, subject.words
    return words.say(
        "is right 50 in 100 times by a coin toss, at most {release} after this release, and at "
        "most {life} after everything that the account may ever release",
        release=in_100(account_right_in_100(claim.total, claim.delta), words),
        life=in_100(account_right_in_100(account.total, account.delta), words),
    )


def amount_text(amount: Share, delta: AccountDelta, words: ReleaseWords) -> str:
    """A loss with its delta; rho with what it means."""
    if isinstance(amount, Epsilon):
        text = f"ε = {number(amount, words)}"
        return f"{text}, δ = {number(delta.whole, words)}"
    epsilon = number(account_epsilon(amount, delta), words)
    return words.say(
        "ρ = {rho} of zCDP, which means ε = {epsilon} at δ = {delta}",
        rho=number(amount, words),
        epsilon=epsilon,
        delta=number(delta.whole, words),
    )


def unprotected_section(subject: Subject) -> Section:
    return Section(
        subject.words.say("What is not protected"), tuple(map(Paragraph, unprotected(subject)))
    )


def unprotected(subject: Subject) -> Iterator[str]:
    words, record = subject.words, subject.record
    claim = record.claim
    if claim.neighbours == "change-one":
        yield words.say(
            "The number of {people} in the data, {n}, and that somebody is one of them.",
            people=subject.several,
            n=number(claim.people, words),
        )
    yield words.say(
        "Several people together, such as a family of {n}: a guess about all of them is right at "
        "most {most} times after this release; a coin toss: 50 in 100.",
        n=FAMILY,
        most=in_100(_family(claim.total, claim.delta), words),
    )
    yield from map(words.say, _GENERAL)
    yield from dict.fromkeys((*assumptions(record, words), *_warnings(subject)))


def _family(total: Share, delta: AccountDelta) -> int:
    """How right a guess about four people can be; for rho the failures' delta is small beside."""
    if isinstance(total, Epsilon):
        return account_right_in_100(group_epsilon(total, FAMILY))
    grown = group_delta(account_epsilon(total, delta), delta.kept, FAMILY)
    return account_right_in_100(group_rho(total, FAMILY), AccountDelta(grown, grown))


def history_section(subject: Subject) -> Section:
    """The account as of the release's entry; what came later is not in this dossier."""
    words, account = subject.words, subject.record.account
    say = words.say
    pairs = (
        (say("Account"), account.name),
        (say("Entry of this release"), str(subject.record.place.sequence)),
        (say("Spent before"), number(account.spent_before, words)),
        (say("Spent after"), number(account.spent_after, words)),
        (say("Total budget"), number(account.total, words)),
    )
    when = say(
        "As of the ledger's entry of this release; what the account spent later is not in this "
        "dossier. The ledger is tamper-evident: a second ledger for the same people would not "
        "show here."
    )
    warnings = (Paragraph(one, "warn") for one in _warnings(subject))
    return Section(
        say("Account history"),
        (
            *(Paragraph(when), *warnings, Terms(pairs), *_charges(account, words)),
            *_notices(subject),
        ),
    )


def _warnings(subject: Subject) -> Iterator[str]:
    """What the release states about its account that leaves the history open."""
    for flag in _FLAGS:
        if getattr(subject.record.place, flag):
            yield subject.words.say(_FLAGS[flag])
    yield from override_sentences(subject.record, subject.words)


def own_notices(subject: Subject) -> Iterator[str]:
    """That the dossier's own release was withdrawn or corrected: the first thing to read."""
    for one in subject.notices:
        if one.is_own:
            said = subject.words.say(_OWN[one.notice.kind], **_said(subject, one.notice))
            yield said + _of_tables(subject, one.notice)


def _notices(subject: Subject) -> Iterator[Paragraph]:
    """What was withdrawn or corrected of the account's releases so far, and up to which entry."""
    say = subject.words.say
    if not subject.notices:
        yield Paragraph(say(_LATER))
        return
    for one in subject.notices:
        notice = one.notice
        text = say(_EACH[notice.kind], release=notice.sequence, **_said(subject, notice))
        text += _of_tables(subject, notice)
        if notice.replaced_by:
            is_this = notice.replaced_by == subject.release.head
            text += " " + say(_BY_THIS if is_this else _BY, head=notice.replaced_by)
        yield Paragraph(text, "warn")
    last = subject.notices[-1].notice
    yield Paragraph(say(_UP_TO, entry=last.decided_in, head=last.decided_head))


def _of_tables(subject: Subject, notice: Notice) -> str:
    """That only some tables are meant, with a space before it; else empty."""
    files = table_files(notice.tables)
    return f" {subject.words.say(_ONLY, files=files)}" if files else ""


def _said(subject: Subject, notice: Notice) -> dict[str, object]:
    return {
        "day": subject.words.day(notice.time),
        "entry": notice.decided_in,
        "identity": notice.signer.identity,
        "fingerprint": notice.signer.fingerprint,
        "reason": notice.reason,
    }


def _charges(account: ReleasedAccount, words: ReleaseWords) -> tuple[Block, ...]:
    heads = (words.say("Ledger entry"), words.say("Charged"), "δ")
    newest = sorted(account.charges, key=lambda charge: -charge.sequence)
    rows = ((str(c.sequence), number(c.charged, words), number(c.delta, words)) for c in newest)
    return grid(heads, rows, words, (0, 1, 2))
