# SPDX-License-Identifier: Apache-2.0
"""A query in the report: its figures as people read them, which are of no use, what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.population.means import FEWEST
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.statistics.base import is_from_best
from dpdesk.release.bundle.charts.funnel_drawing import said_below as about_funnel
from dpdesk.release.bundle.charts.suitable_charts import LINE
from dpdesk.release.bundle.compared_text import (
    COMPARED,
    compared_file,
    compared_text,
)
from dpdesk.release.bundle.derived_lines import (
    about_derived,
    derived_heads,
    derived_lines,
    follows,
    is_model,
    unit_of,
)
from dpdesk.release.bundle.quantile_way import quantile_way
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords, adds_up
from dpdesk.release.bundle.readable import POPULATION_ROLES, cell_writer
from dpdesk.release.bundle.report.curve_readings import (
    READINGS,
    below_readings,
    cross_readings,
    has_readings,
    lines_elsewhere,
)
from dpdesk.release.bundle.report.key_figures import ADDED_UP, yearly_totals
from dpdesk.release.bundle.report.printed_columns import (
    ABOUT,
    COUNTED,
    HEADINGS,
    MADE_UP,
    WrittenRows,
    is_curve,
    printed_columns,
    shown_columns,
)
from dpdesk.release.bundle.report.query_chart import (
    Charted,
    alternative,
    cross_figures,
    cross_quantiles,
    cross_shares,
    drawing_of,
    forest_of_model,
    ranges_of,
)
from dpdesk.release.bundle.report.report_blocks import (
    Block,
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
    Paragraph,
    Section,
)
from dpdesk.release.record.table_names import derived_file
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.checks.by_statistic.member_checks import no_population
from dpdesk.study.model.columns import CLAMP, NumberColumn
from dpdesk.study.model.groupings import Bins, labels_of
from dpdesk.study.model.parameters import ByAgeParameters, RateParameters
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.missing_cells import mixed_groups
from dpdesk.study.text.number_text import in_text, plain
from dpdesk.study.text.unit_names import UnitNames, in_query

_COMPARED, _FIGURES = 5, 4
"""So many columns has a list of comparisons without notes; more figures have no room."""
_RANKS: Final[Template] = (
    "“rank ± n”: with the {rows} of a group put in order, the released value is at most n of them "
    "away from the exact place, 95 times in 100. In a group of no more than n it is of no use."
)
_NOISE_ALONE: Final[Template] = "± and whiskers are of the noise alone, not of chance (sampling)."
_CHANCE: Final[Template] = (
    "Chance by itself can put these groups in another order: do not rank them."
)
_SEVERAL_ROWS: Final[Template] = (
    "There is no range for the population, because one {person} may have several {rows}."
)
_IN_CELLS: Final[Template] = "The range at a figure is that for the population."
_TREND: Final[Template] = "Whether there is a trend was not tested."
_QUOTED: Final[Template] = "“{group}”"
_MIXED: Final[Template] = (
    "{groups} includes {rows} without a value: it is no group to rank or to compare with others."
)
_RANGES: Final[Template] = (
    "The small range at a figure, and the bracket in the chart: the exact value is between both "
    "ends, 95 times in 100. That is of the noise alone, not of chance (sampling)."
)
_WEIGHTED: Final[Template] = (
    "Compare groups by the standardised rate, in which their ages do not count. The crude rate "
    "says how often the event happened here, and compares nothing."
)
_AGES: Final[Template] = (
    "Age groups: {ages}. Ages beyond {lowest} to {highest} count in the first and the last."
)
_ALL_AGES: Final[Template] = "Age groups: {ages}."
_CRUDE: Final[Template] = (
    "Not adjusted: groups are compared as they are, also where they differ in age or otherwise."
)
_TOTAL_BELOW: Final[Template] = (
    "A total below one of its parts, or a count far below 0, comes from the noise: of 100 figures, "
    "up to 5 are outside their margin on average."
)
_ONE_TIME: Final[Template] = (
    "Ranges here come from bounds, and “Lowest” to “Highest” holds for the whole curve at once. "
    "One under “What follows from the curve” holds for its figure alone, so at the same time both "
    "may differ."
)
_POPULATION_AT_ONE_TIME: Final[Template] = (
    "“Population” holds for each time by itself, so its lower end may be higher than “Lowest”, "
    "which holds for the whole curve."
)


def query_section(
    charted: Charted,
    heading: Heading,
    names: UnitNames,
    number: str = "",
    would_cost: str = "",
    quoted: str = "",
) -> Section:
    """One query: what was asked, its chart and its figures.

    Args:
        charted: its figures with the charts that fit them.
        number: what it is listed under.
        would_cost: what a release would cost; for a rehearsal, whose figures are made up.
        quoted: which count is to be quoted in place of the table's own total, or where other per
            cent of the same column are; may be empty.
    """
    said = filter(None, (heading.question, heading.left_out))
    requested = (Paragraph(one, "quiet") for one in said)
    figures, shares = _figures(charted, names), cross_shares(charted)
    tables = (figures,) if shares is None else (figures, shares)
    if has_readings(charted):
        said_below = _short_notes(charted, heading, names)
    else:
        said_below = notes_below(charted, heading, names, isinstance(figures, CrossFigures))
    years = yearly_totals(charted)
    added_up = charted.words.say(ADDED_UP) if years else ""
    below = " ".join(filter(None, (*said_below, added_up, quoted, would_cost)))
    notes = (Paragraph(below, "quiet"),) if below else ()
    derived = tuple(_derived(charted, names))
    # Where curves end, and which files have all of them, is said when their figures were read.
    below_figures = (*derived, *notes) if has_readings(charted) else (*notes, *derived)
    follows = (*below_figures, *_compared(charted, names))
    cautions = _cautions(charted.table, charted.words)
    blocks = (*requested, *cautions, *tables, *((years,) if years else ()), *follows)
    return Section(heading.title, tuple(with_alternatives(blocks, heading, charted)), number)


def with_alternatives(
    blocks: Iterable[Block], heading: Heading, charted: Charted
) -> Iterator[Block]:
    """The same, each chart with a text of its own for those who do not see it."""
    is_first = not is_model(charted.table)
    for block in blocks:
        figures = block.plain if isinstance(block, CrossFigures) else block
        if not isinstance(figures, Figures) or figures.chart is None:
            yield block
            continue
        said = alternative(charted, heading.title, is_first)
        shown = replace(figures, chart=replace(figures.chart, title=said))
        yield replace(block, plain=shown) if isinstance(block, CrossFigures) else shown
        is_first = False


def notes_below(
    charted: Charted,
    heading: Heading,
    names: UnitNames,
    is_cross: bool = False,
    are_ranges_told: bool = False,
) -> tuple[str, ...]:
    """What a reader of a query's figures must know: a sentence or two each, none empty.

    Args:
        is_cross: whether quantiles are side by side, the margins of their ranks below them.
        are_ranges_told: whether heads say what the ranges of quantiles or of curves are.
    """
    table, query, words = charted.table, charted.query, charted.words
    way = quantile_way(query.statistic, query.draws[0].noise, words) if query.draws else ""
    ranks = _ranks(charted, names, is_cross)
    population = _population(charted, names, is_cross, are_ranges_told)
    ranks = "" if are_ranges_told else ranks or _bands(table, words)
    funnel = "" if charted.funnel is None else about_funnel(charted.funnel, words)
    has_crude = any(column.name == "crude_rate" for column in table.columns)
    weights = words.say(_WEIGHTED) if has_crude else ""
    is_about = any(column.name in COUNTED for _at, column in shown_columns(table, query))
    meant = (
        heading.counted,
        heading.missing,
        _mixed(charted, names),
        adds_up(table, words),
        words.say(_TOTAL_BELOW) if is_cross and _has_total_below(charted) else "",
        way,
        ranks,
        *(said for said in (weights, _ages(charted)) if has_crude),
        words.say(ABOUT) if is_about else "",
        _crude(charted),
        funnel,
        *population,
    )
    return tuple(filter(None, meant))


def cautions(charted: Charted, names: UnitNames) -> tuple[str, ...]:
    """Those of ``notes_below`` that are beside their figures, however many tables have them."""
    words = charted.words
    return _mixed(charted, names), words.say(_CHANCE), words.say(_TREND)


def _mixed(charted: Charted, names: UnitNames) -> str:
    """Which of the groups that are read side by side are none; counts of them are what they are."""
    asked, words = charted.requested, charted.words
    if charted.study is None or asked is None:
        return ""
    if asked.declaration.is_total and not asked.comparisons:
        return ""
    mixed = mixed_groups(charted.study, asked, words.language)
    groups = ", ".join(words.say(_QUOTED, group=one) for one in mixed)
    rows = in_query(names, charted.query.question.subject).rows
    return words.say(_MIXED, groups=groups, rows=rows) if groups else ""


def _crude(charted: Charted) -> str:
    """That groups differ otherwise, too, where rates or curves of several are side by side."""
    asked = charted.requested
    if asked is None or not asked.by:
        return ""
    own = asked.parameters
    is_crude_rate = isinstance(own, RateParameters) and not isinstance(own, ByAgeParameters)
    return charted.words.say(_CRUDE) if is_crude_rate or is_curve(charted.table) else ""


def _ages(charted: Charted) -> str:
    """The age groups that a rate was standardised over, open ends named."""
    own, study, words = (
        charted.requested and charted.requested.parameters,
        charted.study,
        charted.words,
    )
    if study is None or not isinstance(own, ByAgeParameters):
        return ""
    column = study.column(own.over)
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return ""
    write = cell_writer("bins", words)
    ages = ", ".join(map(write, labels_of(Bins(column.name, own.edges), column)))
    if column.outside != CLAMP:
        return words.say(_ALL_AGES, ages=ages)
    lowest, highest = (words.number(plain(end)) for end in (column.lower, column.upper))
    return words.say(_AGES, ages=ages, lowest=lowest, highest=highest)


def _has_total_below(charted: Charted) -> bool:
    """Whether a total of counts is below one of the cells that it adds up."""
    adding = charted.adding
    if adding is None or not adding.has_shares:
        return False
    at = [column.role for column in charted.table.columns].index("value")
    return any(
        Fraction(row[at]) > Fraction(total.value)
        for place in range(len(adding.plan.query.by))
        for (group,), total in adding.totals((place,)).items()
        for row in charted.table.rows
        if row[place] == group
    )


def _short_notes(charted: Charted, heading: Heading, names: UnitNames) -> tuple[str, ...]:
    """The same where curves are drawn and their lines are not printed."""
    table, words = charted.table, charted.words
    missing = (heading.missing, _mixed(charted, names))
    told = (heading.counted, *missing, adds_up(table, words), _crude(charted))
    said = (*told, *lines_elsewhere(charted))
    return tuple(filter(None, said))


def _derived(charted: Charted, names: UnitNames) -> Iterator[Paragraph | Figures | CrossFigures]:
    """What follows from the figures at no price."""
    words, table = charted.words, charted.table
    column = charted.study.column(charted.query.question.column) if charted.study else None
    lines = derived_lines(table, unit_of(column), words)
    if lines:
        heads = derived_heads(table, words)
        name = charted.query.name
        file = f"results/made_up_{name}.csv" if charted.is_made_up else derived_file(name)
        rows = [FigureRow(line, is_noisy=False) for line in lines]
        headed = words.say(READINGS) if has_readings(charted) else follows(table, words)
        yield Paragraph(headed, "heading")
        numeric = (False, False, *(True for _ in heads[2:]))
        chart = forest_of_model(charted) if is_model(table) else None
        figures = Figures(heads, numeric, rows, chart, file, is_made_up=charted.is_made_up)
        cross = cross_readings(charted, figures) if has_readings(charted) else None
        if cross is None:
            yield figures
            yield Paragraph(about_derived(table, words), "quiet")
        else:
            yield cross
            yield Paragraph(" ".join(below_readings(charted, names)), "quiet")


def _figures(charted: Charted, names: UnitNames) -> Figures | CrossFigures:
    table, words = charted.table, charted.words
    shown = tuple(printed_columns(charted, names))
    chart = drawing_of(charted)
    if chart is not None and has_readings(charted):
        return Figures((), (), (), chart, charted.file, charted.is_made_up, is_told=True)
    mark = next((at for at, one in enumerate(table.columns) if one.role == "mark"), None)
    figures = Figures(
        heads=tuple(column.head for column in shown),
        numeric=tuple(column.is_number for column in shown),
        rows=WrittenRows(table.rows, tuple(column.write for column in shown), mark),
        chart=chart,
        file=f"results/{charted.query.name}.csv",
        is_told=chart is not None and chart.has_all and all(c.roles <= _TOLD for c in shown),
    )
    made = _as_made_up(figures, words) if charted.is_made_up else figures
    return cross_figures(charted, made) or cross_quantiles(charted, made) or made


_TOLD = frozenset({"group", "label", "found", "value", "half-width", "lowest", "highest", "mark"})
"""Roles of columns that a chart with all figures has nothing to add to."""


def _as_made_up(figures: Figures, words: ReleaseWords) -> Figures:
    """The same figures under heads that do not call them released."""
    released, made_up = words.say(HEADINGS["value"]), words.say(MADE_UP)
    heads = tuple(
        f"{made_up}{head[len(released) :]}" if head.startswith(released) else head
        for head in figures.heads
    )
    return replace(figures, heads=heads, file=f"made_up_{figures.file}", is_made_up=True)


def _compared(charted: Charted, names: UnitNames) -> Iterator[Block]:
    """The comparisons of its groups, with what they mean."""
    table, words = charted.table, charted.words
    found = compared_text(table, charted.query, words, names.points)
    if found is None:
        return
    yield Paragraph(words.say(COMPARED), "heading")
    rows = tuple(FigureRow(row, False) for row in found.read_rows)
    chart, file = (
        None if is_model(table) else forest_of_model(charted),
        compared_file(charted.query),
    )
    figures = Figures(found.read_heads, found.read_numeric, rows, chart, file)
    figures = _as_made_up(figures, words) if charted.is_made_up else figures
    yield _side_by_side(figures) or figures
    crude = words.say(_CRUDE) if _compares_as_they_are(charted) else ""
    yield Paragraph(f"{found.meaning} {crude}".rstrip(), "quiet")


def _compares_as_they_are(charted: Charted) -> bool:
    """Whether two groups are compared by figures that nothing adjusts."""
    compared, columns = charted.table.compared, charted.table.columns
    if compared is None or any(column.name == "crude_rate" for column in columns):
        return False
    return not _crude(charted) and any("difference" in row for row in compared.rows)


def _side_by_side(block: Figures) -> CrossFigures | None:
    """Comparisons, a line each and a column for each figure; ``None`` where these differ."""
    heads, rows = block.heads, [row.cells for row in block.rows]
    figures = list(dict.fromkeys(row[1] for row in rows))
    compared = {row[0]: [r for r in rows if r[0] == row[0]] for row in rows}
    is_even = all([r[1] for r in lines] == figures for lines in compared.values())
    if len(heads) != _COMPARED or not 1 < len(figures) <= _FIGURES or not is_even:
        return None
    if any(len({row[-1] for row in lines}) > 1 for lines in compared.values()):
        return None
    lines = (
        CrossLine(
            name,
            (
                *(CrossCell(row[2], row[3], is_noisy=False) for row in lines),
                CrossCell(lines[0][-1], "", is_noisy=False),
            ),
        )
        for name, lines in compared.items()
    )
    across = f"{heads[2]}; {heads[3]}"
    return CrossFigures(heads[0], across, (*figures, heads[-1]), tuple(lines), False, block)


def _ranks(charted: Charted, names: UnitNames, is_cross: bool) -> str:
    """What being off means for a rank, which no figure's own margin says."""
    table, query, words = charted.table, charted.query, charted.words
    if DECLARATIONS[query.statistic].chooses != "rank":
        return ""
    rows = in_query(names, query.question.subject).rows
    if any(is_from_best(column.name) for column in table.columns):
        return words.say(
            "“Distance at most” counts {rows}: the released value may be that many further from "
            "the exact one than the best candidate. The best candidate itself may be any number "
            "of {rows} away.",
            rows=rows,
        )
    if is_cross:
        return words.say(_RANGES) if ranges_of(charted) else words.say(_RANKS, rows=rows)
    return words.say(
        "“Distance at most” counts {rows}: that many may be between the released value and the "
        "exact one. The value of a group that is no larger is of no use.",
        rows=rows,
    )


