# SPDX-License-Identifier: Apache-2.0
"""The front door of the shell. Exit 0: done; 1: refused or not verified; 2: wrong usage.

``verify`` alone knows more: 3, 4 and 5, for what was not made again, withdrawn or made up.

What each command takes and runs is in ``dpdesk/shell/commands/``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from dpdesk import __version__
from dpdesk.catalogue import ENGLISH, Template, read_catalogue, speak
from dpdesk.program import faults, log
from dpdesk.program.handover import Inbox, hand_over
from dpdesk.program.system_language import system_language
from dpdesk.release.places.home import Home
from dpdesk.shell.commands import accounts, keys, ledger, release, study
from dpdesk.shell.commands.command import Command, Commands, add_command
from dpdesk.shell.output import DONE, REFUSED, complain, say
from dpdesk.shell.program.unusable import unusable
from dpdesk.shell.program.usage_words import translated_usage
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.texts.problems import located, sentence

GROUPS: Final = {
    study: ("new", "plan", "fit", "rehearse", "codebook", "check", "order"),
    release: ("release", "verify", "compare", "dossier", "sign"),
    keys: ("key", "signers"),
    accounts: ("account",),
    ledger: ("ledger",),
}
"""Which module adds which commands, in the order of the usage."""
COMMANDS = (*(name for names in GROUPS.values() for name in names), "diagnostics")
FLAGS = ("-h", "--help", "--version")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
"""Any of them names a screen, or what is taken for one."""


def main(arguments: Sequence[str]) -> int:
    """Run one command, or open the desk.

    Args:
        arguments: the process's arguments without its name.

    Returns:
        The exit status. Wrong usage leaves through ``SystemExit(2)``, as argparse does.
    """
    _speak_utf8()
    speak(read_catalogue(system_language()))
    is_command = arguments and arguments[0] in (*COMMANDS, *FLAGS)
    with translated_usage():
        parser = parser_of_commands(arguments[0]) if is_command else _desk_parser()
        options = parser.parse_args(arguments)
    if getattr(options, "json", False):
        speak(ENGLISH)  # programs read the same in every language
    status = _run(options)
    if is_command:
        _note(lambda home: log.note_command(home, arguments[0], status))
    return status


def _run(options: argparse.Namespace) -> int:
    command: Command = options.command
    try:
        status = command(options)
        sys.stdout.flush()  # here, where it can be noticed that nobody reads it
        return status
    except Refused as refused:
        return _refused(refused.problems, options)
    except BrokenPipeError as error:
        return REFUSED if _has_reader_left() else _fault(error)
    except Exception as error:  # noqa: BLE001 - the last that can log it
        given = vars(options).values()
        problem = unusable(error, given) if isinstance(error, OSError) else None
        return _fault(error) if problem is None else _refused((problem,), options)
    except KeyboardInterrupt:
        complain(say("Stopped."))
        return REFUSED


def _has_reader_left() -> bool:
    """Whether nobody reads the answer any more, as after "head"; another pipe is a fault."""
    with contextlib.suppress(OSError, ValueError):
        output = sys.stdout.fileno()
        try:
            os.write(output, b"\n")
        except BrokenPipeError:
            # What is left in the buffer goes nowhere, instead of failing again at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), output)
            return True
    return False


def _refused(problems: tuple[Problem, ...], options: argparse.Namespace) -> int:
    """Say what is refused; its place only where the command is given a study that has it."""
    said = located if hasattr(options, "study") else sentence
    for problem in problems:
        complain(said(problem))
    _note(lambda home: log.note_refused(home, problems))
    return REFUSED


def _note(write: Callable[[Home], None]) -> None:
    """Write to a log, where there is a folder for it."""
    with contextlib.suppress(Refused):
        write(Home.locate())


def _fault(error: Exception) -> int:
    """A mistake of ours: its text could hold data, so its type and code places alone are kept."""
    text = faults.describe(type(error), error.__traceback__)
    _note(lambda home: faults.write(home, text))
    complain(located(Problem("$", "internal-fault", {"kind": type(error).__name__})))
    return REFUSED


def _speak_utf8() -> None:
    """A console in another encoding must not turn a sentence into a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(OSError, ValueError):
                reconfigure(errors="replace")


def _desk_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dpdesk", description=say(_DESCRIPTION))
    text = say("a study (.dpdesk), a bundle (.zip) or a data file")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=text)
    parser.set_defaults(command=_open_or_verify)
    _add_verify_installation(parser)
    return parser


def _add_verify_installation(parser: argparse.ArgumentParser) -> None:
    text = say("check installed files against the shipped list")
    parser.add_argument("--verify-installation", action="store_true", help=text)


def _open_or_verify(options: argparse.Namespace) -> int:
    if not options.verify_installation:
        return _open_desk(options.file)
    from dpdesk.shell.program import installation

    return installation.run()


def _demand_screen() -> None:
    """Qt would end the process where there is none."""
    if sys.platform in ("win32", "darwin"):
        return
    if not any(os.environ.get(name) for name in SCREENS):
        raise refuse("screen-missing")


def _open_desk(path: Path | None) -> int:
    """Open a window, or a file in the window that is open already."""
    # The desk is imported by name, so that the shell works on a machine without Qt.
    from importlib import import_module

    _demand_screen()
    try:
        home = Home.locate()
    except Refused as refused:
        complain(" ".join(located(problem) for problem in refused.problems))
        return int(import_module("dpdesk.desk.app").explain(refused.problems))
    inbox = Inbox.open(home)
    if path is not None and inbox is None and hand_over(home, path):
        return DONE
    return int(import_module("dpdesk.desk.app").run(home, path, inbox))


_DESCRIPTION: Final[Template] = "Statistics about patients that may leave the building."


def parser_of_commands(only: str = "") -> argparse.ArgumentParser:
    """What the shell understands; the manual page and completions are made from it.

    Args:
        only: a command: just those of its module are added, which saves a run of it the others.
    """
    parser = argparse.ArgumentParser(
        prog="dpdesk", description=say(_DESCRIPTION), epilog=say("dpdesk [FILE] opens the window.")
    )
    version, text = f"dpdesk {__version__}", say("show program's version number and exit")
    parser.add_argument("--version", action="version", version=version, help=text)
    _add_verify_installation(parser)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for group, names in GROUPS.items():
        if only in names or only not in COMMANDS:
            group.add_commands(commands)
    _add_diagnostics(commands)
    return parser


def _add_diagnostics(commands: Commands) -> None:
    text = say("Show what support needs to know about this computer; nothing from the data.")
    add_command(commands, "diagnostics", text, _diagnose)


def _diagnose(options: argparse.Namespace) -> int:
    from dpdesk.shell.program import installation

    return installation.show_diagnostics(Home.locate(), options.json)
