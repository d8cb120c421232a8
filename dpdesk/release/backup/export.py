# SPDX-License-Identifier: Apache-2.0
"""Every entry of the ledger for an auditor: JSON, CSV and a page to read, signed.

The JSON holds each entry's fields and its payload as the text that was digested, so that anyone who
has it can recompute every hash. The list of digests is in the form of ``sha256sum`` and signed by
a namespace of its own, so that it never passes for a release. Nothing keyed with the ledger's
secret is in it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.bundle_zip import pack
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.ledger import AccountState, Entry, HistoryEntry, Ledger, release_numbers
from dpdesk.release.ledger.history import entry_about
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.signing.stock_commands import ON_EACH_SYSTEM, system_commands, verify_command
from dpdesk.study.json.study_files import make_part_folder, remove_left_behind, write_whole
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.text.spreadsheet_cells import neutral_in_page, neutral_parts

NAMESPACE = "dpdesk-ledger-v1"
DIGESTS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
_ENTRY_HEADS = ("entry", "time", "kind", "account", "measure", "granted", "charged")
_MORE_HEADS = ("delta_granted", "delta_kept", "delta_charged", "about", "hash")
_ACCOUNT_HEADS: Final[tuple[Template, ...]] = (
    "account",
    "measure",
    "total",
    "spent",
    "reserved",
    "left",
    "locked",
    "rollback suspected",
    "separate people declared",
    "note",
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body{font:14px/1.5 sans-serif;margin:2rem}table{border-collapse:collapse;margin:1rem 0}
th,td{border-bottom:1px solid #999;padding:.2rem .8rem .2rem 0;text-align:left;
overflow-wrap:anywhere}
"""
_README: Final[Template] = """\
The ledger of differentially private releases
=============================================

entries.json     every entry, with its payload as it enters the hash chain
entries.csv      the same entries as a table, without payloads
ledger.html      accounts and entries to read
SHA256SUMS       the SHA-256 digest of each file above and of this one
SHA256SUMS.sig   the signature of SHA256SUMS (OpenSSH, Ed25519)

The last entry is {count}, its hash {head}. Bundles list the hashes of
all entries up to theirs, so this list and any bundle of the same ledger fit
together or contradict each other. The ledger is tamper-evident, not
tamper-proof: what another copy of it spent is not in this list.

Check it without dpdesk
-----------------------
1. Get the signer's line for an allowed_signers file from the signer, and
   compare its fingerprint by another way, such as the telephone:

       {fingerprint}

   In your copy of the line, write namespaces="{namespace}". Save it as
   allowed_signers in the folder above this one.

2. {commands}

3. Compare the digest of each file with the one in SHA256SUMS.

       Linux     sha256sum -c SHA256SUMS
       macOS     shasum -a 256 -c SHA256SUMS
       Windows   %SystemRoot%\\System32\\certutil -hashfile <file> SHA256
"""


def export_files(ledger: Ledger, key: SigningKey, words: ReleaseWords = WORDS) -> dict[str, bytes]:
    """The files of an export by name, signed; what people read in a language, the rest as ever.

    Raises:
        Refused: ``ledger-damaged``, and those of reading the ledger; an older copy in use is
            exported and says that it is locked.
    """
    report = ledger.check()
    wrong = [p for p in report.problems if p.code != "ledger-rolled-back"]
    if wrong:
        raise Refused(wrong)
    history, accounts = ledger.history()[: report.entries], report.accounts
    members = [_entry_members(h.entry, ledger.payload(h.entry.sequence)) for h in history]
    files = {
        "entries.json": json_bytes({"ledger": 1, "head": report.head, "entries": members}),
        "entries.csv": _csv(history),
        "ledger.html": _page(accounts, history, words).encode("utf-8"),
        "README.txt": _readme(report.entries, report.head, key.info, words).encode("utf-8"),
    }
    lines = [f"{hashlib.sha256(raw).hexdigest()}  {name}\n" for name, raw in files.items()]
    digests = "".join(lines).encode("ascii")
    return {**files, DIGESTS: digests, SIGNATURE: sign(digests, key, NAMESPACE)}


