# SPDX-License-Identifier: Apache-2.0
"""Numbers and small words stay on one line with what they belong to, where there is room."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.labels.bound_words import LONGEST, bound
from dpdesk.desk.widgets.labels.label import Label, heading


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Released on 26 November 2026", "Released on~26~November~2026"),
        ("any one person (50 in 100) certainly", "any one person (50~in~100) certainly"),
        ("beim Münzwurf sind es 50.", "beim Münzwurf sind~es~50."),
        ("one would need 15 times the noise", "one would need 15~times the~noise"),
        ("(ledger entry 2), of which", "(ledger entry~2), of~which"),
    ],
)
def test_numbers_stay_with_their_words(text: str, shown: str) -> None:
    assert bound(text).replace("\N{NO-BREAK SPACE}", "~") == shown


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Anzahl der Personen je gender", "Anzahl der~Personen je~gender"),
        ("zu Back within 30 days = yes", "zu~Back within 30~days~=~yes"),
        ("Mean of cost, for each ward", "Mean of~cost, for~each~ward"),
        ("Count of rows, for each Ward and Sex", "Count of~rows, for~each~Ward~and~Sex"),
        ("Mean of a_column_with_a_very_long_name", "Mean of a_column_with_a_very_long_name"),
    ],
)
def test_small_words_of_a_title_stay_with_the_next(title: str, shown: str) -> None:
    found = bound(title, is_title=True)
    assert found.replace("\N{NO-BREAK SPACE}", "~") == shown
    assert all(len(piece) <= LONGEST or piece in title for piece in found.split(" "))


def test_lines_end_before_what_is_bound_if_that_has_room(qtbot: QtBot) -> None:
    title = heading("Anzahl der Personen je gender", wrap=True)
    rich = Label("any one person (<b>50 in 100</b>)", wrap=True, rich=True)
    for label in (title, rich):
        qtbot.addWidget(label)
    for label, bound_end, loose_end in (
        (title, "je~gender", "gender"),
        (rich, "(50~in~100)", "100)"),
    ):
        assert label._spread is not None
        spread = label._lay_out(label._spread)
        least = round(spread._least) + 1
        for width, end in ((least, bound_end), (least // 2, loose_end)):
            spread.height(width)
            block = spread._document.firstBlock()
            last = block.layout().lineAt(block.layout().lineCount() - 1)
            shown = block.text()[last.textStart() :]
            assert shown.replace("\N{NO-BREAK SPACE}", "~") == end
        assert "\N{NO-BREAK SPACE}" not in label.text()
