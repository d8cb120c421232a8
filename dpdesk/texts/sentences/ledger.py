# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the ledger, and what it refuses."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    "home-open": "Everyone on this computer can write into {name}, which contains budgets and "
    "keys; remove that right (chmod o-w).",
    "machine-file-wrong": "{name} does not say where this computer’s shared ledger is; its "
    'administrator writes {{"shared_ledger": "/path/of/the/folder"}} there.',
    "machine-file-open": "Others than its owner can change {name}, which says where this "
    "computer’s ledger is; ask the administrator to remove that right (chmod go-w).",
    "shared-missing": "The shared ledger’s folder {name} does not exist, or you may not enter "
    "it; ask the administrator.",
    "shared-open": "People outside its group can read the shared ledger’s folder {name}; ask the "
    "administrator to remove that right (chmod 2770).",
    "shared-not-grouped": "The shared ledger’s folder {name} does not belong to a group whose "
    "members may write there; ask the administrator to set that (chgrp GROUP, chmod 2770).",
    "shared-not-member": "You may not write into the shared ledger’s folder {name}; ask the "
    "administrator to add you to its group.",
    "shared-linked": "{name} in the shared ledger’s folder is a link to another place, which "
    "dpdesk never makes; ask the administrator who put it there. Nothing was written.",
    "ledger-second": "There is a second ledger in {name}, whose spending is not counted here. "
    "Release figures about the same people from one of the two only.",
    "home-unwritable": "dpdesk cannot write to its folder {name}; check its permissions, or "
    "choose another with DPDESK_HOME.",
    "ledger-unwritable": "The ledger cannot be written; check the disk and the permissions of "
    "its folder. Nothing was spent.",
    "ledger-disk-full": "The disk is full, so the ledger cannot be written; make room on it. "
    "Nothing was spent.",
    "ledger-unreadable": "The ledger cannot be read; check the disk and the permissions of its "
    "folder. Until then nothing can be spent.",
    "ledger-unconfirmed": "The disk failed during the charge. Do not release again yet: if this "
    "release is in History, it is charged, and the same command shows it at no cost.",
    "entry-unconfirmed": "The disk failed while the ledger was written. Look into History before "
    "you repeat this: if its entry is there, it counts.",
    "decision-unshown": "This is in the ledger and counts; do not repeat it. What follows it "
    "failed: look into History (dpdesk account show NAME).",
    "ledger-in-use": "Another program is using the ledger, so it cannot be read now; try again.",
    "ledger-busy": "Another program is using the ledger; try again. Nothing was spent.",
    "ledger-damaged": "The ledger is damaged ({what}); restore it from a backup and reconcile it.",
    "ledger-too-long": "The ledger has {most} entries, the most that a bundle can list, so a "
    "release could not be exported. Nothing was spent.",
    "ledger-too-new": "The ledger was written by a newer dpdesk (format {found}); update this one.",
    "ledger-network-path": "The ledger is on a network drive, where it is not safe; move "
    "DPDESK_HOME to a local disk.",
    "ledger-rolled-back": "An older copy of the ledger is in use, so nothing can be spent from "
    "{accounts}; run: dpdesk ledger reconcile --reason “…”",
    "ledger-not-rolled-back": "The ledger is up to date; there is nothing to reconcile.",
    "account-recovery": "The spending of the account “{name}” is not certain: it was restored "
    "from a backup or rebuilt. Unlock it with a reason: dpdesk ledger unlock {name} --reason “…”",
    "account-moved": "The account “{name}” was moved to another computer; release there. If that "
    "computer is lost, unlock it here: dpdesk ledger unlock {name} --reason “…”",
    "account-not-locked": "The account “{name}” is not locked.",
    "move-code-wrong": "This is not the code that the new computer shows; type its 16 characters "
    "again.",
    "move-to-itself": "This code is this computer's own; type the code that the new computer "
    "shows.",
    "ledger-moved": "The ledger was already moved to another computer; only that one continues it.",
    "series-count-wrong": "A series has 1 to {most} releases.",
    "series-month-wrong": "Write the month of the first release as 2026-12.",
    "series-costs-nothing": "No query of the study costs anything, so there is nothing to reserve.",
    "series-exists": "The account has a series “{name}” already, maybe an ended one; choose "
    "another name.",
    "series-exceeds-budget": "The series needs {requested}; the account “{name}” has {left} "
    "remaining, {short} too little.",
    "series-unknown": "The account “{account}” has no series “{name}”.",
    "series-finished": "The series “{name}” of the account “{account}” has no releases remaining.",
    "series-plan-differs": "The study's queries, lengths of periods or costs are not those that "
    "the series “{name}” reserved; release it outside the series, or end the series and begin "
    "another.",
    "release-unknown": "Entry {sequence} of the ledger is not a release.",
    "notice-table-unknown": "The release has no table {name}. Its tables are {tables}.",
    "release-withdrawn": "This release was already withdrawn; dpdesk ledger notice {sequence} FILE "
    "writes its notice again.",
    "correction-not-later": "A correction names a later release of the same account.",
    "notice-entry-unknown": "Entry {sequence} of the ledger is not a withdrawal or correction.",
    "notice-exists": "{name} exists already. Choose another name.",
    "notice-unwritable": "The notice {name} cannot be written; the entry is in the ledger, and "
    "dpdesk ledger notice writes it at no cost.",
    "notice-unreadable": "{name} cannot be read. Check its name and permissions, and that it is "
    "a file.",
    "notice-altered": "{name} was changed after it was signed, so it is not valid.",
    "notice-malformed": "{name} is not a notice of dpdesk.",
    "notice-bundle-unsound": "The notice cannot be compared with this bundle: the bundle is "
    "incomplete, or does not say which release it is.",
    "notice-other-release": "The notice is about another release than this bundle's.",
    "notice-stranger": "The notice is signed by {identity} with the key {fingerprint}, which is "
    "neither the bundle's key nor one that followed it, so it is not valid.",
    "import-key-missing": "There is no signing key here. Restore the key that signed the bundles "
    "first, from paper or from a backup; a new key does not help.",
    "import-not-own": "{name} is not signed by this computer's own key or one before it, so it "
    "does not count.",
    "import-not-whole": "{name} is not a complete bundle, or its privacy claim is incorrect, so "
    "it does not count.",
    "import-other-version": "{name} was made by dpdesk {dpdesk} with OpenDP {opendp}, and this "
    "dpdesk {own} does not confirm its privacy claim, so it does not count. It may have spent "
    "budget: import it with that version.",
    "import-other-chain": "{name} cannot be linked to this ledger, so it does not count; import it "
    "together with the bundles before it.",
    "ledger-synced": "Ledger and keys are in a folder that {name} synchronises: a second "
    "computer would spend the same budget from its own copy. Move them to a folder that stays on "
    "this computer, with DPDESK_HOME.",
    "data-synced": "The data is in a folder that {name} synchronises, so patients' rows leave "
    "this computer; move it to a folder that stays here.",
    "ledger-anchor-missing": "The second record of the ledger was missing and was written again. "
    "An older copy of the ledger may have come into use unnoticed; every account and its next "
    "bundles say so.",
    "ledger-anchor-damaged": "The second record of the ledger was damaged and was written again. "
    "An older copy of the ledger may have come into use unnoticed; every account and its next "
    "bundles say so.",
    "ledger-anchor-behind": "The second record of the ledger lacked several entries and was "
    "written again. Somebody may have put an older one back, and an older copy of the ledger with "
    "it; every account and its next bundles say so.",
    "ledger-read-only": "The ledger is on a disk that cannot be written: it can be read, but "
    "nothing can be released.",
    "ledger-anchor-unwritable": "The second record of the ledger cannot be written, so an older "
    "copy of the ledger would go unnoticed; make its folder writable.",
    "backup-no-ledger": "There is no ledger yet, so there is nothing to back up.",
    "backup-at-home": "A backup in dpdesk's own folder would be lost with it; choose another "
    "folder, best on another disk.",
    "backup-empty": "The backup's ledger has no entries, so there is nothing to restore.",
    "backup-unwritable": "{name} cannot be written. Check the disk and the permissions of the "
    "folder, or choose another folder.",
    "backup-unreadable": "{name} cannot be read. Check its name and permissions, and that it is "
    "a file.",
    "backup-damaged": "{name} is no backup of a ledger or is damaged, so nothing was restored; "
    "use another backup.",
    "backup-too-large": "The ledger is too large for a backup in one file; copy dpdesk's folder "
    "while no dpdesk is open.",
    "backup-key-open": "The signing key has no passphrase, so it is not put into a backup; back "
    "up without it.",
    "backup-other-ledger": "The backup is of another ledger than this computer's, so nothing was "
    "restored.",
    "backup-behind": "This computer knows entries of {accounts} that the backup lacks, so nothing "
    "was restored: what was spent stays spent.",
    "backup-not-newer": "The ledger already contains every entry of the backup.",
    "export-exists": "{name} exists already. Choose another name.",
    "export-unwritable": "{name} cannot be written. Check the disk and the permissions of the "
    "folder, or choose another folder.",
    "ledger-clock-back": "The computer's clock went back before entry {sequence}.",
    "entry-too-new": "Entry {sequence} was written by a newer dpdesk; update this one.",
    "entry-unknown": "The ledger has no entry {sequence}.",
    "sqlite-too-old": "The SQLite of this Python ({found}) is too old for the ledger; update "
    "Python.",
}
