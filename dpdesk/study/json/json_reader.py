# SPDX-License-Identifier: Apache-2.0
"""Parsed JSON into typed values, with the JSON path of everything that does not fit.

A reader walks one object, hands out its members by type, remembers what was asked for, and
reports unknown keys at the end. Nothing is guessed and nothing is converted silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TypeVar

from dpdesk.study import limits
from dpdesk.study.json.strict_json import Json, shown_key
from dpdesk.study.model.amount import ATTO, MAX_SHARE, Amount, Delta, Epsilon, Rho
from dpdesk.study.problem import Problem, Refused

T = TypeVar("T")
A = TypeVar("A", bound=Amount)


class ObjectReader:
    """Reads the members of one JSON object.

    Problems are collected in the list that all readers of a document share, so that one look
    shows everything that is wrong; a member that does not fit reads as its default.
    """

    def __init__(self, value: Json, path: str, problems: list[Problem]) -> None:
        self.path = path
        self.problems = problems
        self._requested: set[str] = set()
        self._is_object = isinstance(value, dict)
        self._members: dict[str, Json] = value if self._is_object else {}
        if not self._is_object:
            self.report("", "type-object")

    def report(self, key: str, code: str, **params: str) -> None:
        """Note a problem at a member (or at the object itself, with an empty key)."""
        path = f"{self.path}.{key}" if key else self.path
        self.problems.append(Problem(path, code, params))

    def has(self, key: str) -> bool:
        return self._members.get(key) is not None

    def raw(self, key: str) -> Json:
        """The member as parsed, or ``None``; marks it as known."""
        self._requested.add(key)
        return self._members.get(key)

    def text(self, key: str, default: str = "", *, required: bool = False) -> str:
        value = self.raw(key)
        if value is None:
            if required:
                self.report(key, "missing-member")
            return default
        return self._checked_text(value, key, default)

    def _checked_text(self, value: Json, key: str, default: str) -> str:
        if not isinstance(value, str):
            self.report(key, "type-text")
            return default
        problem = text_problem(value)
        if problem is None:
            return value
        params = {"most": str(limits.MAX_TEXT)} if problem == "text-too-long" else {}
        self.report(key, problem, **params)
        return default

    def path_text(self, key: str) -> str:
        """A file's path: longer than other texts, and with whatever spaces its system gave it."""
        value = self.raw(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.report(key, "type-text")
        elif not limits.is_path_text(value):
            self.report(key, "text-invisible")
        else:
            return value
        return ""

    def choice(self, key: str, choices: Iterable[str], default: str) -> str:
        value = self.raw(key)
        known = tuple(choices)
        if value is None:
            return default
        if not isinstance(value, str) or value not in known:
            self.report(key, "not-a-choice", choices=", ".join(known))
            return default
        return value

    def whole(self, key: str, default: T) -> int | T:
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.report(key, "type-whole")
            return default
        number = self.plain(value, key)
        if number is None or number == number.to_integral_value():
            return default if number is None else int(number)
        self.report(key, "type-whole")
        return default

    def number(self, key: str) -> Decimal | None:
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.report(key, "type-number")
            return None
        return self.plain(value, key)

    def plain(self, value: int | Decimal, key: str) -> Decimal | None:
        """A number that a file can hold without loss; anything else is reported at ``key``."""
        if limits.is_plain_number(Decimal(value)):
            return Decimal(value)
        self.report(key, "number-too-long", most=str(limits.MAX_SIGNIFICANT_DIGITS))
        return None

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.report(key, "type-flag")
            return default
        return value

    def epsilon(self, key: str) -> Epsilon | None:
        """A positive amount of budget with at most six decimals."""
        return self._amount(key, Epsilon, partial(share_problem, Epsilon))

    def rho(self, key: str) -> Rho | None:
        """A positive amount of zCDP budget with at most nine decimals."""
        return self._amount(key, Rho, partial(share_problem, Rho))

    def delta(self, key: str) -> Delta | None:
        """A positive delta of at most 18 decimals."""
        return self._amount(key, Delta, delta_problem)

    def _amount(self, key: str, kind: type[A], judge: Callable[[Decimal], str | None]) -> A | None:
        value = self.number(key)
        problem = None if value is None else judge(value)
        if problem:
            self.report(key, problem)
        return None if value is None or problem else kind.of(value)

    def texts(self, key: str) -> tuple[str, ...]:
        items = self._items(key, limits.MAX_VALUES)
        return tuple(self._checked_text(item, at, "") for at, item in items)

    def numbers(self, key: str) -> tuple[Decimal, ...]:
        items = self._items(key, limits.MAX_VALUES)
        values = (self._listed_number(item, at) for at, item in items)
        return tuple(number for number in values if number is not None)

    def _listed_number(self, value: Json, key: str) -> Decimal | None:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.report(key, "type-number")
            return None
        return self.plain(value, key)

    def objects(
        self, key: str, read: Callable[[ObjectReader], T | None], most: int
    ) -> tuple[T, ...]:
        """A list of objects, each read by ``read``; those that cannot be read are left out."""
        values = (self._nested(item, at).read(read) for at, item in self._items(key, most))
        return tuple(item for item in values if item is not None)

    def mixed(
        self, key: str, read: Callable[[ObjectReader], T | None], most: int
    ) -> tuple[T | str, ...]:
        values = (
            self._nested(item, at).read(read)
            if isinstance(item, dict)
            else self._checked_text(item, at, "")
            for at, item in self._items(key, most)
        )
        return tuple(item for item in values if item is not None)

    def _nested(self, value: Json, at: str) -> ObjectReader:
        return ObjectReader(value, f"{self.path}.{at}", self.problems)

    def _items(self, key: str, most: int) -> list[tuple[str, Json]]:
        """The items of a list with their places; none, and a problem, where it is no list."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.report(key, "type-list")
            return []
        if len(value) > most:
            self.report(key, "list-too-long", most=str(most))
            return []
        return [(f"{key}[{place}]", item) for place, item in enumerate(value)]

    def object(self, key: str, read: Callable[[ObjectReader], T | None]) -> T | None:
        value = self.raw(key)
        if value is None:
            return None
        return self._nested(value, key).read(read)

    def read(self, read: Callable[[ObjectReader], T | None]) -> T | None:
        """Run ``read`` on this object and report the members it did not ask for.

        What is no object was reported as such, and has no members to miss.
        """
        if not self._is_object:
            return None
        result = read(self)
        for key in sorted(self._members.keys() - self._requested):
            self.problems.append(Problem(f"{self.path}.{shown_key(key)}", "unknown-member"))
        return result

    def excuse_rest(self) -> None:
        """Call no member unknown: it is not clear which ones the object should have."""
        self._requested |= self._members.keys()


def share_problem(kind: type[Amount], value: Decimal) -> str | None:
    """The code of what is wrong with an amount of budget, or ``None``."""
    if not value.is_finite() or value <= 0:
        return "epsilon-not-positive"
    if value > MAX_SHARE[kind.measure].as_decimal():
        return "epsilon-too-large"
    if limits.is_plain_number(value) and (Fraction(value) * kind.PER_ONE).denominator == 1:
        return None
    return "rho-too-fine" if kind is Rho else "epsilon-too-fine"


def delta_problem(value: Decimal) -> str | None:
    """The code of what is wrong with a delta, or ``None``."""
    if value <= 0:
        return "delta-not-positive"
    if value >= 1:
        return "query-delta-too-large"
    return None if (Fraction(value) * ATTO).denominator == 1 else "delta-too-fine"


def text_problem(text: str) -> str | None:
    """The code of what is wrong with a declared text, or ``None``."""
    if len(text) > limits.MAX_TEXT:
        return "text-too-long"
    return None if limits.is_printable_text(text) else "text-invisible"


def finish(problems: list[Problem]) -> None:
    if problems:
        raise Refused(problems)
