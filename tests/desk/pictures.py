# SPDX-License-Identifier: Apache-2.0
"""Pictures of every page, light and dark, from the running program.

``python -m tests.desk.pictures FOLDER`` releases the sample hospital in a home of its own and
photographs each page on the way, at 1280 x 800 and, where the layout changes, 1024 x 700. A third
word is a language, such as ``de``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.queries.sentence.picker import SEPARATOR
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.signing.keys import new_key, unlock
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget
from tests.desk.camera import SMALL, Photographer, settle
from tests.desk.codebook_pictures import take_codebooks
from tests.desk.data_pictures import take_database, take_files
from tests.desk.screens import pick_in
from tests.desk.start_pictures import take_beginnings

PASSPHRASE = "made-up passphrase"


def main(folder: Path, language: str = "en") -> int:
    """Take every picture in both schemes."""
    folder.mkdir(parents=True, exist_ok=True)
    app = application()
    for scheme in ("light", "dark"):
        with tempfile.TemporaryDirectory() as home:
            Settings(Home.at(Path(home))).language = language
            window = make_window(app, Home.at(Path(home)))
            window.theme.apply(scheme)
            window.show()
            take_all(Photographer(window, folder, scheme))
            window.close()
            window.deleteLater()
            settle()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


def take_all(camera: Photographer) -> None:
    """Go through every page and state."""
    window = camera.window
    open_sample(window)
    window.session.document.close()
    camera.take("01-welcome")
    open_sample(window)
    new_key(window.session.signing_home.keys, "data-office@lindenfeld.example", PASSPHRASE)
    _spend_some(window)
    for key, name in (("data", "02-data"), ("people", "03-people"), ("columns", "04-columns")):
        window.go_to(key)
        camera.take(name)
    take_database(camera)
    _take_wrong_bound(camera)
    _take_names(camera)
    _take_queries(camera)
    _take_release(camera)
    _take_zcdp(camera)
    take_files(camera)
    take_codebooks(camera)
    take_beginnings(camera)


def open_sample(window: MainWindow) -> None:
    """Open it, and wait: a study is read beside the window."""
    window.opening.open_sample()
    _wait(lambda: bool(window.session.document.study.queries))


def _spend_some(window: MainWindow) -> None:
    """An earlier release of the same data, so that the gauge has something to show."""
    study = window.session.document.study
    first = replace(study.queries[0], id="earlier", epsilon=Epsilon.of("0.35"))
    earlier: Study = replace(study, title="Seasonality", queries=(first,))
    release(earlier, window.session.document.folder, window.session.accounts.ledger(), OpenDPDoor())
    shares = ("0.05", "0.15", "0.1", "0.05", "0.05", "0.05")
    queries = tuple(
        replace(q, epsilon=Epsilon.of(s)) for q, s in zip(study.queries, shares, strict=False)
    )
    window.session.edit(replace(study, queries=queries), "")
    window.session.reread_accounts()


def _take_wrong_bound(camera: Photographer) -> None:
    page = camera.window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    number = next(c.name for c in page.state.study.columns if c.kind == "number")
    page.select(number)
    camera.take("04-columns-number")
    page.form.numbers["upper"].edit.setText("-1")
    page.form.numbers["upper"].edited.emit("-1")
    page.form.numbers["upper"].left.emit()
    camera.take("04-columns-error")
    camera.window.session.document.undo_stack.undo()


def _take_names(camera: Photographer) -> None:
    """A category's codes with their names, and two codes of one name."""
    page = camera.window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("sex")
    for text, name in (("female = Women\nmale = Men", "names"), ("1 = Male\n2 = Male", "twice")):
        page.form.values.edit.setPlainText(text)
        camera.take(f"04-columns-{name}")
        camera.window.session.document.undo_stack.undo()


def _take_queries(camera: Photographer) -> None:
    window = camera.window
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    window.go_to("queries")
    camera.take("05-queries-count")
    mean = next(q.id for q in page.state.study.queries if q.statistic == "mean")
    page.select(mean)
    camera.take("05-queries")
    camera.take("05-queries", SMALL)
    accuracy = page.card(mean).accuracy
    for place, name in ((1, "05-queries-two-worlds"), (2, "05-queries-averaging")):
        accuracy._tabs.button(place).click()
        camera.take(name)
    accuracy._tabs.button(0).click()
    _take_over_budget(camera, page)
    _take_catalogue(camera, page, mean)


