# SPDX-License-Identifier: Apache-2.0
"""``docs/commands.md`` names every command; nothing that is none is named there or elsewhere."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.cli import COMMANDS, parser_of_commands
from dpdesk.engine.cli import _parser as engine_parser
from tests.source_files import ROOT

CODE = re.compile(r"`([^`]+)`")
INDENTED = re.compile(r"^    (.+)$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
FENCED = re.compile(r"^```.*?$(.*?)^```$", re.MULTILINE | re.DOTALL)
OPENS = re.compile("dpdesk (\\[?[A-Z]|--)")
"""The window with a file, or what goes before any command."""
OF_ALL = {"--verify-installation", "--help"}
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


def documented() -> list[str]:
    """The commands of the document, with what they take, and those that the README quotes."""
    usages = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [line for text in (usages, readme) for line in INDENTED.findall(text)]
    lines = [*blocks, *CODE.findall(readme)]
    return [line for line in lines if line.startswith("dpdesk ")]


def quoted() -> list[str]:
    """Commands, and options alone, that the handbook quotes, and commands of other documents."""
    pages = (ROOT / "resources" / "help").glob("*/*.md")
    found = [one for page in pages for one in _code(page)]
    others = [one for page in (ROOT / "docs").glob("*.md") for one in _code(page)]
    found += [one for one in others if not one.startswith("--")]
    return [one for one in found if one.startswith(("dpdesk ", "dpdesk-engine ", "--"))]


def _code(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    lines = [line for block in FENCED.findall(text) for line in block.splitlines()]
    return [*CODE.findall(FENCED.sub("", text)), *lines]


def test_every_command_is_documented() -> None:
    commands = [name for name, _parser in leaves(parser_of_commands())]
    assert len(commands) > 30
    rows = documented()
    assert not [one for one in commands if not any(f"{row} ".startswith(f"{one} ") for row in rows)]


def test_what_is_documented_is_a_command_with_these_options() -> None:
    shell, engine = parser_of_commands(), engine_parser()
    known = {**dict(leaves(shell)), **dict(leaves(engine, "dpdesk-engine"))}
    own = {
        name: {text for a in one._actions for text in a.option_strings}
        for name, one in known.items()
    }
    every = set().union(*own.values())
    rows = [*documented(), *quoted()]
    assert any(row.startswith("dpdesk-engine run") for row in rows)
    for row in rows:
        options = set(OPTION.findall(row))
        if options <= OF_ALL and OPENS.match(row):
            continue
        name = max((one for one in known if f"{row} ".startswith(f"{one} ")), key=len, default="")
        # A group is named without one of its commands, and an option without any.
        assert name or any(one.startswith(f"{row} ") for one in known) or row.startswith("--"), row
        assert options <= (own[name] if name else every), row
