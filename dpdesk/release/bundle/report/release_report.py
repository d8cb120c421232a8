# SPDX-License-Identifier: Apache-2.0
"""What a release's report says, in one language.

Nothing is said that the signed manifest or the tables do not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.assumptions import assumptions, comparison_sentences, declares_folding
from dpdesk.release.bundle.metadata.datapackage import draws_in_words
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.query_section import TOO_NOISY, query_section
from dpdesk.release.bundle.report.report_blocks import Paragraph, Report, Section, Terms
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.record.values import (
    ReleasedAccount,
    ReleasedClaim,
    ReleasedQuery,
    SignedRelease,
)
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.text.unit_names import UnitNames

_WARNINGS: Final[dict[str, Template]] = {
    "rollback_suspected": "An older copy of the ledger may once have been in use: more may have "
    "been spent than is listed here.",
    "separate_people_declared": "That other accounts are about other people was declared, not "
    "measured.",
}
_FIRST: Final[Template] = (
    "These figures contain noise that protects {people}. The secret is {secret}; all figures of "
    "this release together cost {cost}."
)
_MARGINS: Final[Template] = (
    "In at least 95 of 100 releases the exact figure is within the given margin: of many "
    "figures, a few are not. {exact} Small groups may come out negative; that is the noise. "
    "Where a figure is marked as {too_noisy}, its noise hides it: a total that cannot be "
    "distinguished from 0, or a margin of at least half the possible range. Numbers below the "
    "tables are rounded; manifest.json has them unrounded."
)
_METHOD: Final[Template] = (
    "For those who check the calculation: how the noise of each table was drawn. Sensitivity: "
    "the largest change that one privacy unit can cause. Loss: this draw's part of the cost."
)


def report_of(text: ReleaseText, tables: Iterable[Table]) -> Report:
    """What the report of a release with its signer says, each query under its heading."""
    record, words = text.release.record, text.words
    named = zip(tables, record.queries, strict=True)
    return Report(
        title=text.title,
        author=record.study.text("organisation"),
        words=words,
        opening=tuple(_opening(text)),
        sections=(
            *(
                query_section(table, query, text.headings[query.id], text.names, words)
                for table, query in named
            ),
            *reading_section(record.study.study, words),
            _account(record.account, words),
            method_section(record.queries, text.headings, words),
            _citation(text),
            _origin(text.release, words),
        ),
    )


def _opening(text: ReleaseText) -> Iterator[Paragraph]:
    record, words = text.release.record, text.words
    claim = record.claim
    organisation = record.study.text("organisation")
    if organisation:
        yield Paragraph(organisation)
    first = words.say(
        _FIRST, people=text.names.people, secret=text.secret, cost=_cost(claim, words)
    )
    yield Paragraph(f"{first} {_guess(claim, text.names, words)}", "cost")
    margins = words.say(_MARGINS, too_noisy=words.say(TOO_NOISY), exact=text.exact)
    yield Paragraph(margins, "quiet")
    if text.counted:
        yield Paragraph(text.counted)
    yield from map(Paragraph, assumptions(record, words))
    for key in _WARNINGS:
        if getattr(record.place, key):
            yield Paragraph(words.say(_WARNINGS[key]), "warn")


def _cost(claim: ReleasedClaim, words: ReleaseWords) -> str:
    epsilon = f"ε = {words.number(claim.epsilon)} (δ = {words.number(claim.delta.whole)})"
    if isinstance(claim.total, Epsilon):
        return epsilon
    rho = words.number(claim.total)
    return words.say("ρ = {rho} of zCDP, which means {epsilon}", rho=rho, epsilon=epsilon)


def _guess(claim: ReleasedClaim, names: UnitNames, words: ReleaseWords) -> str:
    return words.say(
        "After it, a guess about any one {whom} can be right at most {most} in 100 times; a coin "
        "toss: 50.",
        whom=names.row if claim.unit == "row" else names.person,
        most=account_right_in_100(claim.total, claim.delta),
    )


def method_section(
    queries: Iterable[ReleasedQuery], headings: Mapping[str, Heading], words: ReleaseWords
) -> Section:
    """How each query's noise was drawn, for those who check it."""
    pairs = tuple((headings[q.id].title, draws_in_words(q, words)) for q in queries)
    note = Paragraph(words.say(_METHOD), "quiet")
    return Section(words.say("Method"), (note, Terms(pairs)))


def _citation(text: ReleaseText) -> Section:
    """What an article that uses the figures says of them."""
    paragraphs = (Paragraph(text.methods), Paragraph(text.reference))
    return Section(text.words.say("For articles that use these figures"), paragraphs)


def reading_section(study: Study | None, words: ReleaseWords) -> Iterator[Section]:
    """How numbers are rounded, and how cells were compared where not letter by letter."""
    if study is None:
        return
    compared = comparison_sentences(study, words) if declares_folding(study) else ()
    lines = (*value_sentences(study, words), *compared)
    if lines:
        yield Section(words.say("Values"), tuple(map(Paragraph, lines)))


def _account(account: ReleasedAccount, words: ReleaseWords) -> Section:
    say = words.say
    counted = say("rho of zCDP") if account.measure == "rho" else say("epsilon")
    pairs = (
        (say("Account"), account.name),
        (say("Counted in"), counted),
        (say("Spent before"), words.number(account.spent_before)),
        (say("Spent after"), words.number(account.spent_after)),
        (say("Total budget"), words.number(account.total)),
    )
    return Section(say("Budget"), (Terms(pairs),))


def _origin(release: SignedRelease, words: ReleaseWords) -> Section:
    record, software, say = release.record, release.record.software, words.say
    pairs = (
        (say("Release"), record.id),
        (say("Time"), words.minute(record.time)),
        (say("Signer"), release.signer.identity),
        (say("Key"), release.signer.fingerprint),
        (say("Ledger entry"), f"{record.place.sequence}, {release.head}"),
        (say("Software"), f"dpdesk {software.dpdesk}, OpenDP {software.opendp}"),
    )
    how = Paragraph(say("README.txt says how to check the signature."), "quiet")
    return Section(say("Origin"), (Terms(pairs), how))
