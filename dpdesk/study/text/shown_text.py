# SPDX-License-Identifier: Apache-2.0
"""Texts from outside, such as the name of a file that somebody sent, fit to stand in a sentence."""

from __future__ import annotations

from dpdesk.study.limits import is_printable_text

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


def shown_text(text: str) -> str:
    r"""A text on one line: plain spaces, and one sign for whatever cannot be seen.

    A file's name can hold line ends and the signs that steer a terminal; it must not be able to
    say a sentence of its own, or to take one away.

    >>> shown_text("a.zip:\nWhole: yes"), shown_text("stays\u00a02.zip")
    ('a.zip: Whole: yes', 'stays 2.zip')
    """
    if is_printable_text(text):
        return text
    spaced = (" " if sign.isspace() else sign for sign in text)
    return "".join(sign if is_printable_text(sign) else _UNSEEN for sign in spaced)


def as_sentence(reason: str) -> str:
    """A reason as it was typed, with its full stop.

    >>> as_sentence("The wrong file"), as_sentence("Twice!")
    ('The wrong file.', 'Twice!')
    """
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."
