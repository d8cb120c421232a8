# SPDX-License-Identifier: Apache-2.0
"""Names and reasons that people type, judged before they become part of the chain."""

from __future__ import annotations

from dpdesk.study import limits
from dpdesk.study.problem import refuse


def checked_name(name: str) -> str:
    """An account's name.

    Raises:
        Refused: ``name-malformed`` (param words).
    """
    if not limits.ID_PATTERN.match(name):
        raise refuse("name-malformed", most=str(limits.MAX_ID_LENGTH))
    return name


def checked_text(what: str, text: str, *, required: bool = False) -> str:
    """A note or a reason, without white space around it.

    Raises:
        Refused: ``reason-missing``, ``text-too-long`` (param most), ``text-invisible``, each at
            the place ``$.<what>``.
    """
    text = text.strip()
    if required and not text:
        raise refuse("reason-missing", f"$.{what}")
    if len(text) > limits.MAX_TEXT:
        raise refuse("text-too-long", f"$.{what}", most=str(limits.MAX_TEXT))
    if not limits.is_printable_text(text):
        raise refuse("text-invisible", f"$.{what}")
    return text
