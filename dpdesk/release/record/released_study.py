# SPDX-License-Identifier: Apache-2.0
"""The study of a release: what is public of it, and the same read back from a manifest.

A record has no floats: numbers of the study stand in it as decimal texts. Where numbers belong is
known from the study's shape, so that a category called ``0.5`` stays a text. The members are kept
as they were stated; nobody changes them.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from pathlib import PurePath
from typing import Any

from dpdesk.study.checks.extracts import file_name
from dpdesk.study.json.strict_json import Members
from dpdesk.study.json.study_reader import study_from_members
from dpdesk.study.json.study_writer import data_to_members, question_to_members, study_to_members
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query, Subject
from dpdesk.study.model.unit import RECOGNISED, DataSource
from dpdesk.study.problem import Refused

LOCAL = ("path", "catalogue", "extract", "in_database")
"""Members of a study's data that say where the custodian's data lies, or which it is."""

_PLACES = (*LOCAL, "sheet", "header_row", "label")

# Short and without an exponent: a stranger's text must not become a number of a million digits.
_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?", re.ASCII)
_BOUNDS = ("lower", "upper", "step")
_RULES = ("missing", "unparsable", "outside")


@dataclass(frozen=True)
class ReleasedStudy:
    """A study as released.

    Attributes:
        members: as the record states it.
    """

    members: Members

    @classmethod
    def of(cls, study: Study) -> ReleasedStudy:
        return cls(public_study(study))

    @cached_property
    def study(self) -> Study | None:
        """The study, without its data; ``None`` where the members are none."""
        try:
            return study_from_members(_revived(copy.deepcopy(self.members)))
        except (
            Refused,
            ValueError,
            TypeError,
            AttributeError,
            KeyError,
            InvalidOperation,
            OverflowError,
        ):
            return None

    @property
    def title(self) -> str:
        """Its title; may be empty."""
        return self.text("title")

    def text(self, key: str) -> str:
        """One of its texts; empty where there is none."""
        value = self.members.get(key)
        return value if isinstance(value, str) else ""

    @property
    def data(self) -> Members:
        value = self.members.get("data")
        return value if isinstance(value, dict) else {}

    @property
    def sources(self) -> tuple[Members, ...]:
        """How each file is read: those of the main table, then those of further tables."""
        tables = self.members.get("tables")
        rest = [one.get("data") for one in _listed(tables) if isinstance(one, dict)]
        firsts = [one for one in (self.data, *rest) if isinstance(one, dict)]
        files = ((one, *_listed(one.get("more"))) for one in firsts)
        return tuple(file for group in files for file in group if isinstance(file, dict))


@dataclass(frozen=True)
class ReleasedQuestion:
    """What a query of a release asks: its members but id, title and price.

    Attributes:
        members: as the record states them.
    """

    members: Members

    @classmethod
    def of(cls, query: Query) -> ReleasedQuestion:
        return cls(plain_numbers(question_to_members(query)))

    @property
    def column(self) -> str:
        """The column that is asked about; empty without one."""
        value = self.members.get("column")
        return value if isinstance(value, str) else ""

    @property
    def subject(self) -> Subject:
        """What its rows are."""
        return "people" if self.members.get("of") == "people" else "rows"

    @property
    def by(self) -> list[Any]:
        value = self.members.get("by")
        return value if isinstance(value, list) else []


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def public_study(study: Study) -> Members:
    """The study as released: without files and their names, numbers as ints or decimal texts."""
    members = study_to_members(study)
    if study.data:
        members["data"] = public_data(study.data)
    for table, said in zip(study.tables, members.get("tables", ()), strict=True):
        said["data"] = public_data(table.data)
    sources = [study.data or DataSource(), *(table.data for table in study.tables)]
    paths = [file.path for source in sources for file in source.files]
    for column in members.get("columns", ()):
        for path in paths if "basis" in column else ():
            column["basis"] = without_file_name(column["basis"], path)
    released: Members = plain_numbers(members)
    return released


def public_data(data: DataSource) -> Members:
    """How the file is read, where the custodian declared it.

    What was recognised may differ by one person's row: a letter that is no UTF-8, or the only
    ``1,5``. Sheet and header row are places in the file; whether they have to be chosen may
    depend on a row, too.
    """
    hidden = {*_PLACES, *(set(RECOGNISED) - set(data.by_hand))}
    members = {key: said for key, said in data_to_members(data).items() if key not in hidden}
    if data.more:
        members["more"] = [public_data(one) for one in data.more]
    return members


def without_file_name(basis: str, path: str) -> str:
    """Where bounds come from, without the data file's name.

    A person may have typed it.

    >>> without_file_name("SPSS labels in Smith.sav: ward list", "in/Smith.sav")
    'SPSS labels: ward list'
    """
    name = file_name(path)
    # Without an ending it is a word like any other, such as "data".
    if not PurePath(name).suffix:
        return basis
    return re.sub(rf"(?: in|,)? ?(?<!\w){re.escape(name)}(?!\w)", "", basis)


def plain_numbers(value: Any) -> Any:
    """Members in which each float is the decimal text that it was declared as.

    >>> plain_numbers({"step": 0.5, "lower": 1, "upper": 1e-06})
    {'step': '0.5', 'lower': 1, 'upper': '0.000001'}
    """
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}"
    if isinstance(value, dict):
        return {key: plain_numbers(member) for key, member in value.items()}
    return [plain_numbers(item) for item in value] if isinstance(value, list) else value


def _revived(members: dict[str, Any]) -> dict[str, Any]:
    """The members with numbers where numbers belong."""
    for column in members.get("columns", []):
        if column.get("kind") == "number":
            _revive(column, _BOUNDS)
            for reading in column.get("reads", []):
                _revive(reading, ("as",))
            for rule in _RULES:
                if isinstance(column.get(rule), dict):
                    _revive(column[rule], ("replace",))
        _revive_step(column.get("from"))
    _revive(members.get("budget") or {}, ("epsilon", "rho"))
    for query in members.get("queries", []):
        _revive_query(query)
    for table in members.get("baseline_tables", []):
        _revive_query(table)
        for characteristic in table.get("characteristics", []):
            _revive_query(characteristic)
    return members


def _revive_step(step: Any) -> None:
    """The numbers of how a derived column is made: edges, conditions and constants."""
    if not isinstance(step, dict):
        return
    _revive_lists(step, ("edges",))
    for value in step.values():
        for member in value if isinstance(value, list) else ():
            if isinstance(member, dict):
                _revive_lists(member, ("between",))
                _revive(member, ("number",))


def _revive_query(query: dict[str, Any]) -> None:
    assumed = ("typical", "expected_exposure", "expected_deviation")
    _revive(query, ("epsilon", "rho", "delta", *assumed))
    numbers = ("quantiles", "candidates", "edges", "times", "entry_edges", "weights", "reference")
    _revive_lists(query, numbers)
    for condition in (*query.get("where", []), *query.get("has", [])):
        _revive_lists(condition, ("between",))
    for grouping in query.get("by", []):
        if isinstance(grouping, dict):
            _revive_lists(grouping, ("edges",))


def _revive_lists(members: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        if key in members:
            if type(members[key]) is not list:
                raise ValueError("not a list")
            members[key] = [_number(value) for value in members[key]]


def _revive(members: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        if key in members:
            members[key] = _number(members[key])


def _number(value: Any) -> int | Decimal:
    """The number that a decimal text represents, where JSON loses none of its digits."""
    if type(value) is not int and not (isinstance(value, str) and _NUMBER.fullmatch(value)):
        raise ValueError("not a plain number")
    number = Decimal(value)
    if number == number.to_integral_value():
        return int(number)
    kept = Decimal(repr(float(number)))
    if kept != number:
        raise ValueError("more digits than a number keeps")
    return kept
