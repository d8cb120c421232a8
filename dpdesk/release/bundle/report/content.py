# SPDX-License-Identifier: Apache-2.0
"""What a release's report says, in one language, whatever it is set in.

Nothing is said that the signed manifest or the tables do not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, overload

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.usable import NO, YES
from dpdesk.release.bundle.assumptions import assumptions, comparison_sentences, declares_folding
from dpdesk.release.bundle.citation import methods, reference, unit
from dpdesk.release.bundle.datapackage import draws_in_words
from dpdesk.release.bundle.headings import Heading, ReleaseWords, release_title, released_names
from dpdesk.release.bundle.readable import NUMBERS, Form, cell_writer, forms_of
from dpdesk.release.bundle.report.chart import PICTURE, ChartLine, chart_lines
from dpdesk.release.record.values import (
    EDITIONS,
    ReleasedAccount,
    ReleasedClaim,
    ReleasedQuery,
    ReleaseRecord,
    SignedRelease,
)
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import in_column
from dpdesk.study.text.unit_names import UnitNames, named_unit

Tone: TypeAlias = Literal["plain", "cost", "quiet", "warn", "doubt"]


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, and how loud it is."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Terms:
    """Terms, each with what belongs to it."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FigureRow:
    """One line of a table of figures; whether it is too noisy to use."""

    cells: tuple[str, ...]
    is_noisy: bool


@dataclass(frozen=True)
class Figures:
    """A table of figures.

    Attributes:
        heads: of its columns.
        numeric: which columns hold numbers.
        rows: its lines.
        chart: the lines of its chart; none where it has no chart.
        file: its file in the bundle.
        picture: what its chart is called.
        is_made_up: it is a rehearsal's; its chart is drawn as nothing that was released.
    """

    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: Sequence[FigureRow]
    chart: tuple[ChartLine, ...]
    file: str
    picture: str = PICTURE
    is_made_up: bool = False


@dataclass(frozen=True)
class Blanks:
    """Room for what is written by hand: boxes to tick, then lines to fill in.

    Attributes:
        boxes: what each box says.
        lines: what each line is for.
    """

    boxes: tuple[str, ...]
    lines: tuple[str, ...]


Block: TypeAlias = Paragraph | Terms | Figures | Blanks


@dataclass(frozen=True)
class Section:
    """A part of a report under its heading."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A report.

    Attributes:
        title: of the release.
        author: who released it; empty where the study does not say.
        words: the language.
        opening: what stands before the first section.
        sections: the tables, then what belongs to all of them.
        subject: what kind of document it is; released statistics where it does not say.
        mark: what stands behind every heading and on every page; empty for what was released.
    """

    title: str
    author: str
    words: ReleaseWords
    opening: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    subject: str = ""
    mark: str = ""


_HEADINGS: Final[dict[str, Template]] = {
    "value": "Released",
    "choice": "Chosen",
    "found": "Found",
    "label": "Name",
    "half-width": "± 95 %",
    "share-half-width": "± 95 %",
    "lowest": "Lowest",
    "highest": "Highest",
    "nearest": "Nearest possible",
    "mark": "Note",
}
_TOO_NOISY: Final[Template] = "too noisy to use"
MADE_UP: Final[Template] = "Made up"
"""What heads figures that nobody released."""
_UNKNOWN: Final[Template] = "not known"
_BY_NAME = frozenset({"bound", "quartile", "share"})
"""Roles of which a table has several, or that no one word names."""
_INNER: Final[dict[str, Template]] = {"quantile": "Quantile", "rank": "Rank", "up_to": "up_to"}
"""What tells the lines of one group apart."""
_NAMED: Final[dict[str, Template]] = {
    "lower": "Lower",
    "upper": "Upper",
    "lower_quartile": "Lower quartile",
    "upper_quartile": "Upper quartile",
    "share": "Share",
}
"""The columns of a role of which a table has several."""

