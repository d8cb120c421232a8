# SPDX-License-Identifier: Apache-2.0
"""The window is written in its own fonts, whatever fonts and settings a computer has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontInfo, QRawFont
from PySide6.QtWidgets import QApplication

from dpdesk.desk.theme import fonts
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.resources import resource_path
from tests.source_files import ROOT

MEASURE = """
from PySide6.QtGui import QFontMetricsF
from dpdesk.desk.app import application
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.theme import Theme
app = application()
Theme(app).apply("light")
for size in Type:
    for one in (font(size), font(size, semibold=True), font(size, mono=True)):
        shown = QFontMetricsF(one)
        print(shown.horizontalAdvance("Größe der Abteilung → ε ≤ 0,40 ⌘"), shown.height())
"""


def measured(fontconfig: str, folder: Path) -> str:
    """How large texts are on a computer with these settings."""
    settings = folder / "fonts.conf"
    settings.write_text(f"<fontconfig>{fontconfig}<cachedir>{folder}</cachedir></fontconfig>")
    run = subprocess.run(
        [sys.executable, "-c", MEASURE],
        cwd=ROOT,
        env={**os.environ, "FONTCONFIG_FILE": str(settings), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="the settings are those of fontconfig")
@pytest.mark.in_turn(2)
def test_texts_are_as_large_whatever_is_installed_and_set(tmp_path: Path) -> None:
    """Without any font, where letters are whole pixels wide; and with all of this computer."""
    finer = (
        '<match target="pattern"><edit name="hintstyle" mode="assign"><const>hintslight</const>'
        "</edit></match>"
    )
    alone = measured(f"<dir>{tmp_path}</dir>", tmp_path)
    assert len(alone.splitlines()) == 3 * len(Type)
    assert measured(f"<dir>/usr/share/fonts</dir>{finer}", tmp_path) == alone


@pytest.mark.parametrize("weight", [QFont.Weight.Normal, QFont.Weight.DemiBold, QFont.Weight.Bold])
def test_each_weight_is_a_font_of_ours(qapp: QApplication, weight: QFont.Weight) -> None:
    asked = QFont(qapp.font())
    asked.setWeight(weight)
    assert QFontInfo(asked).family() == fonts.TEXT[0]
    assert QFontInfo(asked).weight() == weight
    assert QFontInfo(font(Type.TEXT, mono=True)).family() == fonts.MONO[0]


def test_they_have_every_letter_that_is_written() -> None:
    text, spare, _mono = (
        QRawFont(str(resource_path(f"fonts/{name}")), 13)
        for name in ("Inter-Regular.ttf", "DejaVuSans.ttf", "DejaVuSansMono.ttf")
    )
    files = [*ROOT.glob("dpdesk/desk/**/*.py"), *ROOT.glob("dpdesk/t*/**/*.py")]
    files += [*ROOT.glob("resources/help/*/*.md"), *ROOT.glob("resources/texts/*.po")]
    written = set().union(*(path.read_text("utf-8") for path in files)) - {"\n"}
    assert len(written) > 100
    assert {one for one in written if not text.supportsCharacter(ord(one))} == set()
    assert all(spare.supportsCharacter(ord(one)) for one in "εδρσ≤→")


def test_each_font_has_its_licence_beside_it() -> None:
    folder = resource_path("fonts")
    for path in folder.glob("*.ttf"):
        family = path.name.replace("Sans", "-").partition("-")[0]
        assert family in (folder / f"{family}-LICENSE.txt").read_text("utf-8")
