# SPDX-License-Identifier: Apache-2.0
"""What is typed in for a dossier: no program knows why something is released, or to whom."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any

from dpdesk.study import limits
from dpdesk.study.problem import refuse

MOST_SIGNS = 2_000
"""Characters of a typed text: a paragraph or two."""


@dataclass(frozen=True)
class Stated:
    """What was typed in; empty where nobody said it.

    Attributes:
        purpose: why the figures are released.
        recipient: who gets them.
        release_model: how they get them: to the public, to named people, under a contract.
        legal_route: the legal basis, as the custodian sees it.
        review_date: the day on which somebody looks again, as YYYY-MM-DD.
    """

    purpose: str = ""
    recipient: str = ""
    release_model: str = ""
    legal_route: str = ""
    review_date: str = ""

    @property
    def members(self) -> dict[str, str]:
        return asdict(self)

    def updated(self, given: dict[str, str | None]) -> Stated:
        """The same with what was given again; ``None`` keeps what there is.

        Raises:
            Refused: as :func:`stated_of`.
        """
        return stated_of(self.members | {k: v for k, v in given.items() if v is not None})


def stated_of(members: Any) -> Stated:
    """What members of JSON, or of a form, state.

    Raises:
        Refused: ``text-too-long`` (param most), ``text-invisible``, ``dossier-date-invalid``, or
            ``dossier-fields-invalid`` where they are something else.
    """
    names = {field.name for field in fields(Stated)}
    if type(members) is not dict or set(members) != names:
        raise refuse("dossier-fields-invalid")
    return Stated(**{name: _plain(name, text) for name, text in members.items()})


def _plain(name: str, text: Any) -> str:
    """One text, in one line and without signs that nobody sees."""
    if type(text) is not str:
        raise refuse("dossier-fields-invalid")
    plain = " ".join(text.split())
    if len(plain) > MOST_SIGNS:
        raise refuse("text-too-long", f"$.{name}", most=str(MOST_SIGNS))
    if not limits.is_printable_text(plain):
        raise refuse("text-invisible", f"$.{name}")
    if name == "review_date" and plain:
        _check_day(plain)
    return plain


def _check_day(text: str) -> None:
    try:
        is_day = date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_day = False
    if not is_day:
        raise refuse("dossier-date-invalid", "$.review_date")
