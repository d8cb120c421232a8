# SPDX-License-Identifier: Apache-2.0
"""The picture of the rooms in CONTRIBUTING is the one that the code makes."""

import re
import xml.etree.ElementTree as ET
from collections import Counter

from tests.architecture import PICTURE, arrows, graph, layers, picture
from tests.source_files import ROOT

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_is_current() -> None:
    now = "python -m tests.architecture draws it anew"
    assert PICTURE.read_text(encoding="utf-8") == picture(), now


def upwards(rooms: dict[str, Counter[str]]) -> list[tuple[str, str]]:
    """Imports that close a circle of rooms."""
    return [(source, target) for source, target, up in arrows(rooms, layers(rooms)) if up]


def test_rooms_import_downwards_alone() -> None:
    assert not upwards(graph())


def test_a_circle_of_rooms_is_found() -> None:
    circle = {"study": Counter({"texts": 2}), "texts": Counter({"study": 3}), "cli": Counter()}
    assert upwards(circle) == [("study", "texts")]


def test_the_picture_shows_every_room_and_folder() -> None:
    shown = {node.text for node in ET.fromstring(picture()).iter(f"{SVG}text")}  # noqa: S314
    assert {"study/", "release/", "desk/", "cli.py", "ledger/", "statistics/"} <= shown


def test_every_place_that_a_newcomer_is_sent_to_is_there() -> None:
    words = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:dpdesk|tests|docs|packaging|resources)/[\w./-]*)`", words))
    assert len(named) > 20
    assert not sorted(name for name in named if not (ROOT / name).exists())
