# SPDX-License-Identifier: Apache-2.0
"""The signers that this user knows: those that were added, and the user's own key."""

from __future__ import annotations

from dpdesk.release.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import Signers, load_signers


def known_signers(home: Home) -> Signers:
    """Added signers and the own key; the own key is trusted because its file is here.

    Raises:
        Refused: see ``signers.load_signers`` and ``keys.show``.
    """
    added = load_signers(home.signers)
    own = keys.show(home.keys)
    if own is None or own in added.known:
        return added
    return Signers((*added.known, own))
