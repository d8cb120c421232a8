# SPDX-License-Identifier: Apache-2.0
"""What somebody without dpdesk finds: ``ssh-keygen``, ``unzip`` in Python, and SHA-256."""

from __future__ import annotations

import hashlib
import json
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path
from struct import error

from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE
from dpdesk.release.signing.keys import NAMESPACE, allowed_signers_line
from tests.release.bundles import KEY, OFFICE


class StockTools:
    """Check a bundle by hand, as its README says.

    Args:
        folder: for the files that ``ssh-keygen`` wants.
    """

    def __init__(self, folder: Path) -> None:
        self._signature = folder / "signature"
        self._signers = folder / "stock_signers"
        self._signers.write_text(allowed_signers_line(KEY.info), encoding="ascii")

    def accepts(self, raw: bytes) -> bool:
        """Whether the signature holds, and the signed list has every file with its digest."""
        try:
            with zipfile.ZipFile(BytesIO(raw)) as archive:
                names = archive.namelist()
                files = {name: archive.read(name) for name in names}
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, error):
            return False
        except RuntimeError:  # a file that says that it is encrypted
            return False
        if len(names) != len(files) or not {MANIFEST, SIGNATURE} <= files.keys():
            return False
        return self._is_signed(files) and _are_all_listed(files)

    def _is_signed(self, files: dict[str, bytes]) -> bool:
        return self.holds(files[MANIFEST], files[SIGNATURE])

    def holds(self, message: bytes, signature: bytes) -> bool:
        """Whether ``ssh-keygen -Y verify`` accepts a signature of the known signer."""
        self._signature.write_bytes(signature)
        command = ["ssh-keygen", "-Y", "verify", "-f", str(self._signers), "-I", OFFICE]
        command += ["-n", NAMESPACE, "-s", str(self._signature)]
        return subprocess.run(command, input=message, capture_output=True).returncode == 0


def _are_all_listed(files: dict[str, bytes]) -> bool:
    try:
        subjects = json.loads(files[MANIFEST])["subject"]
        listed = {entry["name"]: entry["digest"]["sha256"] for entry in subjects}
    except (ValueError, LookupError, TypeError, RecursionError):
        return False
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    for name in (MANIFEST, SIGNATURE):
        digests.pop(name)
    return digests == listed and len(listed) == len(subjects)
