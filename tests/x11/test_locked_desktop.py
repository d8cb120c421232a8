# SPDX-License-Identifier: Apache-2.0
"""A desktop that is locked on every page, and once more while the data is read: nothing is lost.

Part of ``packaging/test.py --screen``.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.x11.first_hour import ACCOUNT, SAMPLE, from_nothing_to_a_verified_bundle
from tests.x11.hands import Keyboard
from tests.x11.locker import lock_for_a_while
from tests.x11.screen import Desk, View, screen
from tests.x11.test_first_hour import HEIGHT, IS_FULL, NEEDED, WIDTH

pytestmark = [
    pytest.mark.skipif(
        not all(shutil.which(tool) for tool in NEEDED), reason=f"needs {', '.join(NEEDED)}"
    ),
    pytest.mark.skipif(not IS_FULL, reason="a minute: packaging/test.py --screen does it"),
]


class InterruptedHands(Keyboard):
    """Hands whose desktop is locked as soon as a release has begun.

    Attributes:
        display: the screen.
    """

    display = ""

    def spend(self, name: str) -> None:
        """Spend, and lock at once."""
        super().spend(name)
        lock_for_a_while(self.display, self.desk.process.pid)


def held(view: View) -> list[tuple[str, str, str, bool]]:
    """What is on show, and where the keyboard is."""
    return [(c.role, c.name, c.value, c.focused) for c in view.controls]


def test_a_locked_desktop_loses_nothing_and_spends_once(tmp_path: Path) -> None:
    home, bundle = tmp_path / "home", tmp_path / "figures.zip"
    home.mkdir()
    pages: list[str] = []
    with screen(WIDTH, HEIGHT) as display:
        desk = Desk.start(display, home)
        hands = InterruptedHands(desk)
        hands.display = display

        def look(name: str) -> None:
            before = held(desk.settled())
            lock_for_a_while(display, desk.process.pid)
            desk.wait(lambda view: held(view) == before, f"{name} as it was before")
            pages.append(name)

        try:
            from_nothing_to_a_verified_bundle(hands, SAMPLE, bundle, look)
        finally:
            desk.close()
        assert desk.process.returncode == 0
    assert len(pages) >= 12
    assert verify(bundle, known_signers(Home.at(home))).is_good
    account = Ledger.open(Home.at(home)).account(ACCOUNT)
    assert str(account.spent) == "0.3"
