# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.desk.core.typing FILE PAUSE_MS``: edit a study without end, and say when.

Each edit is announced with its number and the moment before it was made, so that whoever kills
this process knows what its file must hold.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from dpdesk.desk.core.document import Document
from dpdesk.study.model.document import Study


def main(path: Path, pause_ms: int) -> None:
    """Type until killed."""
    app = QCoreApplication([])
    document, number = Document(), 0
    document.start(Study(title="0"), path)

    def edit() -> None:
        nonlocal number
        number += 1
        sys.stdout.write(f"{number} {time.monotonic()}\n")
        sys.stdout.flush()
        document.edit(replace(document.study, title=str(number)), "typing", "title")

    timer = QTimer(interval=pause_ms)
    timer.timeout.connect(edit)
    timer.start()
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
