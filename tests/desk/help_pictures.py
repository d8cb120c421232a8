# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.desk.help_pictures``: the handbook's pictures, made by the running program.

The sample hospital is planned, released and verified in a home of its own, once for each language
and colour scheme, and parts of the window are photographed on the way. They are written beside the
pages of ``resources/help``; a page is never wider than they are. Noise differs each time: what a
picture shows is what the program does, not what a test can compare.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QScrollArea, QWidget

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.help.page_view import COLUMN, PICTURE_RATIO
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.theme.metrics import Space
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.places.home import SAMPLE_ACCOUNT, Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.keys import new_key, unlock
from tests.desk.camera import settle
from tests.source_files import ROOT

HELP = ROOT / "resources" / "help"
LANGUAGES, SCHEMES = ("en", "de"), ("light", "dark")
_INDEXED = QImage.Format.Format_Indexed8
PASSPHRASE = "made-up passphrase"
SIZE, WIDEST = QSize(788, 900), 1.1 * COLUMN
"""At this size every part that is shown fits a page, which makes wider ones a little smaller."""
WITHOUT_PANEL = QSize(688, 900)
"""Once it is this narrow the budget makes room: names below bars, buttons and keys stand whole."""
COLOURS = 128


class Photographer:
    """Takes the pictures of one language and colour scheme."""

    def __init__(self, window: MainWindow, folder: Path, scheme: str) -> None:
        self.window = window
        self.folder = folder
        self.scheme = scheme

    def take(self, name: str, part: QWidget, height: int = 0) -> None:
        """Write a picture of a part of the window: all of it, or so much from its top."""
        settle()
        area = part.rect()
        assert area.width() <= WIDEST, (name, area.width())
        if height:
            area.setHeight(min(height, area.height()))
        path = self.folder / f"{name}{'-dark' if self.scheme == 'dark' else ''}.png"
        writer = QImageWriter(str(path))
        writer.setCompression(100)
        assert writer.write(few_colours(part.grab(area).toImage())), writer.errorString()


def few_colours(picture: QImage) -> QImage:
    """A picture in its most frequent colours, which takes a third of the room.

    Other colours, of the edges of letters, become the nearest of those.
    """
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    height, width = plain.height(), plain.width()
    pixels = np.frombuffer(plain.constBits(), np.uint32).reshape(height, -1)[:, :width]
    colours, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    kept = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    parts = [c.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.int32) for c in (colours, kept)]
    apart = ((parts[0][:, None] - parts[1][None]) ** 2).sum(axis=2)
    indexes = apart.argmin(axis=1).astype(np.uint8)[places].reshape(height, width)
    small = QImage(np.ascontiguousarray(indexes).data, width, height, width, _INDEXED)
    small.setColorTable([int(colour) for colour in kept])
    return small.copy()


def main() -> int:
    """Write every picture in every language and scheme."""
    os.environ["QT_SCALE_FACTOR"] = str(PICTURE_RATIO)
    app = application()
    for language in LANGUAGES:
        folder = HELP / language / "pictures"
        folder.mkdir(exist_ok=True)
        for scheme in SCHEMES:
            with tempfile.TemporaryDirectory() as home:
                Settings(Home.at(Path(home))).language = language
                window = make_window(app, Home.at(Path(home)))
                window.theme.apply(scheme)
                window.resize(SIZE)
                window.show()
                _take_all(Photographer(window, folder, scheme))
                window.close()
                window.deleteLater()
                settle()
    return 0


def _take_all(camera: Photographer) -> None:
    window = camera.window
    window.opening.open_sample()
    _wait(lambda: window.session.document.is_open)
    new_key(_sample(window).keys, "data-office@lindenfeld.example", PASSPHRASE)
    window.go_to("columns")
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    columns.select(next(c.name for c in columns.state.study.columns if c.kind == "number"))
    settle()
    camera.take("column", columns.form, _bottom(columns.form._number_part, columns.form))
    window.go_to("queries")
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    queries.select(next(q.id for q in queries.state.study.queries if q.statistic == "mean"))
    camera.take("budget", *_above_the_guess(window))
    window.resize(WITHOUT_PANEL)
    camera.take("query", queries.card(queries.selected))
    _take_release(camera)


def _sample(window: MainWindow) -> Home:
    """The home with the sample hospital's own key."""
    return window.session.home.of_account(SAMPLE_ACCOUNT)


def _above_the_guess(window: MainWindow) -> tuple[QWidget, int]:
    """The gauge with its legend, without a bar that scrolls and without a half sentence."""
    shown = window.panel.findChild(QScrollArea).viewport()
    settle()
    return shown, window.panel._guess.mapTo(shown, QPoint(0, 0)).y() - Space.CARDS


def _bottom(part: QWidget, shown: QWidget) -> int:
    """Where a part of what is shown ends, with some air."""
    return part.mapTo(shown, QPoint(0, part.height())).y() + Space.SMALL


def _take_release(camera: Photographer) -> None:
    window = camera.window
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    _wait(lambda: not page._reason(page.state))
    page.ask_release()
    _wait(lambda: hasattr(page, "confirm") and page.confirm.isVisible())
    settle()
    page.confirm.accept()
    _wait(lambda: page.released_shares is not None)
    card = page.results.cards[1]
    # As wide as a page has room for: in German, too, names of wards stand whole below their bars.
    window.resize(window.width() + int(WIDEST) - card.width(), window.height())
    camera.take("results", card)
    window.resize(WITHOUT_PANEL)
    done = page._done
    assert isinstance(done, ReleaseDone)
    bundle = window.session.home.root / "sample-release-1.zip"
    write_bundle(bundle, build(done.stored, done.chain, unlock(_sample(window).keys, PASSPHRASE)))
    verify = window.pages["verify"]
    assert isinstance(verify, VerifyPage)
    window.verify_bundle(bundle)
    _wait(lambda: verify.found is not None)
    shown = verify._opened
    camera.take("verify", shown, _bottom(verify.answers.files, shown))


def _wait(done: Callable[[], bool]) -> None:
    for _ in range(600):
        settle()
        if done():
            return
    raise TimeoutError("the program did not get there")


if __name__ == "__main__":
    sys.exit(main())
