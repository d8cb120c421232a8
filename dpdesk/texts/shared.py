# SPDX-License-Identifier: Apache-2.0
"""Sentences that shell and window say alike, of things that have no module of their own here."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

COARSE_CHECK: Final[Template] = (
    "Deliberately coarse. It stays on this computer and is in no release."
)
LISTS_OF_LABELS: Final[Template] = (
    "Labels from R and Python list the values in the data. Check every list: none may come from "
    "the data."
)
DAMAGED_INSTALLATION: Final[Template] = (
    "The installation is damaged or was changed. Install dpdesk again."
)
DAMAGE_ALONE: Final[Template] = (
    "This finds damage, not an attack: an attacker would change the list, too. Against that, "
    "compare the package with the digests published beside it."
)
NOTICE_KEYS: Final[dict[str, Template]] = {
    "same": "The notice is signed by the key that signed the bundle.",
    "successor": "The notice is signed by a later key of the same signer.",
}
"""By what gives a notice the right to speak of a bundle."""
OTHER_KEY: Final[Template] = (
    "This is not the key that you know of the signer. Ask them before you rely on it."
)
