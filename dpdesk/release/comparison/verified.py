# SPDX-License-Identifier: Apache-2.0
"""A bundle that is to be compared: verified first, or refused."""

from __future__ import annotations

from pathlib import Path

from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.signing.signers import Signers
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Problem, Refused, refuse


def verified_record(path: Path, signers: Signers) -> ReleaseRecord:
    """What a bundle states, where it is whole, its signer known, and its claim adds up.

    Raises:
        Refused: ``bundle-missing`` or ``bundle-unreadable`` (param name); what is wrong with its
            files or its claim, or ``compare-unknown-signer``, with ``compare-unverified`` (param
            name) in front.
    """
    found = verify(path, signers)
    if found.is_good and found.release is not None:
        return found.release.record
    if found.is_made_up:
        raise Refused(found.whole)
    first = Problem("$", "compare-unverified", {"name": path.name})
    wrong = (*found.whole, *(found.claim or ()))
    raise Refused((first, *(wrong or refuse("compare-unknown-signer").problems)))
