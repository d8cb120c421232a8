# SPDX-License-Identifier: Apache-2.0
"""The manual page and what shells complete, read off the program's own parser.

Run by the environment that a build freezes: `python packaging/frozen/shell_files.py FOLDER DAY`.
Without arguments it writes `docs/commands.md`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import program

sys.path.insert(0, str(program.ROOT))

from dpdesk.cli import parser_of_commands

DOCUMENT = program.ROOT / "docs" / "commands.md"
STATUSES = {
    0: "Done.",
    1: "Refused, or not verified.",
    2: "Wrong usage.",
    3: "Nothing is wrong, but another version of dpdesk or OpenDP, or a language that is not here, "
    "keeps this program from judging all of it, so it is not verified either.",
    4: "Sound, but withdrawn or corrected, by a notice or by this computer's own ledger.",
    5: "Made up, not a release.",
}
ENVIRONMENT = {
    "DPDESK_HOME": "The folder of ledger, keys and settings, instead of the user's own.",
    "DPDESK_PASSPHRASE_FILE": "A file whose first line unlocks the signing key.",
    "DPDESK_NEW_PASSPHRASE_FILE": "A file with the new passphrase, for key passphrase.",
}
INSTALLATION = (
    "--verify-installation compares every installed file with the list that came along; it finds "
    "damage, not an attacker."
)


@dataclass(frozen=True)
class ShellCommand:
    """One command as it is typed.

    Attributes:
        words: such as ``account new``.
        help: one sentence.
        usage: how it is typed, with all its options.
        options: each with its sentence.
        commands: the words that may follow it.
    """

    words: str
    help: str
    usage: str
    options: tuple[tuple[str, str], ...]
    commands: tuple[str, ...]


def commands(
    parser: argparse.ArgumentParser, words: str = "", text: str = ""
) -> list[ShellCommand]:
    """A parser's commands, itself first."""
    below = list(_below(parser))
    options = tuple(
        (name, _plain(action.help))
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    )
    usage = " ".join(parser.format_usage().split()[1:])
    own = ShellCommand(words, _plain(text), usage, options, tuple(name for name, _, _ in below))
    inner = (commands(each, f"{words} {name}".strip(), help) for name, help, each in below)
    return [own, *(command for several in inner for command in several)]


