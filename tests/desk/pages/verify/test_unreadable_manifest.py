# SPDX-License-Identifier: Apache-2.0
"""A manifest whose members are of other types is called wrong; it stops no window."""

from __future__ import annotations

from typing import Any

import pytest

from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.release.verify.verification import verify
from tests.desk.conftest import OpenWindow
from tests.desk.screens import spoken
from tests.release.bundles import KNOWN, resigned


@pytest.mark.parametrize("member", ["release", "claim", "queries", "study", "account"])
@pytest.mark.parametrize("value", [[], "x", 1, None], ids=repr)
@pytest.mark.in_turn(4)
def test_a_member_of_another_type_is_said_to_be_wrong(
    member: str, value: Any, open_window: OpenWindow
) -> None:
    page = open_window().pages["verify"]
    assert isinstance(page, VerifyPage)
    page.found = verify(resigned(lambda s: s["predicate"].update({member: value})), KNOWN)
    assert page.found.release is None and page.found.claim
    page._render()
    assert "is incorrect" in spoken(page.verdict).casefold()
    assert "$." in spoken(page.answers.claim), "the place is named"
