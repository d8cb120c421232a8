# SPDX-License-Identifier: Apache-2.0
"""One program at a time: a lock on an open file, which ends with the process that holds it."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def lock_at_once(file: BinaryIO) -> None:
        """Lock at once or not at all; the system unlocks when the file is closed.

        Raises:
            OSError: another program holds it.
        """
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock_at_once(file: BinaryIO) -> None:
        """Lock at once or not at all; the system unlocks when the file is closed.

        Raises:
            OSError: another program holds it.
        """
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
