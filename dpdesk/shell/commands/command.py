# SPDX-License-Identifier: Apache-2.0
"""What all commands have: a place in the usage, a function that runs them, and ``--json``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from dpdesk.shell.output import say

Command = Callable[[argparse.Namespace], int]
Wish = TypeVar("Wish")
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(
    commands: Commands, name: str, text: str, command: Command
) -> argparse.ArgumentParser:
    """Add one command."""
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=command)
    parser.add_argument("--json", action="store_true", help=say("print JSON"))
    return parser


def add_group(commands: Commands, name: str, text: str) -> Commands:
    """Add a name under which other commands stand.

    Args:
        text: what they are about, in the usage's language.
    """
    group = commands.add_parser(name, help=text, description=text)
    return group.add_subparsers(metavar="ACTION", required=True, dest="action")


def add_study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=Path, metavar="STUDY", help=say("the study, a .dpdesk file"))


def add_data(parser: argparse.ArgumentParser, text: str, *, required: bool = False) -> None:
    """Let files of the study's tables be named; see ``dpdesk.shell.extract``."""
    parser.add_argument(
        "--data",
        action="append",
        default=[],
        required=required,
        metavar="[TABLE=]FILE",
        help=text,
    )


def read_options(kind: Callable[..., Wish], options: argparse.Namespace, **more: object) -> Wish:
    """What a command line asks for, as a command's own type: an option a field, by its name.

    Args:
        kind: a dataclass.
        options: as they were read; a list becomes a tuple, ``json`` the field ``as_json``.
        more: fields that say something else than the option of their name.
    """
    given: dict[str, Any] = {**vars(options), "as_json": options.json, **more}
    own = {field.name: given[field.name] for field in fields(kind) if field.name in given}  # type: ignore[arg-type]
    return kind(**{n: tuple(v) if isinstance(v, list) else v for n, v in own.items()})
