# SPDX-License-Identifier: Apache-2.0
"""What is wrong with keys, signers and a second person's signature."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # Keys and signers
    "sample-key-missing": "The sample hospital has no key yet; dpdesk key new --sample makes one.",
    "own-key-unknown": "No key of {identity} here has the fingerprint {fingerprint}; check it.",
    "key-missing": "There is no signing key yet; make one with: dpdesk key new --name NAME",
    "key-exists": "There is already a signing key; it is not overwritten.",
    "key-damaged": "The signing key's file is damaged; restore it from a backup.",
    "key-closed": "The signing key may not be read; check the permissions of its folder and of its "
    "file.",
    "key-busy": "Another program is changing the signing key; try again.",
    "key-unwritable": "The signing key cannot be written; check the permissions of its folder.",
    "key-wrong-passphrase": "The passphrase is wrong, so nothing was done; type it again.",
    "key-not-openssh": "This is not a private key in OpenSSH's format; choose a file that "
    "ssh-keygen -t ed25519 makes.",
    "key-type-unsupported": "The key is of the type {kind}; dpdesk signs with ssh-ed25519 keys "
    "only.",
    "key-notice-unwritable": "The notice cannot be written there; choose a new file's name with "
    "--out.",
    "key-notice-wrong": "This is not a notice with its signature beside it, or one of them was "
    "changed; ask the signer for both.",
    "key-notice-unknown": "The notice is not signed by the latest known key of {identity}; ask "
    "them for their new public key.",
    "key-revoked": "The key of {identity} has been revoked since {since} ({reason}) and can no "
    "longer sign; make a new one, or ask for one.",
    "revocation-wrong": "This is not a notice with its signature beside it, or one of them was "
    "changed; ask the signer for both.",
    "revocation-unknown": "The revocation is not signed by a known key of {identity}, or by one "
    "that came after it; ask them.",
    "revocation-day": "Type the day as 2026-11-22.",
    "paper-lines": "A key on paper has {wanted} lines of words, and {given} were typed; type all "
    "of them.",
    "paper-line-length": "Line {line} has {given} words instead of 5; type it again.",
    "paper-word-unknown": "Word {place} of line {line} is not in the list of words; compare it "
    "with the page.",
    "paper-line-wrong": "Line {line} differs from the page: one word is wrong, or two are "
    "swapped. Compare it.",
    "paper-words-wrong": "Each line is correct, but they do not belong together; compare them "
    "all with the page.",
    "words-other-key": "These words are correct, but belong to another key than the one on this "
    "computer.",
    "page-form": "Give the page a name that ends in .pdf or .html; {name} does not.",
    # A second person
    "second-person-required": "The account “{account}” requires {name} already; write the change "
    "to a file with --to, for them to sign.",
    "second-person-not-noted": "The decision on the second person of “{account}” is in the "
    "ledger and counts. Its second record, which guards against older copies, could not be "
    "written: make room on the disk, then run dpdesk account second-person {account}.",
    "second-person-missing": "The account “{account}” requires no second person, so there is "
    "nothing to change; require one with --signer FILE.",
    "second-person-unclear": "Name the second person with --signer FILE, a file with their "
    "public key.",
    "second-person-change-needed": "The current second person of “{account}” has to sign this; "
    "write it to a file with --to. If their key is lost or revoked, replace them with --lost; "
    "every later bundle of the account says so.",
    "second-person-same": "{name} signs for the account already; name somebody else, or nobody.",
    "second-person-self": "{name} is the signer's own name or key; the second person is somebody "
    "else.",
    "second-persons-damaged": "The record of second persons beside the ledger's second record is "
    "damaged; restore it from a backup of that folder, or ask support.",
    "second-persons-closed": "The record of second persons beside the ledger's second record "
    "cannot be read; check the permissions of that folder and its files.",
    "change-malformed": "This is not a change of a second person as dpdesk writes it.",
    "change-not-of-now": "The change does not belong to the account “{account}” as it is now; "
    "write a new one.",
    "second-signature-missing": "This account requires the signature of {name} over the plan; "
    "write the plan with --to and release it with --signed-plan. Nothing was spent.",
    "second-signature-wrong": "The signature is not that of {name} over this file; ask them for "
    "it again. Nothing was spent.",
    "second-person-other": "{name} must sign this, with another key than yours.",
    "second-signature-needless": "This bundle needs no further signature.",
    "second-signature-of-bundle": "Only a bundle can take in a signature. Return a plan with its "
    ".sig file beside it.",
    "plan-needs-nobody": "The account “{account}” does not require a second person's signature "
    "over plans.",
    "plan-malformed": "This is not a plan as dpdesk writes it.",
    "plan-differs": "This dpdesk makes another plan of the same study: the file was changed, or "
    "another version wrote it. Ask for a new one.",
    "plan-not-as-signed": "The study differs from the signed plan; release it as it was, or have "
    "the new plan signed. Nothing was spent.",
    "plan-delta-raised": "The delta of account “{account}” was raised after the plan was signed; "
    "have a new plan signed. Nothing was spent.",
    "plan-for-instalment": "The plan was signed only for release {number} in series “{series}”; "
    "for another release have a new plan signed. Nothing was spent.",
    "plan-outside-series": "The plan was signed for a release outside the series “{series}”; have "
    "a new plan signed for it. Nothing was spent.",
    "plan-for-fresh": "The signed plan draws and charges all figures again; release it so "
    "(--fresh), or have a new plan signed. Nothing was spent.",
    "plan-for-stored": "The signed plan uses the stored figures of the ledger; to draw all "
    "figures again have a new plan signed. Nothing was spent.",
    "plan-used": "This plan was already released, as release {release} (entry {entry} of the "
    "ledger); have a new plan signed.",
    "plan-failed": "This plan was drawn and paid by entry {entry} of the ledger, and an internal "
    "error ended it; have a new plan signed. Nothing more was spent.",
    "plan-used-lost": "This plan was already released, by an entry that an older copy of the "
    "ledger lacks; have a new plan signed.",
    "handed-unreadable": "{name} cannot be read; check its name, and that its signature is "
    "beside it.",
    "handed-exists": "{name} exists already. Choose another name.",
    "handed-unwritable": "{name} cannot be written. Check the disk and the permissions of the "
    "folder, or choose another folder.",
    "identity-malformed": "A signer's name consists of letters, digits and . _ + @ - only, such "
    "as data-office@hospital.example.",
    "passphrase-too-short": "The passphrase needs at least {least} characters.",
    "passphrase-too-long": "The passphrase may have at most {most} bytes.",
    "passphrase-file-unreadable": "The passphrase's file cannot be read; check its name and "
    "permissions, and that it is a file.",
    "signers-unreadable": "The file of signers {name} cannot be read; check its name and that it "
    "is a file of plain text.",
    "signers-unwritable": "The file of signers {name} cannot be written; check its permissions.",
    "signer-malformed": "Line {line} is not an allowed_signers line with an ssh-ed25519 key.",
    "signer-key-weak": "The key in line {line} is insecure and is not accepted.",
    "signer-changed": "{identity} is known with another key ({known}); ask them which one is "
    "valid.",
}
