# SPDX-License-Identifier: Apache-2.0
"""A dossier, checked: is it whole, who signed it, which bundle is it of, does it follow from it.

Nothing of it is read further than its signature vouches for it. Given its bundle as well, every
file is made again from the bundle and from what the dossier says was typed in: a figure altered
before it was signed is found out.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import dpdesk
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.signed_bundle import MANIFEST as BUNDLE_MANIFEST
from dpdesk.release.dossier.dossier_file import (
    DATA,
    KIND,
    NAMESPACE,
    PAGES,
    SIGNATURE,
    dossier_files,
)
from dpdesk.release.dossier.governance import COUNTERSIGN_NAMESPACE, MANIFEST
from dpdesk.release.dossier.stated import stated_of
from dpdesk.release.dossier.subject import subject_of, with_notices
from dpdesk.release.notices.notice_file import Notice, parse_notice
from dpdesk.release.notices.standing import NoticeFound, hold_against
from dpdesk.release.record.values import SignerName
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import check_identity
from dpdesk.release.signing.signers import Signers
from dpdesk.release.signing.sshsig import verify as verify_signature
from dpdesk.release.verify.active_content import active_content
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.verification import Verification, Who
from dpdesk.release.verify.zip_reader import read_zip
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.study.regular_file import open_regular

Remade = Literal["yes", "no", "not-checked"]
MOST_SIGNATURES = 20
_MOST_SIGNATURE_BYTES = 1_000
_LIMITS = {"README.txt": 100_000, MANIFEST: 100_000, SIGNATURE: _MOST_SIGNATURE_BYTES}
_MOST_PAGES = 24_000_000
_DIGEST = re.compile(r"[0-9a-f]{64}")
_RELEASE = re.compile(r"[0-9a-f]{32}")
_MADE_BY: Final = f"dpdesk {dpdesk.__version__}"


@dataclass(frozen=True)
class Countersignature:
    """A signature beside a dossier.

    Attributes:
        fingerprint: of the key that made it; empty where it does not hold.
        identity: under which that key is known; empty where it is not.
        problem: why it does not hold; ``None`` where it does.
    """

    name: str
    fingerprint: str = ""
    identity: str = ""
    problem: Problem | None = None


@dataclass(frozen=True)
class DossierCheck:
    """What was found.

    Attributes:
        whole: what is wrong with the files and the signature; empty: the dossier is whole.
        who: who signed; ``None`` where no signature holds.
        manifest_sha256: of the bundle's manifest that it names; empty where no signature holds.
        is_given: whether that bundle was given too, and verified.
        remade: whether every file came out again from the bundle.
        stated: all notices in it, their signatures checked; none of an unknown signer's.
        held: those of them that are about its bundle, held against it; empty without the bundle.
    """

    whole: tuple[Problem, ...]
    who: Who | None = None
    manifest_sha256: str = ""
    release: str = ""
    is_given: bool = False
    remade: Remade = "not-checked"
    stated: tuple[Notice, ...] = ()
    held: tuple[NoticeFound, ...] = ()
    countersignatures: tuple[Countersignature, ...] = field(default=())

    @property
    def notices(self) -> tuple[NoticeFound, ...]:
        """By which its release, or one whose figures it has, was withdrawn or corrected.

        Without the bundle, what its signer says of the release; with it, what counts of that.
        """
        if not self.is_given:
            own = (notice for notice in self.stated if notice.release_id == self.release)
            return tuple(NoticeFound(notice, None) for notice in own)
        return tuple(one for one in self.held if one.right is not None)

    @property
    def notice_problems(self) -> tuple[Problem, ...]:
        """Why notices about its bundle do not count."""
        return tuple(one.problem for one in self.held if one.problem is not None)

    @property
    def is_whole(self) -> bool:
        """Every file as listed, none besides, the signature good."""
        return not self.whole

    @property
    def is_good(self) -> bool:
        """Whole, signed by a known signer, and nothing that contradicts the bundle."""
        is_known = self.who is not None and self.who.standing == "known"
        countersigned = all(c.problem is None for c in self.countersignatures)
        return self.is_whole and is_known and self.remade != "no" and countersigned


def is_dossier(source: Path | bytes) -> bool:
    """Whether a file says of itself that it is a dossier; only its first bytes are looked at."""
    try:
        raw = source if isinstance(source, bytes) else read_zip(source)
        return MANIFEST in unpack(raw)
    except Refused:
        return False


def check_dossier(
    source: Path | bytes,
    signers: Signers,
    bundles: Iterable[Verification] = (),
    beside: Mapping[str, bytes] | None = None,
) -> DossierCheck:
    """Check a dossier.

    Args:
        source: its path or bytes.
        signers: the signers to accept, from outside.
        bundles: bundles that were given with it, each verified.
        beside: countersignatures by file name; those beside the path where it is left out.

    Raises:
        Refused: ``bundle-missing`` or ``bundle-unreadable`` (param name).
    """
    raw = source if isinstance(source, bytes) else read_zip(source)
    try:
        files = _files(raw)
        blob = verify_signature(files[MANIFEST], files[SIGNATURE], NAMESPACE)
        stated = _parsed(files[MANIFEST])
    except Refused as refused:
        return DossierCheck(refused.problems)
    fingerprint = fingerprint_of(blob)
    identity = stated["signer"]["identity"]
    who = Who(signers.standing(identity, fingerprint), identity, fingerprint)
    whole = tuple(_differences(files, stated, fingerprint))
    notices: tuple[Notice, ...] = ()
    if not whole:
        try:
            notices = _notices(files, stated)
        except Refused as refused:
            whole = refused.problems
    if beside is None:
        beside = _signatures_beside(source) if isinstance(source, Path) else {}
    of = _bundle_of(stated, bundles)
    if who.standing != "known":
        notices = ()
    return DossierCheck(
        whole=whole,
        who=who,
        manifest_sha256=stated["bundle_manifest_sha256"],
        release=stated["release"],
        is_given=of is not None,
        remade=_remade(files, stated, of) if of is not None and not whole else "not-checked",
        stated=notices,
        held=tuple(_held(notices, of, signers)) if of is not None else (),
        countersignatures=tuple(_countersigned(files[MANIFEST], beside, signers)),
    )


def _files(raw: bytes) -> dict[str, bytes]:
    """The six files of a dossier, and no other, in their order."""
    files = unpack(raw)
    for name, content in files.items():
        if len(content) > _LIMITS.get(name, _MOST_PAGES):
            raise refuse("bundle-file-too-large", name=name)
    if list(files) != [*PAGES, MANIFEST, SIGNATURE]:
        raise refuse("dossier-files-odd")
    return files


def _parsed(raw: bytes) -> dict[str, Any]:
    """The manifest, exactly as dpdesk writes it."""
    members = parse_manifest(raw)
    texts = ("kind", "made_by", "bundle_manifest_sha256", "release")
    names = {*texts, "format", "signer", "files"}
    if type(members) is not dict or set(members) != names or members["kind"] != KIND:
        raise refuse("dossier-manifest-odd")
    signer, files = members["signer"], members["files"]
    is_text = all(type(members[name]) is str for name in texts)
    if not is_text or not _is_texts(signer, {"identity", "fingerprint"}):
        raise refuse("dossier-manifest-odd")
    if not _is_texts(files, set(PAGES)) or not all(map(_DIGEST.fullmatch, files.values())):
        raise refuse("dossier-manifest-odd")
    is_digest = _DIGEST.fullmatch(members["bundle_manifest_sha256"]) is not None
    if not is_digest or not _RELEASE.fullmatch(members["release"]) or members["format"] != 1:
        raise refuse("dossier-manifest-odd")
    _check_name(signer["identity"])
    return dict(members)


def _check_name(identity: str) -> None:
    """A name is shown in windows and terminals: nothing in it may steer them."""
    try:
        check_identity(identity)
    except Refused:
        raise refuse("dossier-manifest-odd") from None


def _is_texts(members: Any, names: set[str]) -> bool:
    if type(members) is not dict or set(members) != names:
        return False
    return all(type(text) is str for text in members.values())


def _differences(
    files: Mapping[str, bytes], stated: dict[str, Any], fingerprint: str
) -> Iterator[Problem]:
    for name, digest in stated["files"].items():
        if hashlib.sha256(files[name]).hexdigest() != digest:
            yield Problem("$.files", "bundle-file-changed", {"name": name})
    if stated["signer"]["fingerprint"] != fingerprint:
        yield Problem("$.signer", "bundle-signer-differs", {"fingerprint": fingerprint})
    yield from active_content(files, PAGES)


def _bundle_of(stated: dict[str, Any], bundles: Iterable[Verification]) -> Verification | None:
    """The bundle that a dossier names, among those that were given and verified."""
    for bundle in bundles:
        manifest = bundle.files.get(BUNDLE_MANIFEST, b"")
        digest = hashlib.sha256(manifest).hexdigest()
        if bundle.is_confirmed and digest == stated["bundle_manifest_sha256"]:
            return bundle
    return None


def _remade(files: Mapping[str, bytes], stated: dict[str, Any], bundle: Verification) -> Remade:
    """Whether this version makes the same files of the bundle and of what was typed in."""
    if stated["made_by"] != _MADE_BY:
        return "not-checked"
    try:
        data = parse_manifest(files[DATA])
        materials = data["software"]["sbom_sha256"]
        words = ReleaseWords.of(_language(data["language"]))
        if materials and not _DIGEST.fullmatch(materials):
            return "no"
        subject = subject_of(bundle, stated_of(data["stated"]), words, materials)
        signer = SignerName(**stated["signer"])
        subject = with_notices(subject, [one["signed"] for one in _listed(data)], signer)
        made = dossier_files(subject, stated["signer"])
    except (Refused, KeyError, TypeError):
        return "no"
    return "yes" if all(files[name] == content for name, content in made.items()) else "no"


def _listed(data: Any) -> list[Any]:
    """The notices that a dossier's data list; its account has the member where there are any."""
    account = data.get("account") if type(data) is dict else None
    listed = account.get("notices", []) if type(account) is dict else []
    if type(listed) is not list:
        raise TypeError("not a list")
    return listed