def _bands(table: Table, words: ReleaseWords) -> str:
    """What the ranges of a curve are, which hold together, beside those of one time."""
    if not is_curve(table):
        return ""
    said = [_band(table, words)]
    if table.derived is not None:
        said.append(words.say(_ONE_TIME))
    return " ".join(said)


def _band(table: Table, words: ReleaseWords) -> str:
    if any(column.name == "incidence" for column in table.columns):
        return words.say(
            "All curves of a group lie between “Lowest” and “Highest” in at least 95 of 100 "
            "releases. Where “Highest” is 100 %, noise may leave nobody at risk, and the curves "
            "end. Figures are rounded down, so that all kinds together make 100 % at most."
        )
    return words.say(
        "The whole curve of a group lies between “Lowest” and “Highest” in at least 95 of 100 "
        "releases. Where “Lowest” is 0, noise may leave nobody at risk, and the curve ends."
    )


def _noise_alone(charted: Charted, names: UnitNames) -> Iterator[str]:
    """What the figures of groups say nothing of, where no range holds noise and chance."""
    asked, words, roles = charted.requested, charted.words, charted.roles
    if len(charted.table.rows) < 2 or roles.isdisjoint(("half-width", "score-bound")):
        return
    if "half-width" in roles:
        yield words.say(_NOISE_ALONE)
    if asked is None or charted.study is None:
        return
    if charted.charts.kinds[0] == LINE:
        is_tested = any(one.kind == "trend" for one in asked.comparisons)
        yield "" if is_tested else words.say(_TREND)
    elif not asked.declaration.is_total:
        yield words.say(_CHANCE)
    else:
        return
    if no_population(charted.study, asked) == "population-several-rows":
        yield words.say(_SEVERAL_ROWS, person=names.person, rows=names.rows)


