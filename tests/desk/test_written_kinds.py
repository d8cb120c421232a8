# SPDX-License-Identifier: Apache-2.0
"""Each kind of file that dpdesk writes is known wherever it is opened, and led to its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from reportlab.pdfgen.canvas import Canvas

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.sign_dialog import SignDialog
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.program.written_kinds import TO_SIGN, TO_VERIFY, Kind, is_other_archive, kind_of
from dpdesk.release.signing import keys
from dpdesk.study.problem import Problem
from dpdesk.texts.problems import sentence
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.second_person import make_person
from tests.shell.hospital import Hospital, make_hospital

KINDS: tuple[Kind, ...] = get_args(Kind)


@pytest.fixture
def hospital(
    tmp_path: Path,
    dpdesk_home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Hospital:
    return make_hospital(tmp_path, capsys, monkeypatch)


def written(hospital: Hospital, kind: Kind) -> Path:
    """A file of a kind, as a command writes it, under a name that says nothing."""
    made = WRITERS[kind](hospital, hospital.folder)
    plain = hospital.folder / f"received{made.suffix if kind in ('study', *TO_VERIFY) else ''}"
    return made.rename(plain)


def ran(hospital: Hospital, *arguments: str | Path) -> None:
    said = hospital.run(*arguments)
    assert said.status == 0, (arguments, said.err)


def of_command(*arguments: str) -> Callable[[Hospital, Path], Path]:
    """What a command writes; ``STUDY`` and ``OUT`` stand for the files."""

    def write(hospital: Hospital, folder: Path) -> Path:
        out = next(one for one in arguments if one.startswith("OUT")).removeprefix("OUT")
        known = {"STUDY": hospital.study, f"OUT{out}": folder / f"made{out}"}
        ran(hospital, *(known.get(one, one) for one in arguments))
        return folder / f"made{out}"

    return write


def bundle(hospital: Hospital, _folder: Path) -> Path:
    assert hospital.release().status == 0
    return hospital.bundle


def dossier(hospital: Hospital, folder: Path) -> Path:
    ran(hospital, "dossier", bundle(hospital, folder), "--to", folder / "made.zip")
    return folder / "made.zip"


def notice(hospital: Hospital, folder: Path) -> Path:
    bundle(hospital, folder)
    why = ("--reason", "two wards were swapped", "--notice", folder / "made.notice")
    ran(hospital, "ledger", "withdraw", "2", *why)
    return folder / "made.notice"


def plan(hospital: Hospital, folder: Path) -> Path:
    person = make_person(folder)
    required = ("account", "second-person", "small", "--signer", person.line)
    ran(hospital, *required, "--reason", "two eyes")
    ran(hospital, "plan", hospital.study, "--to", folder / "made.json")
    return folder / "made.json"


def signature(hospital: Hospital, folder: Path) -> Path:
    handed = plan(hospital, folder)
    with make_person(folder / "again").at_work():
        ran(hospital, "sign", handed)
    return handed.with_name(f"{handed.name}.sig")


def change(hospital: Hospital, folder: Path) -> Path:
    plan(hospital, folder)
    ending = ("--end", "--reason", "they left", "--to", folder / "change.json")
    ran(hospital, "account", "second-person", "small", *ending)
    return folder / "change.json"


def ledger_export(hospital: Hospital, folder: Path) -> Path:
    ran(hospital, "ledger", "export", folder / "made.zip")
    return folder / "made.zip"


def rehearsal(hospital: Hospital, folder: Path) -> Path:
    ran(hospital, "rehearse", hospital.study, "--to", folder / "made_up_rows.zip")
    return folder / "made_up_rows.zip"


def study(hospital: Hospital, _folder: Path) -> Path:
    return hospital.study


def public_key(hospital: Hospital, folder: Path) -> Path:
    info = keys.show(hospital.home.keys)
    assert info is not None
    (folder / "line").write_text(keys.allowed_signers_line(info), encoding="ascii")
    return folder / "line"


def private_key(hospital: Hospital, folder: Path) -> Path:
    return (hospital.home.keys / keys.PRIVATE_NAME).rename(folder / "key")


WRITERS: dict[Kind, Callable[[Hospital, Path], Path]] = {
    "study": study,
    "bundle": bundle,
    "dossier": dossier,
    "rehearsal": rehearsal,
    "backup": of_command("ledger", "backup", "OUT"),
    "ledger-export": ledger_export,
    "plan": plan,
    "change": change,
    "notice": notice,
    "signature": signature,
    "key-notice": of_command("key", "rotate", "--out", "OUT"),
    "revocation": of_command("key", "certificate", "--out", "OUT"),
    "public-key": public_key,
    "private-key": private_key,
    "table-schema": of_command("codebook", "STUDY", "--write", "OUT.json"),
    "document": of_command("key", "print", "--out", "OUT.pdf"),
}


def named(kind: Kind, path: Path) -> str:
    return sentence(Problem("$", f"file-is-{kind}", {"name": path.name}))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.in_turn(6)
def test_each_kind_is_known_and_named_by_the_shell(hospital: Hospital, kind: Kind) -> None:
    path = written(hospital, kind)
    assert kind_of(path) == kind
    said = hospital.run("verify", path)
    assert (named(kind, path) in said.err) == (kind not in TO_VERIFY), said.err
    if kind not in (*TO_VERIFY, *TO_SIGN):
        assert named(kind, path) in hospital.run("sign", path).err


@pytest.mark.parametrize("kind", ["bundle", "dossier", "rehearsal", "backup", "ledger-export"])
@pytest.mark.in_turn(2)
def test_an_archive_of_ours_stays_one_whoever_packed_it(hospital: Hospital, kind: Kind) -> None:
    """One that was changed, packed again or cut is not taken for somebody's table."""
    path, again = written(hospital, kind), hospital.folder / "again.zip"
    with ZipFile(path) as archive, ZipFile(again, "w", ZIP_DEFLATED) as packed:
        for name in archive.namelist():
            packed.writestr(f"folder/{name}", archive.read(name))
    assert not is_other_archive(path) and not is_other_archive(again)
    again.write_bytes(path.read_bytes()[:-30])
    assert not is_other_archive(again)
    with ZipFile(again, "w") as archive:
        archive.writestr("stays.csv", "id")
    assert is_other_archive(again)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.in_turn(6)