def _notices(files: Mapping[str, bytes], stated: dict[str, Any]) -> tuple[Notice, ...]:
    """The notices in a dossier, their signatures checked.

    Raises:
        Refused: ``dossier-notices-odd``: one is no notice of the dossier's signer.
    """
    try:
        data = parse_manifest(files[DATA])
    except Refused:
        return ()  # it follows from no bundle
    try:
        listed = _listed(data)
        found = [parse_notice(one["signed"].encode("ascii")) for one in listed]
    except (Refused, KeyError, TypeError, AttributeError, UnicodeEncodeError):
        raise refuse("dossier-notices-odd") from None
    if any(asdict(notice.signer) != stated["signer"] for notice in found):
        raise refuse("dossier-notices-odd")
    return tuple(found)


def _held(
    notices: Iterable[Notice], bundle: Verification, signers: Signers
) -> Iterator[NoticeFound]:
    """The notices about a dossier's bundle; those on other releases of its account are not.

    Anybody can make a dossier of a published bundle, and sign a notice of their own in it.
    """
    for notice in notices:
        found = hold_against(notice, bundle, signers)
        if found.problem is None or found.problem.code != "notice-other-release":
            yield found


def _language(code: Any) -> str:
    """A language's code and nothing that leads to another file."""
    if type(code) is not str or not re.fullmatch(r"[a-z]{2,3}", code):
        raise TypeError("not a language")
    return code


def _signatures_beside(path: Path) -> dict[str, bytes]:
    """Signatures whose names begin with the dossier's; this many at most."""
    found: dict[str, bytes] = {}
    try:
        names = sorted(name for name in os.listdir(path.parent) if _is_beside(name, path.name))
    except OSError:
        return found
    for name in names[:MOST_SIGNATURES]:
        try:
            with open_regular(path.parent / name) as stream:
                found[name] = stream.read(_MOST_SIGNATURE_BYTES + 1)
        except (OSError, ValueError):
            found[name] = b""
    return found


def _is_beside(name: str, dossier: str) -> bool:
    return name.startswith(f"{dossier}.") and name.endswith(".sig") and name.isprintable()


def _countersigned(
    manifest: bytes, beside: Mapping[str, bytes], signers: Signers
) -> Iterator[Countersignature]:
    known = {signer.fingerprint: signer.identity for signer in signers.known}
    for name, armored in beside.items():
        try:
            blob = verify_signature(manifest, armored, COUNTERSIGN_NAMESPACE)
        except Refused as refused:
            yield Countersignature(name, problem=refused.problems[0])
            continue
        fingerprint = fingerprint_of(blob)
        yield Countersignature(name, fingerprint, known.get(fingerprint, ""))
