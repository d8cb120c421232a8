# SPDX-License-Identifier: Apache-2.0
"""What a report of several tables begins with: what it covers, and what its figures state.

Nothing is said here that a section does not say of its own figures: changes and differences that
noise and chance do not explain, then the largest groups, then which groups nothing tells apart and
which figures nobody can quote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from dpdesk.catalogue import Template
from dpdesk.release.bundle.baseline.printed import PrintedTable
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.curve_readings import has_readings
from dpdesk.release.bundle.report.notes.comparable import comparable
from dpdesk.release.bundle.report.notes.statements import FigureStatement, Kind, statement
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.report_blocks import Block, Paragraph, Terms
from dpdesk.study.text.titles import joined
from dpdesk.study.text.unit_names import UnitNames, in_query

FEWEST_SECTIONS: Final = 3
"""Of fewer a reader sees all at once."""
MOST_FINDINGS: Final = 4
"""Sentences of figures; two more say what nothing tells apart and what is too noisy."""
_HEADING: Final[Template] = "Main findings"
_ALIKE: Final[Template] = "No difference shown"
_ALIKE_IN: Final[Template] = (
    "Noise and chance, or noise alone, could explain the differences of groups in {sections}."
)
_TOO_NOISY: Final[Template] = "Too noisy to quote"
_NOISY_IN: Final[Template] = "{n} of {count} figures in {section}"
_CAVEAT: Final[Template] = (
    "Each finding by itself holds in at least 95 of 100 releases; of several, one may be wrong. "
    "Whether a change, or which group is the largest, is chance was not tested."
)
_TABLES: Final[Template] = "Tables"
_COUNTED: Final[Template] = "Counted"
_COUNTED_IN: Final[Template] = "{whom} in {sections}"
Place = Literal["section", "sheet"]
"""Where a figure is, of the same number: in the report, or in the workbook."""
_ONE: Final[dict[Place, Template]] = {
    "section": "section {sections}",
    "sheet": "sheet {sections}",
}
_SEVERAL: Final[dict[Place, Template]] = {
    "section": "sections {sections}",
    "sheet": "sheets {sections}",
}
_SPAN: Final[Template] = "{first} to {last}"


def coverage(
    text: ReleaseText,
    listed: Mapping[str, Charted],
    baselines: Mapping[str, PrintedTable],
    place: Place = "section",
    single: Sequence[Charted] = (),
) -> tuple[Terms, ...]:
    """From which tables, and who is counted where, by declarations alone; days are among the facts.

    Args:
        listed: what has a section of its own, by its number.
        baselines: each Table 1 by its number.
        place: of what the numbers are.
        single: what is in one section together, behind all others.
    """
    study, words, names = text.release.record.study.study, text.words, text.names
    if study is None or len(listed) + len(baselines) < FEWEST_SECTIONS:
        return ()
    pairs = []
    if study.tables:
        tables = (names.rows, *(one.name for one in study.tables))
        pairs.append((words.say(_TABLES), ", ".join(dict.fromkeys(tables))))
    counted = dict[str, list[str]]()
    for number, table in baselines.items():
        counted.setdefault(table.counted, []).append(number)
    for number, one in listed.items():
        counted.setdefault(_counted(one, names), []).append(number)
    last = str(len(baselines) + len(listed) + 1)
    for whom in dict.fromkeys(_counted(one, names) for one in single):
        counted.setdefault(whom, []).append(last)
    sentences = (
        words.say(_COUNTED_IN, whom=counts, sections=_sections(numbers, place, words))
        for counts, numbers in counted.items()
    )
    pairs.append((words.say(_COUNTED), "; ".join(sentences)))
    return (Terms(tuple(pairs)),)


def _counted(charted: Charted, names: UnitNames) -> str:
    """Whom a query counts: people, or its rows."""
    asked = charted.requested
    if asked is not None and asked.unit == "people":
        return names.people
    return in_query(names, charted.query.question.subject).rows


def main_findings(
    text: ReleaseText,
    listed: Mapping[str, Charted],
    baselines: Mapping[str, PrintedTable],
    place: Place = "section",
) -> tuple[Block, ...]:
    """What the sections state that is certain enough, in a few lines; none of few sections.

    Args:
        listed: what has a section of its own, by its number.
        baselines: each Table 1 by its number.
        place: of what the numbers are.
    """
    if len(listed) < FEWEST_SECTIONS:
        return ()
    words = text.words
    stated = dict[str, FigureStatement]()
    for number, one in listed.items():
        if found := statement(comparable(one)[0], text.names):
            stated[number] = found
    pairs = []
    for number in _most_certain(stated):
        title = text.headings[listed[number].query.id].title
        pairs.append((f"{number} {title}", stated[number].text))
    if alike := _of_kind(stated, "alike"):
        said = words.say(_ALIKE_IN, sections=_sections(alike, place, words))
        pairs.append((words.say(_ALIKE), said))
    noisy = {number: _noisy_cells(table) for number, table in baselines.items()}
    # Lines of curves are not printed.
    shown = {number: one.table for number, one in listed.items() if not has_readings(one)}
    noisy |= {number: (table.too_noisy, len(table.rows)) for number, table in shown.items()}
    if counts := [*_counts_of_noisy(noisy, place, words)]:
        pairs.append((words.say(_TOO_NOISY), f"{joined(counts, words.language)}."))
    if not pairs:
        return ()
    return (
        Paragraph(words.say(_HEADING), "heading"),
        Terms(tuple(pairs)),
        Paragraph(words.say(_CAVEAT), "quiet"),
    )


def _most_certain(stated: Mapping[str, FigureStatement]) -> Sequence[str]:
    """Whose sentences there is room for: differences before the largest groups."""
    first = [*_of_kind(stated, "differ"), *_of_kind(stated, "largest")][:MOST_FINDINGS]
    return [number for number in stated if number in first]


def _of_kind(stated: Mapping[str, FigureStatement], kind: Kind) -> list[str]:
    return [number for number, one in stated.items() if one.kind == kind]


def _noisy_cells(table: PrintedTable) -> tuple[int, int]:
    """How many cells of a Table 1 nobody can quote, and how many it has."""
    cells = [cell for row in table.rows for cell in row.cells]
    return sum(cell.is_noisy for cell in (*table.heads, *cells)), len(table.heads) + len(cells)


def _counts_of_noisy(
    noisy: Mapping[str, tuple[int, int]], place: Place, words: ReleaseWords
) -> Iterator[str]:
    """How many of a section's figures nobody can quote, of how many."""
    for number, counts in noisy.items():
        if counts[0]:
            n, count = map(words.number, counts)
            section = _sections((number,), place, words)
            yield words.say(_NOISY_IN, n=n, count=count, section=section)


def _sections(numbers: Iterable[str], place: Place, words: ReleaseWords) -> str:
    """ "sections 1 to 3 and 9"."""
    spans = list[tuple[int, int]]()
    for number in sorted(map(int, numbers)):
        first, last = spans.pop() if spans and spans[-1][1] == number - 1 else (number, number - 1)
        spans.append((first, last + 1))
    said = []
    for first, last in spans:
        if last > first + 1:
            said.append(words.say(_SPAN, first=str(first), last=str(last)))
        else:
            said += [str(one) for one in range(first, last + 1)]
    is_one = len(spans) == 1 and spans[0][0] == spans[0][1]
    shown = joined(said, words.language)
    if is_one:
        return words.say(_ONE[place], sections=shown)
    return words.say(_SEVERAL[place], sections=shown)
