# SPDX-License-Identifier: Apache-2.0
"""What the report of a rehearsal says: a release's report without a release, marked throughout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.assumptions import study_assumptions
from dpdesk.release.bundle.query_headings import UNTITLED, ReleaseWords, study_headings
from dpdesk.release.bundle.readable import for_people
from dpdesk.release.bundle.report.baseline_section import baseline_section
from dpdesk.release.bundle.report.printed_columns import MADE_UP
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.query_section import query_section
from dpdesk.release.bundle.report.release_report import (
    READING,
    method_section,
    once_for_all,
    reading_section,
)
from dpdesk.release.bundle.report.report_blocks import Paragraph, Report, Section, Terms
from dpdesk.release.rehearsal.made_up_baselines import made_up_baselines
from dpdesk.release.rehearsal.rehearse import Rehearsal, RehearsedQuery
from dpdesk.study.model.document import Study
from dpdesk.study.text.number_text import in_text
from dpdesk.study.text.unit_names import names_of

NOT_A_RELEASE: Final[Template] = (
    "Made up, not a release. Every figure here comes from made-up rows: no data file was opened, "
    "nothing was spent, and nothing is signed."
)
HEIGHTS: Final[Template] = (
    "The figures are made up and mean nothing. The margins are real, if the estimates are right."
)
DEPENDING: Final[Template] = (
    "What follows from the figures, such as coefficients and comparisons, has ranges that depend "
    "on the values too: of made-up ones, spread evenly, they can be many times narrower than of "
    "real ones."
)
ROWS: Final[Template] = (
    "The made-up rows are spread evenly over the declared bounds and lists. Each group has its "
    "estimated number of rows; without an estimate, the rows are split equally."
)


def heights(study: Study, say: Callable[..., str]) -> str:
    """What its figures and its margins say, and which ranges say less."""
    follows = any(one.comparisons or one.declaration.has_derived for one in study.queries)
    return f"{say(HEIGHTS)} {say(DEPENDING)}" if follows else say(HEIGHTS)


def made_up_report(rehearsal: Rehearsal, words: ReleaseWords) -> Report:
    study = rehearsal.study
    released = [query.drawn for query in rehearsal.queries]
    headings = study_headings(study, released, words)
    names = names_of(study.unit, words.language.names)
    figures = tuple(
        query_section(
            Charted(
                for_people(q.table, study, q.drawn, words),
                *(q.drawn, words, study),
                is_made_up=True,
            ),
            headings[q.drawn.id],
            names,
            would_cost=would_cost(q, words),
        )
        for q in rehearsal.queries
        if q.plan.query.component is None
    )
    return Report(
        title=study.title.strip() or words.say(UNTITLED),
        author=study.organisation,
        words=words,
        opening=tuple(_opening(rehearsal, words)),
        sections=(
            _sizes(rehearsal, {key: found.title for key, found in headings.items()}, words),
            *_baselines(rehearsal, words),
            *figures,
            *_reading(figures, (found.counted for found in headings.values()), words),
            *reading_section(study, words),
            method_section(released, headings, words, is_paid=False),
        ),
        subject=words.say("Rehearsal on made-up rows"),
        mark=words.say(MADE_UP),
    )


def _baselines(rehearsal: Rehearsal, words: ReleaseWords) -> Iterator[Section]:
    """Each Table 1, with its price in place of those of its queries."""
    for place, one in enumerate(made_up_baselines(rehearsal, words), start=1):
        section = baseline_section(one.printed, str(place))
        share = words.number(one.layout.table.share)
        cost = words.say("A release would cost {share} of the budget for it.", share=share)
        yield replace(section, blocks=(*section.blocks, Paragraph(cost, "quiet")))


def _reading(
    sections: Sequence[Section], counted: Iterable[str], words: ReleaseWords
) -> Iterator[Section]:
    """What holds for several of its tables, each sentence once.

    Args:
        counted: how many rows of each person the queries count, and what that means.
    """
    said = (*dict.fromkeys(filter(None, counted)), *once_for_all(sections))
    if said:
        yield Section(words.say(READING), tuple(map(Paragraph, said)))


def would_cost(query: RehearsedQuery, words: ReleaseWords) -> str:
    """What a release would cost: in place of what one has cost."""
    if query.plan.is_public:
        return words.say("Public: it costs nothing.")
    share = words.number(query.plan.share)
    return words.say("A release would cost {share} of the budget for it.", share=share)


def _opening(rehearsal: Rehearsal, words: ReleaseWords) -> Iterator[Paragraph]:
    yield Paragraph(words.say(NOT_A_RELEASE), "warn")
    yield Paragraph(heights(rehearsal.study, words.say))
    yield Paragraph(words.say(ROWS), "quiet")
    cost = words.say(
        "All figures together would cost {share}.", share=words.number(rehearsal.total)
    )
    yield Paragraph(cost, "quiet")
    yield from map(Paragraph, study_assumptions(rehearsal.study, words))


def _sizes(rehearsal: Rehearsal, titles: dict[str, str], words: ReleaseWords) -> Section:
    """How many rows each group was given, and how many figures are too noisy to use."""
    pairs = tuple((titles[query.drawn.id], _size(query, words)) for query in rehearsal.queries)
    return Section(words.say("What will be usable"), (Terms(pairs),))


def _size(query: RehearsedQuery, words: ReleaseWords) -> str:
    count = len(query.table.rows)
    least, most = query.ends
    rows, least_rows, noisy, all_of_them = (
        in_text(str(number), words.numbers)
        for number in (most, least, query.table.too_noisy, count)
    )
    size = words.say_count(most, "{n} row a group.", "{n} rows a group.", n=rows)
    if least != most:
        size = words.say("{least} to {most} rows a group.", least=least_rows, most=rows)
    usable = words.say_count(
        count,
        "{noisy} of {n} figure too noisy to use.",
        "{noisy} of {n} figures too noisy to use.",
        noisy=noisy,
        n=all_of_them,
    )
    return f"{size} {usable}"
