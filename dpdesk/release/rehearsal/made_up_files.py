# SPDX-License-Identifier: Apache-2.0
"""A rehearsal as one file: unsigned, of a type of its own, "made up" in every name and table.

Whatever is done to its names, it is no bundle. ``verify`` refuses a zip in which one file's name
begins as these do; without those names there is no manifest and no signature; and where somebody
else signs its tables, they are not the ones that verifying makes, because each line of them begins
with "made up".
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import dpdesk
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.baseline.documents import data_table
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.bundle_zip import MADE_UP, MAX_BYTES, pack
from dpdesk.release.bundle.compared_text import FOLDER as COMPARISONS
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from dpdesk.release.bundle.report.printed_columns import MADE_UP as MARKED
from dpdesk.release.record.table_names import ascii_words
from dpdesk.release.record.write import json_bytes
from dpdesk.release.rehearsal.made_up_baselines import made_up_baselines, marked_baseline
from dpdesk.release.rehearsal.made_up_report import NOT_A_RELEASE, heights, made_up_report
from dpdesk.release.rehearsal.rehearse import Rehearsal
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

TYPE = "dpdesk-rehearsal"
DESCRIPTION = f"{MADE_UP}rehearsal.json"
MARK = TableColumn("made_up", "label", "", "")
LINE = "made up"


def made_up_bytes(rehearsal: Rehearsal, language: str = "en") -> bytes:
    """The file of a rehearsal.

    Args:
        language: of what people read.

    Raises:
        Refused: ``bundle-too-large``.
    """
    words = ReleaseWords.of(language)
    report = made_up_report(rehearsal, words)
    tables = {
        f"{MADE_UP}results/{MADE_UP}{query.drawn.name}.csv": csv_bytes(marked(query.table))
        for query in rehearsal.queries
    }
    files = {
        DESCRIPTION: json_bytes(_description(rehearsal)),
        f"{MADE_UP}README.txt": _readme(rehearsal.study, words),
        f"{MADE_UP}report.html": html_bytes(report),
        f"{MADE_UP}report.pdf": pdf_bytes(report),
        **tables,
        **_compared(rehearsal),
        **_baselines(rehearsal, words),
    }
    raw = pack(files)
    if len(raw) > MAX_BYTES:
        raise refuse("bundle-too-large")
    return raw


def _compared(rehearsal: Rehearsal) -> dict[str, bytes]:
    """The comparisons of groups that a release will have, each line marked."""
    return {
        f"{MADE_UP}{COMPARISONS}/{MADE_UP}{query.drawn.name}.csv": csv_bytes(marked(found))
        for query in rehearsal.queries
        if (found := query.table.compared) is not None
    }


def _baselines(rehearsal: Rehearsal, words: ReleaseWords) -> dict[str, bytes]:
    """The files of each Table 1, marked in names, titles and lines."""
    found: dict[str, bytes] = {}
    for one in made_up_baselines(rehearsal, words):
        made = marked_baseline(one, words.say(MARKED))
        files = {**made.files, next(iter(made.files)): csv_bytes(marked(data_table(one.layout)))}
        for name, content in files.items():
            folder, _slash, file = name.rpartition("/")
            found[f"{MADE_UP}{folder}/{MADE_UP}{file}"] = content
    return found


def marked(table: Table) -> Table:
    """A table each line of which says that it is made up."""
    rows = tuple((LINE, *row) for row in table.rows)
    return replace(table, columns=(MARK, *table.columns), rows=rows)


def made_up_name(title: str) -> str:
    """What a rehearsal's file is called.

    >>> made_up_name("Stays of Größe 1"), made_up_name("")
    ('made_up_stays-of-groesse-1.zip', 'made_up_rehearsal.zip')
    """
    return f"{MADE_UP}{ascii_words(title) or 'rehearsal'}.zip"


def marked_path(path: Path, title: str) -> Path:
    """Where a rehearsal is written: in a folder under its own name; else under one that says so.

    >>> marked_path(Path("out/first.zip"), "").as_posix()
    'out/made_up_first.zip'
    >>> marked_path(Path("out/first.v2"), "").as_posix()
    'out/made_up_first.v2.zip'
    """
    if path.is_dir():
        return path / made_up_name(title)
    named = path.name if path.name.casefold().startswith(MADE_UP) else f"{MADE_UP}{path.name}"
    return path.with_name(named if path.suffix.casefold() == ".zip" else f"{named}.zip")


def write_made_up(path: Path, content: bytes) -> None:
    """Write a rehearsal's file whole or not at all.

    Raises:
        Refused: ``bundle-unwritable`` (param name); ``made-up-over-other`` (param name) where a
            file is there that is no rehearsal.
    """
    if os.path.exists(path) and not _is_rehearsal(path):
        raise refuse("made-up-over-other", name=path.name)
    write_bundle(path, content)


def _is_rehearsal(path: Path) -> bool:
    """Whether a file begins as :func:`made_up_bytes` begins one."""
    try:
        with open_regular(path) as stream:
            return DESCRIPTION.encode("ascii") in stream.read(200)
    except (OSError, ValueError):
        return False


def _description(rehearsal: Rehearsal) -> dict[str, object]:
    """What a program finds first: that nothing here is a figure of any data."""
    queries = [
        {
            "id": query.drawn.id,
            "title": query.drawn.title,
            "rows_a_group": query.rows_a_group,
            "guessed": query.is_guessed,
            "figures": len(query.table.rows),
            "too_noisy": query.table.too_noisy,
        }
        for query in rehearsal.queries
    ]
    return {
        "type": TYPE,
        "format": 1,
        "made_up": True,
        "signed": False,
        "title": rehearsal.study.title,
        "dpdesk": dpdesk.__version__,
        "queries": queries,
    }


def _readme(study: Study, words: ReleaseWords) -> bytes:
    say = words.say
    return f"{say(NOT_A_RELEASE)}\n\n{heights(study, say)}\n".encode()
