# SPDX-License-Identifier: Apache-2.0
"""Which bundles are held against each other, and which are of two ledgers."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from itertools import permutations

import pytest

from dpdesk.release.bundle.container import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.release.verify.compare import compare
from tests.release.bundles import bundle


def of(signer: str, sequence: int, head: str, previous: str = "") -> SignedRelease:
    """A bundle of a signer, at a place of a chain."""
    members = json.loads(unpack(bundle())[MANIFEST])["predicate"]
    made = parse_signed(copy.deepcopy(members))
    place = replace(
        made.record.place, sequence=sequence, previous=(previous or f"{head}0")[-1] * 64
    )
    record = replace(made.record, place=place)
    name = SignerName(signer, made.signer.fingerprint)
    return replace(made, head=head * 64, record=record, signer=name)


def codes(*releases: SignedRelease) -> set[str]:
    """What is found, the same in whatever order."""
    found = {
        frozenset(problem.code for problem in compare(order)) for order in permutations(releases)
    }
    (one,) = found
    return set(one) - {"bundles-missing"}


@pytest.mark.threat("G9")
def test_two_hospitals_each_with_an_entry_2_have_two_ledgers() -> None:
    assert codes(of("a@x", 2, "a", "1"), of("b@y", 2, "b", "2")) == set()
    assert codes(of("a@x", 2, "a", "1"), of("b@y", 3, "b", "2")) == set()
    assert codes(of("a@x", 2, "a", "1"), of("a@x", 2, "b", "2")) == {"bundles-fork"}


@pytest.mark.threat("E6", "G9")
def test_custodians_of_one_ledger_are_held_against_each_other() -> None:
    first, fork = of("a@x", 2, "a", "1"), of("b@y", 2, "b", "1")
    assert codes(first, fork) == {"bundles-fork"}, "both follow one entry"
    # A third bundle of either shows that both are of one chain.
    after = of("a@x", 3, "c", "b")
    assert codes(of("a@x", 4, "d", "3"), of("b@y", 4, "e", "4")) == set()
    assert codes(of("a@x", 4, "d", "3"), after, of("b@y", 4, "e", "c")) == {"bundles-fork"}


def test_another_hospitals_bundle_is_not_the_one_that_is_missing() -> None:
    (found,) = compare([of("a@x", 5, "a", "1"), of("b@y", 2, "b", "2")])
    assert (found.code, found.params["sequences"]) == ("bundles-missing", "2")
