# SPDX-License-Identifier: Apache-2.0
"""A slice of ``python -m tests.attacks``: hostile bundles, each in a process of its own."""

import os
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from dpdesk.release.verify import zip_reader
from dpdesk.study.problem import refuse
from tests.attacks import changes
from tests.attacks.differential import (
    OTHER_SPELLINGS,
    compare,
    our_reason,
    spellings,
    unsigned_changes,
)
from tests.attacks.manifests import bad_manifests
from tests.attacks.stock import StockTools
from tests.attacks.trial import Verifier
from tests.attacks.zips import malicious_zips
from tests.release.bundles import bundle
from tests.turns import in_turn

MOST_MB, MOST_S = 350, 5
"""Memory of the whole process, and its processor time, on a machine that is busy."""

needs_fork = pytest.mark.skipif(os.name != "posix", reason="needs fork")
needs_openssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system"
)


@pytest.fixture
def verifier(tmp_path: Path) -> Iterator[Verifier]:
    """The command itself, in a process for each bundle."""
    with Verifier(tmp_path) as ready:
        yield ready


@needs_fork
def test_the_command_accepts_the_good_bundle(verifier: Verifier) -> None:
    answer = verifier.answer(bundle())
    assert answer.status == 0, answer
    assert answer.said.startswith("Complete: yes")


@needs_fork
@pytest.mark.threat("G2")
def test_malicious_zips_are_refused_with_a_sentence(verifier: Verifier) -> None:
    zips = list(malicious_zips())
    assert len(zips) >= 15
    for name, raw in in_turn(zips, 4):
        answer = verifier.answer(raw)
        assert answer.is_refused_in_words, (name, answer)
        assert answer.megabytes < MOST_MB and answer.seconds < MOST_S, (name, answer)


@needs_fork
@pytest.mark.threat("G7")
def test_bad_manifests_are_refused_with_a_sentence(verifier: Verifier) -> None:
    manifests = list(bad_manifests())
    assert len(manifests) >= 30
    for name, raw in in_turn(manifests, 6):
        answer = verifier.answer(raw)
        assert answer.is_refused_in_words, (name, answer)
        assert answer.megabytes < MOST_MB and answer.seconds < MOST_S, (name, answer)
        assert "\x1b" not in answer.complaint + answer.said


@pytest.mark.threat("G3")
@needs_fork
def test_every_single_byte_change_is_noticed() -> None:
    raw, step = changes.newest(), 431
    for tried in (
        changes.every_value(raw, 97 * step),
        changes.every_bit(raw, step),
        changes.every_content(raw, step),
    ):
        assert tried.count and not tried.passed


@needs_fork
def test_a_change_that_is_not_noticed_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the zip's own bytes not compared, the times in its headers could be anything."""
    monkeypatch.setattr(zip_reader, "unpack", _lax)
    second_of_time = 11
    tried = changes.every_bit(changes.newest(), step=second_of_time, end=second_of_time + 1)
    assert {place for place, _ in tried.passed} == {second_of_time}


def _lax(raw: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except Exception:
        raise refuse("bundle-not-a-bundle") from None


@needs_openssh
@pytest.mark.threat("G3", "G4", "G6")
def test_without_the_key_both_accept_the_same(tmp_path: Path) -> None:
    """Accepted if and only if ``ssh-keygen`` accepts the manifest and all digests are right.

    But for the signature's spelling, of which dpdesk knows one.
    """
    found = compare(unsigned_changes(1, 120), StockTools(tmp_path))
    assert found.both and found.neither
    assert not found.ours_alone and found.stock_alone.keys() <= OTHER_SPELLINGS, found


@needs_openssh
@pytest.mark.threat("G3")
def test_with_the_key_nothing_is_accepted_that_stock_tools_refuse(tmp_path: Path) -> None:
    """More is refused: other spellings, other zips, and claims no stock tool reads."""
    stock = StockTools(tmp_path)
    zips, manifests = in_turn([*malicious_zips()], 2), in_turn([*bad_manifests()], 4)
    for bundles in (zips, manifests, spellings()):
        found = compare(bundles, stock)
        assert not found.ours_alone and not found.both, found


@needs_openssh
def test_a_signature_has_one_spelling(tmp_path: Path) -> None:
    """OpenSSH reads several; a bundle that several files can be is not one to keep a digest of."""
    found = compare(spellings(), StockTools(tmp_path))
    assert found.stock_alone == Counter({"signature-malformed": found.stock_alone.total()})
    assert our_reason(bundle()) == ""
