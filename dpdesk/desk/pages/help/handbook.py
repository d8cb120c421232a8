# SPDX-License-Identifier: Apache-2.0
"""The handbook's pages, as they lie in ``resources/help`` in each language.

``contents.md`` names the chapters and, by links, their pages in the order in which they are read;
each page is a Markdown file whose first line is its title. ``index.md`` names, for each page, what
people type who look for it. So the files read the same without the program. Nothing here knows Qt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpdesk.resources import resource_path

ENGLISH = "en"
CONTENTS, INDEX = "contents.md", "index.md"
_LINE = re.compile(r"^(?:## (?P<chapter>.+)|- \[(?P<title>.+)\]\((?P<key>[a-z0-9-]+)\.md\))$", re.M)
_ENTRIES = re.compile(r"^- \[.+\]\(([a-z0-9-]+)\.md\): (.+)$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)")
_PICTURE = re.compile(r"pictures/([a-z0-9-]+)\.png")
_PAGE = re.compile(r"([a-z0-9-]+)\.md")


@dataclass(frozen=True)
class HelpPage:
    """One page of the handbook.

    Attributes:
        key: its file's name without the ending; the same in every language.
        chapter: the chapter that it is in.
        title: what it is about.
        text: its Markdown, with the title as first line.
        folder: where its file is, and its pictures in ``pictures``.
        index: what people type who look for it, beside its own words.
    """

    key: str
    chapter: str
    title: str
    text: str
    folder: Path
    index: tuple[str, ...] = ()


@dataclass(frozen=True)
class Handbook:
    """All pages of one language, in the order in which they are read."""

    pages: tuple[HelpPage, ...]

    def page(self, key: str) -> HelpPage:
        """The page of a key.

        Raises:
            KeyError: there is none.
        """
        for page in self.pages:
            if page.key == key:
                return page
        raise KeyError(key)

    def beside(self, key: str) -> tuple[HelpPage | None, HelpPage | None]:
        """The pages before and after one; ``None`` at either end."""
        place = self.pages.index(self.page(key))
        before = self.pages[place - 1] if place else None
        after = self.pages[place + 1] if place + 1 < len(self.pages) else None
        return before, after


@lru_cache
def read_handbook(language: str) -> Handbook:
    """The handbook in a language; in English where there is none in it yet."""
    try:
        return handbook_of(resource_path(f"help/{language}"))
    except FileNotFoundError:
        return handbook_of(resource_path(f"help/{ENGLISH}"))


def handbook_of(folder: Path) -> Handbook:
    pages, chapter, index = [], "", _index_of(folder)
    for line in _LINE.finditer((folder / CONTENTS).read_text(encoding="utf-8")):
        if line["chapter"]:
            chapter = line["chapter"]
            continue
        text = (folder / f"{line['key']}.md").read_text(encoding="utf-8")
        entries = index.get(line["key"], ())
        pages.append(HelpPage(line["key"], chapter, line["title"], text, folder, entries))
    return Handbook(tuple(pages))


def _index_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """What people type, by the pages that answer it; a handbook may do without."""
    if not (folder / INDEX).is_file():
        return {}
    lines = _ENTRIES.findall((folder / INDEX).read_text(encoding="utf-8"))
    return {key: tuple(said.split("; ")) for key, said in lines}


def page_linked(address: str) -> str:
    """The key of the page that a link leads to; empty where it leads elsewhere.

    >>> page_linked("bounds.md"), page_linked("https://example.org/bounds.md")
    ('bounds', '')
    """
    found = _PAGE.fullmatch(address)
    return found[1] if found else ""


def picture_named(page: HelpPage, address: str, is_dark: bool) -> Path | None:
    """The file of a picture that a page names, in the colours of the window.

    Returns:
        ``None`` for what is no picture of the handbook: nothing else is ever opened.
    """
    found = _PICTURE.fullmatch(address)
    if found is None:
        return None
    path = page.folder / "pictures" / f"{found[1]}{'-dark' if is_dark else ''}.png"
    return path if path.is_file() else None


def without_other_links(text: str) -> str:
    """A text in which only links to pages are links: others stay as their words and address.

    >>> without_other_links("[a](a.md), [b](https://b.example)")
    '[a](a.md), b (`https://b.example`)'
    """

    def shown(link: re.Match[str]) -> str:
        return link[0] if page_linked(link[2]) else f"{link[1]} (`{link[2]}`)"

    return _LINK.sub(shown, text)
