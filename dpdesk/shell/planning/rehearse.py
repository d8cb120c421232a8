# SPDX-License-Identifier: Apache-2.0
"""``dpdesk rehearse``: a study on made-up rows; opens no data, ledger or key, spends nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.rehearsal.made_up_files import made_up_bytes, marked_path, write_made_up
from dpdesk.release.rehearsal.made_up_report import NOT_A_RELEASE, heights
from dpdesk.release.rehearsal.rehearse import GroupSizes, RehearsedQuery, rehearse
from dpdesk.shell.output import DONE, in_cell, print_json, print_table, say
from dpdesk.shell.plan import accuracy_of
from dpdesk.study.json.study_files import load_study
from dpdesk.study.limits import MADE_UP_ROWS
from dpdesk.study.model.document import Study

_HEADS: Final[tuple[Template, ...]] = (
    "query",
    "groups",
    "rows a group",
    "± (95 in 100)",
    "budget",
    "too noisy",
)


@dataclass(frozen=True)
class RehearseOptions:
    study: Path
    to: Path | None = None
    rows: int = MADE_UP_ROWS
    as_json: bool = False
    language: str = "en"
    sizes: GroupSizes = field(default_factory=dict)


def run(options: RehearseOptions) -> int:
    """Rehearse a study, and write its file where one is wanted.

    Raises:
        Refused: the study cannot be read or compiled, or the file not be written.
    """
    study = load_study(options.study).study
    sizes, language = options.sizes, options.language
    rehearsal = rehearse(study, OpenDPDoor(), options.rows, sizes=sizes, language=language)
    path = None
    if options.to is not None:
        path = marked_path(options.to, study.title)
        write_made_up(path, made_up_bytes(rehearsal, options.language))
    if options.as_json:
        file = None if path is None else str(path)
        queries = [_members(study, query) for query in rehearsal.queries]
        print_json({"made_up": True, "total": str(rehearsal.total), "queries": queries, "to": file})
        return DONE
    print(say(NOT_A_RELEASE))
    for place, query in enumerate(rehearsal.queries, 1):
        print(f"{place}. {query.drawn.title}")
    rows = [_row(study, place, query) for place, query in enumerate(rehearsal.queries, 1)]
    print_table([say(head) for head in _HEADS], rows, (0, 1, 2, 3, 4, 5))
    print(heights(study, say))
    if path is not None:
        print(say("Written: {name}", name=path.name))
    return DONE


def _row(study: Study, place: int, query: RehearsedQuery) -> tuple[str, ...]:
    figures, noisy = len(query.table.rows), query.table.too_noisy
    return (
        str(place),
        in_cell(str(figures)),
        _rows(query),
        accuracy_of(study, query.plan),
        str(query.plan.share),
        say("{noisy} of {figures}", noisy=noisy, figures=figures) if noisy else say("none"),
    )


def _rows(query: RehearsedQuery) -> str:
    least, most = (in_cell(str(end)) for end in query.ends)
    return most if least == most else say("{least} to {most}", least=least, most=most)


def _members(study: Study, query: RehearsedQuery) -> dict[str, Any]:
    return {
        "id": query.drawn.id,
        "title": query.drawn.title,
        "figures": len(query.table.rows),
        "rows_a_group": query.rows_a_group,
        "guessed": query.is_guessed,
        "within": accuracy_of(study, query.plan),
        query.plan.share.measure: str(query.plan.share),
        "too_noisy": query.table.too_noisy,
    }
