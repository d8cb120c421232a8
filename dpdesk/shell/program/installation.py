# SPDX-License-Identifier: Apache-2.0
"""``dpdesk --verify-installation``, and ``dpdesk diagnostics``: a text for support."""

from __future__ import annotations

from dpdesk.program.diagnostics import diagnostics
from dpdesk.program.installed_files import compare
from dpdesk.release.places.home import Home
from dpdesk.shell.output import DONE, REFUSED, complain, print_json, say, say_count
from dpdesk.texts import shared


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
        print(say(shared.DAMAGED_INSTALLATION))
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
    print(say(shared.DAMAGE_ALONE))
    return REFUSED if differences else DONE


def show_diagnostics(home: Home, as_json: bool) -> int:
    """Print the text; what is to be done with it is said beside it."""
    text = diagnostics(home)
    if as_json:
        print_json({"diagnostics": text.splitlines()})
    else:
        print(text)
        complain(say("Read this before you send it: it should contain nothing from your data."))
    return DONE
