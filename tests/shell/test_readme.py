# SPDX-License-Identifier: Apache-2.0
"""``docs/commands.md`` names every command of the shell, and nothing that is none."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from dpdesk.cli import COMMANDS, parser_of_commands
from tests.source_files import ROOT

CODE = re.compile(r"`([^`]+)`")
INDENTED = re.compile(r"^    (.+)$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
OF_ALL = {"--verify-installation"}
"""What goes before a command, or stands without one."""


def leaves(
    parser: argparse.ArgumentParser, name: str = "dpdesk"
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each command that does something, with its parser."""
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        yield name, parser
    for group in groups:
        for word, inner in group.choices.items():
            yield from leaves(inner, f"{name} {word}")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_understood_alike_without_those_of_other_modules(command: str) -> None:
    whole = dict(leaves(parser_of_commands()))
    alone = dict(leaves(parser_of_commands(command)))
    of_command = [name for name in whole if name.split()[1] == command]
    assert of_command
    for name in of_command:
        assert alone[name].format_help() == whole[name].format_help()


def told() -> list[str]:
    """The commands of the document, with what they take, and those that the README quotes."""
    usages = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [line for text in (usages, readme) for line in INDENTED.findall(text)]
    lines = [*blocks, *CODE.findall(readme)]
    return [line for line in lines if line.startswith("dpdesk ")]


def test_every_command_is_told() -> None:
    commands = [name for name, _parser in leaves(parser_of_commands())]
    assert len(commands) > 30
    rows = told()
    assert not [one for one in commands if not any(f"{row} ".startswith(f"{one} ") for row in rows)]


def test_what_is_told_is_a_command_with_these_options() -> None:
    known = dict(leaves(parser_of_commands()))
    for row in told():
        if set(OPTION.findall(row)) <= OF_ALL and (row.startswith(("dpdesk [", "dpdesk --"))):
            continue
        name = max((one for one in known if f"{row} ".startswith(f"{one} ")), key=len, default="")
        assert name, row
        options = {text for action in known[name]._actions for text in action.option_strings}
        assert set(OPTION.findall(row)) <= options, row
