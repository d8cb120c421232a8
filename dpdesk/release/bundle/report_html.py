# SPDX-License-Identifier: Apache-2.0
"""The bundle's report.html: one page to read and print, which loads and runs nothing.

Every text is escaped, a content security policy forbids scripts and requests even so, and nothing
is said that the signed manifest or the tables do not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.usable import NO, YES
from dpdesk.release.bundle.assumptions import assumptions, comparison_sentences, declares_folding
from dpdesk.release.bundle.chart_svg import chart
from dpdesk.release.bundle.datapackage import draws_in_words
from dpdesk.release.bundle.headings import Heading, release_title, released_names, say, say_count
from dpdesk.release.bundle.readable import Form, cell, forms_of
from dpdesk.release.record.values import (
    ReleasedAccount,
    ReleasedClaim,
    ReleasedQuery,
    ReleaseRecord,
    SignedRelease,
)
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import in_column, in_text
from dpdesk.study.text.unit_names import UnitNames, named_unit

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root{color-scheme:light dark;--text:#18202b;--quiet:#4e5866;--bg:#fff;--line:#dde1e7;
--accent:#0b6584;--warn:#855000}
@media (prefers-color-scheme:dark){:root{--text:#e9ecf0;--quiet:#a8b1be;--bg:#20252c;
--line:#343b45;--accent:#6cc5e3;--warn:#f0c069}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--bg);
max-width:52rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;overflow-wrap:anywhere}h2{overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2.2rem}
p.quiet,dt,caption{color:var(--quiet)}p.warn,p.doubt{color:var(--warn);font-weight:600}
table{border-collapse:collapse;margin:.8rem 0}
th,td{border-bottom:1px solid var(--line);padding:.25rem .8rem .25rem 0;text-align:left}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}
dd{margin:0;overflow-wrap:anywhere}
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--text)}
tr.noisy td{color:var(--quiet);background:repeating-linear-gradient(135deg,var(--line) 0 1px,
transparent 1px 7px)}
svg .noisy .bar{stroke:var(--quiet);stroke-dasharray:4 3}svg .noisy .point{fill:var(--bg);
stroke:var(--quiet);stroke-dasharray:2 2}
.axis{stroke:var(--line)}.bar{stroke:var(--accent);stroke-width:2}.point{fill:var(--accent)}
@media print{section{break-inside:avoid}}
"""
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
_UNKNOWN: Final[Template] = "not known"
_BY_NAME = frozenset({"bound", "quartile", "share"})
"""Roles of which a table has several, or that no one word names."""
_INNER = frozenset({"quantile", "rank"})
"""What tells the lines of one group apart."""

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


def report_bytes(
    release: SignedRelease, tables: Iterable[Table], headings: Mapping[str, Heading]
) -> bytes:
    """The page for a release with its signer, each query under its heading."""
    record = release.record
    title = _text(release_title(record))
    names = released_names(record)
    sections = (
        _query(table, query, headings[query.id], names)
        for table, query in zip(tables, record.queries, strict=True)
    )
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n{_opening(record)}{''.join(sections)}"
        f"{_reading(record)}{_account(record.account)}{_method(record, headings)}"
        f"{_origin(release)}</body>\n</html>\n"
    )
    return page.encode("utf-8")


def _opening(record: ReleaseRecord) -> str:
    claim, names = record.claim, released_names(record)
    people = _text(names.people)
    who = _who(claim, names)
    secret = {
        "add-remove": say("whether {who} is in the data at all", who=who),
        "change-one": say("what is recorded about {who}", who=who),
    }[claim.neighbours]
    organisation = record.study.text("organisation")
    who_says = f"<p>{_text(organisation)}</p>\n" if organisation else ""
    warnings = "".join(
        f'<p class="warn">{say(_WARNINGS[key])}</p>\n'
        for key in _WARNINGS
        if getattr(record.place, key)
    )
    taken = "".join(f"<p>{_text(sentence)}</p>\n" for sentence in assumptions(record))
    first = say(_FIRST, people=people, secret=secret, cost=_cost(claim))
    margins = say(_MARGINS, too_noisy=say(_TOO_NOISY))
    return (
        f"{who_says}<p>{first} {_guess(claim, names)}</p>\n"
        f'<p class="quiet">{margins}</p>\n{taken}{warnings}'
    )