def test_each_kind_is_led_to_its_place_from_everywhere(
    hospital: Hospital,
    kind: Kind,
    open_window: OpenWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = written(hospital, kind)
    window = open_window()
    problems: list[Problem] = []
    window.session.misread.connect(problems.extend)
    window.session.failed.connect(problems.extend)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    for way in ("any", "data", "study", "bundle", "sign", "verify-page"):
        problems.clear()
        window.session.document.close()
        open_in(window, way, path)
        page = window.pages.find("verify")
        if kind in TO_VERIFY:
            assert isinstance(page, VerifyPage), way
            qtbot.waitUntil(lambda: found_in(window))
            page.found = page.found_dossier = None
        elif kind in TO_SIGN:
            assert isinstance(page, VerifyPage) and isinstance(page.handed, SignDialog)
            page.handed.reject()
            del page.handed
        elif kind == "notice":
            assert isinstance(page, VerifyPage), way
            assert "is a signer’s notice" in page._trouble.accessibleName(), way
            page._trouble.say("", "")
        elif kind == "study" and way != "verify-page":
            qtbot.waitUntil(lambda: window.session.state.study.title == "Small hospital")
        elif way == "verify-page":
            assert isinstance(page, VerifyPage)
            assert named(kind, path) in page._trouble.accessibleName()
        else:
            assert [problem.code for problem in problems] == [f"file-is-{kind}"], way


def found_in(window: MainWindow) -> bool:
    """Whether the page Verify has found something."""
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    return page.found is not None or page.found_dossier is not None


def open_in(window: MainWindow, way: str, path: Path) -> None:
    """Open a file as somebody does who takes it for something else."""
    if way == "verify-page":
        window.go_to("verify")
        page = window.pages["verify"]
        assert isinstance(page, VerifyPage)
        page.open_bundle(path)
    else:
        opening = window.opening
        asks = {"data": "new", "study": "open", "bundle": "verify", "sign": "sign"}
        opening.do(asks[way]) if way in asks else opening.open_any(path)
    settle()


def test_who_signed_a_plan_sees_what_to_do_with_it(
    hospital: Hospital, open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed = plan(hospital, hospital.folder)
    person = make_person(hospital.folder / "again")
    with person.at_work():
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(handed), ""))
        window = open_window()
        for name in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
            (hospital.home.keys / name).write_bytes((person.home.keys / name).read_bytes())
        window.welcome.sign.click()
        page = window.pages["verify"]
        assert isinstance(page, VerifyPage)
        page.handed.passphrase.set_text("second made-up passphrase")
        page.handed.accept()
        qtbot.waitUntil(lambda: page._trouble.isVisible())
    said = page._trouble.accessibleName()
    assert "Signed." in said and f"Return {handed.name} and {handed.name}.sig" in said
    assert json.loads(handed.read_bytes())["dpdesk_plan"] == 1


@pytest.mark.parametrize(("maker", "kind"), [("dpdesk", "document"), ("Another", None)])
@pytest.mark.parametrize("pages", [1, 90])
def test_a_document_is_known_by_who_made_it_however_long_it_is(
    tmp_path: Path, maker: str, kind: str | None, pages: int
) -> None:
    canvas = Canvas(str(tmp_path / "d.pdf"))
    canvas.setCreator(maker)
    for number in range(pages):
        canvas.drawString(72, 700, f"page {number}")
        canvas.showPage()
    canvas.save()
    assert kind_of(tmp_path / "d.pdf") == kind


@pytest.mark.parametrize(
    "end",
    [
        b"",
        b"/Info 3 0 R startxref 9999999\n%%EOF",
        b"/Info 999999 0 R startxref 0\n%%EOF",
        b"/Info 1 0 R startxref 0\n%%EOF",
    ],
)
def test_a_document_with_a_wrong_end_is_nobodys(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "d.pdf"
    path.write_bytes(b"%PDF-1.4\nxref\n0 2\n" + b"x" * 40 + end)
    assert kind_of(path) is None
