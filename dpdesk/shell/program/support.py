# SPDX-License-Identifier: Apache-2.0
"""``dpdesk diagnostics``: a text for support, to be read before it is sent."""

from __future__ import annotations

from dpdesk.program.diagnostics import diagnostics
from dpdesk.release.places.home import Home
from dpdesk.shell.output import DONE, complain, print_json, say


def run(home: Home, as_json: bool) -> int:
    """Print the text; what is to be done with it is said beside it."""
    text = diagnostics(home)
    if as_json:
        print_json({"diagnostics": text.splitlines()})
    else:
        print(text)
        complain(say("Read this before you send it: it should contain nothing from your data."))
    return DONE