def _take_catalogue(camera: Photographer, page: QueriesPage, mean: str) -> None:
    """A median, the list of statistics, and the dialog of bins; all taken back."""
    stack = camera.window.session.document.undo_stack
    before = stack.index()
    study = page.state.study
    query = next(q for q in study.queries if q.id == mean)
    median = query_edits.set_statistic(study, query, "median")
    page._replace(mean, replace(median, by=(), where=(), epsilon=Epsilon.of("0.05")), "")
    page.select(mean)
    camera.take("05-queries-median")
    camera.take("05-queries-median", SMALL)
    sentence = page.card(mean).sentence
    sentence.chip("statistic").click()
    camera.take_popup("05-queries-statistics", sentence.anchor.popup)
    sentence.anchor.popup.close()
    pick_in(sentence, "add", "group", f"bins{SEPARATOR}{query.column}")
    camera.take_dialog("05-queries-bins")
    sentence.anchor.dialog.reject()
    stack.setIndex(before)


def _take_zcdp(camera: Photographer) -> None:
    """A plan in zCDP: the noise is named and can be chosen."""
    window = camera.window
    window.session.accounts.ledger().new_account("careful", Rho.of("0.5"), delta=Delta.of("1e-9"))
    study = window.session.document.study
    queries = tuple(replace(q, epsilon=None, rho=Rho.of("0.01")) for q in study.queries)
    budget = Budget("careful", rho=Rho.of("0.5"))
    window.session.edit(replace(study, queries=queries, budget=budget), "")
    window.session.reread_accounts()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    window.go_to("queries")
    page.select(next(q.id for q in queries if q.statistic == "mean"))
    camera.take("05-queries-zcdp")
    camera.take("05-queries-zcdp", SMALL)


def _take_over_budget(camera: Photographer, page: QueriesPage) -> None:
    query = page.state.study.queries[0]
    page._replace(query.id, replace(query, epsilon=Epsilon.of("0.6")), "")
    camera.take("05-queries-over")
    camera.window.session.document.undo_stack.undo()


def _take_release(camera: Photographer) -> None:
    window = camera.window
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    window.go_to("release")
    camera.take("06-release")
    page.ask_release()
    _wait(lambda: hasattr(page, "same_file"))
    camera.take_dialog("06-release-same-file")
    page.same_file.accept()
    camera.take_dialog("06-release-confirm")
    page.confirm.accept()
    _wait(lambda: page.released_shares is not None)
    camera.take("07-results")
    camera.take("07-results", SMALL)
    _take_bundle(camera, page)
    window.go_to("history")
    camera.take("09-history")
    window.go_to("keys")
    camera.take("16-key")
    window.go_to("queries")
    camera.take("05-queries-answered")


def _take_bundle(camera: Photographer, page: ReleasePage) -> None:
    window = camera.window
    done = page._done
    assert isinstance(done, ReleaseDone)
    key = unlock(window.session.signing_home.keys, PASSPHRASE)
    whole = window.session.home.root / "sample-release-1.zip"
    write_bundle(whole, build(done.stored, done.chain, key))
    changed = window.session.home.root / "changed.zip"
    shutil.copyfile(whole, changed)
    raw = bytearray(whole.read_bytes())
    raw[len(raw) // 3] ^= 1
    changed.write_bytes(raw)
    verify = window.pages["verify"]
    assert isinstance(verify, VerifyPage)
    for path, name in ((whole, "08-verify"), (changed, "08-verify-failed")):
        window.verify_bundle(path)
        _wait(lambda: verify.found is not None)
        camera.take(name)


def _wait(done: Callable[[], bool]) -> None:
    for _ in range(600):
        settle()
        if done():
            return
    raise TimeoutError("the program did not get there")


if __name__ == "__main__":
    sys.exit(main(Path([*sys.argv, "pictures"][1]), *sys.argv[2:3]))
