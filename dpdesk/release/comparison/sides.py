# SPDX-License-Identifier: Apache-2.0
"""The two releases that are compared: a bundle, verified first, or an entry of the own ledger."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import ReleaseRecord, SignedRelease, SignerName
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import Signers
from dpdesk.release.verify.histories import CONTRADICTIONS, compare
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.study.problem import Problem, Refused, refuse

SideName = Literal["earlier", "later"]


@dataclass(frozen=True)
class ComparedSide:
    """One of the two.

    Attributes:
        release: what was released, and its place in its ledger.
        bundle: what verifying its bundle came to; ``None`` where the own ledger says it.
    """

    release: SignedRelease
    bundle: Verification | None = None

    @property
    def record(self) -> ReleaseRecord:
        return self.release.record


def bundle_side(path: Path, signers: Signers) -> ComparedSide:
    """What a bundle states, where it is whole, its signer known, and its claim adds up.

    Raises:
        Refused: ``bundle-missing`` or ``bundle-unreadable`` (param name); what is wrong with its
            files or its claim, or ``compare-unknown-signer``, with ``compare-unverified`` (param
            name) in front.
    """
    found = verify(path, signers)
    # What is compared follows from what was drawn: of files that another version wrote, nothing.
    if found.release is not None and found.is_confirmed:
        return ComparedSide(found.release, found)
    if found.is_made_up:
        raise Refused(found.whole)
    first = Problem("$", "compare-unverified", {"name": path.name})
    wrong = (*found.whole, *(found.claim or ()), *found.unjudged)
    raise Refused((first, *(wrong or refuse("compare-unknown-signer").problems)))


def ledger_side(home: Home, sequence: int) -> ComparedSide:
    """What an entry of the own ledger says, as a bundle of the own key would state it.

    Raises:
        Refused: see ``Ledger.release``.
    """
    ledger, own = Ledger(home), keys.show(home.keys)
    signer = SignerName(own.identity, own.fingerprint) if own else SignerName("", "")
    record, chain = ledger.release(sequence).record, ledger.hashes(sequence)
    return ComparedSide(SignedRelease(record, chain, signer))


def fork_between(earlier: ComparedSide, later: ComparedSide) -> Problem | None:
    """``compare-fork`` where no single history of their ledger holds both, as ``verify`` finds."""
    found = compare((earlier.release, later.release))
    is_fork = any(problem.code in CONTRADICTIONS for problem in found)
    return Problem("$.ledger", "compare-fork") if is_fork else None
