# SPDX-License-Identifier: Apache-2.0
"""The same studies lead to the same plans, questions, ledgers and bundles, byte by byte.

A change that is meant to move them is made with ``python -m tests.golden``; its commit shows what
moved, and says why. The last bit of a scale may be another one on another kind of machine.
"""

from pathlib import Path

import pytest

from dpdesk.study.json.study_files import load_study
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.statistics import STATISTICS
from tests.golden.making import EXPECTED, NAMES, STUDIES, made


def files_of(folder: Path) -> dict[str, bytes]:
    """Every golden file, by its path."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.in_turn(2)
def test_a_study_leads_to_what_it_always_led_to(name: str) -> None:
    found = made(name)
    # Files to read come first: their lines say what differs, a digest only that something does.
    for file in sorted(found, key=lambda file: file.endswith(f"{name}.json")):
        assert found[file].decode() == (EXPECTED / file).read_bytes().decode(), file


def test_no_golden_file_is_left_over() -> None:
    folders = {name.split("/")[0].removesuffix(".json") for name in files_of(EXPECTED)}
    assert folders == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_study_file_keeps_its_bytes(name: str) -> None:
    path = STUDIES / f"{name}.dpdesk"
    assert study_to_bytes(load_study(path).study) == path.read_bytes()


def test_every_statistic_is_among_them() -> None:
    studies = (load_study(STUDIES / f"{name}.dpdesk").study for name in NAMES)
    assert {query.statistic for study in studies for query in study.queries} == set(STATISTICS)