def _below(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            for name, each in action.choices.items():
                yield name, helps.get(name, ""), each


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def manual(found: list[ShellCommand], day: str) -> str:
    """The manual page, in the man macros."""
    lines = [
        f'.TH {program.NAME.upper()} 1 "{day}" "{program.NAME} {program.version()}"',
        ".SH NAME",
        f"{program.NAME} \\- {_roff(program.SUMMARY[0].lower() + program.SUMMARY[1:])}",
        ".SH SYNOPSIS",
        f".B {program.NAME}\n.RI [ STUDY | BUNDLE.zip | DATA ]",
        f".br\n.B {program.NAME}\n.I COMMAND\n.RI [ ARGUMENT ...]",
        ".SH DESCRIPTION",
        "\n.PP\n".join(_roff(paragraph) for paragraph in program.DESCRIPTION),
        ".PP\nWithout a command a window opens, with the study, bundle or data file that is named.",
        ".PP\n" + _roff(INSTALLATION),
        ".SH COMMANDS",
        *(_section(command) for command in found if command.words and not command.commands),
        ".SH EXIT STATUS",
        *(f".TP\n.B {status}\n{_roff(text)}" for status, text in STATUSES.items()),
        ".SH ENVIRONMENT",
        *(f".TP\n.B {name}\n{_roff(text)}" for name, text in ENVIRONMENT.items()),
        ".SH FILES",
        f".TP\n.I ~/.local/share/{program.NAME}\nLedger, keys, settings and studies of the user.",
        ".SH SEE ALSO",
        ".BR ssh-keygen (1)",
    ]
    return "\n".join(lines) + "\n"


def _section(command: ShellCommand) -> str:
    options = [f".RS\n.TP\n.B {_roff(name)}\n{_roff(text)}\n.RE" for name, text in command.options]
    return "\n".join([f".TP\n.B {_roff(command.usage)}\n{_roff(command.help)}", *options])


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def document(found: list[ShellCommand]) -> str:
    """``docs/commands.md``: the same for people who read the tree."""
    lines = [
        "# Commands",
        "",
        "Made from the program's own parser by `python packaging/frozen/shell_files.py`; a test "
        "holds it. `dpdesk COMMAND --help` says the same, in the system's language.",
        "",
        f"`{program.NAME} [FILE]` opens the window, with a study, a bundle or a data file. "
        + INSTALLATION,
    ]
    for command in found:
        if command.words and not command.commands:
            lines += ["", f"## {command.words}", "", command.help, ""]
            lines += [f"    {program.NAME} {command.usage.removeprefix(program.NAME).strip()}"]
            lines += [""] * bool(command.options)
            lines += [f"- `{name}`: {text}" for name, text in command.options if name != "--help"]
    lines += ["", "## Exit status", ""]
    lines += [f"- {status}: {text}" for status, text in STATUSES.items()]
    lines += ["", "## Environment", ""]
    lines += [f"- `{name}`: {text}" for name, text in ENVIRONMENT.items()]
    return "\n".join(lines) + "\n"


def bash(found: list[ShellCommand]) -> str:
    """Completion for bash."""
    return f"""# bash completion for {program.NAME}
_{program.NAME}() {{
  local word words="" typed=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -* ]] || typed+=("$word")
  done
  case "${{typed[*]:0:2}}" in
{_cases(found, 'words="{}"')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -o default -F _{program.NAME} {program.NAME}
"""


def zsh(found: list[ShellCommand]) -> str:
    """Completion for zsh."""
    return f"""#compdef {program.NAME}
local -a typed offered
typed=(${{${{(@)words[2,CURRENT-1]}}:#-*}})
case "${{typed[1,2]}}" in
{_cases(found, "offered=({})")}
esac
compadd -a offered
_files
"""


def _cases(found: list[ShellCommand], form: str) -> str:
    """What may follow the first two words that were typed, the longest command first."""
    lines = []
    for command in sorted(found, key=lambda each: -len(each.words.split())):
        words = command.words.replace(" ", "\\ ")
        pattern = f"{words}|{words}\\ *" if words else "''"
        offered = [*command.commands, *(name for name, _ in command.options)]
        lines.append(f"    {pattern}) {form.format(' '.join(offered))} ;;")
    return "\n".join(lines)


def fish(found: list[ShellCommand]) -> str:
    """Completion for fish."""
    lines = [f"# fish completion for {program.NAME}"]
    for command in found:
        words = command.words.split()
        seen = [f"__fish_seen_subcommand_from {word}" for word in words]
        when = "; and ".join(seen) or "__fish_use_subcommand"
        for word in command.commands:
            said = next(e.help for e in found if e.words == " ".join([*words, word]))
            lines.append(f"complete -c {program.NAME} -n '{when}' -a {word} -d {_quoted(said)}")
        for name, text in command.options:
            long = name.removeprefix("--")
            lines.append(f"complete -c {program.NAME} -n '{when}' -l {long} -d {_quoted(text)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def main(folder: Path, day: str) -> None:
    """Write all of them into a folder."""
    found = commands(parser_of_commands())
    contents = {
        f"{program.NAME}.1": manual(found, day),
        f"{program.NAME}.bash": bash(found),
        f"_{program.NAME}": zsh(found),
        f"{program.NAME}.fish": fish(found),
        DOCUMENT.name: document(found),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), sys.argv[2])
    else:
        DOCUMENT.write_text(document(commands(parser_of_commands())), "utf-8", newline="\n")