def _who(claim: ReleasedClaim, names: UnitNames) -> str:
    """Whose secret it is: "one patient with up to 3 admissions"."""
    if claim.unit == "row":
        return say("one {person}", person=_text(names.row))
    rows = names.row if claim.max_rows == 1 else names.rows
    most = in_text(str(claim.max_rows))
    person = _text(names.person)
    return say("one {person} with up to {most} {rows}", person=person, most=most, rows=_text(rows))


def _cost(claim: ReleasedClaim) -> str:
    epsilon = f"&epsilon; = {claim.epsilon} (&delta; = {claim.delta})"
    if isinstance(claim.total, Epsilon):
        return epsilon
    return say("&rho; = {rho} of zCDP, which means {epsilon}", rho=claim.total, epsilon=epsilon)


def _guess(claim: ReleasedClaim, names: UnitNames) -> str:
    """What the cost means for one person."""
    whom = names.row if claim.unit == "row" else names.person
    most = account_right_in_100(claim.total, claim.delta)
    return say(
        "With it, a coin-toss guess about any one {whom}, right 50 in 100 times, can be right at "
        "most {most} in 100 times.",
        whom=_text(whom),
        most=most,
    )


def _query(table: Table, query: ReleasedQuery, heading: Heading, names: UnitNames) -> str:
    forms = forms_of(table, query)
    shown = _shown_columns(table)
    heads = "".join(f"<th{_class(forms[i])}>{_text(_heading(c, names))}</th>" for i, c in shown)
    rows = "".join(_row(row, shown, forms) for row in table.rows)
    requested = f'<p class="quiet">{_text(heading.question)}</p>\n' if heading.question else ""
    return (
        f"<section>\n<h2>{_text(heading.title)}</h2>\n{requested}{_cautions(table)}"
        f"{chart(table, forms)}"
        f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
        f'<p class="quiet">{_text(_ranks(query, names))}{_text(_paid(query))}</p>\n</section>\n'
    )


def _ranks(query: ReleasedQuery, names: UnitNames) -> str:
    """What being off means for a rank, which no figure's own margin says."""
    if DECLARATIONS[query.statistic].chooses != "rank":
        return ""
    distance = say(
        "“Off by at most” counts {rows}: that many may lie between the released value and the "
        "exact one, so that the value of a group with no more of them is of no use.",
        rows=names.rows,
    )
    return f"{distance} "


def _cautions(table: Table) -> str:
    """How many of a table's figures are of no use, and which margins nobody knows."""
    noisy, unknown = _lines_with(table, "mark", YES), _lines_with(table, "score-bound", "")
    count = in_column(str(len(table.rows)))
    found = []
    if noisy:
        one = "{n} of {count} figures is too noisy to use."
        many = "{n} of {count} figures are too noisy to use."
        found.append(say_count(noisy, one, many, n=in_column(str(noisy)), count=count))
    if unknown:
        found.append(
            say(
                "How far off {n} of {count} figures may be is not known: they came out in the "
                "wrong order, which was corrected.",
                n=in_column(str(unknown)),
                count=count,
            )
        )
    return "".join(f'<p class="doubt">{text}</p>\n' for text in found)


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


def _row(
    row: tuple[str, ...], shown: list[tuple[int, TableColumn]], forms: tuple[Form, ...]
) -> str:
    is_noisy = any(column.role == "mark" and row[place] == YES for place, column in shown)
    cells = "".join(
        f"<td{_class(forms[i])}>{_text(_cell(row[i], column, forms[i]))}</td>"
        for i, column in shown
    )
    return f'<tr class="noisy">{cells}</tr>\n' if is_noisy else f"<tr>{cells}</tr>\n"


