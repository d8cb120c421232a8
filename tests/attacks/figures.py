# SPDX-License-Identifier: Apache-2.0
"""Figures altered before signing, in each file of a bundle; the signer lists what comes of it.

A file is a table, a page, a PDF, a workbook, made-up rows or a document about them. Nothing gives
such a bundle away but that its figures do not follow from what was drawn.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from tests.attacks.changes import Tried
from tests.release.bundles import KEY, KNOWN

Files = dict[str, bytes]
FIGURE = re.compile(rb"[0-9]+")
SHOWN = re.compile(rb"\((?:[^()\\]|\\.)+\) Tj", re.DOTALL)
"""A text of a PDF: the places of its signs in a font."""


def figures(files: Files, name: str) -> list[int]:
    """Where a file's figures are: of a PDF its texts, of a workbook places in all its members."""
    content = files[name]
    if name == SIGNATURE:
        return []
    if name.endswith(".pdf"):
        return [one.start() + 1 for one in SHOWN.finditer(content)]
    if name == MANIFEST:
        # What was drawn moves no figure here and there, and what is declared, such as a guess of a
        # size, is the signer's to say; digests of the files follow from these.
        drawn, after = (content.index(part) for part in (b'"drawn": {', b'"format": '))
        content = content[:drawn] + b" " * (after - drawn) + content[after:]
        content = content[: content.rindex(b'"study": {')]
    if name.endswith(".xlsx"):
        content = b"".join(unpack(content).values())
    return [(one.start() + one.end()) // 2 for one in FIGURE.finditer(content)]


def altered(files: Files, name: str, place: int) -> Files:
    """A bundle's files with one figure altered.

    A workbook is packed again, so that none of its checksums gives the change away.
    """
    if name.endswith(".xlsx"):
        return {**files, name: pack(_at(unpack(files[name]), place))}
    return {**files, name: _with(files[name], place)}


def signed(files: Files) -> bytes:
    """A bundle of files, which its manifest lists, with a signature of what that says."""
    statement = json.loads(files[MANIFEST])
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(files[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


def each_figure(raw: bytes, most: int) -> Iterator[tuple[str, Tried]]:
    """By file: so many of its figures altered, one at a time, spread over all of it."""
    files = unpack(raw)
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        for name in files:
            places = spread(figures(files, name), most)
            passed = [*pool.map(partial(passes, files, name), places, chunksize=4)]
            unseen = ((at, 0) for at, is_good in zip(places, passed, strict=True) if is_good)
            yield name, Tried(len(places), tuple(unseen))


def spread(places: list[int], most: int) -> list[int]:
    """So many of them, from the first to the last."""
    step = max(1, -(-len(places) // most))
    return places[::step]


def passes(files: Files, name: str, place: int) -> bool:
    """Whether an altered figure is not noticed; one of the manifest's may be found in its claim."""
    found = verify(signed(altered(files, name, place)), KNOWN)
    return found.is_good or (found.is_whole and name != MANIFEST)


def _at(members: Files, place: int) -> Files:
    for name, content in members.items():
        if place < len(content):
            return {**members, name: _with(content, place)}
        place -= len(content)
    raise IndexError(place)


def _with(content: bytes, place: int) -> bytes:
    """Another digit for a digit, another sign for a sign."""
    old = content[place : place + 1]
    new = b"%d" % ((int(old) + 1) % 10) if old.isdigit() else bytes([old[0] ^ 1])
    return content[:place] + new + content[place + 1 :]
