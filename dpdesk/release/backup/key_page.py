# SPDX-License-Identifier: Apache-2.0
"""A key on paper: the public page to hand over and compare, and the private one to lock away.

Both are set as a report is, PDF or HTML; the same key gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from dpdesk.release.bundle.report.report_blocks import (
    Blanks,
    Block,
    Paragraph,
    Report,
    Section,
    Terms,
)
from dpdesk.release.signing.fingerprint import groups_of
from dpdesk.release.signing.keys import KeyInfo, allowed_signers_line, write_new
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import refuse

PUBLIC_TITLE: Final[Template] = "Signing key of {identity}"
PAPER_TITLE: Final[Template] = "Private key of {identity}, on paper"
_SUBJECT: Final[Template] = "A signing key"
_USE: Final[Template] = (
    "Hand this page over in person, or compare the groups on the telephone. Anyone with the "
    "public key and a compared fingerprint can check what this key signs; the private key is not "
    "on this page."
)
_SECRET: Final[Template] = (
    "Anyone with these words has the key, without its passphrase. Keep this page in a safe, "
    "apart from the computer, and print it on a printer that keeps nothing."
)
_RESTORE: Final[Template] = (
    "To restore it: dpdesk key restore-words, or Signing key in the window. Each line ends with "
    "a check word, so dpdesk finds typing errors and names the line. The first four words of the "
    "lines are the 24 words of BIP-39."
)


def public_page(info: KeyInfo, words: ReleaseWords) -> Report:
    """The public key with its fingerprint, and room for names and a day."""
    say = words.say
    compared = Blanks(
        (say("The sixteen groups were compared."),),
        (say("Name of the person"), say("Compared with"), say("Day and signature")),
    )
    return Report(
        title=say(PUBLIC_TITLE, identity=info.identity),
        author=info.identity,
        words=words,
        opening=(Paragraph(say(_USE)),),
        sections=(
            Section(say("Fingerprint"), _groups_block(info, words)),
            Section(say("Public key (line for allowed_signers)"), (_line(info),)),
            Section(say("Compared by"), (compared, compared)),
        ),
        subject=say(_SUBJECT),
    )


def paper_page(info: KeyInfo, lines: tuple[tuple[str, ...], ...], words: ReleaseWords) -> Report:
    """The private key's words, line by line, with the fingerprint that they must lead to."""
    say = words.say
    numbered = tuple(
        (say("Line {number}", number=number), "   ".join(line))
        for number, line in enumerate(lines, 1)
    )
    kept = Blanks((), (say("Kept where"), say("Day and signature")))
    return Report(
        title=say(PAPER_TITLE, identity=info.identity),
        author=info.identity,
        words=words,
        opening=(Paragraph(say(_SECRET), "warn"), Paragraph(say(_RESTORE))),
        sections=(
            Section(say("Words"), (Terms(numbered),)),
            Section(say("Fingerprint"), _groups_block(info, words)),
            Section(say("Safekeeping"), (kept,)),
        ),
        subject=say(_SUBJECT),
    )


def page_bytes(page: Report, name: str) -> bytes:
    """A page in the form that a file's name ends with.

    Raises:
        Refused: ``page-form`` (param name) where it is neither PDF nor HTML.
    """
    forms = {".pdf": pdf_bytes, ".html": html_bytes}
    made = forms.get(Path(name).suffix.lower())
    if made is None:
        raise refuse("page-form", name=name)
    return made(page)


def write_page(path: Path, page: Report, *, is_secret: bool) -> None:
    """Write a page; a secret one is for its owner alone, and never takes another file's place.

    Raises:
        Refused: ``page-form``, ``handed-exists`` or ``handed-unwritable`` (param name).
    """
    content = page_bytes(page, path.name)
    try:
        if is_secret:
            write_new(path, content)
        else:
            write_whole(path, content, handed_out=True)
    except FileExistsError:
        raise refuse("handed-exists", name=path.name) from None
    except OSError:
        raise refuse("handed-unwritable", name=path.name) from None


def _groups_block(info: KeyInfo, words: ReleaseWords) -> tuple[Block, ...]:
    groups = groups_of(info.fingerprint)
    half = len(groups) // 2
    shown = (" ".join(groups[:half]), " ".join(groups[half:]))
    places = (words.say("Groups 1 to 8"), words.say("Groups 9 to 16"))
    pairs = (
        *zip(places, shown, strict=True),
        (words.say("As OpenSSH prints it"), info.fingerprint),
    )
    return (Terms(pairs),)


def _line(info: KeyInfo) -> Block:
    return Paragraph(allowed_signers_line(info).strip())
