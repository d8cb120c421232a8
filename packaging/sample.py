# SPDX-License-Identifier: Apache-2.0
"""The sample hospital in a folder of the user's, and its release from the shell."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import environment

SHIPPED = environment.ROOT / "resources" / "sample"
STUDY = "sample.dpdesk"
FILES = (STUDY, "admissions.csv", "codebook.csv")
ACCOUNT = "sample-hospital"
IDENTITY = "custodian@sample-hospital.example"


def is_study(argument: str) -> bool:
    """Whether an argument asks for a window rather than for a command."""
    return argument.endswith(".dpdesk")


def copy() -> Path:
    """A working copy that the user may change; what is there already stays as it is."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if not (folder / name).exists():
            shutil.copyfile(SHIPPED / name, folder / name)
    return folder


def _folder() -> Path:
    home = os.environ.get("DPDESK_HOME")
    if home:
        return Path(home) / "sample"
    documents = Path.home() / "Documents"
    return (documents if documents.is_dir() else Path.home()) / "dpdesk sample"
