# SPDX-License-Identifier: Apache-2.0
"""What a release needs besides its data, loaded while the signing key is unlocked.

To unlock a key takes about a second of one processor, on purpose. The libraries that write pages
and workbooks, and the digest of the noise library, take a third of a second of another one.
"""

from __future__ import annotations

import contextlib
from threading import Thread

from dpdesk.privacy.noise.noise_library import check_library
from dpdesk.release.bundle.report.pdf_pages import load_fonts
from dpdesk.release.bundle.workbook import load_writer
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.revocation import unlock_to_sign


def unlock_to_release(home: Home, passphrase: str) -> SigningKey:
    """The key, ready to sign a release that follows at once.

    Raises:
        Refused: as ``unlock_to_sign``.
    """
    loading = Thread(target=_load, name="preload")
    loading.start()
    try:
        return unlock_to_sign(home, passphrase)
    finally:
        loading.join()


def _load() -> None:
    """Load what can be loaded; what fails fails again, and is told, where it is needed."""
    for load in (check_library, load_fonts, load_writer):
        with contextlib.suppress(Exception):
            load()