_WARNINGS: Final[dict[str, Template]] = {
    "rollback_suspected": "The ledger may once have been put back to an older state: "
    "more may have been spent than is listed here.",
    "separate_people_declared": "It was declared, not measured, that other accounts hold "
    "other people.",
}


_FIRST: Final[Template] = (
    "These figures contain noise that protects {people}. The secret is {secret}; all figures of "
    "this release together cost {cost}."
)
_MARGINS: Final[Template] = (
    "The exact figure, computed with the bounds that the study declares, lies within the given "
    "margin in at least 95 of 100 releases: of many figures, a few lie farther off. Small groups "
    "may come out negative; that is the noise. Where a figure is marked as {too_noisy}, its noise "
    "hides it: a total that cannot be distinguished from 0, or a margin of half of what is "
    "possible or more. Numbers below the tables are rounded; manifest.json has them exactly."
)
_METHOD: Final[Template] = (
    "For those who check the calculation: how the noise of each table was drawn. Sensitivity is "
    "the most by which what is protected can move the numbers, loss the part of the cost that the "
    "draw stands for."
)


def report_of(
    release: SignedRelease,
    tables: Iterable[Table],
    headings: Mapping[str, Heading],
    words: ReleaseWords,
) -> Report:
    """What the report of a release with its signer says, each query under its heading."""
    record, names = release.record, released_names(release.record, words)
    named = zip(tables, record.queries, strict=True)
    return Report(
        title=release_title(record, words),
        author=record.study.text("organisation"),
        words=words,
        opening=tuple(_opening(record, words)),
        sections=(
            *(
                query_section(
                    table, query, headings[query.id], names, words, edition=release.form.edition
                )
                for table, query in named
            ),
            *reading_section(record.study.study, words),
            _account(record.account, words),
            method_section(record.queries, headings, words),
            *_citation(release, words),
            _origin(release, words),
        ),
    )


def _opening(record: ReleaseRecord, words: ReleaseWords) -> Iterator[Paragraph]:
    claim, names = record.claim, released_names(record, words)
    who = unit(record, words)
    secret = {
        "add-remove": words.say("whether {who} is in the data at all", who=who),
        "change-one": words.say("what is recorded about {who}", who=who),
    }[claim.neighbours]
    organisation = record.study.text("organisation")
    if organisation:
        yield Paragraph(organisation)
    first = words.say(_FIRST, people=names.people, secret=secret, cost=_cost(claim, words))
    yield Paragraph(f"{first} {_guess(claim, names, words)}", "cost")
    yield Paragraph(words.say(_MARGINS, too_noisy=words.say(_TOO_NOISY)), "quiet")
    yield from map(Paragraph, assumptions(record, words))
    for key in _WARNINGS:
        if getattr(record.place, key):
            yield Paragraph(words.say(_WARNINGS[key]), "warn")


def _cost(claim: ReleasedClaim, words: ReleaseWords) -> str:
    epsilon = f"ε = {words.number(claim.epsilon)} (δ = {words.number(claim.delta)})"
    if isinstance(claim.total, Epsilon):
        return epsilon
    rho = words.number(claim.total)
    return words.say("ρ = {rho} of zCDP, which means {epsilon}", rho=rho, epsilon=epsilon)


def _guess(claim: ReleasedClaim, names: UnitNames, words: ReleaseWords) -> str:
    """What the cost means for one person."""
    return words.say(
        "With it, a coin-toss guess about any one {whom}, right 50 in 100 times, can be right at "
        "most {most} in 100 times.",
        whom=names.row if claim.unit == "row" else names.person,
        most=account_right_in_100(claim.total, claim.delta),
    )


def query_section(
    table: Table,
    query: ReleasedQuery,
    heading: Heading,
    names: UnitNames,
    words: ReleaseWords,
    would_cost: str = "",
    edition: int = EDITIONS[-1],
) -> Section:
    """One query: what was asked, its figures, and what they cost.

    Args:
        table: its figures.
        query: how they were drawn.
        heading: what it is called.
        names: what the study calls rows and people.
        words: the language.
        would_cost: what a release would cost; for a rehearsal, whose figures are made up.
        edition: of the bundle; see ``BundleForm``.
    """
    requested = (Paragraph(heading.question, "quiet"),) if heading.question else ()
    paid = would_cost or _paid(query, words)
    cost = Paragraph(f"{_ranks(query, names, words)}{paid}", "quiet")
    figures = _figures(table, query, names, words, edition)
    if would_cost:
        figures = _as_made_up(figures, words)
    return Section(heading.title, (*requested, *_cautions(table, words), figures, cost))


