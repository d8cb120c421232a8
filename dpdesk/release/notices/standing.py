# SPDX-License-Identifier: Apache-2.0
"""What a notice means for a bundle: whether it is about it, and whether its signer may say so.

It is also about a bundle with stored figures that were drawn in the release it names, unless the
bundle is what it says to replace them; also where it names only tables of that release, for whether
the figures are of these tables the bundle alone does not say.

The key that signed the bundle may, and any key that followed it: a later one in the known lines of
the same signer, which a rotation alone adds. A key from before the bundle's may not: it was given
up. Any other signer is a stranger to the bundle, known or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.release.notices.notice_file import Notice
from dpdesk.release.notices.own_decision import drawn_in
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.signing.signers import Signers
from dpdesk.release.verify.verification import Verification
from dpdesk.study.problem import Problem

Right = Literal["same", "successor"]


@dataclass(frozen=True)
class NoticeFound:
    """A notice held against a bundle.

    Attributes:
        notice: the notice, whose signature holds.
        right: by what right its signer speaks of this bundle; ``None`` where it does not count.
        problem: why it does not count: ``notice-other-release``, ``notice-stranger`` (params
            identity, fingerprint) or ``notice-bundle-unsound``.
        drawn_in: the entry of the release that it names, where that one is not the bundle's, but
            one that some of its figures are from; else 0.
    """

    notice: Notice
    right: Right | None
    problem: Problem | None = None
    drawn_in: int = 0


def hold_against(notice: Notice, verification: Verification, signers: Signers) -> NoticeFound:
    """Whether a notice is about a bundle, by somebody who may say so."""
    release, who = verification.named_release, verification.who
    if release is None or who is None:
        return NoticeFound(notice, None, Problem("$", "notice-bundle-unsound"))
    named = (notice.release_id, notice.sequence, notice.head)
    is_own = named == (release.record.id, release.record.place.sequence, release.head)
    names = {query.name for query in release.record.queries}
    if is_own and not names.issuperset(notice.tables):
        return NoticeFound(notice, None, Problem("$", "notice-other-release"))
    if not is_own and not _is_source(notice, release):
        return NoticeFound(notice, None, Problem("$", "notice-other-release"))
    source = 0 if is_own else notice.sequence
    if (notice.signer.identity, notice.signer.fingerprint) == (who.identity, who.fingerprint):
        return NoticeFound(notice, "same", drawn_in=source)
    keys = [one.fingerprint for one in signers.known if one.identity == who.identity]
    later = keys[keys.index(who.fingerprint) + 1 :] if who.fingerprint in keys else []
    if notice.signer.identity == who.identity and notice.signer.fingerprint in later:
        return NoticeFound(notice, "successor", drawn_in=source)
    signer = {"identity": notice.signer.identity, "fingerprint": notice.signer.fingerprint}
    return NoticeFound(notice, None, Problem("$", "notice-stranger", signer))


def _is_source(notice: Notice, release: SignedRelease) -> bool:
    """Whether a notice names a release that some of a bundle's figures were drawn in."""
    if notice.sequence not in drawn_in(release.record) or notice.replaced_by == release.head:
        return False
    return release.chain[notice.sequence - 1 : notice.sequence] == (notice.head,)