def write_export(path: Path, files: Mapping[str, bytes]) -> None:
    """Write an export whole or not at all: as a zip where its name ends so, else as a folder.

    Raises:
        Refused: ``export-exists`` or ``export-unwritable`` (param name).
    """
    if os.path.exists(path):
        raise refuse("export-exists", name=path.name)
    try:
        remove_left_behind(path)
        if path.suffix.lower() == ".zip":
            write_whole(path, pack(files))
        else:
            _write_folder(path, files)
    except OSError:
        raise refuse("export-unwritable", name=path.name) from None


def _write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    part = make_part_folder(path)
    try:
        for name, content in files.items():
            write_whole(part / name, content)
        os.rename(part, path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _entry_members(entry: Entry, payload: str) -> dict[str, Any]:
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "kind": entry.kind,
        "account": entry.account,
        "measure": entry.measure,
        "granted": str(entry.granted),
        "charged": str(entry.charged),
        "delta_granted": str(entry.delta_granted),
        "delta_kept": str(entry.delta_kept),
        "delta_charged": str(entry.delta_charged),
        "payload": payload,
        "payload_sha256": entry.payload_sha256,
        "previous": entry.previous,
        "hash": entry.hash,
    }


def _csv(history: Sequence[HistoryEntry]) -> bytes:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow((*_ENTRY_HEADS, *_MORE_HEADS))
    table.writerows(map(neutral_parts, cells) for cells in _cells(history, WORDS))
    return text.getvalue().encode("utf-8")


def _cells(history: Sequence[HistoryEntry], words: ReleaseWords) -> Iterator[tuple[str, ...]]:
    numbers = release_numbers(one.entry for one in history)
    for one in history:
        entry = one.entry
        deltas = (entry.delta_granted, entry.delta_kept, entry.delta_charged)
        amounts = (entry.granted, entry.charged, *deltas)
        names = (str(entry.sequence), entry.time, entry.kind, entry.account, entry.measure)
        about = entry_about(one, numbers, words.catalogue)
        yield (*names, *map(str, amounts), about, entry.hash)


def _page(
    accounts: Iterable[AccountState], history: Sequence[HistoryEntry], words: ReleaseWords
) -> str:
    """The page to read: no scripts, and nothing that is fetched."""
    title = escape(words.say("The ledger of differentially private releases"))
    heads = (*_ENTRY_HEADS, *_MORE_HEADS)
    rows = (_account_cells(account, words) for account in accounts)
    return (
        f'<!DOCTYPE html>\n<html lang="{words.code}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"{_table(map(words.say, _ACCOUNT_HEADS), rows)}"
        f"{_table(heads, _cells(history, words))}</body>\n</html>\n"
    )


def _account_cells(account: AccountState, words: ReleaseWords) -> tuple[str, ...]:
    held = (str(account.reserved), str(account.left))
    amounts = (account.measure, str(account.total), str(account.spent), *held)
    flags = (account.locked, account.rollback_suspected, account.separate_people_declared)
    said = (words.say("yes") if flag else words.say("no") for flag in flags)
    return (account.name, *amounts, *said, account.note)


def _table(heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["<table>", _row("th", heads), *(_row("td", row) for row in rows), "</table>", ""]
    return "\n".join(lines)


def _row(tag: str, cells: Iterable[str]) -> str:
    written = (escape(neutral_in_page(cell)) for cell in cells)
    return "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in written) + "</tr>"


def _readme(count: int, head: str, signer: KeyInfo, words: ReleaseWords) -> str:
    files = "../allowed_signers", SIGNATURE, DIGESTS
    command = verify_command(signer.identity, NAMESPACE, *files)
    commands = words.say(ON_EACH_SYSTEM, **system_commands(command))
    text = {"count": str(count), "head": head, "fingerprint": signer.fingerprint}
    return words.say(_README, commands=commands, namespace=NAMESPACE, **text)