def _figures(
    table: Table, query: ReleasedQuery, names: UnitNames, words: ReleaseWords, edition: int
) -> Figures:
    forms = forms_of(table, query, edition)
    shown = _shown_columns(table)
    return Figures(
        heads=tuple(_heading(column, forms[place], names, words) for place, column in shown),
        numeric=tuple(forms[place] in NUMBERS for place, _column in shown),
        rows=_WrittenRows(
            table.rows,
            tuple((place, _writer(column, forms[place], words)) for place, column in shown),
            next((place for place, column in shown if column.role == "mark"), None),
        ),
        chart=chart_lines(table, forms, words),
        file=f"results/{query.name}.csv",
        picture=words.say(PICTURE),
    )


def _as_made_up(figures: Figures, words: ReleaseWords) -> Figures:
    """The same figures under heads that do not call them released."""
    released, made_up = words.say(_HEADINGS["value"]), words.say(MADE_UP)
    heads = tuple(
        f"{made_up}{head[len(released) :]}" if head.startswith(released) else head
        for head in figures.heads
    )
    picture = words.say("Made-up figures with their 95 % intervals")
    return replace(
        figures, heads=heads, picture=picture, file=f"made_up_{figures.file}", is_made_up=True
    )


def _ranks(query: ReleasedQuery, names: UnitNames, words: ReleaseWords) -> str:
    """What being off means for a rank, which no figure's own margin says."""
    if DECLARATIONS[query.statistic].chooses != "rank":
        return ""
    distance = words.say(
        "“Off by at most” counts {rows}: that many may lie between the released value and the "
        "exact one, so that the value of a group with no more of them is of no use.",
        rows=names.rows,
    )
    return f"{distance} "


def _cautions(table: Table, words: ReleaseWords) -> Iterator[Paragraph]:
    """How many of a table's figures are of no use, and which margins nobody knows."""
    noisy, unknown = _lines_with(table, "mark", YES), _lines_with(table, "score-bound", "")
    count = in_column(str(len(table.rows)), words.numbers)
    if noisy:
        one = "{n} of {count} figures is too noisy to use."
        many = "{n} of {count} figures are too noisy to use."
        n = in_column(str(noisy), words.numbers)
        yield Paragraph(words.say_count(noisy, one, many, n=n, count=count), "doubt")
    if unknown:
        sentence = words.say(
            "How far off {n} of {count} figures may be is not known: they came out in the "
            "wrong order, which was corrected.",
            n=in_column(str(unknown), words.numbers),
            count=count,
        )
        yield Paragraph(sentence, "doubt")


def _lines_with(table: Table, role: str, text: str) -> int:
    """How many lines have that text in a column of that role."""
    places = [place for place, column in enumerate(table.columns) if column.role == role]
    return sum(any(row[place] == text for place in places) for row in table.rows)


def _shown_columns(table: Table) -> list[tuple[int, TableColumn]]:
    """All but the noisy parts, and but what has nothing to say in any line."""
    says_nothing = {"nearest": "", "mark": NO}
    rows: Sequence[Sequence[str | None]] = table.rows or [[None] * len(table.columns)]
    return [
        (place, column)
        for place, column in enumerate(table.columns)
        if column.role != "part"
        and any(row[place] != says_nothing.get(column.role) for row in rows)
    ]


