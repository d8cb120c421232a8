# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a bundle, its privacy claim, and a dossier of it."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # Bundles
    "bundle-missing": "{name} does not exist. Check the name and the folder.",
    "bundle-unreadable": "{name} cannot be read. Check its name and permissions, and that it is "
    "a file.",
    "bundle-unwritable": "{name} cannot be written. Check the disk and the permissions of the "
    "folder, or choose another folder.",
    "bundle-no-room": "The bundle {name} needs up to {megabytes} MB, more than this disk has. "
    "Make room or choose another disk. Nothing was spent.",
    "output-exists": "{name} exists already. Choose another name.",
    "release-unwritten": "The release is charged and in the ledger (entry {entry}): {paid} from "
    "account “{account}”, {left} of {total} remaining. The same command writes its bundle at no "
    "cost, elsewhere with --out.",
    "output-unwritable": "The release is charged and in the ledger (entry {entry}), and its "
    "bundle is {name}, but the output of this command cannot be written. The same command "
    "repeats it at no cost.",
    "release-unshown": "The release is charged to account “{account}” and in the ledger (entry "
    "{entry}), and its bundle is {name}, but the ledger cannot be read again to show it. The "
    "same command repeats it at no cost.",
    "compare-same-release": "Both are the same release.",
    "compare-not-priced": "This dpdesk cannot compute the cost of one of the two studies again, "
    "so they cannot be compared.",
    "compare-fork": "The two releases contradict each other: they come from diverging copies of "
    "one ledger, or state two values of one figure. Budget may have been spent twice. Ask the "
    "signer.",
    "compare-unverified": "{name} does not verify, so it is not compared.",
    "compare-unknown-signer": "dpdesk does not know its signer: add their public key first.",
    "made-up-rows": "A rehearsal makes up {least} to {most} rows.",
    "made-up-size": "“{given}” is not a group size. Write it like “stays: Ward A; f = 300”.",
    "made-up-query": "The study has no query “{query}” whose groups could have a size.",
    "made-up-group": "The query “{query}” has no group “{group}”; its first is “{first}”.",
    "made-up-over-other": "{name} exists and is not a rehearsal; choose another name.",
    "bundle-made-up": "Made up, not a release: a rehearsal on made-up rows. It says nothing "
    "about any data and is unsigned.",
    "bundle-not-a-bundle": "This bundle was changed, or dpdesk did not write it.",
    "bundle-too-large": "This is too large for a bundle.",
    "bundle-file-odd": "The bundle contains a file that does not belong in a bundle.",
    "bundle-file-too-large": "The file {name} is larger than any in a bundle.",
    "bundle-file-missing": "The file {name} is missing from the bundle.",
    "bundle-file-unlisted": "The file {name} was added to the bundle after it was signed.",
    "bundle-file-changed": "The file {name} was changed after it was signed.",
    "bundle-drawn-odd": "The manifest does not record what was drawn for its queries; dpdesk did "
    "not write this bundle in this form.",
    "bundle-active-content": "The file {name} contains more than text and drawings: a browser or "
    "spreadsheet might run it. Do not open it.",
    "bundle-file-not-as-drawn": "{name} does not follow from the numbers that were drawn; ask "
    "the signer for a new bundle.",
    # What dpdesk wrote for another place
    "file-is-study": "{name} is a study; open it with Open a study….",
    "file-is-bundle": "{name} is a bundle of released figures; check it with Verify a bundle….",
    "file-is-dossier": "{name} is the dossier of a release; check it with Verify a bundle….",
    "file-is-rehearsal": "{name} is a rehearsal on made-up rows, not a release.",
    "file-is-backup": "{name} is a backup of a ledger; restore it with Tools, Ledger, Restore a "
    "ledger… (dpdesk ledger restore).",
    "file-is-ledger-export": "{name} is a ledger exported for an auditor; unpack it and read "
    "ledger.html. Its README.txt says how to check it.",
    "file-is-plan": "{name} is a plan for a second person to sign; open it with Tools, Sign a "
    "plan… (dpdesk sign).",
    "file-is-change": "{name} is a change of an account's second person; the current one signs it "
    "with Tools, Sign a plan… (dpdesk sign).",
    "file-is-notice": "{name} is a notice that a release was withdrawn or corrected; open the "
    "release's bundle in Verify, then the notice (dpdesk verify BUNDLE --notice FILE).",
    "file-is-signature": "{name} is a signature; leave it beside the file that was signed, and "
    "open that file.",
    "file-is-key-notice": "{name} announces a signer's new key; accept it with dpdesk signers "
    "rotate.",
    "file-is-revocation": "{name} says that a signer's key is revoked; accept it with dpdesk "
    "signers revoke.",
    "file-is-public-key": "{name} contains public keys of signers; paste one of its lines in "
    "Verify under I know this signer… (dpdesk signers add).",
    "file-is-private-key": "{name} is a private signing key; give it to nobody. Import it in "
    "Signing key (dpdesk key import).",
    "file-is-table-schema": "{name} describes columns; import it in Columns with Import codebook….",
    "file-is-document": "{name} is a page that dpdesk wrote to be read or printed; open it with "
    "another program.",
    # The privacy claim of a bundle
    "claim-format-unknown": "The privacy claim has a format that this dpdesk does not know; "
    "update dpdesk.",
    "claim-word-unknown": "The manifest has a word at {place} that this dpdesk does not know; "
    "update dpdesk.",
    "claim-member-missing": "The manifest lacks {place}, which dpdesk always writes.",
    "claim-member-unknown": "The manifest has a member in {place} that dpdesk never writes.",
    "claim-malformed": "The manifest's {place} is not as dpdesk writes it.",
    "claim-list-too-long": "The manifest's list {place} has more than {most} items, which no "
    "release has.",
    "claim-drawn-malformed": "The manifest does not record what was drawn for {query} as dpdesk "
    "writes it.",
    "claim-noise-impossible": "The noise stated for {query} ({part}) cannot be drawn: its scale "
    "or sensitivity is out of range.",
    "claim-loss-differs": "The privacy loss stated for {query} ({part}) is {claimed}, but its "
    "sensitivity and scale give {computed}.",
    "claim-loss-over-share": "The privacy loss of {query} ({part}) is {computed}, more than the "
    "{share} that was charged for it.",
    "claim-shares-differ": "The parts of {query} add up to {computed}, not to its share {claimed}.",
    "claim-total-differs": "The queries add up to {computed}, not to the stated total {claimed}.",
    "claim-rho-differs": "A release in zCDP states its rho, one in pure epsilon does not; this "
    "one does the opposite.",
    "claim-measure-differs": "The claim and the account are not in the same measure.",
    "claim-delta-not-of-account": "The claim states the delta {claimed}, but its account has "
    "{account}.",
    "claim-kept-not-of-account": "Of its delta, the claim states {claimed} for found categories, "
    "but its account has {account}.",
    "claim-delta-in-epsilon": "The release is in pure epsilon, which has no delta, and states one.",
    "claim-delta-impossible": "No account in zCDP can have a delta of {delta} with {kept} of it "
    "for found categories.",
    "claim-meaning-differs": "The epsilon stated for the release is {claimed}, but {computed} "
    "follows from its rho and delta.",
    "claim-study-unreadable": "The study in the manifest is not one that dpdesk reads.",
    "claim-study-not-priced": "The study in the manifest cannot be released: no plan follows from "
    "it.",
    "claim-study-local": "The manifest reveals details of the signer's file that no bundle "
    "contains ({members}); notify the signer, and ask for a bundle as dpdesk writes it.",
    "claim-unit-differs": "The privacy claim is for another privacy unit than its study declares.",
    "claim-account-name-differs": "The account is not the one that the study names.",
    "claim-limit-missing": "The study sets no limit in {measure}, the measure of the release.",
    "claim-over-study-limit": "The release costs {claimed}, more than its study's limit of "
    "{limit}.",
    "claim-queries-differ": "The released queries are not those of the study.",
    "claim-query-repeated": "The query {query} was released more than once.",
    "claim-question-differs": "The query released as {query} is not the one that the study "
    "requests.",
    "claim-price-differs": "The share of {query} is not the one that its study declares.",
    "claim-title-differs": "The title of the query “{query}” is not what its study requests.",
    "claim-name-differs": "The table of the query “{query}” is not named after its title.",
    "claim-cells-differ": "The number of lines stated for {query} is not what its study gives.",
    "claim-draws-differ": "The draws stated for {query} are not those that its study calls for.",
    "claim-mechanism-differs": "The noise of {query} ({part}) is not of the kind that its study "
    "calls for.",
    "claim-sensitivity-too-small": "The noise of {query} covers a change of {claimed}, but one "
    "person can change it by {computed}.",
    "claim-margin-differs": "The margin stated for {query} is not what its noise gives.",
    "claim-threshold-too-small": "The threshold of {query} ({part}) is {claimed}, below the "
    "{computed} that its delta needs.",
    "claim-query-delta-differs": "The delta of {query} is not the one that its study declares.",
    "claim-chain-differs": "The release claims to be entry {sequence} of its ledger, but no "
    "account was opened before that entry.",
    "claim-spent-after-differs": "The account claims {claimed} as spent after this release; with "
    "its charge it is {computed}.",
    "claim-account-overspent": "The account has spent {spent}, more than its total of {total}.",
    "claim-charges-differ": "The account's charges add up to {claimed}, but {computed} was spent.",
    "claim-charges-unordered": "The account's charges are out of order, or belong to later "
    "entries.",
    "claim-charge-here-differs": "The account's charge for this release is {claimed}, but its "
    "queries were charged {computed}.",
    "claim-charge-not-share": "{query} was charged an amount other than its share.",
    "claim-stored-charged": "{query} is a stored figure of an earlier release, but was charged "
    "again.",
    "claim-drawn-elsewhere": "{query} claims to be drawn in an entry that cannot have drawn it.",
    "claim-drawn-times-differ": "Stored figures of one earlier release claim different times.",
    "claim-question-paid-twice": "{query} repeats another query of this release, but was charged "
    "again.",
    "claim-question-drawn-twice": "{query} repeats another query of this release, but was drawn "
    "in another entry.",
    "claim-draw-unpaid": "{query} was drawn in this release, but charged to no query.",
    "claim-earlier-unpaid": "The figures from entry {sequence} cost more than that entry was "
    "charged.",
    "claim-earlier-delta-unpaid": "The figures from entry {sequence} cost more delta than that "
    "entry was charged.",
    "claim-delta-charge-differs": "{query} was charged a delta other than what it costs.",
    "claim-delta-after-differs": "The delta spent before and after does not match what was "
    "charged.",
    "claim-delta-charges-differ": "The account's charges of delta do not add up to the delta "
    "spent.",
    "claim-delta-here-differs": "The account's charge of delta for this release is not what its "
    "queries were charged.",
    "claim-delta-overspent": "The account has spent more than its delta for found categories.",
    "bundle-list-odd": "The bundle's list of files is not as dpdesk writes it.",
    "bundle-signer-differs": "The bundle names a signer other than the one whose key signed it.",
    "bundle-plan-unsigned": "The account requires the signature of {name} over the plan, and this "
    "plan does not have it.",
    "bundle-second-missing": "The account requires a second signature, of {name}, and this bundle "
    "does not have it yet.",
    "bundle-second-wrong": "The second signature is not that of {name} over this bundle's "
    "manifest.",
    "bundle-second-self": "The second person, {name}, is the signer: one person signed twice.",
    "manifest-malformed": "The bundle's manifest is not as dpdesk writes it.",
    "signature-malformed": "The bundle's signature is not as dpdesk writes it.",
    "signature-wrong": "The signature does not belong to this bundle's list of files.",
    "signature-key-weak": "The key that signed is insecure and is not accepted.",
    "bundle-other-version": "The bundle was made by dpdesk {dpdesk} with OpenDP {opendp}, which "
    "this dpdesk {own} does not know. Verify it with that version.",
    "bundle-other-files": "The bundle was made by dpdesk {dpdesk} with OpenDP {opendp}. This "
    "dpdesk {own} does not get {names} as in the bundle, so it cannot check them: verify them with "
    "that one.",
    "bundle-other-language": "This dpdesk has no sentences in the bundle’s language ({language}), "
    "so it cannot check the figures in {names}. Verify it with a dpdesk that has them.",
    "bundles-fork": "Entries {first} and {second} come from diverging copies of one ledger: an "
    "older copy was used again, or two copies were kept. Ask the signer.",
    "bundles-answer-differs": "The bundles of entries {first} and {second} state different "
    "values of one figure, which entry {entry} drew once. Ask the signer.",
    "bundles-missing": "The account “{account}” was also charged by the entries {sequences}, whose "
    "bundles are not here.",
    "figure-malformed": "A figure of the table {table} is not a number.",
    # A dossier
    "dossier-bundle-not-verified": "A dossier needs a bundle that verifies: complete, signed by "
    "someone you know, with a correct privacy claim.",
    "dossier-date-invalid": "Type the review date as 2027-01-31.",
    "dossier-fields-invalid": "What was typed in for the dossier cannot be read; type it in again.",
    "dossier-files-odd": "This dossier does not contain the files of a dossier.",
    "dossier-notices-odd": "A notice in this dossier is not its signer's, or not about its "
    "account's releases so far.",
    "dossier-manifest-odd": "The dossier's manifest is not as dpdesk writes it.",
    "dossier-other-bundle": "This bundle is of another release; choose the bundle of this release.",
}
