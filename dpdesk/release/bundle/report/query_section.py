# SPDX-License-Identifier: Apache-2.0
"""A query in the report: its figures as people read them, which are of no use, what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.compared_text import (
    COMPARED,
    ComparedText,
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
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords
from dpdesk.release.bundle.report.curve_readings import (
    READINGS,
    cross_readings,
    has_readings,
    tests_below,
)
from dpdesk.release.bundle.report.key_figures import ADDED_UP, yearly_totals
from dpdesk.release.bundle.report.notes.comparable import comparable
from dpdesk.release.bundle.report.notes.query_notes import crude_note, report_notes
from dpdesk.release.bundle.report.notes.statements import statement
from dpdesk.release.bundle.report.printed_columns import (
    HEADINGS,
    MADE_UP,
    WrittenRows,
    printed_columns,
)
from dpdesk.release.bundle.report.query_chart import (
    Charted,
    alternative,
    cross_figures,
    cross_quantiles,
    cross_shares,
    drawing_of,
    forest_of_model,
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
from dpdesk.study.text.number_text import in_text
from dpdesk.study.text.unit_names import UnitNames

_COMPARED, _FIGURES = 5, 4
"""So many columns has a list of comparisons without notes; more figures have no room."""


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
    charted, barred = comparable(charted)
    said = filter(None, (heading.question and heading.subtitle, heading.left_out))
    requested = (Paragraph(one, "quiet") for one in said)
    figures, shares = _figures(charted, names), cross_shares(charted)
    tables = (figures,) if shares is None else (figures, shares)
    is_cross = isinstance(figures, CrossFigures)
    own, common = report_notes(charted, heading, names, is_cross, barred)
    years = yearly_totals(charted)
    below = " ".join(filter(None, (*own, quoted, would_cost)))
    notes = (Paragraph(below, "quiet"),) if below else ()
    derived = tuple(_derived(charted))
    # Where curves end is said when their figures were read.
    below_figures = (*derived, *notes) if has_readings(charted) else (*notes, *derived)
    compared = compared_text(charted.table, charted.query, charted.words, names.points)
    follows = (*below_figures, *_compared(charted, compared))
    more = (
        charted.words.say(ADDED_UP) if years else "",
        "" if compared is None else compared.meaning,
    )
    lead = (*requested, *_stated(charted, names), *_cautions(charted))
    blocks = (*lead, *tables, *((years,) if years else ()), *follows)
    return Section(
        heading.title,
        tuple(with_alternatives(blocks, heading, charted)),
        number,
        common=(*common, *filter(None, more)),
    )


def _stated(charted: Charted, names: UnitNames) -> Iterator[Paragraph]:
    """What its figures state, where that is certain enough."""
    if said := statement(charted, names):
        yield Paragraph(said.text)


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


def _derived(charted: Charted) -> Iterator[Paragraph | Figures | CrossFigures]:
    """What follows from the figures at no price."""
    words, table = charted.words, charted.table
    column = charted.study.column(charted.query.question.column) if charted.study else None
    lines = derived_lines(table, unit_of(column), words)
    if lines:
        heads = derived_heads(table, words)
        name = charted.query.name
        file = f"results/made_up_{name}.csv" if charted.is_made_up else derived_file(name)
        rows = [FigureRow(line, is_noisy=False) for line in lines]
        numeric = (False, False, *(True for _ in heads[2:]))
        chart = forest_of_model(charted) if is_model(table) else None
        figures = Figures(heads, numeric, rows, chart, file, is_made_up=charted.is_made_up)
        cross = cross_readings(charted, figures) if has_readings(charted) else None
        headed = words.say(READINGS) if cross is not None else follows(table, words)
        yield Paragraph(headed, "heading")
        if cross is None:
            yield figures
            yield Paragraph(about_derived(table, words), "quiet")
        else:
            yield cross
            if tests := tests_below(charted):
                yield Paragraph(tests)


def _figures(charted: Charted, names: UnitNames) -> Figures | CrossFigures:
    table, words = charted.table, charted.words
    shown = tuple(printed_columns(charted, names))
    chart = drawing_of(charted)
    if chart is not None and has_readings(charted):
        return Figures((), (), (), chart, charted.file, charted.is_made_up, is_all_in_chart=True)
    mark = next((at for at, one in enumerate(table.columns) if one.role == "mark"), None)
    figures = Figures(
        heads=tuple(column.head for column in shown),
        numeric=tuple(column.is_number for column in shown),
        rows=WrittenRows(table.rows, tuple(column.write for column in shown), mark),
        chart=chart,
        file=f"results/{charted.query.name}.csv",
        is_all_in_chart=chart is not None
        and chart.has_all
        and all(c.roles <= _IN_CHART for c in shown),
    )
    made = _as_made_up(figures, words) if charted.is_made_up else figures
    return cross_figures(charted, made) or cross_quantiles(charted, made) or made


_IN_CHART = frozenset(
    {"group", "label", "found", "value", "half-width", "lowest", "highest", "mark"}
)
"""Roles of columns that a chart with all figures has nothing to add to."""


def _as_made_up(figures: Figures, words: ReleaseWords) -> Figures:
    """The same figures under heads that do not call them released."""
    released, made_up = words.say(HEADINGS["value"]), words.say(MADE_UP)
    heads = tuple(
        f"{made_up}{head[len(released) :]}" if head.startswith(released) else head
        for head in figures.heads
    )
    return replace(figures, heads=heads, file=f"made_up_{figures.file}", is_made_up=True)


def _compared(charted: Charted, found: ComparedText | None) -> Iterator[Block]:
    """The comparisons of its groups; what they mean is said once for all."""
    words = charted.words
    if found is None:
        return
    yield Paragraph(words.say(COMPARED), "heading")
    rows = tuple(FigureRow(row, False) for row in found.read_rows)
    chart, file = (
        None if is_model(charted.table) else forest_of_model(charted),
        compared_file(charted.query),
    )
    figures = Figures(found.read_heads, found.read_numeric, rows, chart, file)
    figures = _as_made_up(figures, words) if charted.is_made_up else figures
    yield _side_by_side(figures) or figures
    if crude := crude_note(charted):
        yield Paragraph(crude, "quiet")


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


def _cautions(charted: Charted) -> Iterator[Paragraph]:
    """How many of a table's figures are of no use, and which margins nobody knows."""
    table, words = charted.table, charted.words
    if has_readings(charted):
        return  # its lines are not printed
    noisy, unknown = table.too_noisy, _lines_with_no_bound(table)
    count = in_text(str(len(table.rows)), words.numbers)
    if noisy:
        one = "{n} of {count} figures is too noisy to use."
        many = "{n} of {count} figures are too noisy to use."
        n = in_text(str(noisy), words.numbers)
        yield Paragraph(words.say_count(noisy, one, many, n=n, count=count), "doubt")
    if small := charted.small.said(words):
        yield Paragraph(small, "doubt")
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
        return words.say("Cost {share} of the budget, charged with an equal query.", share=share)
    return words.say(
        "Cost {share} of the budget in an earlier release (ledger entry {entry}, {day}); the "
        "stored figure costs nothing in this one.",
        share=share,
        entry=query.drawn_in,
        day=words.day(query.drawn_at),
    )
