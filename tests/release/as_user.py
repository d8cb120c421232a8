# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.release.as_user ACT FOLDER USER GROUPS UMASK``: what one user here does.

Begins as root, who alone may read some Pythons: everything is loaded by a release elsewhere, then
the process becomes that user for good and acts. Prints JSON about the ledger.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.doors import ConstantDoor
from tests.release.studies import STUDY, release


def act(what: str, folder: Path) -> dict[str, Any]:
    """Open an account, release, or only look."""
    try:
        ledger = Ledger.open(Home.locate())
        if what == "open":
            ledger.new_account("registry", Epsilon.of("1"))
        if what == "release":
            release(STUDY, folder, ledger, ConstantDoor(), fresh=True)
        account = ledger.account("registry")
    except Refused as refused:
        return {"refused": refused.problems[0].code}
    return {
        "spent": str(account.spent),
        "rollback": account.rollback_suspected,
        "sound": ledger.check().sound,
        "notices": [notice.code for notice in ledger.notices],
        "by": [entry.released_by for entry in ledger.history()],
        "ledger": str(ledger.home.ledger),
    }


def load_everything(folder: Path) -> None:
    """Release once where nobody minds."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as elsewhere:
        os.environ["DPDESK_HOME"] = elsewhere
        for what in ("open", "release"):
            act(what, folder)
    os.environ.clear()
    os.environ.update(before)


def main(what: str, folder: str, user: str, groups: str, umask: str) -> None:
    """Become the user and act."""
    load_everything(Path(folder))
    os.setgroups([int(group) for group in groups.split(",") if group])
    os.setgid(int(user))
    os.setuid(int(user))
    os.umask(int(umask, 8))
    print(json.dumps(act(what, Path(folder))))


if __name__ == "__main__":
    main(*sys.argv[1:])
