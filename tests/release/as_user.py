# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.release.as_user``: what users here do, each act in a process of its own.

Begins as root, who alone may read some Pythons: everything is loaded by a release elsewhere. Each
line of the input asks for an act, as JSON; a forked copy becomes that user for good, acts and
prints JSON about the ledger.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.places.shared_folder import MEMBER
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.doors import ConstantDoor
from tests.release.studies import STUDY, release, write_data


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


def load_everything() -> None:
    """Release once into a shared ledger where nobody minds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "shared").mkdir()
        (folder / "shared").chmod(0o2770)
        (folder / "machine.json").write_text(json.dumps({MEMBER: str(folder / "shared")}))
        (folder / "machine.json").chmod(0o644)
        os.environ.pop("DPDESK_HOME", None)
        os.environ |= {"DPDESK_MACHINE": str(folder / "machine.json"), "HOME": name}
        write_data(folder)
        for what in ("open", "release"):
            act(what, folder)


def become(user: int, groups: list[int], umask: int, environ: dict[str, str]) -> None:
    """Be that user, with that user's environment and no other, from here to the end."""
    os.environ.clear()
    os.environ.update(environ)
    os.setgroups(groups)
    os.setgid(user)
    os.setuid(user)
    os.umask(umask)


def main() -> None:
    """Act for each line, one after the other."""
    load_everything()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            become(asked["user"], asked["groups"], asked["umask"], asked["environ"])
            print(json.dumps(act(asked["what"], Path(asked["folder"]))), flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            return


if __name__ == "__main__":
    main()
