# SPDX-License-Identifier: Apache-2.0
"""``dpdesk key revoke``, ``key certificate`` and ``signers revoke``: keys that end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.revoked import enter_revocation, finish_revocation, revoke_own
from dpdesk.release.signing import keys, revocation
from dpdesk.release.signing.keys import KeyInfo
from dpdesk.release.signing.signers import RevokedKey, load_signers
from dpdesk.shell import passphrase
from dpdesk.shell.account import say_notices
from dpdesk.shell.output import DONE, complain, print_json, say
from dpdesk.study.problem import refuse

IN_ADVANCE: Final[Template] = "The key is stolen; this notice was made in advance."


@dataclass(frozen=True)
class RevokeOptions:
    """What the command line asks for.

    Attributes:
        since: the day, such as ``2026-11-22``.
        out: where the notice is written.
        fingerprint: of an earlier key of one's own, which the present one revokes.
        certificate: a notice that was made in advance.
    """

    reason: str
    since: str
    out: Path
    fingerprint: str | None = None
    certificate: Path | None = None


def certificate(home: Home, path: Path, today: str, as_json: bool) -> int:
    """Write a revocation in advance, for the day on which nobody can sign one."""
    key = revocation.unlock_to_sign(home, passphrase.ask())
    notice = revocation.notice_of(key.info, today, say(IN_ADVANCE))
    revocation.write_notice(path, notice, key)
    if as_json:
        print_json({"notice": path.name})
        return DONE
    print(
        say(
            "Keep {name} and {name}.sig apart from this computer: anyone with them can revoke "
            "the key, and nothing else. Use them with: dpdesk key revoke --certificate {name}",
            name=path.name,
        )
    )
    return DONE


def revoke(home: Home, options: RevokeOptions, as_json: bool) -> int:
    """Revoke the signing key, or an earlier one of the same name."""
    own = keys.show(home.keys)
    if own is None:
        raise refuse("key-missing")
    finished = finish_revocation(home)
    if finished is not None:
        revoked, notices = finished
        say_notices(notices)
        return _shown(revoked, as_json)
    notice = options.certificate or options.out
    if options.certificate is None:
        info = _own_key(home, own, options.fingerprint)
        key = revocation.unlock_to_sign(home, passphrase.ask())
        text = revocation.notice_of(info, options.since, options.reason)
        revocation.write_notice(notice, text, key)
    revoked, notices = revoke_own(home, notice)
    say_notices(notices)
    complain(
        say(
            "Give recipients {name} and {name}.sig, for dpdesk signers revoke {name}. Verify "
            "then rejects all bundles of this key, and each counts only for recipients who had "
            "it before that day.",
            name=notice.name,
        )
    )
    return _shown(revoked, as_json)


def accept(home: Home, notice: Path, as_json: bool) -> int:
    """Enter a known signer's revocation."""
    revoked = revocation.accept_revocation(home.signers, notice)
    say_notices(enter_revocation(home, revoked))
    return _shown(revoked, as_json)


def _own_key(home: Home, own: KeyInfo, fingerprint: str | None) -> KeyInfo:
    """The key that is meant: the present one, or an earlier one that is still accepted here.

    Raises:
        Refused: ``own-key-unknown`` (params identity, fingerprint).
    """
    known = [own, *load_signers(home.signers).known]
    wanted = fingerprint or own.fingerprint
    for info in known:
        if info.identity == own.identity and info.fingerprint == wanted:
            return info
    raise refuse("own-key-unknown", identity=own.identity, fingerprint=wanted)


def _shown(revoked: RevokedKey, as_json: bool) -> int:
    members = {
        "identity": revoked.info.identity,
        "fingerprint": revoked.info.fingerprint,
        "since": revoked.since,
        "reason": revoked.reason,
    }
    if as_json:
        print_json(members)
    else:
        print(say("{identity} ({fingerprint}) is revoked since {since}: {reason}", **members))
    return DONE
