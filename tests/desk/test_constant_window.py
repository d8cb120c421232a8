# SPDX-License-Identifier: Apache-2.0
"""Constant: with a door that answers constants, no text of the window depends on the data.

Two files that share nothing but their header are opened, released and looked back at; every text
of every page, seen or hidden, spoken or shown, is the same. Exempt is what the Data page says of
the file itself, which is for the custodian's eyes: its size. Once the check against the file was
pressed, the texts of its card are exempt, and of nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.desk.app import application, make_window
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.release.check_card import CheckCard
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.release.places.home import Home
from tests.audit.length import some
from tests.desk.conftest import save_with_account
from tests.desk.screens import settle, texts, wait_until
from tests.doors import ConstantDoor
from tests.release.studies import STUDY
from tests.turns import in_turn

CANARY = "canary-4711"
FEW = "id,days,sex\np1,3,f\n"
MANY = "id,days,sex\n" + "".join(
    f"{CANARY}-{i % 90},{'1e9' if i % 7 else CANARY},{'fm'[i % 2] if i % 5 else CANARY}\n"
    for i in range(4_000)
)
NONE = "id,days,sex\n" + f"p1,{CANARY},{CANARY}\n" * 50
SIZE = re.compile(r"CSV text, [^.]*(\.\d+)? \w+\.")
MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d|(\w+, )?\d+\s\w+\s\d{4}, \d\d:\d\d|\w+day.*\d\d:\d\d"
)
"""No line ends inside a date: what stands there is a no-break space."""


def all_texts(window: MainWindow, exempt: QWidget | None = None) -> list[str]:
    """Every text, with the file's size and the hour of the release struck out.

    Args:
        window: the window.
        exempt: a widget whose texts are left out, its own and those of all that is inside it.
    """
    found = texts(window, with_hidden=True)
    for text in texts(exempt, with_hidden=True) if exempt is not None else ():
        found.remove(text)
    return sorted(SIZE.sub("SIZE", MOMENT.sub("MOMENT", t)) for t in found)


@dataclass(frozen=True)
class Look:
    """A window on a study beside a file of some content, and all texts found in it so far."""

    window: MainWindow
    texts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def page(self) -> ReleasePage:
        """The page with the check and the release."""
        page = self.window.pages["release"]
        assert isinstance(page, ReleasePage)
        return page

    def take(self, moment: str, keys: Iterable[str], exempt: QWidget | None = None) -> None:
        """Note all texts on some pages."""
        for key in keys:
            self.window.go_to(key)
            if moment == "after" and key == "history":
                self.window.pages[key].table.selectRow(0)  # type: ignore[attr-defined]
            settle()
            self.texts[f"{moment}, {key}"] = all_texts(self.window, exempt)

    def check(self, keys: Iterable[str]) -> None:
        """Check the file, note all texts of some pages but the card's, and forget it."""
        self.window.go_to("release")
        # What is looked up for the page ends with its foot written anew, over a planted leak, too.
        wait_until(lambda: self.window.session.looks.current is None)
        settle()
        card = self.page.review.check
        card.button.click()
        wait_until(lambda: self.window.session.jobs.current is None)
        settle()
        if card.stands_in_the_way:
            card.ask()
            settle()
        self.texts["the card"] = sorted(texts(card, with_hidden=True))
        self.take("checked", keys, card)
        if card.question is not None:
            card.question.reject()
        card.forget()
        self.take("forgotten", ["release"])

    def release(self) -> None:
        """Release, and note all texts of the pages that show it."""
        self.window.go_to("release")
        self.page.start_release()
        wait_until(lambda: self.window.session.jobs.current is None)
        settle()
        self.take("after", ["release"])
        assert self.page.released_shares is not None or self.page._trouble.isVisible()
        self.take("after", ("history", "queries", "data"))


