# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the program, its installation and passphrases."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # The program itself
    "screen-missing": "There is no screen for the window; start dpdesk in a desktop session. The "
    "commands of dpdesk --help need none.",
    "installation-no-list": "There is no list of installed files: dpdesk was not installed from "
    "one of its packages, or the list was removed.",
    "noise-library-altered": "The noise library is not the one that was installed; install dpdesk "
    "again.",
    "installation-list-invalid": "Line {line} of installed-files.sha256 is damaged; install dpdesk "
    "again.",
    # Passphrases and faults
    "passphrase-not-asked": "There is no terminal to ask for the passphrase; name a file that "
    "contains it in {variable}.",
    "passphrases-differ": "The two passphrases differ; type them again.",
    "internal-fault": "Internal error ({kind}), recorded in faults.log. Check History for a "
    "charge before you release again.",
    "settings-unwritable": "Your choice applies until dpdesk closes, but cannot be saved; make "
    "room on the disk, or check the permissions of the settings folder.",
    "path-unusable": "{name} cannot be used: its name is too long for a file here, or you may not "
    "enter its folder. Choose another.",
    "answer-unwritable": "The output of this command cannot be written; check the disk.",
    "settings-invalid": "Some settings could not be read, so the defaults apply; choose yours in "
    "Edit, Preferences.",
}
