# SPDX-License-Identifier: Apache-2.0
"""What argparse says of its own: headings of ``--help``, and what is wrong with a command.

argparse looks its sentences up in gettext's own files, of which no language has any. So its two
functions are replaced while arguments are read, and look them up where all others are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dpdesk.catalogue import Template, spoken

USAGE: Final[tuple[Template, ...]] = (
    "usage: ",
    "positional arguments",
    "options",
    "show this help message and exit",
    "show program's version number and exit",
    "%(prog)s: error: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    "unrecognized arguments: %s",
    "not allowed with argument %s",
    "ignored explicit argument %r",
    "the following arguments are required: %s",
    "one of the arguments %s is required",
    "expected one argument",
    "expected at most one argument",
    "expected at least one argument",
    "expected %s argument",
    "expected %s arguments",
    "ambiguous option: %(option)s could match %(matches)s",
    "invalid %(type)s value: %(value)r",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "unknown parser %(parser_name)r (choices: %(choices)s)",
)
_OWN = ("_", "ngettext")


@contextmanager
def translated_usage() -> Iterator[None]:
    """Let argparse speak as the shell does."""
    before = {name: getattr(argparse, name) for name in _OWN}
    try:
        for name, own in zip(_OWN, (_say, _say_count), strict=True):
            setattr(argparse, name, own)
        yield
    finally:
        for name, own in before.items():
            setattr(argparse, name, own)


def _say(source: str) -> str:
    return spoken().say_word("", source)


def _say_count(one: str, many: str, number: int) -> str:
    return _say(one if number == 1 else many)
