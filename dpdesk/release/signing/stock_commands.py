# SPDX-License-Identifier: Apache-2.0
"""The commands of ``ssh-keygen`` that files of ours tell people to run, as each system has them.

The command prompt of Windows looks for a program in the present folder first: by its short name a
program would be run that came with the files which it is to check. So these commands have the whole
path.
"""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

ON_WINDOWS: Final = "%SystemRoot%\\System32\\OpenSSH\\ssh-keygen"

ON_EACH_SYSTEM: Final[Template] = """\
Linux and macOS:

       {command}

   The Windows command prompt (cmd.exe):

       {windows}

   PowerShell:

       cmd /c "{windows}"

   Without the full path, Windows could start a program of that name from this
   folder."""
"""Behind a number or a margin of three; ``system_commands`` gives what is in it."""


def verify_command(identity: str, namespace: str, signers: str, signature: str, file: str) -> str:
    """What checks a signature, each argument but the first two the name of a file."""
    return f"ssh-keygen -Y verify -f {signers} -I {identity} -n {namespace} -s {signature} < {file}"


def system_commands(command: str) -> dict[str, str]:
    """One command as the members of ``ON_EACH_SYSTEM``."""
    return {"command": command, "windows": command.replace("ssh-keygen", ON_WINDOWS, 1)}
