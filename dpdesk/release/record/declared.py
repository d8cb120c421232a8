# SPDX-License-Identifier: Apache-2.0
"""Values whose JSON members are declared on their fields: each is written and read by one form.

A field's type names its form, ``sequence: Whole``, ``head: Hash``. Where a member may be left out
it is written only where the field is set, and refused where it is written and is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, NamedTuple, Self, cast, get_type_hints

from dpdesk.release.record.strict_object import HASH, HASH_OR_NOTHING, StrictObject, malformed
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.amount import Delta, Epsilon, Share

Take = Callable[[StrictObject, str, type[Share]], Any]
"""Takes a member, by its key; amounts of budget are of one measure."""


class Form(NamedTuple):
    """How a field's member is written and read.

    Attributes:
        take: from an object.
        write: as JSON.
        key: the member's; the field's own name where it is empty.
        may_miss: left out where the field is empty.
    """

    take: Take
    write: Callable[[Any], Any] = lambda value: value
    key: str = ""
    may_miss: bool = False


def _plain(take: Callable[[StrictObject, str], Any]) -> Form:
    return Form(lambda members, key, _share: take(members, key))


def matching(pattern: re.Pattern[str]) -> Form:
    return _plain(lambda members, key: members.text(key, pattern))


def one_of(words: Iterable[str]) -> Form:
    known = tuple(words)
    return _plain(lambda members, key: members.word(key, known))


def nested(kind: type[Declared]) -> Form:

    def take(members: StrictObject, key: str, share: type[Share]) -> Declared:
        return members.nested(key, lambda found: kind.read(found, share))

    return Form(take, lambda value: value.members())


def listed(kind: type[Declared]) -> Form:

    def take(members: StrictObject, key: str, share: type[Share]) -> tuple[Declared, ...]:
        return members.list(key, lambda found: kind.read(found, share))

    return Form(take, lambda values: [value.members() for value in values])


def or_null(form: Form) -> Form:
    """The same, or null for ``None``."""
    return form._replace(
        take=lambda m, key, share: None if m.nothing(key) else form.take(m, key, share),
        write=lambda value: None if value is None else form.write(value),
    )


def where_set(form: Form) -> Form:
    """The same, left out where the field is empty."""
    return form._replace(may_miss=True)


def _tables(members: StrictObject, key: str, _share: type[Share]) -> tuple[str, ...]:
    names = members.texts(key)
    if list(names) != sorted(set(names)) or not all(map(_TABLE.fullmatch, names)):
        raise malformed(members.at(key))
    return names


_TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
FLAG = _plain(StrictObject.flag)
TEXT = _plain(StrictObject.text)
Whole = Annotated[int, _plain(StrictObject.whole)]
Flag = Annotated[bool, FLAG]
Text = Annotated[str, TEXT]
Minute = Annotated[str, _plain(StrictObject.minute)]
Hash = Annotated[str, matching(HASH)]
HashOrNothing = Annotated[str, matching(HASH_OR_NOTHING)]
Budget = Annotated[Share, Form(lambda m, key, share: m.amount(key, share), str)]
Tables = Annotated[tuple[str, ...], Form(_tables, list, may_miss=True)]
"""Names of a release's tables, in their order; left out where it is about all of them."""
OfDelta = Annotated[Delta, Form(lambda m, key, _share: m.amount(key, Delta), str)]


class Declared:
    """A dataclass whose fields declare their members."""

    def members(self) -> Members:
        forms = forms_of(cast("Any", type(self)))
        stated = ((key, form, getattr(self, name)) for name, key, form in forms)
        return {key: form.write(value) for key, form, value in stated if value or not form.may_miss}

    @classmethod
    def read(cls, members: StrictObject, share: type[Share] = Epsilon) -> Self:
        """Read what :meth:`members` wrote.

        Args:
            share: the kind of its amounts of budget.

        Raises:
            Refused: see ``StrictObject``.
        """
        found, made = {}, cast("Any", cls)
        for name, key, form in forms_of(made):
            if form.may_miss and not members.has(key):
                continue
            found[name] = form.take(members, key, share)
            if form.may_miss and not found[name]:
                raise malformed(members.at(key))
        return cast("Self", made(**found))


@cache
def forms_of(kind: Any) -> tuple[tuple[str, str, Form], ...]:
    """Each declared field of a class: its name, its member's key and its form."""
    hints = get_type_hints(kind, include_extras=True)
    forms = {f.name: hints[f.name].__metadata__[0] for f in fields(kind)}
    return tuple((name, form.key or name, form) for name, form in forms.items())
