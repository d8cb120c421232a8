# SPDX-License-Identifier: Apache-2.0
"""What all commands have: a place in the usage, a function that runs them, and ``--json``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

from dpdesk.shell.output import say

Command = Callable[[argparse.Namespace], int]
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(
    commands: Commands, name: str, text: str, command: Command
) -> argparse.ArgumentParser:
    """Add one command.

    Args:
        commands: those that it stands among.
        name: what is typed.
        text: what it does, in the usage's language.
        command: what runs it.
    """
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=command)
    parser.add_argument("--json", action="store_true", help=say("print JSON"))
    return parser
