# SPDX-License-Identifier: Apache-2.0
"""A window on a disk that fills up: what it says, spends and leaves.

Home, study and data lie on a small disk of this process alone. Each act is done while it is full,
and again with room.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QLabel

from dpdesk.desk.app import application, make_window
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.dossier.dossier_dialog import DossierDialog
from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.plots.pictures import save_picture
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.labels.banner import Banner
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.study.json.study_files import load_study, save_study
from dpdesk.study.model.amount import Epsilon
from tests.desk.screens import settle, wait_until
from tests.release import small_disk
from tests.release.studies import STUDY, write_data

PASSPHRASE = "made-up passphrase"


class Acts:
    """What a custodian does; each says what the window says after it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, Home.at(folder / "home")
        self.home.make()
        write_data(folder)
        keys.BCRYPT_ROUNDS = 4
        keys.new_key(self.home.keys, "office@hospital.example", PASSPHRASE)
        Ledger.open(self.home).new_account("registry", Epsilon.of(10), "for tests")
        save_study(STUDY, folder / "stays.dpdesk")
        self.window = make_window(application(), self.home)
        self.window.show()
        self.window.opening.open_any(folder / "stays.dpdesk")
        self._times = 0

    @property
    def page(self) -> ReleasePage:
        """The Release page."""
        self.window.go_to("release")
        settle()
        page = self.window.pages["release"]
        assert isinstance(page, ReleasePage)
        return page

    def edit(self) -> str:
        """Give the study another title."""
        self._times += 1
        self._change(title=f"Title {self._times}")
        return messages(self.window)

    def _change(self, **changes: object) -> None:
        """Edit the study, and wait until it is written or cannot be."""
        document, failed = self.window.session.document, list[object]()
        document.save_failed.connect(failed.append)
        self.window.session.edit(replace(document.study, **changes), "Change the study")  # type: ignore[arg-type]
        wait_until(lambda: document.is_saved or bool(failed))
        settle()

    def prefer(self) -> str:
        """Choose another folder for bundles."""
        self.window.settings.bundles_folder = self.folder / f"bundles-{self._times}"
        self._times += 1
        return messages(self.window)

    def export(self) -> str:
        """Export the release on show."""
        self.bundle = self.folder / "bundle.zip"
        self.page.results._write(self.bundle, keys.unlock(self.home.keys, PASSPHRASE))
        settle()
        return messages(self.window)

    def dossier(self) -> str:
        """Write the dossier of the release on show."""
        there = self.bundle if self.bundle.exists() else self.folder / "first.zip"
        self.page.results.open_dossier(there)
        dialog = self.page.results.dossier
        assert isinstance(dialog, DossierDialog)
        dialog.passphrase.set_text(PASSPHRASE)
        dialog.write(self.folder / "dossier.zip")
        wait_until(lambda: not dialog.is_busy)
        settle()
        said = dialog.outcome.sentence
        dialog.reject()
        return said

    def pictures(self) -> str:
        """Save the first chart in each form."""
        canvas, endings = self.page.results.table.plot.canvas, ("png", "svg", "pdf")
        kept = [save_picture(canvas, self.folder / f"chart.{ending}") for ending in endings]
        lost = [ending for ending, is_kept in zip(endings, kept, strict=True) if not is_kept]
        return f"cannot be saved: {', '.join(lost)}" if lost else ""

    def paper(self) -> str:
        """Print a page of the handbook to a file."""
        handbook = HandbookWindow(read_handbook("en"))
        handbook.show_page("bounds")
        printer = QPrinter()
        printer.setOutputFileName(str(self.folder / "page.pdf"))
        handbook.put_on_paper(printer)
        said = [
            label.text()
            for box in handbook.findChildren(Dialog)
            for label in box.findChildren(QLabel)
        ]
        handbook.deleteLater()
        return " ".join(said)

    def log(self) -> str:
        """Make a mistake of ours, which goes to a log."""
        sys.excepthook(ValueError, ValueError("made up"), None)
        settle()
        return messages(self.window)

    def release(self) -> str:
        """Plan a new release at other shares, and do it."""
        page = self.page
        if page.released_shares is not None:
            page.footer.back.click()
        study = self.window.session.state.study
        self._times += 1
        share = Epsilon(100_000 + self._times)
        queries = tuple(replace(query, epsilon=share) for query in study.queries)
        self._change(queries=queries)
        self.page.start_release(same_extract=True)
        wait_until(lambda: self.window.session.jobs.current is None)
        settle()
        return messages(self.window)


def messages(window: MainWindow) -> str:
    """What stands in the banners, and in the bar about saving."""
    settle()
    banners = [b for b in window.findChildren(Banner) if b.isVisible()]
    saved = [w.text() for w in window.menuBar().findChildren(QLabel) if w.text()]
    return " | ".join([*(b.accessibleName() for b in banners), *saved])


def twice(folder: Path) -> dict[str, object]:
    """Do all of it on the full disk, and again with room; what came of it."""
    acts = Acts(folder)
    acts.release()
    acts.page.results._write(folder / "first.zip", keys.unlock(acts.home.keys, PASSPHRASE))
    before = Ledger.open(acts.home).account("registry").spent.units
    ballast = small_disk.fill(folder, 0)
    in_turn: list[Callable[[], str]] = [
        *(acts.prefer, acts.log, acts.pictures, acts.paper),
        *(acts.export, acts.dossier, acts.edit, acts.release),
    ]
    full = {act.__name__: act() for act in in_turn}
    # The study is tried to be saved meanwhile; what that leaves for good would be found below.
    wait_until(lambda: not any(folder.glob(".*.part")))
    files = sorted(path.name for path in folder.iterdir())
    ballast.unlink()
    after = Ledger.open(acts.home).account("registry").spent.units
    again = {act.__name__: act() for act in (in_turn[-1], *in_turn[:-1])}
    held = load_study(folder / "stays.dpdesk").study == acts.window.session.document.study
    kept = str(acts.window.settings.bundles_folder) in acts.home.settings.read_text()
    sound = Ledger.open(acts.home).check().sound
    return {
        **{"full": full, "again": again, "spent": after - before, "files": files},
        **{"held": held, "kept": kept, "sound": sound},
        "paid": Ledger.open(acts.home).account("registry").spent.units - after,
    }
