# SPDX-License-Identifier: Apache-2.0
"""The command of a README that checks a signature without dpdesk."""

from __future__ import annotations

PROGRAM = "%SystemRoot%\\System32\\OpenSSH\\ssh-keygen"
"""The command prompt of Windows begins its search for a program where the files were unpacked."""


def stock_command(readme: str) -> str:
    """The command for Linux and macOS; Windows has the same with the program's whole path."""
    lines = [line.strip() for line in readme.splitlines() if "ssh-keygen -Y verify" in line]
    command, prompt, shell = lines
    assert prompt == command.replace("ssh-keygen", PROGRAM, 1) and command.startswith("ssh-keygen")
    assert shell == f'cmd /c "{prompt}"'
    return command
