# SPDX-License-Identifier: Apache-2.0
"""What is wrong with keys, signers and a second person's signature."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # Keys and signers
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
    "key-notice-wrong": "This is not a notice of a new key with its signature beside it, or one "
    "of them was changed; ask the signer for both.",
    "key-notice-unknown": "The notice is not signed by the latest key that is known of {identity}; "
    "ask them for the line of their new key.",
    "key-revoked": "The key of {identity} is revoked since {since} ({reason}), so it signs "
    "nothing; make or ask for a new one.",
    "revocation-wrong": "This is not a revocation with its signature beside it, or one of them was "
    "changed; ask the signer for both.",
    "revocation-unknown": "The revocation is not signed by a known key of {identity}, or by one "
    "that came after it; ask them.",
    "revocation-day": "The day is written as 2026-11-22.",
    "paper-lines": "A key on paper has {wanted} lines of words, and {given} were typed; type all "
    "of them.",
    "paper-line-length": "Line {line} has {given} words instead of 5; type it again.",
    "paper-word-unknown": "Word {place} of line {line} is no word of the list; compare it with "
    "the page.",
    "paper-line-wrong": "Line {line} is not as it was printed: one of its words is another, or "
    "two changed places; compare it with the page.",
    "paper-words-wrong": "Each line is right, but they do not belong together; compare them all "
    "with the page.",
    "words-other-key": "These words are sound, but they belong to another key than the one on this "
    "computer.",
    "page-form": "{name} ends neither with .pdf nor with .html; name the page so.",
    # A second person
    "second-person-required": "The account “{account}” requires {name} already; write the change "
    "to a file with --to, for them to sign.",
    "second-person-not-noted": "The ledger holds the decision on the second person of “{account}”, "
    "and it counts. It could not be noted beside the ledger, from which an older copy would know "
    "it: make room on the disk, then run dpdesk account second-person {account}.",
    "second-person-missing": "The account “{account}” requires no second person, so there is "
    "nothing to change; require one with --signer FILE.",
    "second-person-unclear": "Name the second person with --signer FILE, a file with their line.",
    "second-person-change-needed": "The present second person of “{account}” has to sign this; "
    "write it to a file with --to. If their key is lost or revoked, replace them with --lost; "
    "every later bundle of the account says so.",
    "second-person-same": "{name} signs for the account already; name somebody else, or nobody.",
    "second-person-self": "{name} is the signer's own name or key; the second person is somebody "
    "else.",
    "second-persons-damaged": "The record of second persons beside the ledger's heads is damaged; "
    "restore it from a backup of that folder, or ask support.",
    "second-persons-closed": "The record of second persons beside the ledger's heads may not be "
    "read; check the permissions of that folder and of what lies in it.",
    "change-malformed": "This is not a change of a second person as dpdesk writes it.",
    "change-not-of-now": "The change does not belong to the account “{account}” as it is now; "
    "write a new one.",
    "second-signature-missing": "This account requires the signature of {name} over the plan; "
    "write the plan with --to and release it with --signed-plan. Nothing was spent.",
    "second-signature-wrong": "The signature is not that of {name} over this file; ask them for "
    "it again. Nothing was spent.",
    "second-person-other": "{name} is to sign this, with another key than yours.",
    "second-signature-needless": "This bundle needs no signature besides those that it has.",
    "second-signature-of-bundle": "A signature is put into a bundle alone; of a plan, give it "
    "back as it is.",
    "plan-needs-nobody": "The account “{account}” does not require a second person's signature "
    "over plans.",
    "plan-malformed": "This is not a plan as dpdesk writes it.",
    "plan-differs": "This version makes another plan of the same study: the file was changed, or "
    "another version wrote it; ask for a new one.",
    "plan-not-as-signed": "The study is not the one whose plan was signed, so nothing was spent; "
    "release it as it was, or have the new plan signed.",
    "plan-for-instalment": "The plan was signed for release {number} in series “{series}”, and is "
    "released as that one only; otherwise have a new plan signed. Nothing was spent.",
    "plan-outside-series": "The plan was signed for a release outside the series “{series}”; have "
    "a new plan signed for it. Nothing was spent.",
    "plan-for-fresh": "The plan was signed with all its figures drawn again and charged again; "
    "release it so (--fresh), or have a new plan signed. Nothing was spent.",
    "plan-for-stored": "The plan was signed with figures taken from the ledger where it has them; "
    "for all of them drawn again have a new plan signed. Nothing was spent.",
    "plan-used": "This plan was released before, as release {release} (entry {entry} of the "
    "ledger), so it is not drawn again; have a new plan signed.",
    "plan-used-lost": "This plan was released before, by an entry that an older copy of the ledger "
    "lacks; have a new plan signed.",
    "handed-unreadable": "{name} cannot be read; check its name, and that its signature lies "
    "beside it.",
    "handed-exists": "{name} exists already; it is not overwritten.",
    "handed-unwritable": "{name} cannot be written; check the disk and the permissions of its "
    "folder.",
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