def _cell(text: str, column: TableColumn, form: Form) -> str:
    if column.role == "score-bound" and not text:
        return say(_UNKNOWN)
    if column.role != "mark":
        return cell(text, form)
    return say(_TOO_NOISY) if text == YES else ""


def _heading(column: TableColumn, names: UnitNames) -> str:
    if column.role == "score-bound":
        what = named_unit(column.name.partition("_")[0], names)
        return say("Off by at most, 95 % ({unit})", unit=what)
    if column.name in _INNER:
        return column.name.capitalize()
    known = column.role in _HEADINGS
    heading = say(_HEADINGS[column.role]) if known else column.title or column.name
    if column.role in _BY_NAME:
        heading = column.name.replace("_", " ").capitalize()
    return f"{heading} ({column.unit})" if column.unit else heading


def _class(form: Form) -> str:
    return ' class="number"' if form == "number" else ""


def _paid(query: ReleasedQuery) -> str:
    """What a query costs; whether it is new, or which release it was drawn and paid in before."""
    share = query.share
    if query.charged.units:
        return say("Cost {share} of the budget, paid with this release.", share=share)
    if not query.drawn_at:
        return say("Cost {share} of the budget, paid before.", share=share)
    return say(
        "Cost {share} of the budget, answered from an earlier release (ledger entry {entry}, "
        "{day}), price of this release 0.",
        share=share,
        entry=query.drawn_in,
        day=query.drawn_at[:10],
    )


def _method(record: ReleaseRecord, headings: Mapping[str, Heading]) -> str:
    """How each query's noise was drawn, for those who check it."""
    pairs = [(_text(headings[q.id].title), draws_in_words(q)) for q in record.queries]
    note = f'<p class="quiet">{say(_METHOD)}</p>\n'
    return f"<section>\n<h2>{say('Method')}</h2>\n{note}{_list(pairs)}</section>\n"


def _reading(record: ReleaseRecord) -> str:
    """How cells were compared, where that is not letter by letter throughout."""
    study = record.study.study
    if study is None or not declares_folding(study):
        return ""
    lines = "".join(f"<p>{_text(line)}</p>\n" for line in comparison_sentences(study))
    return f"<section>\n<h2>{say('Values')}</h2>\n{lines}</section>\n"


def _account(account: ReleasedAccount) -> str:
    pairs = [
        (say("Account"), account.name),
        (say("Counted in"), say("rho of zCDP") if account.measure == "rho" else "epsilon"),
        (say("Spent before"), account.spent_before),
        (say("Spent after"), account.spent_after),
        (say("Most that may ever be spent"), account.total),
    ]
    return f"<section>\n<h2>{say('Budget')}</h2>\n{_list(pairs)}</section>\n"


def _origin(release: SignedRelease) -> str:
    record, software = release.record, release.record.software
    pairs = [
        (say("Release"), record.id),
        (say("Time"), record.time.replace("T", " ").replace("Z", " UTC")),
        (say("Signer"), release.signer.identity),
        (say("Key"), release.signer.fingerprint),
        (say("Ledger entry"), f"{record.place.sequence}, {release.head}"),
        (say("Software"), f"dpdesk {software.dpdesk}, OpenDP {software.opendp}"),
    ]
    how = say("README.txt says how to check the signature.")
    note = f'<p class="quiet">{how}</p>\n'
    return f"<section>\n<h2>{say('Origin')}</h2>\n{_list(pairs)}{note}</section>\n"


def _list(pairs: Iterable[tuple[str, Any]]) -> str:
    items = "".join(f"<dt>{term}</dt><dd>{_text(value)}</dd>\n" for term, value in pairs)
    return f"<dl>\n{items}</dl>\n"


def _text(value: Any) -> str:
    return escape(str(value), quote=True)
