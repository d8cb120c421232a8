# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the program, its installation and passphrases."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # The program itself
    "screen-missing": "There is no screen for the window; start dpdesk in a desktop session. The "
    "commands of dpdesk --help need none.",
    "installation-no-list": "There is no list of installed files: dpdesk runs from its source, or "
    "the list was removed.",
    "noise-library-altered": "The noise library is not the one that was installed; install dpdesk "
    "again.",
    "installation-list-invalid": "Line {line} of installed-files.sha256 is damaged; install dpdesk "
    "again.",
    # Passphrases and faults
    "passphrase-not-asked": "There is no terminal to ask for the passphrase; name a file that "
    "contains it in {variable}.",
    "passphrases-differ": "The two passphrases differ; type them again.",
    "internal-fault": "dpdesk made a mistake ({kind}), recorded in faults.log; the account shows "
    "whether anything was spent.",
    "settings-unwritable": "Your choice holds until dpdesk is closed, but it cannot be saved; make "
    "room on the disk, or check the rights of the folder of the settings.",
    "path-unusable": "{name} cannot be used: its name is too long for a file here, or you may not "
    "enter its folder. Choose another.",
    "answer-unwritable": "What this command says cannot be written; check the disk that it is "
    "written to.",
    "settings-invalid": "Some of the settings could not be read, so the usual ones are used; "
    "choose yours in Edit, Preferences.",
}
