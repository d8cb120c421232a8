# SPDX-License-Identifier: Apache-2.0
"""``--help`` leaves nothing unsaid, and no line is wider than a terminal."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from dpdesk.catalogue import ENGLISH, read_catalogue, speak
from dpdesk.cli import parser_of_commands
from dpdesk.shell.program.usage_words import translated_usage

WIDTH = 80


def each(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from each(below)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_command_and_argument_says_what_it_is(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    speak(read_catalogue(language))
    with translated_usage():
        parsers = list(each(parser_of_commands()))
        pages = [parser.format_help() for parser in parsers]
    speak(ENGLISH)
    unsaid = [
        (parser.prog, action.dest)
        for parser in parsers
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and not action.help
    ]
    assert unsaid == [] and len(parsers) > 40
    assert [parser.prog for parser in parsers if not parser.description] == []
    assert [line for page in pages for line in page.splitlines() if len(line) > WIDTH] == []
