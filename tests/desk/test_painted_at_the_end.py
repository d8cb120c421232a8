# SPDX-License-Identifier: Apache-2.0
"""A window is painted as a test leaves it, before it is closed."""

import pytest
from PySide6.QtCore import QEvent

from tests.desk.conftest import OpenWindow
from tests.desk.event_counts import EventCount
from tests.turns import in_turn


def test_a_window_is_painted_in_the_turn_of_its_test(
    open_window: OpenWindow, request: pytest.FixtureRequest
) -> None:
    name = request.node.nodeid
    paints = EventCount(QEvent.Type.Paint, open_window().welcome)

    def check() -> None:
        assert bool(paints.times) == bool(in_turn([name], 8, name))

    request.addfinalizer(check)
