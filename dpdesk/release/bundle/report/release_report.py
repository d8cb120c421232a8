# SPDX-License-Identifier: Apache-2.0
"""What a release's report says, in one language.

Nothing is said that the signed manifest or the tables do not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.assumptions import assumptions, comparison_sentences, declares_folding
from dpdesk.release.bundle.baseline.released import ReleasedBaseline, is_in_baseline
from dpdesk.release.bundle.metadata.datapackage import draws_in_words
from dpdesk.release.bundle.query_headings import (
    Heading,
    ReleaseWords,
    form_of_release,
    period_of,
    totals_of_release,
)
from dpdesk.release.bundle.release_text import SHORT_ID, ReleaseText
from dpdesk.release.bundle.report.baseline_section import baseline_section, other_shares
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.key_figures import (
    WholeCount,
    findings,
    is_single,
    key_figures,
    single_section,
    total_to_quote,
    whole_counts,
)
from dpdesk.release.bundle.report.notes.main_findings import coverage, main_findings
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.query_section import paid, query_section
from dpdesk.release.bundle.report.report_blocks import (
    HATCHED,
    Paragraph,
    ReadingBox,
    Report,
    Section,
    Terms,
)
from dpdesk.release.bundle.report.synthetic_section import synthetic_section
from dpdesk.release.bundle.synthetic.rows import ReleasedRows
from dpdesk.release.bundle.value_sentences import rule_sentences, value_sentences
from dpdesk.release.record.values import (
    ReleasedAccount,
    ReleasedClaim,
    ReleasedQuery,
    SignedRelease,
)
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.text.number_text import APPROXIMATELY, PLUS_MINUS
from dpdesk.study.text.unit_names import UnitNames

_WARNINGS: Final[dict[str, Template]] = {
    "rollback_suspected": "An older copy of the ledger may once have been in use: more may have "
    "been spent than is listed here.",
    "separate_people_declared": "That other accounts are about other people was declared, not "
    "measured.",
}
READING: Final[Template] = "What margins and marks mean"
_NOISE: Final[Template] = "Every figure contains noise that protects {people}; none is exact."
_NOISE_BUT: Final[Template] = (
    "Every figure but a public number contains noise that protects {people}; none of them is exact."
)
_SHORT: Final[Template] = (
    "The 95 % margin of this noise alone, not of chance (sampling); this also applies to small "
    "ranges and whiskers unless stated otherwise. Where a figure has a range for the population, "
    "quote that: it holds both. The population is the wider group of {people} that these "
    "represent, not the inhabitants."
)
_DIFFER: Final[Template] = "Totals of different tables can differ."
_QUOTE: Final[Template] = "For a total, quote the key figures below."
_HIDDEN: Final[Template] = (
    "Too noisy to use: the noise hides the figure. One below zero comes from the noise."
)
_MARGIN: Final[Template] = (
    "The ± of a figure is the 95 % margin of its noise: in at least 95 of 100 releases the exact "
    "figure is within it. Each holds by itself: of 100 margins, up to 5 miss on average. {exact}"
)
_WHOLE_FILE: Final[Template] = (
    "The limit holds for all days of the file together. How many {rows} it leaves out is not "
    "counted."
)
_TOO_NOISY: Final[Template] = (
    "Too noisy to use is a figure that cannot be distinguished from 0, or whose margin is at least "
    "half the possible range. Of figures that are 0, up to 5 in 100 are not marked all the same."
)
_FIRST: Final[Template] = (
    "The figures contain noise that protects {people}. The secret is {secret}; all figures of "
    "this release together cost {cost}."
)
_ROUNDED: Final[Template] = "Numbers below are rounded; manifest.json has them unrounded."
_METHOD: Final[Template] = (
    "For those who check the calculation: how the noise of each table was drawn. Sensitivity: "
    "the largest change that one privacy unit can cause. Loss: this draw's part of the cost. "
    "“Within” is of each number as it was drawn. The ± of a published figure is another one, often "
    "smaller: it follows from all the numbers that the figure is made of, or was made to add up "
    "with. Readers need the ± alone."
)
_APPENDIX = "A"
_SUM = "\N{GREEK CAPITAL LETTER SIGMA}"
"""What heads the line on totals; a sign that begins a formula would get an apostrophe in a page."""
_NUMBER = "№"


def report_of(
    text: ReleaseText,
    tables: Sequence[Table],
    baselines: Sequence[ReleasedBaseline] = (),
    rows: ReleasedRows | None = None,
) -> Report:
    """What the report of a release with its signer says, each query under its heading.

    Args:
        tables: one for each query, in the same order.
        baselines: its Table 1s, in which the figures of their queries are.
        rows: its synthetic rows.
    """
    record, words = text.release.record, text.words
    charted = [
        one
        for one in charted_queries(text, tables)
        if not is_in_baseline(record.study.study, one.query, baselines)
    ]
    counts = whole_counts(charted, text.headings)
    listed = numbered_queries(charted, len(baselines))
    asked = tuple(_queries(charted, listed, text, baselines, counts))
    of_baselines = {str(at): one.printed for at, one in enumerate(baselines, start=1)}
    keys = key_figures(charted, text.headings, text.names)
    found = tuple(findings(charted, text.headings, text.names))
    made, *method = method_sections(text)
    return Report(
        title=text.title,
        author=record.study.text("organisation"),
        words=words,
        opening=(
            *_warnings(text),
            *coverage(text, listed, of_baselines, single=[*filter(is_single, charted)]),
            _how_to_read(text, tables, counts),
            *keys,
            *found,
            *main_findings(text, listed, of_baselines),
        ),
        sections=(
            *asked,
            *synthetic_section(rows, text, str(len(asked) + 1)),
            made,
            _reading(text, tables, once_for_all(asked)),
            *method,
        ),
        foot=words.say("To check the signature: README.txt"),
        facts=_facts(text.release, words),
        contents=words.say("In this report"),
        tables=len(asked),
    )


def once_for_all(sections: Iterable[Section]) -> tuple[str, ...]:
    """What holds for tables of several sections, each sentence once."""
    return tuple(dict.fromkeys(said for section in sections for said in section.common))


def method_sections(text: ReleaseText) -> tuple[Section, ...]:
    """How the figures were made, which bounds and rules, what was spent, who signed."""
    record, words = text.release.record, text.words
    return (
        _made(text),
        *reading_section(record.study.study, words),
        _account(record.account, words),
        method_section(record.queries, text.headings, words),
        _citation(text),
        _origin(text.release, words),
    )


def numbered_queries(charted: Iterable[Charted], baselines: int) -> dict[str, Charted]:
    """Those that have a section of their own, by its number, behind that many Table 1s."""
    shown = (one for one in charted if not is_single(one))
    return {str(at): one for at, one in enumerate(shown, start=baselines + 1)}


def _queries(
    charted: Sequence[Charted],
    numbered: Mapping[str, Charted],
    text: ReleaseText,
    baselines: Sequence[ReleasedBaseline],
    counts: Mapping[str, WholeCount],
) -> Iterator[Section]:
    """Table 1s, each query with groups under its number, then all without in one table."""
    elsewhere = dict[str, str]()
    for place, table in enumerate(baselines, start=1):
        here, there = other_shares(table, str(place), numbered, text.words)
        elsewhere |= there
        yield baseline_section(table.printed, str(place), here)
    for number, one in numbered.items():
        heading = text.headings[one.query.id]
        quoted = total_to_quote(one, counts) or elsewhere.get(number, "")
        yield query_section(one, heading, text.names, number, quoted=quoted)
    single = [*filter(is_single, charted)]
    number = str(len(baselines) + len(numbered) + 1)
    yield from single_section(single, text.headings, text.names, number)


def _facts(release: SignedRelease, words: ReleaseWords) -> tuple[tuple[str, str], ...]:
    """What is said below the title: which release, of which day, signed by whom."""
    record = release.record
    return (
        *period_of(record.study.study, words),
        (words.say("Date"), words.day(record.time)),
        (words.say("Release"), record.id[:SHORT_ID]),
        (words.say("Signer"), release.signer.identity),
    )


def _warnings(text: ReleaseText) -> Iterator[Paragraph]:
    for key in _WARNINGS:
        if getattr(text.release.record.place, key):
            yield Paragraph(text.words.say(_WARNINGS[key]), "warn")


def _how_to_read(
    text: ReleaseText, tables: Sequence[Table], counts: Mapping[str, WholeCount]
) -> ReadingBox:
    """What every reader must know: of noise, of margins, of what was counted.

    Args:
        counts: which key figures say how many there are.
    """
    words, record = text.words, text.release.record
    people = text.names.people
    margin = words.say(_SHORT, people=people)
    noise = _NOISE if all(one.draws for one in record.queries) else _NOISE_BUT
    lines = [("~", words.say(noise, people=people)), (PLUS_MINUS, margin)]
    if text.counted:
        lines.append((words.number(record.claim.max_rows), text.counted))
    if form := form_of_release(tables, words):
        lines.append((APPROXIMATELY, form))
    if totals_of_release(record, words):
        quote = words.say(_QUOTE) if counts else ""
        lines.append((_SUM, f"{words.say(_DIFFER)} {quote}".strip()))
    if any(table.marked for table in tables):
        lines.append((HATCHED, words.say(_HIDDEN)))
    lines.append((_NUMBER, text.other_release))
    return ReadingBox(words.say("How to read this"), tuple(lines))


def _reading(text: ReleaseText, tables: Sequence[Table], common: tuple[str, ...]) -> Section:
    """The same at length, for those who quote the figures, and what is said once for all."""
    words, said = text.words, [text.words.say(_MARGIN, exact=text.exact)]
    if text.counted:
        said.append(f"{text.counted} {words.say(_WHOLE_FILE, rows=text.names.rows)}")
    if totals := totals_of_release(text.release.record, words):
        said.append(totals)
    if any(table.marked for table in tables):
        said.append(words.say(_TOO_NOISY))
    said += common
    return Section(words.say(READING), tuple(map(Paragraph, said)))


def _made(text: ReleaseText) -> Section:
    """How the figures were made: the promise, what it costs, and what is assumed."""
    record, words = text.release.record, text.words
    claim = record.claim
    first = words.say(
        _FIRST, people=text.names.people, secret=text.secret, cost=_cost(claim, words)
    )
    paragraphs = (
        Paragraph(f"{first} {_guess(claim, text.names, words)}", "cost"),
        *map(Paragraph, assumptions(record, words)),
        Paragraph(words.say(_ROUNDED), "quiet"),
    )
    return Section(words.say("How the figures were made"), paragraphs, _APPENDIX, is_new_page=True)


def _cost(claim: ReleasedClaim, words: ReleaseWords) -> str:
    epsilon = f"ε = {words.number(claim.epsilon)} (δ = {words.number(claim.delta.whole)})"
    if isinstance(claim.total, Epsilon):
        return epsilon
    rho = words.number(claim.total)
    return words.say("ρ = {rho} of zCDP, which means {epsilon}", rho=rho, epsilon=epsilon)


def _guess(claim: ReleasedClaim, names: UnitNames, words: ReleaseWords) -> str:
    return words.say(
        "After it, a guess about any one {whom} can be right at most {most} in 100 times; a coin "
        "toss: 50. That is the worst case: of someone who knows all other rows and all figures.",
        whom=names.row if claim.unit == "row" else names.person,
        most=account_right_in_100(claim.total, claim.delta),
    )


def method_section(
    queries: Iterable[ReleasedQuery],
    headings: Mapping[str, Heading],
    words: ReleaseWords,
    is_paid: bool = True,
) -> Section:
    """How each query's noise was drawn, for those who check it, and what it cost if it did."""
    pairs = tuple(
        (headings[q.id].title, " ".join((draws_in_words(q, words), *_cost_of(q, words, is_paid))))
        for q in queries
    )
    note = Paragraph(words.say(_METHOD), "quiet")
    return Section(words.say("Method"), (note, Terms(pairs)))


def _cost_of(query: ReleasedQuery, words: ReleaseWords, is_paid: bool) -> Iterator[str]:
    if is_paid:
        yield paid(query, words)


def _citation(text: ReleaseText) -> Section:
    """What an article that uses the figures says of them."""
    paragraphs = (Paragraph(text.methods), Paragraph(text.reference))
    return Section(text.words.say("For articles that use these figures"), paragraphs)


def reading_section(study: Study | None, words: ReleaseWords) -> Iterator[Section]:
    """How numbers count, what is left out, and how cells were compared if not by letter."""
    if study is None:
        return
    compared = comparison_sentences(study, words) if declares_folding(study) else ()
    lines = (*value_sentences(study, words), *rule_sentences(study, words), *compared)
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
    how = say("README.txt says how to check the signature.")
    apart = say("Another release of the same data can have noise of its own, and so other figures.")
    return Section(say("Origin"), (Terms(pairs), Paragraph(f"{how} {apart}", "quiet")))
