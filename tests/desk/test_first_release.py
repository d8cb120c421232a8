# SPDX-License-Identifier: Apache-2.0
"""From a real file to a verified bundle in the window, by mouse and keyboard, as a user would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.app import application, make_window
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog, UnlockDialog
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import allowed_signers_line, show

pytestmark = pytest.mark.painted

AGES = tuple(f"[{low}-{low + 10})" for low in range(0, 100, 10))
PASSPHRASE = "made-up passphrase"
SIGNER = "data-office@lindenfeld.example"


@pytest.fixture
def window(qtbot: QtBot, dpdesk_home: Path) -> MainWindow:
    made = make_window(application(), Home.at(dpdesk_home))
    qtbot.addWidget(made)
    made.show()
    return made


class User:
    """Presses and types; touches nothing else."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.bot = qtbot
        self.window = window

    def press(self, widget: QWidget) -> None:
        self.bot.waitUntil(lambda: widget.isVisible() and widget.isEnabled())
        self.bot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def type_into(self, field: LineField, text: str) -> None:
        field.edit.setFocus()
        field.edit.selectAll()
        self.bot.keyClicks(field.edit, text)
        self.bot.keyClick(field.edit, Qt.Key.Key_Tab)

    def primary(self) -> None:
        """Press the loud button of the page on show."""
        button = self.window.pages[self.window.page].footer.primary
        assert button is not None
        self.press(button)

    def pick(self, popup: ChoicePopup, key: str) -> None:
        """Choose a line of an open list with the keyboard."""
        items = [popup.list.item(row) for row in range(popup.list.count())]
        # The arrow keys pass over headings.
        stops = [item for item in items if item.flags() & Qt.ItemFlag.ItemIsEnabled]
        keys = [item.data(Qt.ItemDataRole.UserRole) for item in stops]
        self.bot.keyClick(popup.list, Qt.Key.Key_Home)
        for _ in range(keys.index(key)):
            self.bot.keyClick(popup.list, Qt.Key.Key_Down)
        self.bot.keyClick(popup.list, Qt.Key.Key_Return)

    def dialog(self, kind: type) -> QWidget:
        self.bot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), kind))
        found = QApplication.activeModalWidget()
        assert found is not None
        return found


def describe_people(user: User) -> None:
    page = user.window.pages["people"]
    assert isinstance(page, PeoplePage)
    user.press(page.several)
    # The column is proposed by its name, and shown before it is used.
    assert page.person.key == "patient_nbr"
    user.type_into(page.max_rows, "3")
    user.press(page.secret)
    user.press(page.account.new)
    dialog = user.dialog(NewAccountDialog)
    assert isinstance(dialog, NewAccountDialog)
    user.type_into(dialog.name, "diabetes-registry")
    user.type_into(dialog.total, "1.0")
    user.press(dialog.ok)
    user.primary()


def describe_columns(user: User) -> None:
    page = user.window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    lists = {"age": AGES, "gender": ("Female", "Male"), "readmitted": ("<30", ">30", "NO")}
    for name, values in lists.items():
        user.press(page.item(name))
        user.press(page.form.used)
        user.press(page.form.kind.segment("category"))
        page.form.values.edit.setFocus()
        for value in values:
            user.bot.keyClicks(page.form.values.edit, value)
            user.bot.keyClick(page.form.values.edit, Qt.Key.Key_Return)
    user.press(page.item("time_in_hospital"))
    user.press(page.form.used)
    assert page.form.kind.key == "number"
    for key, text in (("lower", "1"), ("upper", "14"), ("step", "1")):
        user.type_into(page.form.numbers[key], text)
    user.type_into(page.form.unit, "days")
    user.primary()


def add_queries(user: User) -> None:
    page = user.window.pages["queries"]
    assert isinstance(page, QueriesPage)
    user.press(page.empty.button)
    set_statistic(user, page, "count-people")
    add_group(user, page, "age")
    user.press(page.add_button)
    set_statistic(user, page, "mean")
    add_group(user, page, "age")
    user.type_into(page.card(page.selected).accuracy.expected, "2000")
    user.press(page.add_button)
    add_group(user, page, "gender")
    add_condition(user, page, "readmitted", "<30")


def set_statistic(user: User, page: QueriesPage, key: str) -> None:
    sentence = page.card(page.selected).sentence
    user.press(sentence.chip("statistic"))
    user.pick(sentence.anchor.popup, key)


def add_group(user: User, page: QueriesPage, column: str) -> None:
    sentence = page.card(page.selected).sentence
    user.press(sentence.chip("add"))
    user.pick(sentence.anchor.popup, "group")
    user.pick(sentence.anchor.popup, column)


