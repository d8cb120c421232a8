# SPDX-License-Identifier: Apache-2.0
"""What becomes of the package on a system without Python, compiler and network.

The tests share one system and go from the first installation to the last removal, in the order
in which they stand here. Controls are found by what a screen reader learns, and pressed by the
mouse.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from clean_root import OTHER_LOCALE, PACKAGES, USER, CleanRoot

from tests.installed.desktop import Desktop, desktop
from tests.x11.first_hour import PASSPHRASE, all_is_on_the_screen, export_and_verify, release
from tests.x11.hands import Mouse
from tests.x11.screen import Rect, View

BASE = CleanRoot(Path(os.environ["DPDESK_INSTALLED"]).resolve())
PACKAGE, OTHER = os.environ["DPDESK_INSTALLED_PACKAGES"].split(":")
PICTURES = Path(os.environ["DPDESK_SCREENS"])
SMALL, FULL_HD = (1366, 768), (1920, 1080)
HOMES = Path("/home")
HOME, READ_ONLY, NEWCOMER = (str(HOMES / name) for name in (USER, "read-only", "newcomer"))
STUDY = f"{HOME}/.local/share/dpdesk/studies/sample-hospital/sample.dpdesk"
ENTRY = "/usr/share/applications/org.dpdesk.dpdesk.desktop"
WELCOME = "Try the sample hospital"
VERDICT = "You can rely on this bundle"


@pytest.fixture(scope="module")
def session() -> Iterator[Desktop]:
    """The system with the package installed."""
    place = BASE.folder.with_name("clean-root-in-use")
    with desktop(BASE, place, PICTURES, SMALL) as made:
        done = made.root.install(PACKAGE)
        assert done.returncode == 0, done.stdout + done.stderr
        yield made


@pytest.fixture(autouse=True)
def closed(session: Desktop) -> Iterator[None]:
    """Every test begins without a window, and no start says more than a sentence."""
    session.forget()
    yield
    session.end()
    assert "Traceback" not in session.said(), session.said()


@pytest.fixture(scope="module")
def bundle(session: Desktop) -> Path:
    """Where the bundle is exported to; the same place inside and outside."""
    return session.root.shared[-1] / "figures.zip"


def shows(view: View, name: str) -> bool:
    """Whether a control's name begins so."""
    return any(control.name.startswith(name) for control in view.controls)


def test_nothing_but_the_package_is_there(session: Desktop) -> None:
    tools = session.run("sh", "-c", "command -v python3 python perl6 gcc cc c++ make pip")
    assert tools.stdout == ""
    packages = session.run("dpkg-query", "-W", "-f", "${Package}\n").stdout.split()
    assert "dpdesk" in packages
    assert [name for name in packages if "python" in name or name.startswith("gcc-1")] == [
        "gcc-12-base"
    ]
    links = session.run("cat", "/proc/net/dev").stdout.splitlines()[2:]
    assert [line.split(":")[0].strip() for line in links] == ["lo"]


def test_every_installed_file_is_as_listed(session: Desktop) -> None:
    done = session.run("dpdesk", "--verify-installation")
    assert (done.returncode, done.stderr) == (0, "")
    assert session.run("dpkg", "--verify", "dpdesk").stdout == ""


def test_the_menu_entry_starts_the_window_and_the_sample_is_released(
    session: Desktop, bundle: Path
) -> None:
    session.start("gio", "launch", ENTRY)
    session.wait(lambda view: shows(view, WELCOME), "the first page")
    hands = Mouse(session.desk)

    def look(name: str) -> None:
        view = session.desk.settled()
        session.desk.picture(name)
        assert all_is_on_the_screen(view, Rect(0, 0, *SMALL)) == []
        # Every program of the session may listen to what a screen reader learns.
        assert not [c.name for c in view.controls if PASSPHRASE in c.value]

    look("1-from-the-menu")
    hands.press(WELCOME)
    session.wait(lambda view: view.all("Review release", "Button"), "the sample")
    look("2-sample")
    hands.press("Review release")
    release(hands, look)
    export_and_verify(hands, bundle, look)
    session.close()


