# SPDX-License-Identifier: Apache-2.0
"""``dpdesk --verify-installation``: every installed file against the list that came along."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template
from dpdesk.program.installed_files import compare
from dpdesk.shell.output import DONE, REFUSED, say, say_count

LIMITS: Final[Template] = (
    "This finds damage, not an attacker, who would change the list too: compare the package with "
    "the digests published beside it."
)


def run() -> int:
    """Print each difference, and what the comparison is worth."""
    comparison = compare()
    differences = [
        *((say("changed"), name) for name in comparison.changed),
        *((say("missing"), name) for name in comparison.missing),
        *((say("additional"), name) for name in comparison.additional),
    ]
    width = max((len(what) for what, _name in differences), default=0)
    for what, name in differences:
        print(f"{what.ljust(width)}  {name}")
    if differences:
        print(say("The installation is damaged or was changed. Install dpdesk again."))
    else:
        checked = comparison.checked
        print(
            say_count(
                checked,
                "{n} file is as it was packed.",
                "{n} files are as they were packed.",
                n=checked,
            )
        )
    print(say(LIMITS))
    return REFUSED if differences else DONE