@contextmanager
def looking(folder: Path, content: str) -> Iterator[Look]:
    """A window on the study beside a file of this content."""
    folder.mkdir()
    home = Home.at(folder / "home")
    (folder / "stays.csv").write_text(content, encoding="utf-8")
    path = save_with_account(STUDY, folder / "stays.dpdesk", home)
    window = make_window(application(), home)
    window.session.door = ConstantDoor()
    window.setUpdatesEnabled(False)  # what it says takes no painting
    window.show()
    window.opening.open_study(path)
    yield Look(window)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def seen(folder: Path, content: str, *, check: bool = False) -> dict[str, list[str]]:
    """All texts after a release; of all pages before and after a check of the file, if any."""
    with looking(folder, content) as look:
        if check:
            look.take("before", look.window.pages)
            look.check(look.window.pages)
        look.release()
    return look.texts


def checked(folder: Path, content: str) -> dict[str, list[str]]:
    """All texts of two pages after a check of the file, the check's own and another."""
    with looking(folder, content) as look:
        look.check(["data", "release"])
    return look.texts


@pytest.mark.threat("B5", "F10")
def test_no_text_of_the_window_depends_on_the_data(tmp_path: Path) -> None:
    few = seen(tmp_path / "a", FEW)
    many = seen(tmp_path / "b", MANY)
    assert few.keys() == many.keys()
    for place, found in few.items():
        assert found == many[place], place
    everything = "\n".join(t for found in many.values() for t in found)
    assert CANARY not in everything
    assert "100" in many["after, release"], "the door's constant is shown"


@pytest.mark.long
def test_only_the_checks_own_card_tells_two_files_apart(tmp_path: Path) -> None:
    few, none = (
        seen(tmp_path / name, content, check=True) for name, content in (("a", FEW), ("c", NONE))
    )
    many = [seen(tmp_path / "b", content, check=True) for content in in_turn([MANY], 2)]
    for seen_of in (none, *many):
        for place in few:
            assert (few[place] == seen_of[place]) == (place != "the card"), place
    assert any("Before you spend: 3 points" in text for text in none["the card"]), "it is inside"
    for seen_of in (none, *many):
        assert CANARY not in "\n".join(text for found in seen_of.values() for text in found)


def leak_in_footer(card: CheckCard, page: ReleasePage) -> None:
    page.footer.say(f"{len(card.memory().found or ())} {bool(card.stands_in_the_way)}")


def leak_in_a_tooltip(card: CheckCard, page: ReleasePage) -> None:
    page.release_button.setToolTip("".join(texts(card, with_hidden=True)))


def leak_beside_the_card(card: CheckCard, page: ReleasePage) -> None:
    """The same words, in another widget: they are exempt in the card alone."""
    QLabel("\n".join(texts(card, with_hidden=True)), page.review)


def leak_in_what_is_spoken(card: CheckCard, page: ReleasePage) -> None:
    page.setAccessibleDescription(str(card.stands_in_the_way))


@pytest.mark.parametrize(
    "leak",
    some([leak_in_footer, leak_in_a_tooltip, leak_in_what_is_spoken, leak_beside_the_card], 2),
)
@pytest.mark.in_turn(2)
def test_a_finding_in_any_other_place_would_be_seen(
    leak: Callable[[CheckCard, ReleasePage], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = CheckCard._show

    def leaking(card: CheckCard) -> None:
        real(card)
        page = card.parentWidget()
        while page is not None and not isinstance(page, ReleasePage):
            page = page.parentWidget()
        if isinstance(page, ReleasePage) and card.memory().found is not None:
            leak(card, page)

    monkeypatch.setattr(CheckCard, "_show", leaking)
    few = checked(tmp_path / "a", FEW)
    none = checked(tmp_path / "b", NONE)
    assert any(few[place] != none[place] for place in few if place != "the card")


def test_a_difference_would_be_seen(tmp_path: Path) -> None:
    """Other columns are another header, and that is shown."""
    found = []
    for name, content in (("a", FEW), ("b", FEW.replace("sex", "sex,ward").replace(",f", ",f,x"))):
        with looking(tmp_path / name, content) as look:
            look.take("before", ["data"])
        found.append(look.texts)
    assert found[0] != found[1]
