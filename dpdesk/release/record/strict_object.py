# SPDX-License-Identifier: Apache-2.0
"""The members of a record's JSON objects, each of exactly the type that the one writer writes.

Every text that represents a number has one form, the writer's, so that a record which was read is
written byte for byte as it was. Texts are of bounded length before they become numbers: nobody's
amount becomes a million digits here. Reading stops at the first member that is wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.amount import Amount
from dpdesk.study.problem import Refused, refuse

HASH = re.compile(r"[0-9a-f]{64}")
HASH_OR_NOTHING = re.compile(r"(?:[0-9a-f]{64})?")
SHORT = re.compile(r"[ -~]{1,64}")
ENGINE = re.compile(r"[!-~][ -~]{0,79}")
"""Of a database and its version."""
ANY = re.compile(r".*", re.DOTALL)
_AMOUNT = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.([0-9]{0,17}[1-9]))?")
_LONGEST_AMOUNT = 30
_WHOLE = re.compile(r"0|[1-9][0-9]{0,39}")
_FLOAT = re.compile(r"[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,3})?")
_FRACTION = re.compile(r"[1-9][0-9]{0,60}(/[1-9][0-9]{0,60})?")
_TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]Z")

T = TypeVar("T")
A = TypeVar("A", bound=Amount)
W = TypeVar("W", bound=str)


class StrictObject:
    """One JSON object, whose members are taken one by one; what is left over is refused.

    Raises:
        Refused: by every method, each with param place: ``claim-member-missing``,
            ``claim-member-unknown``, ``claim-word-unknown`` (a word of a later version) or
            ``claim-malformed`` (another type or form).
    """

    def __init__(self, value: Any, path: str) -> None:
        self.path = path
        if type(value) is not dict:
            raise malformed(path)
        self._left: Members = dict(value)

    def at(self, key: str) -> str:
        return f"{self.path}.{key}"

    def has(self, key: str) -> bool:
        """Whether a member is there and was not taken yet."""
        return key in self._left

    def raw(self, key: str) -> Any:
        if key not in self._left:
            raise refuse("claim-member-missing", self.at(key), place=self.at(key))
        return self._left.pop(key)

    def nothing(self, key: str) -> bool:
        """Whether a member is null; it is taken where it is."""
        empty = self.has(key) and self._left[key] is None
        return empty and self.raw(key) is None

    def finish(self) -> None:
        """Refuse members that nobody took; a stranger's own name for one is not repeated."""
        if self._left:
            raise refuse("claim-member-unknown", self.path, place=self.path)

    def whole(self, key: str) -> int:
        return self._typed(key, int)

    def flag(self, key: str) -> bool:
        return self._typed(key, bool)

    def object(self, key: str) -> Members:
        return self._typed(key, dict)

    def _typed(self, key: str, kind: type[T]) -> T:
        value = self.raw(key)
        if type(value) is not kind:
            raise malformed(self.at(key))
        return value

    def text(self, key: str, form: re.Pattern[str] = ANY) -> str:
        value = self.raw(key)
        if type(value) is not str or form.fullmatch(value) is None:
            raise malformed(self.at(key))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        values = self._typed(key, list)
        if set(map(type, values)) - {str}:
            raise malformed(self.at(key))
        return tuple(values)

    def word(self, key: str, known: Iterable[W]) -> W:
        """One of the words that this version knows."""
        value = self.raw(key)
        if type(value) is not str:
            raise malformed(self.at(key))
        listed = next((word for word in known if word == value), None)
        if listed is None:
            raise refuse("claim-word-unknown", self.at(key), place=self.at(key))
        return listed

    def minute(self, key: str) -> str:
        """A minute of the calendar, as the ledger writes it.

        >>> StrictObject({"time": "2024-02-29T23:59Z"}, "$").minute("time")
        '2024-02-29T23:59Z'
        """
        text = self.text(key, _TIME)
        try:
            datetime.strptime(text, "%Y-%m-%dT%H:%MZ")
        except ValueError:
            raise malformed(self.at(key)) from None
        return text

    def amount(self, key: str, kind: type[A]) -> A:
        text = self.text(key)
        units = _units(text, kind.PER_ONE) if len(text) <= _LONGEST_AMOUNT else None
        if units is None:
            raise malformed(self.at(key))
        return kind(units)

    def integer(self, key: str) -> int:
        """A whole number of 0 or more, as a text."""
        return int(self.text(key, _WHOLE))

    def number(self, key: str) -> float:
        """A finite number of 0 or more, as Python writes it."""
        text = self.text(key, _FLOAT)
        if repr(float(text)) != text or not math.isfinite(float(text)):
            raise malformed(self.at(key))
        return float(text)

    def fraction(self, key: str) -> Fraction:
        """A positive fraction in lowest terms."""
        text = self.text(key, _FRACTION)
        if str(Fraction(text)) != text:
            raise malformed(self.at(key))
        return Fraction(text)

    def nested(self, key: str, read: Callable[[StrictObject], T]) -> T:
        return read_whole(self.raw(key), self.at(key), read)

    def items(self, key: str, most: int | None = None) -> Iterator[tuple[Any, str]]:
        """A list's items with their places.

        Raises:
            Refused: as above; ``claim-list-too-long`` (params place, most).
        """
        values = self._typed(key, list)
        if most is not None and len(values) > most:
            raise refuse("claim-list-too-long", self.at(key), place=self.at(key), most=str(most))
        return ((value, f"{self.at(key)}[{number}]") for number, value in enumerate(values))

    def list(
        self, key: str, read: Callable[[StrictObject], T], most: int | None = None
    ) -> tuple[T, ...]:
        return tuple(read_whole(value, path, read) for value, path in self.items(key, most))


@lru_cache(maxsize=1024)
def _units(text: str, per_one: int) -> int | None:
    """An amount's smallest parts; ``None`` where the text is no amount in the writer's form.

    A long account states the same amounts often.
    """
    match = _AMOUNT.fullmatch(text)
    digits = len(str(per_one)) - 1
    if match is None or len(match[2] or "") > digits:
        return None
    return int(match[1]) * per_one + int((match[2] or "").ljust(digits, "0"))


def read_whole(value: Any, path: str, read: Callable[[StrictObject], T]) -> T:
    """Read an object of which nothing may be left.

    Raises:
        Refused: see :class:`StrictObject`.
    """
    members = StrictObject(value, path)
    result = read(members)
    members.finish()
    return result


def malformed(path: str) -> Refused:
    """The refusal of a member that is not as the one writer writes it."""
    return refuse("claim-malformed", path, place=path)