def _population(
    charted: Charted, names: UnitNames, is_cross: bool, are_ranges_told: bool
) -> Iterator[str]:
    """What is meant by the population, and where its ranges are in a table without their column."""
    table, query, words = charted.table, charted.query, charted.words
    if charted.roles.isdisjoint(POPULATION_ROLES):
        yield from _noise_alone(charted, names)
        return
    if is_cross:
        yield words.say(_IN_CELLS)
    yield words.say(
        "“Population”: noise and chance together, these {rows} taken for a sample of independent "
        "people. ± is of the noise alone.",
        rows=in_query(names, query.question.subject).rows,
    )
    if is_curve(table):
        yield "" if are_ranges_told else words.say(_POPULATION_AT_ONE_TIME)
    elif DECLARATIONS[query.statistic].needs_spread:
        yield words.say(
            "For a mean, chance follows from the released variance of the same rows. That is "
            "approximate: for few rows, or few values far from all others. Groups of fewer than "
            "{fewest} rows have no interval.",
            fewest=str(FEWEST),
        )


def _cautions(table: Table, words: ReleaseWords) -> Iterator[Paragraph]:
    """How many of a table's figures are of no use, and which margins nobody knows."""
    noisy, unknown = table.too_noisy, _lines_with_no_bound(table)
    count = in_text(str(len(table.rows)), words.numbers)
    if noisy:
        one = "{n} of {count} figures is too noisy to use."
        many = "{n} of {count} figures are too noisy to use."
        n = in_text(str(noisy), words.numbers)
        yield Paragraph(words.say_count(noisy, one, many, n=n, count=count), "doubt")
    if unknown:
        sentence = words.say(
            "The distance of {n} of {count} figures is not known: they came out in the wrong "
            "order and were sorted.",
            n=in_text(str(unknown), words.numbers),
            count=count,
        )
        yield Paragraph(sentence, "doubt")


def _lines_with_no_bound(table: Table) -> int:
    """How many lines have an empty score bound."""
    places = [place for place, column in enumerate(table.columns) if column.role == "score-bound"]
    return sum(any(not row[place] for place in places) for row in table.rows)


def paid(query: ReleasedQuery, words: ReleaseWords) -> str:
    """What a query costs; whether it is new, or which release it was drawn and paid in before."""
    if not query.draws:
        return words.say("Public: it costs nothing.")
    share = words.number(query.share)
    if query.charged.units:
        return words.say("Cost {share} of the budget, charged with this release.", share=share)
    if not query.drawn_at:
        return words.say("Cost {share} of the budget, charged before.", share=share)
    return words.say(
        "Cost {share} of the budget in an earlier release (ledger entry {entry}, {day}); the "
        "stored figure costs nothing in this one.",
        share=share,
        entry=query.drawn_in,
        day=words.day(query.drawn_at),
    )
