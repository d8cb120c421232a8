# SPDX-License-Identifier: Apache-2.0
"""Whether dialogs that choose files may leave a trace of what was chosen.

Qt's own dialog writes nowhere (``app`` sees to that). A dialog of the system's own keeps folders
and files in lists that other programs read, which nobody but the system can clear.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt


def keep_no_trace(wanted: bool) -> None:
    """Choose files in Qt's own dialogs alone from now on, or in those of the system."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs, wanted)
