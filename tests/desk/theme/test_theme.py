# SPDX-License-Identifier: Apache-2.0
"""A change of scheme reaches every icon, label and plot; colours and icons have one home."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

import dpdesk.desk
from dpdesk.desk.main_window.menus import _Corner
from dpdesk.desk.pages.columns.column_item import FIRST, SECOND, ColumnItem, larger
from dpdesk.desk.plots.noise_plot import NoisePlot
from dpdesk.desk.theme import icons, theme
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color, set_dark
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.resources import resource_path
from tests.desk.screens import settle
from tests.source_files import nodes, syntax_tree

DESK = Path(dpdesk.desk.__file__).parent
FILES = sorted(DESK.rglob("*.py"))
OUTSIDE = [path for path in FILES if "theme" not in path.parts]
ICONS = sorted(path.stem for path in resource_path("icons/table.svg").parent.glob("*.svg"))
ICON_KEYWORDS = {"icon", "before", "after"}


def name_of(path: Path) -> str:
    return str(path.relative_to(DESK))


def icons_named_in(tree: ast.AST) -> set[str]:
    """Literals that go where an icon name goes, and tables whose name says icons."""
    found = set()
    for node in nodes(tree):
        if isinstance(node, ast.Call):
            found |= {
                k.value.value
                for k in node.keywords
                if k.arg in ICON_KEYWORDS and isinstance(k.value, ast.Constant)
            }
            first = {"IconLabel": 0, "icon_button": 0, "EmptyState": 0, "set_icon": 0, "paint": 1}
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            place = first.get(called, -1)
            if 0 <= place < len(node.args) and isinstance(node.args[place], ast.Constant):
                found.add(node.args[place].value)
        if isinstance(node, ast.Assign) and any("ICONS" in ast.unparse(t) for t in node.targets):
            values = getattr(node.value, "values", [])
            # The name alone, or first, before its colour.
            firsts = [getattr(value, "elts", [value])[0] for value in values]
            found |= {first.value for first in firsts}
    return {name for name in found if isinstance(name, str) and name}


def test_every_icon_that_is_asked_for_exists() -> None:
    asked = set()
    for path in FILES:
        asked |= icons_named_in(syntax_tree(path))
    assert len(asked) > 20
    assert asked <= set(ICONS)


def test_the_sign_of_the_program_is_seen_in_light_and_dark(themed: Theme) -> None:
    for scheme in ("light", "dark"):
        themed.apply(scheme)
        image = icons.pixmap("logo", Role.ACCENT, 40).toImage()
        dots = (image.pixelColor(x, y) for x in range(40) for y in range(40))
        inks = Counter(dot.name() for dot in dots if dot.alpha() == 255)
        (ground, _), (line, _) = inks.most_common(2)
        assert (ground, line) == (color(Role.ACCENT).name(), color(Role.ON_ACCENT).name()), scheme


@pytest.mark.parametrize("name", ICONS)
@pytest.mark.in_turn(8)
def test_an_icon_is_drawn_in_the_colour_of_its_role(name: str) -> None:
    for dark in (False, True):
        set_dark(dark)
        image = icons.pixmap(name, Role.ACCENT, 32).toImage()
        pixels = [image.pixelColor(x, y) for x in range(32) for y in range(32)]
        drawn = [p for p in pixels if p.alpha() > 250]
        assert drawn, "nothing was drawn"
        # Where two half-covered edges meet, and in the logo's inlay, the tint is mixed.
        assert sum(is_near(p, color(Role.ACCENT)) for p in drawn) > len(drawn) / 2


def is_near(found: QColor, wanted: QColor) -> bool:
    pairs = zip(found.getRgb()[:3], wanted.getRgb()[:3], strict=True)
    return all(abs(a - b) <= 2 for a, b in pairs)


def test_a_label_follows_the_scheme(qtbot: QtBot, themed: Theme) -> None:
    label = Label("words", role=Role.DANGER)
    qtbot.addWidget(label)
    themed.apply("dark")
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == "#ff9b80"
    themed.apply("light")
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == "#ae3216"


def test_a_label_follows_a_system_that_asks_for_high_contrast_meanwhile(
    qtbot: QtBot, themed: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = Label("words", role=Role.TEXT_QUIET)
    qtbot.addWidget(label)
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == "#4e5866"
    monkeypatch.setattr(theme, "wants_contrast", lambda: True)
    themed._follow_contrast()
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == "#18202b"


class Counted(Label):
    """Counts how often it is given other colours."""

    times = 0

    def setPalette(self, palette: QPalette) -> None:
        self.times += 1
        super().setPalette(palette)


@pytest.mark.parametrize("wrap", [False, True])
def test_a_label_out_of_sight_follows_the_scheme_when_it_is_painted(
    qtbot: QtBot, themed: Theme, wrap: bool
) -> None:
    area, content = QScrollArea(), QWidget()
    seen, below = (Counted("words", role=Role.DANGER, wrap=wrap, parent=content) for _ in range(2))
    content.resize(100, 2_000)
    below.move(0, 1_900)
    area.setWidget(content)
    area.resize(150, 150)
    qtbot.addWidget(area)
    with qtbot.waitExposed(area):
        area.show()
    settle()
    before = seen.times, below.times
    themed.apply("dark")
    assert (seen.times, below.times) == (before[0] + 1, before[1])
    area.verticalScrollBar().setValue(1_900)
    image = below.grab().toImage()
    dots = {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }
    assert below.times == before[1] + 1
    assert color(Role.DANGER).name() in dots


def test_a_plot_follows_the_scheme(qtbot: QtBot, themed: Theme) -> None:
    plot = NoisePlot()
    qtbot.addWidget(plot)
    plot.resize(400, 200)
    x = np.linspace(-4, 4, 200)
    plot.show_noise(x, np.exp(-abs(x)), 3.0, "days")
    plot.show()
    shown = {}
    for scheme in ("light", "dark"):
        themed.apply(scheme)
        image = plot.grab().toImage()
        # The toggle has its own line above the plot.
        shown[scheme] = image.pixelColor(3, image.height() - 4).name()
        assert shown[scheme] == color(Role.SURFACE).name()
    assert shown["light"] != shown["dark"]


def test_the_palette_is_made_of_roles(qapp: QApplication, themed: Theme) -> None:
    for scheme in ("light", "dark"):
        themed.apply(scheme)
        assert qapp.palette().color(QPalette.ColorRole.Base) == color(Role.SURFACE)
        assert qapp.palette().color(QPalette.ColorRole.Text) == color(Role.TEXT)


def test_no_colour_has_a_second_home() -> None:
    assert len(OUTSIDE) > 300
    for path, node in ((file, one) for file in OUTSIDE for one in nodes(syntax_tree(file))):
        where = f"{name_of(path)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.search(r"#[0-9A-Fa-f]{6}\b", node.value), where
        if isinstance(node, ast.Attribute):
            assert node.attr != "setStyleSheet", where
            if isinstance(node.value, ast.Attribute) and node.value.attr == "GlobalColor":
                assert node.attr == "transparent", where
        called = node.func if isinstance(node, ast.Call) else None
        if getattr(called, "id", getattr(called, "attr", "")) in ("QColor", "mkColor"):
            assert isinstance(node, ast.Call)
            literal = [a for a in node.args if isinstance(a, ast.Constant)]
            assert not literal, where


def test_a_table_in_a_card_ends_in_its_corners(qtbot: QtBot, qapp: QApplication) -> None:
    Theme(qapp).apply("light")
    card = Card()
    qtbot.addWidget(card)
    card.set_padding(1)
    block = QWidget()
    block.setAutoFillBackground(True)
    palette = block.palette()
    palette.setColor(QPalette.ColorRole.Window, color(Role.DANGER))
    block.setPalette(palette)
    card.body.addWidget(block)
    card.resize(200, 100)
    card.show()
    shown = card.grab().toImage()
    right, low = shown.width() - 1, shown.height() - 1
    corners = {shown.pixelColor(x, y).name() for x in (0, right) for y in (0, low)}
    assert corners == {color(Role.BG).name()}
    assert shown.pixelColor(right // 2, low // 2) == color(Role.DANGER)


def test_texts_of_nearly_twice_the_size_have_room(themed: Theme) -> None:
    themed.set_text_size(180)
    try:
        first, second = (QFontMetrics(font(size)) for size in (Type.TEXT, Type.QUIET))
        item = ColumnItem("patient_id")
        assert first.height() <= larger(FIRST) and second.height() <= larger(SECOND)
        assert item.sizeHint().height() >= larger(FIRST) + larger(SECOND)
        corner = _Corner().sizeHint().width() - Space.CARD - Space.TIGHT
        assert second.horizontalAdvance("All changes saved") + Space.ICON <= corner
    finally:
        themed.set_text_size(100)
