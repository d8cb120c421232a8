# SPDX-License-Identifier: Apache-2.0
"""The sample hospital in the language of the one who tries it.

Its data file is the same in every language. What its study says of the file is translated: titles,
units and sources, and the names under which the file's codes are published. So are the notes of its
codebook.
"""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from dpdesk.catalogue import SampleWord, read_catalogue
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.columns import CategoryColumn, Column, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query

DATA, CODEBOOK, STUDY = "admissions.csv", "codebook.csv", "sample.dpdesk"
Word = Callable[[str], str]

WORDS: Final[tuple[SampleWord, ...]] = (
    "Admissions of the sample hospital, 2023 to 2025",
    "Sample hospital (invented)",
    "Admission",
    "Age at admission",
    "Age band",
    "Back within 30 days",
    "Cost of all stays",
    "Cost of the stay",
    "Day of admission",
    "Glycated haemoglobin",
    "Kind of admission",
    "Mean stay",
    "Nights in hospital",
    "Patient number",
    "Patients",
    "Sex",
    "Stays",
    "Stays by quarter",
    "Ward",
    "days",
    "years",
    "finance department: dearer stays count as 25000",
    "hospital admission system",
    "laboratory handbook",
    "quality report: longer stays count as 30",
    "ward plan 2023",
    "Cardiology",
    "General surgery",
    "Internal medicine",
    "Maternity",
    "Neurology",
    "Orthopaedics",
    "Paediatrics",
    "elective",
    "emergency",
    "transfer",
    "female",
    "male",
    "no",
    "yes",
)
"""Every word of the sample; ages and units of measurement are the same in every language."""


def write_sample(folder: Path, language: str) -> Path:
    """Copy the sample into a folder; what is there already stays as it is.

    Returns:
        The study's file.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / DATA).exists():
        shutil.copyfile(resource_path(f"sample/{DATA}"), folder / DATA)
    words = read_catalogue(language).say_word
    for name, translated in ((CODEBOOK, codebook_in), (STUDY, _study_bytes)):
        if not (folder / name).exists():
            shipped = resource_path(f"sample/{name}").read_text(encoding="utf-8")
            write_whole(folder / name, translated(shipped, lambda text: words("sample", text)))
    return folder / STUDY


def _study_bytes(text: str, word: Word) -> bytes:
    return study_to_bytes(study_in(study_from_bytes(text.encode("utf-8")), word))


def study_in(study: Study, word: Word) -> Study:
    """The sample's study, in other words: what it asks of the file, and its price, stay."""
    columns = tuple(_column_in(column, word) for column in study.columns)
    queries = tuple(_query_in(query, word) for query in study.queries)
    title, organisation = word(study.title), word(study.organisation)
    return replace(study, title=title, organisation=organisation, columns=columns, queries=queries)


def _query_in(query: Query, word: Word) -> Query:
    where = tuple(
        replace(condition, values=tuple(map(word, condition.values)))
        if isinstance(condition, IsIn)
        else condition
        for condition in query.where
    )
    return replace(query, title=word(query.title), where=where)


def _column_in(column: Column, word: Word) -> Column:
    label, basis = column.label and word(column.label), word(column.basis)
    named = replace(column, title=word(column.title), label=label, basis=basis)
    if isinstance(named, CategoryColumn):
        labels = tuple(map(word, named.values))
        return named if labels == named.values else replace(named, labels=labels)
    if isinstance(named, YesNoColumn):
        return replace(named, yes=_first(named.yes, word), no=_first(named.no, word))
    return named


def _first(texts: tuple[str, ...], word: Word) -> tuple[str, ...]:
    """The texts behind the translation of the first, which names all of them."""
    return tuple(dict.fromkeys((word(texts[0]), *texts)))


def codebook_in(text: str, word: Word) -> bytes:
    """The sample's codebook, in other words; codes stand before their names."""
    rows = list(csv.DictReader(io.StringIO(text)))
    written = io.StringIO()
    out = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    out.writeheader()
    for row in rows:
        for key in ("label", "unit", "source"):
            row[key] = row[key] and word(row[key])
        if row["type"] == "category":
            row["values"] = "|".join(_coded(row["values"].split("|"), word))
        out.writerow(row)
    return written.getvalue().encode("utf-8")


def _coded(values: list[str], word: Word) -> list[str]:
    names = [word(value) for value in values]
    if names == values:
        return values
    return [f"{value}={name}" for value, name in zip(values, names, strict=True)]
