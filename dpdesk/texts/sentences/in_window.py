# SPDX-License-Identifier: Apache-2.0
"""What the window says where the other tables name a command: its own way to the same end."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    "account-unknown": "The account “{name}” is not in this ledger. Choose another one in "
    "People; open it there only if nothing was ever released about these people.",
    "account-moved": "The account “{name}” was moved to another computer; release there. If that "
    "computer is lost, unlock it here with a reason: in History, “Unlock account”.",
    "account-recovery": "The spending of the account “{name}” is not certain: it was restored "
    "from a backup or rebuilt. Unlock it with a reason: in History, “Unlock account”.",
    "amount-malformed": "Type the amount as a plain number, such as 0.25 or 0,25.",
    "answers-withdrawn": "Release {release} was withdrawn (“{reason}”), and this would publish "
    "its figures again. Draw again, or release again and confirm it. Nothing was spent.",
    "answers-corrected": "Release {release} was corrected (“{reason}”), and this would publish "
    "its figures again. Draw again, or release again and confirm it. Nothing was spent.",
    "second-signature-missing": "This account requires the signature of {name} over the plan; "
    "write the plan in Release, and release it with the file that they give back. Nothing was "
    "spent.",
    "extract-not-declared": "Enter in Data which extract this is, such as “stays.csv, "
    "2026-11-22”. The name stays on this computer.",
    "extract-used": "This extract was used on {day}; confirm in Release whether this is the same "
    "file. If it is not, give it another name in Data.",
    "key-missing": "There is no signing key yet; make one in Signing key.",
    "key-notice-unwritable": "The notice cannot be written there; choose a new file’s name in "
    "another folder.",
    "ledger-rolled-back": "An older copy of the ledger is in use: it lacks entries of "
    "{accounts}. Nothing can be spent until you enter them with “Reconcile” in History.",
    "ledger-unconfirmed": "The disk failed during the charge. Do not release again yet: if this "
    "release is in History, it is charged and its figures cost nothing more.",
    "notice-unwritable": "The notice {name} cannot be written; the entry is in the ledger. In "
    "History, “Save notice…” writes it at no cost.",
    "release-withdrawn": "This release was already withdrawn; in History, “Save notice…” writes "
    "its notice again.",
    "second-person-missing": "The account “{account}” requires no second person, so there is "
    "nothing to change; require one under Signing key.",
    "second-person-not-noted": "The decision on the second person of “{account}” is in the "
    "ledger and counts. Its second record, which guards against older copies, could not be "
    "written: make room on the disk, then open “Require a second person” again.",
    "second-person-required": "The account “{account}” requires {name} already; write the change "
    "to a file for them to sign.",
}