def test_the_bundle_verifies_in_the_shell(session: Desktop, bundle: Path) -> None:
    done = session.run("dpdesk", "verify", str(bundle), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["verified"] is True
    # Each file comes out of the installed libraries again, the printed report and workbook too.
    assert found["remade"] == {"ok": True, "not_remade": []}


def test_a_double_click_opens_a_study_without_a_desktop(session: Desktop) -> None:
    """Where xdg-open looks into the database itself, by a file's ending alone."""
    session.start("xdg-open", STUDY)
    session.wait(lambda view: view.all("Review release", "Button"), "the study")


def test_a_double_click_opens_study_and_bundle(session: Desktop, bundle: Path) -> None:
    """Where a desktop's own opener looks into the file, too."""
    gnome = {"XDG_CURRENT_DESKTOP": "GNOME"}
    session.start("xdg-open", STUDY, **gnome)
    session.wait(lambda view: view.all("Review release", "Button"), "the study")
    session.desk.picture("10-study")
    first = session.windows()
    assert len(first) == 1
    session.start("xdg-open", str(bundle), **gnome)
    session.wait(lambda view: shows(view, VERDICT), "the verdict in the open window")
    session.desk.picture("11-bundle-in-the-same-window")
    assert session.windows() == first
    session.close()
    session.start("xdg-open", str(bundle), **gnome)
    session.wait(lambda view: shows(view, VERDICT), "the verdict in a window of its own")
    assert session.windows() != first


def test_the_shell_hands_a_study_to_the_open_window(session: Desktop, bundle: Path) -> None:
    session.start("dpdesk", str(bundle))
    session.wait(lambda view: shows(view, VERDICT), "the verdict")
    first = session.windows()
    done = session.run("dpdesk", STUDY)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    session.wait(lambda view: view.all("Review release", "Button"), "the study")
    assert session.windows() == first
    session.close()


def test_a_question_that_is_open_keeps_its_window(session: Desktop, bundle: Path) -> None:
    session.start("dpdesk", STUDY)
    session.wait(lambda view: view.all("Review release", "Button"), "the study")
    session.desk.key("ctrl+o")
    session.wait(lambda view: view.modal == "Open a study", "the dialog")
    session.start("xdg-open", str(bundle), XDG_CURRENT_DESKTOP="GNOME")
    session.wait(lambda view: len(view.windows) == 3, "a second window beside the dialog")
    assert len(session.windows()) == 2


def _state(session: Desktop, bundle: Path) -> list[str]:
    """What the program says of the ledger, the key, the study and the bundle."""
    commands = (
        ("account", "list"),
        ("key", "show", "--sample"),
        ("plan", STUDY),
        ("verify", str(bundle)),
    )
    answers = []
    for command in commands:
        done = session.run("dpdesk", *command)
        assert (done.returncode, done.stderr) == (0, ""), command
        answers.append(done.stdout)
    return answers


def test_upgrade_and_downgrade_keep_ledger_key_and_study(session: Desktop, bundle: Path) -> None:
    """Each version reads what the one before wrote, and writes an entry for the next one."""
    before = _state(session, bundle)
    for total, package in enumerate((OTHER, PACKAGE), 2):
        done = session.root.install(package)
        assert done.returncode == 0, done.stdout + done.stderr
        asked = session.run("dpkg-query", "-W", "-f", "${Version}", "dpdesk")
        packed = session.run("dpkg-deb", "--field", f"/{PACKAGES}/{package}", "Version")
        assert asked.stdout == packed.stdout.strip()
        assert _state(session, bundle) == before
        assert session.run("dpdesk", "--verify-installation").returncode == 0
        session.start("xdg-open", STUDY)
        session.wait(lambda view: shows(view, "6 queries, 0.00 planned"), "what was paid")
        session.desk.picture(f"12-after-{asked.stdout}")
        session.close()
        raised = ("account", "raise", "sample-hospital", str(total), "--reason", "To try it")
        assert session.run("dpdesk", *raised).returncode == 0
        before = _state(session, bundle)


@pytest.mark.parametrize("home", ["/nowhere", READ_ONLY])
def test_without_a_home_to_write_to_a_sentence_is_said(session: Desktop, home: str) -> None:
    made = f"mkdir -p {READ_ONLY} && chown {USER} {READ_ONLY} && chmod 555 {READ_ONLY}"
    session.root.run("sh", "-c", made, user="root")
    shell = session.run("dpdesk", "account", "list", HOME=home)
    assert shell.returncode == 1
    assert shell.stderr.startswith("dpdesk cannot write to its folder ")
    assert shell.stderr.count("\n") == 1
    session.start("gio", "launch", ENTRY, HOME=home)
    session.wait(lambda view: shows(view, "dpdesk cannot write to its folder "), "the reason")
    session.desk.picture(f"13-home-{Path(home).name}")


def test_a_user_whom_the_system_does_not_know_gets_a_sentence(session: Desktop) -> None:
    unknown = "sh", "-c", "unset HOME; dpdesk account list"
    done = session.root.run(*unknown, user="4321:4321", LANG="C.UTF-8")
    assert done.returncode == 1
    assert done.stderr.startswith("dpdesk cannot write to its folder ")
    assert done.stderr.count("\n") == 1


def test_a_new_user_begins_without_a_question(session: Desktop) -> None:
    session.root.run("useradd", "--create-home", "newcomer", user="root")
    session.root.run("chown", "-R", USER, NEWCOMER, user="root")
    session.start("gio", "launch", ENTRY, HOME=NEWCOMER)
    view = session.wait(lambda view: shows(view, WELCOME), "the first page")
    assert view.modal == ""
    session.close()


def test_another_encoding_than_utf8(session: Desktop) -> None:
    """Letters that the encoding lacks stand in the study's folder and in what is printed."""
    latin = {"LANG": OTHER_LOCALE, "LC_ALL": OTHER_LOCALE, "HOME": NEWCOMER}
    folder = f"{NEWCOMER}/\u0141\u00f3d\u017a \u2013 Studien"
    copied = f"mkdir -p '{folder}' && cp /usr/lib/dpdesk/_internal/resources/sample/* '{folder}'"
    session.run("sh", "-c", copied)
    study = f"{folder}/sample.dpdesk"
    for command in (["plan", study], ["check", study], ["--help"]):
        done = session.run("dpdesk", *command, **latin)
        assert (done.returncode, done.stderr) == (0, ""), command
    missing = session.run("dpdesk", "plan", f"{folder}/none.dpdesk", **latin)
    assert missing.returncode == 1
    assert missing.stderr.count("\n") == 1
    session.start("xdg-open", study, **latin)
    session.wait(lambda view: view.all("Zur Freigabe", "Button"), "the study")
    session.desk.picture("14-latin-1")
    session.close()


def test_without_a_screen_a_sentence_is_said(session: Desktop) -> None:
    done = session.run("dpdesk", STUDY, DISPLAY="")
    assert done.returncode == 1
    assert done.stderr.startswith("There is no screen for the window")
    # One that nobody listens at is Qt's to report.
    gone = session.run("dpdesk", STUDY, DISPLAY=":4711")
    assert gone.returncode != 0
    assert "Traceback" not in gone.stderr


def test_a_screen_at_200_percent(session: Desktop) -> None:
    with session.on_another_screen(FULL_HD, 2) as other:
        other.start("gio", "launch", ENTRY)
        view = other.wait(lambda view: shows(view, WELCOME), "the first page")
        assert all_is_on_the_screen(view, Rect(0, 0, *FULL_HD)) == []
        other.desk.picture("15-at-200-percent")
        other.close()


def test_purged_it_leaves_the_home_alone(session: Desktop) -> None:
    listing = f"cd {HOME} && find . -type f | sort | xargs -d '\\n' sha256sum"
    before = session.run("sh", "-c", listing).stdout
    done = session.root.run("dpkg", "--purge", "dpdesk", user="root")
    assert done.returncode == 0, done.stderr
    assert sorted(session.root.unowned() - BASE.unowned()) == []
    assert session.run("sh", "-c", listing).stdout == before
    assert "sample.dpdesk" in before
    kind = session.run("xdg-mime", "query", "default", "application/vnd.dpdesk.study+json")
    assert kind.stdout.strip() == ""