@dataclass(frozen=True)
class _WrittenRows(Sequence[FigureRow]):
    """The lines of a table as people read them, each written when it is asked for.

    A table may have 100,000 lines, of which the pages print two hundred.

    Attributes:
        rows: the table's lines.
        writers: the place of each shown column with what writes its cells.
        mark: the place of the column that says what is too noisy, where it is shown.
    """

    rows: tuple[tuple[str, ...], ...]
    writers: tuple[tuple[int, Callable[[str], str]], ...]
    mark: int | None

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> FigureRow: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[FigureRow]: ...

    def __getitem__(self, place: int | slice) -> FigureRow | Sequence[FigureRow]:
        if isinstance(place, slice):
            return replace(self, rows=self.rows[place])
        row = self.rows[place]
        cells = tuple([write(row[at]) for at, write in self.writers])
        return FigureRow(cells, self.mark is not None and row[self.mark] == YES)


def _writer(column: TableColumn, form: Form, words: ReleaseWords) -> Callable[[str], str]:
    write = cell_writer(form, words)
    if column.role == "mark":
        noisy = words.say(_TOO_NOISY)
        return lambda text: noisy if text == YES else ""
    if column.role == "score-bound":
        unknown = words.say(_UNKNOWN)
        return lambda text: write(text) if text else unknown
    return write


def _heading(column: TableColumn, form: Form, names: UnitNames, words: ReleaseWords) -> str:
    if column.role == "score-bound":
        what = named_unit(column.name.partition("_")[0], names)
        return words.say("Off by at most, 95 % ({unit})", unit=what)
    if column.role == "group" and column.name in _INNER and not column.title:
        return words.say(_INNER[column.name])
    known = column.role in _HEADINGS
    heading = words.say(_HEADINGS[column.role]) if known else column.title or column.name
    if column.role in _BY_NAME:
        is_named = column.name in _NAMED
        name = words.say(_NAMED[column.name]) if is_named else column.name.replace("_", " ")
        heading = f"{name[:1].upper()}{name[1:]}"
    unit = names.points if form == "points" else column.unit
    return f"{heading} ({unit})" if unit else heading


def _paid(query: ReleasedQuery, words: ReleaseWords) -> str:
    """What a query costs; whether it is new, or which release it was drawn and paid in before."""
    share = words.number(query.share)
    if query.charged.units:
        return words.say("Cost {share} of the budget, paid with this release.", share=share)
    if not query.drawn_at:
        return words.say("Cost {share} of the budget, paid before.", share=share)
    return words.say(
        "Cost {share} of the budget, answered from an earlier release (ledger entry {entry}, "
        "{day}), price of this release 0.",
        share=share,
        entry=query.drawn_in,
        day=words.day(query.drawn_at),
    )


def method_section(
    queries: Iterable[ReleasedQuery], headings: Mapping[str, Heading], words: ReleaseWords
) -> Section:
    """How each query's noise was drawn, for those who check it."""
    pairs = tuple((headings[q.id].title, draws_in_words(q, words)) for q in queries)
    note = Paragraph(words.say(_METHOD), "quiet")
    return Section(words.say("Method"), (note, Terms(pairs)))


def _citation(release: SignedRelease, words: ReleaseWords) -> Iterator[Section]:
    """What an article that uses the figures says of them, since the second edition."""
    if release.form.edition > 1:
        texts = (methods(release.record, words), reference(release, words))
        yield Section(
            words.say("For articles that use these figures"), tuple(map(Paragraph, texts))
        )


def reading_section(study: Study | None, words: ReleaseWords) -> Iterator[Section]:
    """How cells were compared, where that is not letter by letter throughout."""
    if study is not None and declares_folding(study):
        lines = tuple(map(Paragraph, comparison_sentences(study, words)))
        yield Section(words.say("Values"), lines)


def _account(account: ReleasedAccount, words: ReleaseWords) -> Section:
    say = words.say
    counted = say("rho of zCDP") if account.measure == "rho" else say("epsilon")
    pairs = (
        (say("Account"), account.name),
        (say("Counted in"), counted),
        (say("Spent before"), words.number(account.spent_before)),
        (say("Spent after"), words.number(account.spent_after)),
        (say("Most that may ever be spent"), words.number(account.total)),
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
