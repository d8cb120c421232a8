# SPDX-License-Identifier: Apache-2.0
"""A field to search in looks like the rest of the window, in light and in dark."""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.inputs.search_edit import SearchEdit
from tests.desk.screens import settle


def inks(image: QImage) -> set[str]:
    """The colours of what is painted in full."""
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    dots = (image.pixelColor(x, y) for x, y in places)
    return {QColor(dot.rgb()).name() for dot in dots if dot.alpha() == 255}


def test_the_button_that_clears_it_has_the_colour_of_quiet_icons(
    qtbot: QtBot, themed: Theme
) -> None:
    search = SearchEdit("Search")
    qtbot.addWidget(search)
    search.setText("a")
    for scheme in ("light", "dark"):
        themed.apply(scheme)
        (button,) = search.findChildren(QToolButton)
        painted = button.icon().pixmap(16).toImage()
        assert inks(painted) <= {color(Role.TEXT_QUIET).name()}, scheme
        assert any(painted.pixelColor(x, x).alpha() for x in range(painted.width())), scheme


def test_a_button_that_is_not_on_show_takes_no_room(qtbot: QtBot) -> None:
    search, plain = SearchEdit("Search"), QLineEdit(frame=False)
    for edit in (search, plain):
        qtbot.addWidget(edit)
    assert search.minimumSizeHint().width() == plain.minimumSizeHint().width()


def test_what_stands_beside_stays_where_it_is_while_something_is_typed(qtbot: QtBot) -> None:
    search = SearchEdit("Search")
    qtbot.addWidget(search)
    search.show()
    empty = search.sizeHint()
    search.setText("a")
    settle()
    assert search.sizeHint() == empty
