# SPDX-License-Identifier: Apache-2.0
"""``dpdesk release``: spend the budget once, write the signed bundle."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final

from dpdesk.catalogue import Template, spoken
from dpdesk.data.files.file_digest import states_of
from dpdesk.data.progress import no_progress
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise_library import check_library
from dpdesk.privacy.plan import Plan
from dpdesk.release.bundle.baseline.released import released_baselines
from dpdesk.release.bundle.bundle_file import ReservedFile, reserved, room_for
from dpdesk.release.bundle.compared_text import compared_file, compared_file_names
from dpdesk.release.bundle.query_headings import ReleaseWords, headings_of
from dpdesk.release.bundle.report.pdf_pages import load_fonts
from dpdesk.release.bundle.signed_bundle import build, bundle_name
from dpdesk.release.bundle.synthetic.rows import synthetic_file_names
from dpdesk.release.bundle.synthetic.words import SYNTHETIC
from dpdesk.release.bundle.workbook.book import load_writer
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.fingerprints import Separation
from dpdesk.release.ledger.storage.clock import utc_now
from dpdesk.release.places.home import Home
from dpdesk.release.places.synced_folder import synced_by
from dpdesk.release.record.totals import share_of, together
from dpdesk.release.record.values import form_in
from dpdesk.release.record.write import stored_members
from dpdesk.release.run import release_run as releasing
from dpdesk.release.run.reading import refuse_in_database
from dpdesk.release.run.unwritten import UnwrittenBundles
from dpdesk.release.sealing.sealed_counts import OpenedCounts
from dpdesk.release.sealing.waiting_orders import opened
from dpdesk.release.second_person.plan_signature import ReturnedPlan, read_returned_plan
from dpdesk.release.second_person.requirement import refuse_unready
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.shell import go_ahead, passphrase
from dpdesk.shell.account import open_ledger, say_notices
from dpdesk.shell.extract import refuse_undeclared, say_unnamed, with_data
from dpdesk.shell.key import refuse_sample_keyless
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import (
    DONE,
    complain,
    from_ledger,
    in_sentence,
    print_json,
    say,
    say_count,
    show_reading,
)
from dpdesk.study.json.study_files import StudyFile, load_study
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused, refuse

_PAID_BEFORE: Final[Template] = (
    "Release {release} (entry {entry} of the ledger) was already charged by a command that did "
    "not finish. Its bundle is written now at no cost; the next --fresh draws and charges again."
)


@dataclass(frozen=True)
class ReleaseOptions:
    study: Path
    data: tuple[str, ...]
    out: Path | None
    fresh: bool
    separations: tuple[Separation, ...]
    as_json: bool
    extract: str | None = None
    same_extract: bool = False
    signed_plan: Path | None = None
    language: str = "en"
    series: str = ""
    yes: bool = False
    use_withdrawn: bool = False
    counts: Path | None = None


def run(order: ReleaseOptions, home: Home) -> int:
    """Release a study and write its bundle.

    Everything that can fail before noise is drawn is tried before: the study, the key's
    passphrase, and the bundle's name, place and room. After the draw the figures are in the
    ledger, and the same command writes the bundle for free, ``--fresh`` or not, until it is
    written. No other file is written over; this release's own bundle may be.

    Raises:
        Refused: nothing was spent; or ``release-unwritten``, ``release-unshown``,
            ``output-unwritable`` or ``ledger-unconfirmed``, which say what was.
    """
    file = load_study(order.study)
    study = with_data(file, order.data, order.extract)
    plan = compiler.compile(study)
    refuse_undeclared(study)
    ledger = open_ledger(home)
    ledger.account(_account(study))
    _warn_synced(study, file.folder)
    say_unnamed(file.study, order.data)
    unwritten = UnwrittenBundles.of(ledger, study, fresh=order.fresh, series=order.series)
    paid = unwritten.paid()
    if paid is None:
        refuse_taken(order.out or _default_out(file))
        refuse_unready(ledger, _account(study), order.signed_plan is not None)
        go_ahead.refuse_used(study, file.folder, ledger, order.same_extract)
        go_ahead.refuse_unasked(order.yes)
        must_read = _must_read(order, study, ledger)
        counts = _opened(order, study, home)
        if must_read and counts is None:
            refuse_in_database(study)
    signing = home.of_account(_account(study))
    refuse_sample_keyless(signing)
    key = unlock_to_release(signing, passphrase.ask())
    out = order.out or _default_out(file)
    _check_writable(out)
    if paid is None:
        files = [file.folder / source.path for source in study.sources]
        checked = states_of(files)
        _ask(order, plan, file, ledger, must_read, counts)
        # The person who agreed had seen the check of other files.
        if states_of(files) != checked:
            raise refuse("data-file-changed-since", "$.data.path")
    else:
        refuse_taken(out, build(paid.stored, paid.chain, key, form_in(order.language)))
    with reserved(out, room_for(study, ledger.head()[0])) as place:
        if paid is None:
            with unwritten.noted() as release_id:
                paid = _draw(order, study, file.folder, ledger, release_id, counts)
                _hand_out(place, paid, key, out, order, ledger)
        else:
            release = ledger.release_numbers()[paid.sequence]
            complain(say(_PAID_BEFORE, release=release, entry=paid.sequence))
            _hand_out(place, paid, key, out, order, ledger)
            unwritten.forget(paid.stored.record.id)
    return DONE


def _ask(
    order: ReleaseOptions,
    plan: Plan,
    file: StudyFile,
    ledger: Ledger,
    must_read: bool,
    counts: OpenedCounts | None,
) -> None:
    """Ask whether to go on; see ``go_ahead.ask``."""
    go_ahead.ask(
        *(plan, file.folder, ledger, order.separations),
        fresh=order.fresh or bool(order.series),
        must_read=must_read,
        yes=order.yes,
        series=order.series,
        counts=counts,
    )


def _opened(order: ReleaseOptions, study: Study, home: Home) -> OpenedCounts | None:
    """The counts that a database made, where the command names some."""
    if order.counts is None:
        return None
    return opened(order.counts, study, home, utc_now().date())


def _must_read(order: ReleaseOptions, study: Study, ledger: Ledger) -> bool:
    """Whether the file is read; what the ledger does not allow is refused before anybody is asked.

    Raises:
        Refused: as ``releasing.must_draw``.
    """
    return releasing.must_draw(
        study,
        ledger,
        fresh=order.fresh,
        same_extract=order.same_extract,
        series=order.series,
        signed_plan=_signed_plan(order),
        use_withdrawn=order.use_withdrawn,
    )


def _warn_synced(study: Study, folder: Path) -> None:
    names = (synced_by(folder / source.path) for source in study.sources)
    if name := next(filter(None, names), ""):
        say_notices((Problem("$.data.path", "data-synced", {"name": name}),))


def _draw(
    order: ReleaseOptions,
    study: Study,
    folder: Path,
    ledger: Ledger,
    release_id: str,
    counts: OpenedCounts | None,
) -> releasing.ReleaseDone:
    before = len(ledger.notices)
    done = releasing.release(
        study,
        folder,
        ledger,
        OpenDPDoor(),
        show_reading if sys.stderr.isatty() else no_progress,
        fresh=order.fresh,
        separations=order.separations,
        same_extract=order.same_extract,
        signed_plan=_signed_plan(order),
        series=order.series,
        new_id=lambda: release_id,
        use_withdrawn=order.use_withdrawn,
        counts=counts,
        language=order.language,
    )
    say_notices(ledger.notices[before:])
    return done


def _signed_plan(order: ReleaseOptions) -> ReturnedPlan | None:
    path = order.signed_plan
    return None if path is None else read_returned_plan(path)


def _hand_out(
    place: ReservedFile,
    done: releasing.ReleaseDone,
    key: SigningKey,
    out: Path,
    order: ReleaseOptions,
    ledger: Ledger,
) -> None:
    """Write the bundle and print what was released.

    Raises:
        Refused: as :func:`_write`; ``output-unwritable`` (params name, entry) or
            ``release-unshown`` (params name, entry, account).
    """
    _write(place, done, key, order.language)
    kept = {"name": str(out), "entry": str(done.sequence)}
    try:
        _print_release(done, out, order.as_json, ledger)
        sys.stdout.flush()
    except OSError:
        raise refuse("output-unwritable", **kept) from None
    except Refused:
        # Whatever kept the ledger from being read: its own sentence is about what is not spent.
        account = done.stored.record.account.name
        raise refuse("release-unshown", account=account, **kept) from None


def _write(
    place: ReservedFile, done: releasing.ReleaseDone, key: SigningKey, language: str
) -> None:
    """Write the bundle, or say what was paid for it and how it comes for free.

    Raises:
        Refused: what keeps the bundle from being written, and ``release-unwritten`` (params
            account, entry, paid, left, total).
    """
    try:
        place.write(build(done.stored, done.chain, key, form_in(language)))
    except Refused as refused:
        record = done.stored.record
        total, spent = record.account.total, record.account.spent_after
        amounts = {
            "paid": str(together(total.measure, (q.charged for q in record.queries))),
            "left": str(share_of(total.measure, total.units - spent.units)),
            "total": str(total),
            "entry": str(done.sequence),
        }
        paid = Problem("$", "release-unwritten", {"account": record.account.name, **amounts})
        raise Refused((*refused.problems, paid)) from None


def _print_release(done: releasing.ReleaseDone, out: Path, as_json: bool, ledger: Ledger) -> None:
    record = done.stored.record
    if as_json:
        print_json({**summary(done), "bundle": str(out)})
        return
    account = record.account
    figures = sum(len(table.rows) for table in done.stored.tables)
    titles = {q: one.title for q, one in headings_of(record, _words()).items()}
    numbers, revoked = ledger.release_numbers(), ledger.revoked_answers(record)
    for query in record.queries:
        if query.drawn_at:
            entry, day = query.drawn_in, query.drawn_at[:10]
            taken_back = revoked[query.id].in_short() if query.id in revoked else None
            said = from_ledger(numbers.get(entry, entry), entry, day, taken_back)
            print(f"{titles[query.id]}: {said}")
    n = in_sentence(str(figures))
    released = say_count(figures, "Released {n} figure.", "Released {n} figures.", n=n)
    spent = say(
        "Account “{name}”: spent {spent_before} -> {spent_after} of {total}.",
        name=account.name,
        spent_before=account.spent_before,
        spent_after=account.spent_after,
        total=account.total,
    )
    print(f"{released} {spent}")
    useless = {table.id for table in done.stored.tables if table.says_nothing}
    for query in record.queries:
        nothing = say(" (every figure is too noisy to use)") if query.id in useless else ""
        print(f"  results/{query.name}.csv: {titles[query.id]}{nothing}")
        if compared_file(query) in compared_file_names(record):
            print(f"  {compared_file(query)}")
    for baseline in released_baselines(record, done.stored.tables, _words()):
        for name in baseline.files:
            print(f"  {name}: {baseline.printed.title}")
    for name in synthetic_file_names(record):
        print(f"  {name}: {say(SYNTHETIC)}")
    print(say("Bundle: {path}", path=out))
    stated = record.second_person
    if stated is not None and stated.person.signs_manifest:
        unsigned = "It is not finished: {identity} signs it with: dpdesk sign {name}"
        complain(say(unsigned, identity=stated.person.identity, name=out.name))


def _words() -> ReleaseWords:
    return ReleaseWords.of(spoken().language)


def summary(done: releasing.ReleaseDone) -> dict[str, Any]:
    """A release as JSON members: costs, tables, account."""
    members = stored_members(done.stored)
    return {
        "sequence": done.sequence,
        "head": done.head,
        "queries": [
            {key: q.get(key) for key in ("id", "title", "share", "charged", "drawn_in", "drawn_at")}
            for q in members["predicate"]["queries"]
        ],
        "tables": members["tables"],
        "account": members["predicate"]["account"],
    }


def _account(study: Study) -> str:
    return study.budget.account if study.budget else ""


def _default_out(file: StudyFile) -> Path:
    """The first free name beside the study."""
    names = (file.folder / bundle_name(file.study.title, number) for number in count(1))
    return next(out for out in names if not out.exists())


def _check_writable(out: Path) -> None:
    """Refuse before the draw what would fail after it."""
    folder = out.absolute().parent
    if out.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise refuse("bundle-unwritable", name=out.name)


def unlock_to_release(home: Home, passphrase: str) -> SigningKey:
    """The key, ready to sign a release that follows at once.

    Raises:
        Refused: as ``unlock_to_sign``.
    """
    loading = Thread(target=_load, name="preload")
    loading.start()
    try:
        return unlock_to_sign(home, passphrase)
    finally:
        loading.join()


def _load() -> None:
    """Load what can be loaded; what fails fails again, and is reported, where it is needed."""
    for load in (check_library, load_fonts, load_writer):
        with contextlib.suppress(Exception):
            load()
