# SPDX-License-Identifier: Apache-2.0
"""What a program might run or fetch when a file of a bundle is opened: nothing, in any version.

A file that was made again holds what dpdesk writes. One that cannot be made again, because another
version wrote it, is only as trustworthy as its signer; but it is opened in a browser or a
spreadsheet all the same. So it is held to a small language that has one reading: a report to tags
and attributes that only arrange text and draw, each written in one way, and a table to cells that
no spreadsheet takes for a formula; for pages to print and workbooks see ``plain_documents``. What
is outside of it is refused, harmless or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dpdesk.release.verify.pieces import SEVERAL, is_made_of
from dpdesk.release.verify.plain_documents import (
    is_plain_pdf,
    is_plain_workbook,
    is_plain_yaml,
    tags_of,
)
from dpdesk.study.problem import Problem
from dpdesk.study.text.spreadsheet_cells import is_inert_page, is_inert_table

_TAG_NAMES = """
html head title style body header footer main section div span p br hr h1 h2 h3 h4 h5 h6
b i em strong code pre ul ol li dl dt dd table caption thead tbody tfoot tr th td
figure figcaption svg g text line rect circle path polyline
"""
_ATTRIBUTE_NAMES = """
class id lang dir role scope colspan rowspan aria-label aria-hidden width height viewBox
x y x1 x2 y1 y2 cx cy r rx ry d points text-anchor
"""
TAGS = frozenset(_TAG_NAMES.split())
ATTRIBUTES = frozenset(_ATTRIBUTE_NAMES.split())
METAS = (
    re.compile(r'<meta charset="utf-8">'),
    re.compile(r'<meta name="viewport" content="[a-z0-9=,.\- ]*">'),
    re.compile(r'<meta http-equiv="Content-Security-Policy" content="[a-z0-9\-\' ;]*">'),
)
LINK = re.compile(r'</a>|<a href="#s(?:[0-9]{1,4}|A)">')
"""To a section of the same page, and nowhere else."""

_MARKDOWN = re.compile(
    r"(?:(?!://|[wW]\.)[^\\\0`<>\[\]&~_$^@]|\\[\\`*_{}\[\]<>#|~&@$^:.]|&nbsp;)" + SEVERAL
)
"""No sign that begins a tag, a link, code or an entity but behind a backslash."""

_LATEX_NAMES = (
    *("hline", "par", "quad", "textbf", "caption", "textbackslash", "textasciitilde"),
    *("textasciicircum", "pm", "ast", r"begin\{(?:table|tabular)\}", r"end\{(?:table|tabular)\}"),
)
_LATEX = re.compile(
    rf"(?:[^\\\0%#^~_]|\\(?:(?:{'|'.join(_LATEX_NAMES)})(?![A-Za-z@])|[&%$#_{{}}\\])){SEVERAL}"
)
"""No command but these, no comment, and no sign by which others are written."""

_DOCTYPE = "<!DOCTYPE html>\n"
_TAG = re.compile(r'<(/?)([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z0-9-]+="[^"<>]*")*)/?>')
_ATTRIBUTE = re.compile(r' ([a-zA-Z0-9-]+)="')
_FETCHING = re.compile(r"\\|/\*|@import|url|expression|image|src|behavior|binding")
_STYLE = "<style>"


def active_content(files: Mapping[str, bytes], names: tuple[str, ...]) -> Iterator[Problem]:
    """A ``bundle-active-content`` (param name) for each of the named files that is not plain."""
    for name in names:
        is_plain = _CHECKS.get(name.rpartition(".")[2])
        if is_plain is not None and not is_plain(files[name]):
            yield Problem("$.subject", "bundle-active-content", {"name": name})


def is_plain_report(content: bytes) -> bool:
    """Whether a page only arranges text and draws, and no text of it runs in a spreadsheet."""
    try:
        page = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if not page.startswith(_DOCTYPE) or "\0" in page:
        return False
    if not all(map(_is_plain_style, page.split(_STYLE)[1:])):
        return False
    tags = tags_of(page[len(_DOCTYPE) :])
    return all(map(_is_plain_tag, tags)) and is_inert_page(page)


def _is_plain_style(rest: str) -> bool:
    """Whether a style ends with its tag, and neither imports nor fetches."""
    style, _, end = rest.partition("<")
    return end.startswith("/style>") and not _FETCHING.search(style.lower())


def _is_plain_tag(tag: str) -> bool:
    if LINK.fullmatch(tag) or any(meta.fullmatch(tag) for meta in METAS):
        return True
    match = _TAG.fullmatch(tag)
    if match is None or match[2] not in TAGS or (match[2] == "style" and match[3]):
        return False
    return all(name in ATTRIBUTES for name in _ATTRIBUTE.findall(match[3]))


def is_plain_table(content: bytes) -> bool:
    """Whether no cell of a table runs in a spreadsheet."""
    try:
        return is_inert_table(content.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def is_plain_markdown(content: bytes) -> bool:
    """Whether a table in Markdown holds no tag, no link and no code."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return is_made_of(_MARKDOWN, text)


def is_plain_latex(content: bytes) -> bool:
    """Whether a table in LaTeX calls nothing but what arranges it."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return is_made_of(_LATEX, text)


_CHECKS: Final[dict[str, Callable[[bytes], bool]]] = {
    "html": is_plain_report,
    "csv": is_plain_table,
    "pdf": is_plain_pdf,
    "xlsx": is_plain_workbook,
    "yaml": is_plain_yaml,
    "md": is_plain_markdown,
    "tex": is_plain_latex,
}
