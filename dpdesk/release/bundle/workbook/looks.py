# SPDX-License-Identifier: Apache-2.0
"""How cells look: heads, links, numbers with the decimals and the unit that their figure has.

A cell holds the number itself. What a look may be is held to a short list where a stranger's
workbook is verified; see ``release.verify.plain_documents``.
"""

from __future__ import annotations

from typing import Any, Final

from dpdesk.release.bundle.readable import Form

_INK, _QUIET, _HEAD = "#0B6380", "#5B6670", "#E1EEF3"
_SUM = "#F1F3F5"
READ_TAB: Final = _INK
"""The tab of a sheet for people."""
DATA_TAB: Final = "#9AA5AD"
"""That of one for programs."""
_TITLE: Final = {"bold": True, "font_size": 14}
_HEADING: Final = {
    "bold": True,
    "text_wrap": True,
    "bg_color": _HEAD,
    "valign": "bottom",
    "bottom": 1,
    "bottom_color": _INK,
}


class Looks:
    """The looks of one workbook's cells, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._known: dict[tuple[tuple[str, object], ...], Any] = {}

    def chart(self, kind: dict[str, str]) -> Any:
        """An empty chart of the workbook."""
        return self._book.add_chart(kind)

    @property
    def title(self) -> Any:
        return self._made(**_TITLE)

    @property
    def bold(self) -> Any:
        return self._made(bold=True)

    def bold_head(self, is_number: bool) -> Any:
        """A column's head in a sheet of data."""
        return self._made(bold=True, **({"align": "right"} if is_number else {}))

    @property
    def bold_behind(self) -> Any:
        """A heading over several columns."""
        return self._made(bold=True, indent=1)

    @property
    def quiet(self) -> Any:
        return self._made(font_color=_QUIET)

    @property
    def link(self) -> Any:
        return self._made(font_color=_INK, underline=1)

    @property
    def link_behind(self) -> Any:
        """A link behind another one."""
        return self._made(font_color=_INK, underline=1, indent=1)

    @property
    def bold_link(self) -> Any:
        return self._made(bold=True, font_color=_INK, underline=1)

    def text(self, *, is_first: bool, is_wrapped: bool = False) -> Any:
        """A text; behind another column it keeps off its figures.

        Args:
            is_wrapped: it takes several lines.
        """
        wrapped = {"text_wrap": True} if is_wrapped else {}
        return self._made(**wrapped, **({} if is_first else {"indent": 1}))

    @property
    def text_of_figure(self) -> Any:
        """A text in a column of numbers."""
        return self._made(align="right")

    def head(self, is_number: bool, is_first: bool) -> Any:
        """A column's head, above its figures or texts."""
        place = {"align": "right"} if is_number else {} if is_first else {"indent": 1}
        return self._made(**_HEADING, **place)

    def total(self, is_first: bool) -> Any:
        """A text in a line of totals."""
        return self._made(bold=True, bg_color=_SUM, **({} if is_first else {"indent": 1}))

    def number(
        self, text: str, form: Form, unit: str = "", is_quiet: bool = False, is_total: bool = False
    ) -> Any:
        """A number for people: with separators between thousands."""
        look: dict[str, object] = {"num_format": _code(text, form, unit, "#,##0")}
        if is_total:
            look |= {"bold": True, "bg_color": _SUM}
        if is_quiet:
            look["font_color"] = _QUIET
        return self._made(**look)

    def plain(self, text: str, form: Form, unit: str) -> Any:
        """A number of data; none where it has neither unit nor percent sign.

        A margin is looked at as its share is, as its cell holds the number of the file.
        """
        shown: Form = "percent" if form == "points" else form
        if not unit and shown != "percent":
            return None
        return self._made(num_format=_code(text, shown, unit, "0"))

    def _made(self, **look: object) -> Any:
        """Cells of a line begin side by side, where one of them takes several lines."""
        look = {"valign": "top", **({"align": "left"} if "indent" in look else {})} | look
        key = tuple(sorted(look.items()))
        if key not in self._known:
            self._known[key] = self._book.add_format(look)
        return self._known[key]


def _code(text: str, form: Form, unit: str, whole: str) -> str:
    """A number's format: shares as percentages, all with the decimals that are published.

    Margins in points are written in hundredths, see ``cells.hundredths``: "0.5 %" of a share would
    be something else.
    """
    in_hundredths = form in ("percent", "points")
    decimals = max(0, len(text.partition(".")[2]) - 2 * in_hundredths)
    is_share = form == "percent"
    digits = f"{'0' if is_share else whole}{'.' + '0' * decimals if decimals else ''}"
    if is_share:
        return f"{digits} %"
    return f'{digits}" {unit}"' if unit else digits
