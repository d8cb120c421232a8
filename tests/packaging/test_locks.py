# SPDX-License-Identifier: Apache-2.0
"""The lock files: every package by its hashes, and no word on where it comes from."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dpdesk.__main__ import UNFIT_QT
from tests.source_files import ROOT

PEERS = ("peers", "peers-opendp", "peers-spark", "peers-statistics")
ALONE = {group: f"requirements-{group}.lock" for group in ("coverage", *PEERS)}
"""What is locked by itself, and need not agree with what runs."""
FEWEST = {ALONE["coverage"]: 1, ALONE["peers-opendp"]: 3, ALONE["peers-spark"]: 2}
LOCKS = (
    "requirements.lock",
    "requirements-build.lock",
    "requirements-test.lock",
    *ALONE.values(),
)
ENTRY = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][^ ;]*)(?P<marker> ; [^\\]+?)?"
    r"(?: --hash=sha256:[0-9a-f]{64})+"
)


def entries(lock: str) -> list[str]:
    """The requirements of a lock, each on one line."""
    text = (ROOT / "packaging" / lock).read_text(encoding="ascii")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [" ".join(entry.split()) for entry in "\n".join(lines).replace("\\\n", " ").split("\n")]


def versions(lock: str) -> dict[str, set[str]]:
    """The versions of each package; some differ by Python."""
    found: dict[str, set[str]] = {}
    for entry in filter(None, entries(lock)):
        match = ENTRY.fullmatch(entry)
        assert match, entry[:80]
        found.setdefault(match["name"], set()).add(match["version"])
    return found


def declared(group: str) -> tuple[list[str], list[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return project["project"]["dependencies"], project["dependency-groups"][group]


def assert_locked(requirements: list[str], lock: str) -> None:
    locked = versions(lock)
    for requirement in map(Requirement, requirements):
        held = locked[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in held), requirement


@pytest.mark.threat("H2", "H5")
@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_is_pinned_by_hash(lock: str) -> None:
    assert len(versions(lock)) >= FEWEST.get(lock, 8)


@pytest.mark.parametrize("lock", LOCKS)
def test_no_place_to_fetch_from_is_named(lock: str) -> None:
    text = (ROOT / "packaging" / lock).read_text(encoding="ascii")
    assert not re.search(r"://|--index|--find|--extra|--trusted|@|/simple", text)


@pytest.mark.parametrize("group", ["build", "test"])
def test_what_the_project_declares_is_locked(group: str) -> None:
    run, more = declared(group)
    assert_locked(run, "requirements.lock")
    assert_locked(run + more, f"requirements-{group}.lock")


@pytest.mark.parametrize("group", ALONE)
def test_what_is_declared_alone_is_locked(group: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert_locked(project["dependency-groups"][group], ALONE[group])


@pytest.mark.parametrize("lock", ["requirements-build.lock", "requirements-test.lock"])
def test_tests_and_builds_stand_on_what_is_run(lock: str) -> None:
    run, more = versions("requirements.lock"), versions(lock)
    assert {name: more[name] for name in run} == run


def test_no_faulty_qt_is_locked() -> None:
    assert not versions("requirements.lock")["pyside6-essentials"] & UNFIT_QT


def test_an_entry_without_hash_is_caught() -> None:
    assert not ENTRY.fullmatch("numpy==2.4.6")
    assert not ENTRY.fullmatch("numpy @ file.whl --hash=sha256:" + 64 * "0")
