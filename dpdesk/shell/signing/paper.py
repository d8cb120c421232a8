# SPDX-License-Identifier: Apache-2.0
"""``dpdesk key print``, ``key words`` and ``key restore-words``: a key on paper, and back."""

from __future__ import annotations

import sys
from pathlib import Path

from dpdesk.catalogue import spoken
from dpdesk.release.backup.key_page import page_bytes, paper_page, public_page, write_page
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.paper_words import LINES, check_line, key_of_words, words_of_key
from dpdesk.release.signing.signers import load_signers
from dpdesk.shell import passphrase
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import DONE, complain, print_json, say
from dpdesk.study.problem import Refused, refuse
from dpdesk.texts.problems import sentence

_MOST_TYPED = 4_000


def print_public(home: Home, out: Path, as_json: bool) -> int:
    info = keys.show(home.keys)
    if info is None:
        raise refuse("key-missing")
    page = public_page(info, _words())
    refuse_taken(out, page_bytes(page, out.name))
    write_page(out, page, is_secret=False)
    if as_json:
        print_json({"page": out.name})
    else:
        print(say("{name} is written; it contains nothing secret.", name=out.name))
    return DONE


def words(home: Home, out: Path | None, as_json: bool) -> int:
    """Show the private key's words, or write them as a page where that is asked for."""
    if keys.show(home.keys) is None:
        raise refuse("key-missing")
    key = keys.unlock(home.keys, passphrase.ask())
    lines = words_of_key(key.private)
    complain(say("Anyone with these words has the key, without its passphrase."))
    if out is not None:
        write_page(out, paper_page(key.info, lines, _words()), is_secret=True)
    if as_json:
        print_json({"words": [*map(" ".join, lines)]} if out is None else {"page": out.name})
    elif out is not None:
        print(say("{name} is written, for you alone; print it and delete it.", name=out.name))
    else:
        for number, line in enumerate(lines, 1):
            print(f"{number}  {' '.join(line)}")
    return DONE


def restore(home: Home, name: str, as_json: bool) -> int:
    """Make the signing key of the words of a page, under a new passphrase."""
    keys.check_identity(name)
    if keys.show(home.keys) is not None:
        raise refuse("key-exists")
    pair = key_of_words(_typed())
    info = keys.info_of(name, pair)
    load_signers(home.signers).refuse_revoked(info.fingerprint)
    keys.keep(home.keys, name, pair, passphrase.ask_new())
    if as_json:
        print_json({"identity": info.identity, "fingerprint": info.fingerprint})
    else:
        print(info.fingerprint)
        complain(say("Compare the fingerprint with the one on the page."))
    return DONE


def _typed() -> list[str]:
    """Six lines, typed one by one or handed over on standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.read(_MOST_TYPED).splitlines()
    return [_line(number) for number in range(1, LINES + 1)]


def _line(number: int) -> str:
    """One line, asked for until it is right or the input ends."""
    while True:
        print(say("Line {number}", number=number), end=": ", file=sys.stderr, flush=True)
        typed = sys.stdin.readline(_MOST_TYPED)
        try:
            check_line(typed, number)
        except Refused as refused:
            if not typed:
                raise
            complain(sentence(refused.problems[0]))
        else:
            return typed


def _words() -> ReleaseWords:
    return ReleaseWords.of(spoken().language)
