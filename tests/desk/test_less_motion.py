# SPDX-License-Identifier: Apache-2.0
"""Where less motion is wanted nothing moves or fades: nothing of the desk's and nothing of Qt's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractAnimation, Qt
from PySide6.QtWidgets import QApplication

from dpdesk import desk
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.work_bar import WorkBar
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import wait_until

MOVES = {
    "QVariantAnimation": "widgets/budget/gauge.py",
    "QPropertyAnimation": "widgets/inputs/search_edit.py",
    "clearButtonEnabled": "widgets/inputs/search_edit.py",
    "QProgressBar": "widgets/work_bar.py widgets/budget/gauge.py",
}
"""What moves, and the modules that have it; each asks whether things may glide."""
MOVES_ELSE = re.compile(
    r"Q(Sequential|Parallel|Abstract)Animation|QTimeLine|QMovie|QGraphics\w+Effect|setAnimated"
    r"|setWindowOpacity|timerEvent|QScroller\b"
)


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, qapp: QApplication) -> Iterator[MainWindow]:
    made = open_window(study_file)
    made.theme.set_less_motion(True)
    yield made
    made.theme.set_less_motion(False)


def moving() -> set[str]:
    """What is in motion in any window."""
    found = set()
    for widget in QApplication.allWidgets():
        for child in widget.findChildren(
            QAbstractAnimation, options=Qt.FindChildOption.FindDirectChildrenOnly
        ):
            if child.state() == QAbstractAnimation.State.Running:
                found.add(f"{type(widget).__name__}: {child.metaObject().className()}")
    return found


def edit_share(window: MainWindow) -> set[str]:
    window.go_to("queries")
    study = window.session.document.study
    first = study.queries[0]
    share = Epsilon.of("0.2" if first.epsilon == Epsilon.of("0.3") else "0.3")
    window.session.edit(
        replace(study, queries=(first.having(epsilon=share), *study.queries[1:])), ""
    )
    return moving()


def search_columns(window: MainWindow) -> set[str]:
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.search.edit.clear()
    page.search.edit.setText("d")
    return moving()


def release(window: MainWindow) -> set[str]:
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    page.review.check.bar.begin()
    page.footer.start_progress("Releasing")
    page.review.check.bar.show()
    return moving() | {"WorkBar" for bar in page.findChildren(WorkBar) if bar.runs}


def search_handbook(window: MainWindow) -> set[str]:
    window.open_handbook()
    windows = (w for w in QApplication.topLevelWidgets() if isinstance(w, HandbookWindow))
    handbook = next(w for w in windows if w.isVisible())
    handbook.search.clear()
    handbook.search.setText("epsilon")
    found = moving()
    assert not handbook.contents.isAnimated()
    window.handbook.close()
    return found


MOVING = {
    edit_share: "BudgetGauge: QVariantAnimation",
    search_columns: "QToolButton: QPropertyAnimation",
    release: "WorkBar",
    search_handbook: "QToolButton: QPropertyAnimation",
}
"""Everything that glides, fades or runs where motion is wanted, and what moves then."""


@pytest.mark.in_turn(2)
def test_nothing_moves(window: MainWindow) -> None:
    assert [act(window) for act in MOVING] == [set()] * 4


@pytest.mark.in_turn(2)
def test_the_same_moves_where_nobody_minds(window: MainWindow) -> None:
    """Or the test above would look in the wrong place.

    What moves for a moment may have come to rest before a busy machine looks at it.
    """
    window.theme.set_less_motion(False)
    for act, moves in MOVING.items():
        wait_until(lambda act=act, moves=moves: moves in act(window))


def test_menus_and_tooltips_stand_still_and_glide_again(qapp: QApplication) -> None:
    """Where the system lets them glide; offscreen it does not."""
    fading = (Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_FadeTooltip)
    for effect in (Qt.UIEffect.UI_General, *fading):
        QApplication.setEffectEnabled(effect, True)
    qapp.setProperty("dpdesk-effects", None)
    theme = Theme(qapp)
    try:
        for less in (True, False, True, None):
            theme.set_less_motion(less)
            assert [QApplication.isEffectEnabled(e) for e in fading] == [not less] * 2
    finally:
        for effect in Qt.UIEffect:
            QApplication.setEffectEnabled(effect, False)
        qapp.setProperty("dpdesk-effects", None)


def test_each_module_that_moves_something_is_known() -> None:
    root = Path(desk.__path__[0])
    for path in sorted(root.rglob("*.py")):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        for what, known in MOVES.items():
            assert what not in text or name in known.split(), f"{name} has a {what}"
        assert not MOVES_ELSE.search(text), name
        assert "Animation" not in text or "glides()" in text, name
