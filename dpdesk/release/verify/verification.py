# SPDX-License-Identifier: Apache-2.0
"""A bundle, checked: is it whole, who signed it, does its privacy claim add up.

Three answers, apart from each other, and two that say how far they reach: what the account's
history leaves open, and whether every file was made again from what was drawn. A bundle is good
where all of it was: a version or a language that this program does not know makes it neither good
nor a forgery. Nothing of a bundle is read further than its signature vouches for it: what was
signed is the manifest's bytes, and those same bytes are parsed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import dpdesk
from dpdesk.release.bundle.baseline.released import baseline_file_names
from dpdesk.release.bundle.compared_text import compared_file_names
from dpdesk.release.bundle.second_signature import SECOND_SIGNATURE, plan_files
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE
from dpdesk.release.bundle.synthetic.rows import synthetic_file_names
from dpdesk.release.record.parse import (
    Statement,
    parse_signed,
    parse_statement,
    stated_software,
)
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.record.table_names import derived_file
from dpdesk.release.record.values import SignedRelease, SoftwareVersions
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.signers import Signers, Standing
from dpdesk.release.signing.sshsig import verify as verify_signature
from dpdesk.release.verify.active_content import active_content
from dpdesk.release.verify.claim import check_claim
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.reproduce import (
    is_known,
    made_files,
    rebuilt_tables,
    speaks,
)
from dpdesk.release.verify.second import SecondSigner, second_of, second_problems
from dpdesk.release.verify.zip_reader import FIXED_NAMES, is_expected_name, read_bundle
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.problem import Problem, Refused, refuse

UNLISTED = (MANIFEST, SIGNATURE, SECOND_SIGNATURE)
"""The files that no manifest lists, in their order at the end."""


@dataclass(frozen=True)
class Who:
    """Who signed.

    Attributes:
        standing: known, unknown, or changed: known with another key or under another name.
        fingerprint: of the key that made the signature.
    """

    standing: Standing
    identity: str
    fingerprint: str


@dataclass(frozen=True)
class Verification:
    """Three answers.

    Attributes:
        whole: what is wrong with the files and the signature; empty: the bundle is whole.
        who: who signed; ``None`` where no signature holds.
        claim: what does not add up; empty: it does; ``None`` where no signature holds.
        release: what the manifest states; ``None`` where no signature holds, or where it is not
            as dpdesk writes it.
        files: the files by name; empty unless the bundle is whole.
        not_made_again: files that are as they were signed, but that this program cannot make
            again from what was drawn, because it has no sentences in their language, or because
            another version wrote them.
        second: who has to sign besides, and what of it holds; ``None`` where nobody has to.
        other_version: what made the bundle, where it was another version of dpdesk or OpenDP. What
            this one does not confirm of it is no fault: then there is no claim.
        unjudged_release: what its manifest states where its claim is not confirmed: enough to know
            which release it is, and whether a notice is about it.
    """

    whole: tuple[Problem, ...]
    who: Who | None = None
    claim: tuple[Problem, ...] | None = None
    release: SignedRelease | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    not_made_again: tuple[str, ...] = ()
    second: SecondSigner | None = None
    other_version: SoftwareVersions | None = None
    unjudged_release: SignedRelease | None = None

    @property
    def awaits_second(self) -> bool:
        """Whether nothing is wrong with the files but that the second person has not signed yet."""
        return _are_awaiting(self.whole)

    @property
    def is_whole(self) -> bool:
        """Every file listed, none besides, all digests equal, the signature good."""
        return not self.whole

    @property
    def named_release(self) -> SignedRelease | None:
        """Which release a whole bundle says it is, judged or not; ``None`` where none is known."""
        return (self.release or self.unjudged_release) if self.is_whole else None

    @property
    def is_made_up(self) -> bool:
        """Whether it is a rehearsal: nothing that was ever released."""
        return any(problem.code == "bundle-made-up" for problem in self.whole)

    @property
    def is_known(self) -> bool:
        """Signed by a known signer with the known key."""
        return self.who is not None and self.who.standing == "known"

    @property
    def claim_holds(self) -> bool:
        """Everything that can be recomputed came out as claimed."""
        return self.claim == ()

    @property
    def history(self) -> tuple[str, ...]:
        """What the account's history leaves open; ``rollback_suspected``, ``separate_people``,
        ``recovery_opened``, ``second_person_overridden``.

        What a signed release states about itself: no check can show more. Empty where nothing is
        stated or no claim holds.
        """
        if self.release is None or not self.claim_holds:
            return ()
        place = self.release.record.place
        stated = {
            "rollback_suspected": place.rollback_suspected,
            "separate_people": place.separate_people_declared,
            "recovery_opened": place.recovery_opened,
            "second_person_overridden": bool(self.release.record.overrides),
        }
        return tuple(name for name, is_so in stated.items() if is_so)

    @property
    def is_remade(self) -> bool:
        """Every file came out again, byte for byte, from what was drawn."""
        return self.is_whole and self.claim_holds and not self.not_made_again

    @property
    def is_confirmed(self) -> bool:
        """Whole, with a claim that adds up; its signer and second person known.

        What follows from its draws can be relied on, and of its files what was made again.
        """
        return self.is_whole and self.claim_holds and self._are_known

    @property
    def is_good(self) -> bool:
        """Made again in full, with a claim that adds up; its signer and second person known."""
        return self.is_remade and self._are_known

    @property
    def is_open(self) -> bool:
        """Neither good nor wrong: signed by whom one knows, and not judged by this program."""
        is_unread = bool(self.not_made_again) if self.claim_holds else self.is_unjudged
        return self.is_whole and self._are_known and is_unread

    @property
    def is_unjudged(self) -> bool:
        """Whether another version made it, and this one confirms nothing of it."""
        return self.other_version is not None and self.claim is None

    @property
    def unjudged(self) -> tuple[Problem, ...]:
        """Why this program can judge not all of it.

        ``bundle-other-version`` (params dpdesk, opendp, own), ``bundle-other-files`` (the same and
        names) or ``bundle-other-language`` (params names, language).
        """
        names = ", ".join(self.not_made_again)
        if (made := self.other_version) is not None and (names or self.is_unjudged):
            versions = {"dpdesk": made.dpdesk, "opendp": made.opendp, "own": dpdesk.__version__}
            if self.is_unjudged:
                return (Problem("$.software", "bundle-other-version", versions),)
            return (Problem("$.software", "bundle-other-files", {**versions, "names": names}),)
        if names and self.release is not None:
            params = {"names": names, "language": self.release.form.language}
            return (Problem("$.bundle", "bundle-other-language", params),)
        return ()

    @property
    def _are_known(self) -> bool:
        return self.is_known and (self.second is None or self.second.is_known)


def verify(source: Path | bytes, signers: Signers) -> Verification:
    """Check a bundle.

    Args:
        source: its path or bytes.
        signers: the signers to accept, from outside the bundle.

    Raises:
        Refused: ``bundle-missing`` or ``bundle-unreadable`` (param name): there is nothing to
            check.
    """
    try:
        files = read_bundle(source)
        statement, fingerprint = _signed_statement(files)
    except Refused as refused:
        if refused.problems[0].code in ("bundle-missing", "bundle-unreadable"):
            raise
        return Verification(refused.problems)
    identity = statement.signer.identity
    who = Who(signers.standing(identity, fingerprint), identity, fingerprint)
    software = stated_software(statement.predicate)
    if software is not None and not is_known(software):
        return _of_other_version(files, statement, who, software, signers)
    whole = tuple(_differences(files, statement, fingerprint))
    try:
        release = parse_signed(statement.predicate)
    except Refused as refused:
        return Verification(whole, who, refused.problems, files={} if whole else files)
    second = second_of(files, release, signers)
    wrong = () if whole else tuple(second_problems(files, release, second))
    whole = whole or (() if _are_awaiting(wrong) else wrong)
    return replace(_with_second(_judged(files, release, whole, who), wrong), second=second)


def _judged(
    files: dict[str, bytes], release: SignedRelease, whole: tuple[Problem, ...], who: Who
) -> Verification:
    """The claim, and whether the files are what follows from it."""
    record = release.record
    repriced = RepricedStudy(record.study)
    claim = check_claim(record, repriced)
    if not claim:
        whole = whole or tuple(_wrong_tables(files, release, repriced))
    unmade = _not_made_again(files, release)
    whole = whole or tuple(active_content(files, unmade))
    if whole or claim:
        return Verification(whole, who, claim, release, {} if whole else files)
    return Verification(whole, who, claim, release, files, unmade)


def _of_other_version(
    files: dict[str, bytes],
    statement: Statement,
    who: Who,
    software: SoftwareVersions,
    signers: Signers,
) -> Verification:
    """Whether the files are as they were signed, by both where two have to, and run nothing.

    Formats are kept, so the claim and the files are judged as this version would have made them;
    but it may have learnt to account, or to write, in another way: what it does not confirm is left
    open and is no fault.
    """
    whole = tuple(_differences(files, statement, who.fingerprint))
    whole = whole or tuple(active_content(files, tuple(files)))
    try:
        release = parse_signed(statement.predicate)
    except Refused:
        return Verification(whole, who, other_version=software)
    second = second_of(files, release, signers)
    wrong = () if whole else tuple(second_problems(files, release, second))
    whole = whole or (() if _are_awaiting(wrong) else wrong)
    unmade = None if whole else _unconfirmed(files, release)
    found = Verification(whole, who, second=second, other_version=software)
    if unmade is None:
        return _with_second(replace(found, unjudged_release=release), wrong)
    found = replace(found, claim=(), release=release, files=files, not_made_again=unmade)
    return _with_second(found, wrong)


def _are_awaiting(wrong: tuple[Problem, ...]) -> bool:
    """Whether all that is wrong is that the second person has not signed yet."""
    return {problem.code for problem in wrong} == {"bundle-second-missing"}


def _with_second(found: Verification, wrong: tuple[Problem, ...]) -> Verification:
    """The same with what is wrong of the second person, who signs what was held to its draws."""
    return replace(found, whole=wrong, files={}) if wrong and found.is_whole else found


def _unconfirmed(files: Mapping[str, bytes], release: SignedRelease) -> tuple[str, ...] | None:
    """The files that this version makes otherwise, and those that only it makes.

    ``None`` where it does not confirm the claim.
    """
    repriced = RepricedStudy(release.record.study)
    if check_claim(release.record, repriced):
        return None
    tables = rebuilt_tables(release.record, repriced)
    if tables is None:
        return None
    wanted = made_files(release, tables)
    odd = (n for n in files if n not in UNLISTED and files[n] != wanted.get(n))
    return (*odd, *sorted(wanted.keys() - files.keys()))


def _signed_statement(files: dict[str, bytes]) -> tuple[Statement, str]:
    """The manifest and the fingerprint of the key that signed its bytes."""
    for name in (MANIFEST, SIGNATURE):
        if name not in files:
            raise refuse("bundle-file-missing", name=name)
    blob = verify_signature(files[MANIFEST], files[SIGNATURE])
    try:
        return parse_statement(parse_manifest(files[MANIFEST])), fingerprint_of(blob)
    except Refused:
        raise refuse("manifest-malformed") from None


def _differences(
    files: dict[str, bytes], statement: Statement, fingerprint: str
) -> Iterator[Problem]:
    listed = dict(statement.digests)
    odd = [name for name in listed if not is_expected_name(name) or name in UNLISTED]
    is_twice = len(listed) < len(statement.digests)
    unlisted = [name for name in UNLISTED if name in files]
    if odd or is_twice or list(files) != [*listed, *unlisted]:
        yield from _names(set(listed) - set(odd), set(files) - {*UNLISTED})
    for name in listed.keys() & files.keys():
        if hashlib.sha256(files[name]).hexdigest() != listed[name]:
            yield Problem("$.subject", "bundle-file-changed", {"name": name})
    if statement.signer.fingerprint != fingerprint:
        yield Problem("$.predicate.signer", "bundle-signer-differs", {"fingerprint": fingerprint})


def _wrong_tables(
    files: Mapping[str, bytes], release: SignedRelease, repriced: RepricedStudy
) -> Iterator[Problem]:
    """One table for each query of a claim that holds, none besides, as it was drawn."""
    tables = {f"results/{query.name}.csv" for query in release.record.queries}
    queries = (one for one in release.record.queries if DECLARATIONS[one.statistic].has_derived)
    tables |= {derived_file(query.name) for query in queries} | _further_names(release)
    tables |= compared_file_names(release.record)
    fixed = _fixed_names(release)
    for name in sorted((fixed | tables) - files.keys()):
        yield Problem("$.subject", "bundle-file-missing", {"name": name})
    if files.keys() - fixed - tables - {SECOND_SIGNATURE}:
        yield Problem("$.subject", "bundle-list-odd")
    yield from _altered(files, release, repriced)


def _altered(
    files: Mapping[str, bytes], release: SignedRelease, repriced: RepricedStudy
) -> Iterator[Problem]:
    """Tables, description and report that are not what comes of what was drawn."""
    tables = rebuilt_tables(release.record, repriced)
    if tables is None:
        yield Problem("$.predicate.drawn", "bundle-drawn-odd")
        return
    wanted = made_files(release, tables)
    for name in sorted(wanted.keys() & files.keys()):
        if files[name] != wanted[name]:
            yield Problem("$.subject", "bundle-file-not-as-drawn", {"name": name})


def _not_made_again(files: Mapping[str, bytes], release: SignedRelease) -> tuple[str, ...]:
    if speaks(release):
        return ()
    others = FIXED_NAMES | _further_names(release)
    made = {*files} - others | {*UNLISTED}
    return tuple(name for name in files if name not in made)


def _further_names(release: SignedRelease) -> set[str]:
    """The files that a study declares beside its queries."""
    return baseline_file_names(release.record) | synthetic_file_names(release.record)


def _fixed_names(release: SignedRelease) -> frozenset[str]:
    """Every file but the tables and the second signature."""
    return FIXED_NAMES | plan_files(release.record).keys()


def _names(listed: set[str], texts: set[str]) -> Iterator[Problem]:
    """Files that only one side has; where there are none, their list itself is odd."""
    for name in sorted(listed - texts):
        yield Problem("$.subject", "bundle-file-missing", {"name": name})
    for name in sorted(texts - listed):
        yield Problem("$.subject", "bundle-file-unlisted", {"name": name})
    if listed == texts:
        yield Problem("$.subject", "bundle-list-odd")