def add_condition(user: User, page: QueriesPage, column: str, value: str) -> None:
    sentence = page.card(page.selected).sentence
    user.press(sentence.chip("add"))
    user.pick(sentence.anchor.popup, "where")
    user.pick(sentence.anchor.popup, column)
    dialog = user.dialog(ConditionDialog)
    assert isinstance(dialog, ConditionDialog)
    item = dialog.values.findItems(value, Qt.MatchFlag.MatchExactly)[0]
    dialog.values.setCurrentItem(item)
    user.bot.keyClick(dialog.values, Qt.Key.Key_Space)
    user.press(dialog.ok)


def release_it(user: User) -> None:
    page = user.window.pages["release"]
    assert isinstance(page, ReleasePage)
    user.press(page.release_button)
    dialog = user.dialog(NewKeyDialog)
    assert isinstance(dialog, NewKeyDialog)
    user.type_into(dialog.name, SIGNER)
    user.type_into(dialog.first, PASSPHRASE)
    user.type_into(dialog.second, PASSPHRASE)
    user.press(dialog.ok)
    confirm = user.dialog(type(page.confirm))
    # Enter never spends.
    user.bot.keyClick(confirm, Qt.Key.Key_Return)
    assert confirm.isVisible()
    user.press(page.confirm.danger_button)
    user.bot.waitUntil(lambda: page.released_shares is not None)


def export_it(user: User, path: Path) -> None:
    page = user.window.pages["release"]
    assert isinstance(page, ReleasePage)
    page.results.export_to(path)
    dialog = user.dialog(UnlockDialog)
    assert isinstance(dialog, UnlockDialog)
    user.type_into(dialog.passphrase, "not the passphrase")
    user.press(dialog.ok)
    assert dialog.passphrase.error
    assert not path.exists()
    user.type_into(dialog.passphrase, PASSPHRASE)
    user.press(dialog.ok)
    user.bot.waitUntil(path.exists)


def test_a_study_is_made_released_exported_and_accepted_by_ssh_keygen(
    qtbot: QtBot, window: MainWindow, shared_data: Path, tmp_path: Path, dpdesk_home: Path
) -> None:
    user = User(qtbot, window)
    window.opening.new_study(shared_data / "diabetes130" / "diabetic_data.csv")
    assert window.page == "data"
    user.primary()
    describe_people(user)
    describe_columns(user)
    add_queries(user)
    user.primary()
    release_it(user)
    study = window.session.document.study
    assert [q.statistic for q in study.queries] == ["count-people", "mean", "count"]
    account = window.session.accounts.ledger().account("diabetes-registry")
    assert str(account.spent) == "0.3"

    bundle = tmp_path / "bundle.zip"
    export_it(user, bundle)
    accepted_by_ssh_keygen(bundle, Home.at(dpdesk_home), tmp_path)
    verified_in_the_window(user, bundle)
    same_plan_in_the_shell(window, tmp_path, dpdesk_home)


def accepted_by_ssh_keygen(bundle: Path, home: Home, folder: Path) -> None:
    """What a recipient does who has nothing of ours."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not on this machine")
    info = show(home.keys)
    assert info is not None
    signers = folder / "allowed_signers"
    signers.write_text(allowed_signers_line(info), encoding="ascii")
    with zipfile.ZipFile(bundle) as archive:
        manifest = archive.read("manifest.json")
        signature = folder / "manifest.json.sig"
        signature.write_bytes(archive.read("manifest.json.sig"))
    command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", SIGNER]
    command += ["-n", "dpdesk-release-v1", "-s", str(signature)]
    done = subprocess.run(command, input=manifest, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b'Good "dpdesk-release-v1" signature for data-office')


def verified_in_the_window(user: User, bundle: Path) -> None:
    user.window.verify_bundle(bundle)
    page = user.window.pages["verify"]
    assert isinstance(page, VerifyPage)
    user.bot.waitUntil(lambda: page.found is not None)
    assert page.found is not None and page.found.is_good


def same_plan_in_the_shell(window: MainWindow, folder: Path, home: Path) -> None:
    """The study saved from the window is planned in the shell as the window shows it."""
    saved = folder / "saved.dpdesk"
    window.session.document.save_as(saved)
    environment = {**os.environ, "DPDESK_HOME": str(home)}
    command = [sys.executable, "-m", "dpdesk", "plan", str(saved), "--json"]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command, capture_output=True, check=True, env=environment, cwd=root, encoding="utf-8"
    )
    plan = json.loads(done.stdout)
    shown = window.session.state.plans
    assert [q["id"] for q in plan["queries"]] == list(shown)
    for query in plan["queries"]:
        parts = shown[query["id"]].parts
        assert [p["scale"] for p in query["parts"]] == [repr(p.scale) for p in parts]
        assert [p["sensitivity"] for p in query["parts"]] == [str(p.sensitivity) for p in parts]
    assert plan["account"]["left"] == "0.7"
