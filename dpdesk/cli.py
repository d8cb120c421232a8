# SPDX-License-Identifier: Apache-2.0
"""The front door of the shell. Exit 0: done; 1: refused or not verified; 2: wrong usage.

``verify`` alone knows more: 3, 4 and 5, for what was not made again, withdrawn or made up.

Each command imports its own module when it is run: what reads files, draws noise or verifies
takes longer to import than a plan takes to make.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from dpdesk import __version__
from dpdesk.catalogue import ENGLISH, Template, read_catalogue, shipped_languages, speak
from dpdesk.program import faults, log
from dpdesk.program.handover import Inbox, hand_over
from dpdesk.program.system_language import system_language
from dpdesk.release.home import Home
from dpdesk.shell.output import DONE, REFUSED, complain, say
from dpdesk.shell.program.usage_words import translated_usage
from dpdesk.study.limits import MADE_UP_ROWS
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.texts.problems import located

if TYPE_CHECKING:
    from dpdesk.shell.planning.requested_total import RequestedTotal

COMMANDS = (
    "new",
    "plan",
    "fit",
    "rehearse",
    "codebook",
    "check",
    "release",
    "verify",
    "dossier",
    "countersign",
    "key",
    "signers",
    "account",
    "ledger",
    "diagnostics",
)
FLAGS = ("-h", "--help", "--version")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
"""Any of them names a screen, or what is taken for one."""
Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str]) -> int:
    """Run one command, or open the desk.

    Args:
        arguments: the process's arguments without its name.

    Returns:
        The exit status. Wrong usage leaves through ``SystemExit(2)``, as argparse does.
    """
    _speak_utf8()
    speak(read_catalogue(system_language()))
    is_command = arguments and arguments[0] in (*COMMANDS, *FLAGS)
    with translated_usage():
        options = (parser_of_commands() if is_command else _desk_parser()).parse_args(arguments)
    if getattr(options, "json", False):
        speak(ENGLISH)  # programs read the same in every language
    status = _run(options)
    if is_command:
        _note(lambda home: log.note_command(home, arguments[0], status))
    return status


def _run(options: argparse.Namespace) -> int:
    command: Command = options.command
    try:
        return command(options)
    except Refused as refused:
        problems = refused.problems
        for problem in problems:
            complain(located(problem))
        _note(lambda home: log.note_refused(home, problems))
        return REFUSED
    except Exception as error:
        return _fault(error)
    except KeyboardInterrupt:
        complain(say("Stopped."))
        return REFUSED


def _note(write: Callable[[Home], None]) -> None:
    """Write to a log, where there is a folder for it."""
    with contextlib.suppress(Refused):
        write(Home.locate())


def _fault(error: Exception) -> int:
    """A mistake of ours: its text could hold data, so its type and code places alone are kept."""
    text = faults.describe(type(error), error.__traceback__)
    _note(lambda home: faults.write(home, text))
    complain(located(Problem("$", "internal-fault", {"kind": type(error).__name__})))
    return REFUSED


def _speak_utf8() -> None:
    """A console in another encoding must not turn a sentence into a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(OSError, ValueError):
                reconfigure(errors="replace")


def _desk_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dpdesk", description=say(_DESCRIPTION))
    text = say("a study (.dpdesk), a bundle (.zip) or a data file")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=text)
    parser.set_defaults(command=_open_or_verify)
    _add_verify_installation(parser)
    return parser


def _add_verify_installation(parser: argparse.ArgumentParser) -> None:
    text = say("compare every installed file with the list that came along")
    parser.add_argument("--verify-installation", action="store_true", help=text)


def _open_or_verify(options: argparse.Namespace) -> int:
    if not options.verify_installation:
        return _open_desk(options.file)
    from dpdesk.shell.program import installation

    return installation.run()


def _demand_screen() -> None:
    """Qt would end the process where there is none."""
    if sys.platform in ("win32", "darwin"):
        return
    if not any(os.environ.get(name) for name in SCREENS):
        raise refuse("screen-missing")


def _open_desk(path: Path | None) -> int:
    """Open a window, or a file in the window that is open already."""
    # The desk is imported by name, so that the shell works on a machine without Qt.
    from importlib import import_module

    _demand_screen()
    try:
        home = Home.locate()
    except Refused as refused:
        complain(" ".join(located(problem) for problem in refused.problems))
        return int(import_module("dpdesk.desk.app").explain(refused.problems))
    inbox = Inbox.open(home)
    if path is not None and inbox is None and hand_over(home, path):
        return DONE
    return int(import_module("dpdesk.desk.app").run(home, path, inbox))


_DESCRIPTION: Final[Template] = "Statistics about patients that may leave the building."


def parser_of_commands() -> argparse.ArgumentParser:
    """What the shell understands; the manual page and completions are made from it."""
    parser = argparse.ArgumentParser(
        prog="dpdesk", description=say(_DESCRIPTION), epilog=say("dpdesk [FILE] opens the window.")
    )
    version, text = f"dpdesk {__version__}", say("show program's version number and exit")
    parser.add_argument("--version", action="version", version=version, help=text)
    _add_verify_installation(parser)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_new(commands)
    _add_plan(commands)
    _add_fit(commands)
    _add_rehearse(commands)
    _add_codebook(commands)
    _add_check(commands)
    _add_release(commands)
    _add_verify(commands)
    _add_dossier(commands)
    _add_countersign(commands)
    _add_key(commands)
    _add_signers(commands)
    _add_account(commands)
    _add_ledger(commands)
    _add_diagnostics(commands)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _add(commands: Commands, name: str, text: str, command: Command) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=command)
    parser.add_argument("--json", action="store_true", help=say("print JSON"))
    return parser


def _add_new(commands: Commands) -> None:
    text = say(
        "Make a study about another file with the declarations of an earlier study. Reads no more "
        "of the data than its header; nothing is released."
    )
    parser = _add(commands, "new", text, _new)
    parser.add_argument("study", type=Path, metavar="STUDY", help=say("the study to write"))
    text = say("the earlier study")
    parser.add_argument("--like", type=Path, required=True, metavar="EARLIER", help=text)
    text = say("the file that the new study is about")
    parser.add_argument("--data", type=Path, required=True, metavar="FILE", help=text)
    text = say("your name for this state of the data; proposed where it is left out")
    parser.add_argument("--extract", metavar="NAME", help=text)
    text = say("what is not taken over; may be repeated")
    parts = ("title", "columns", "account", "queries")
    parser.add_argument("--without", action="append", default=[], choices=parts, help=text)


def _new(options: argparse.Namespace) -> int:
    from dpdesk.shell.studies import new

    wish = new.NewOptions(
        study=options.study,
        like=options.like,
        data=options.data,
        extract=options.extract,
        without=tuple(options.without),
        as_json=options.json,
    )
    return new.run(wish, Home.locate())


def _add_plan(commands: Commands) -> None:
    text = say("Show what a study costs and how accurate it will be. Does not open the data.")
    parser = _add(commands, "plan", text, _plan)
    parser.add_argument("study", type=Path, metavar="STUDY")
    text = say("the accuracy at 90, 95 and 99 in 100, of each figure and of all at once")
    parser.add_argument("--levels", action="store_true", help=text)
    text = say("the privacy loss of C people together, such as a family")
    parser.add_argument("--people", type=int, metavar="C", help=text)
    text = say("the price of a release with this --extract")
    parser.add_argument("--extract", metavar="NAME", help=text)
    parser.add_argument(
        "--fresh", action="store_true", help=say("the price of a release with --fresh")
    )
    text = say("write the plan to FILE for the account's second person to sign")
    parser.add_argument("--to", type=Path, metavar="FILE", help=text)


def _plan(options: argparse.Namespace) -> int:
    from dpdesk.shell import plan

    more = plan.PlanOptions(
        options.levels, options.people, options.extract, options.fresh, options.to
    )
    return plan.run(options.study, Home.locate(), options.json, more)


def _add_fit(commands: Commands) -> None:
    text = say(
        "Find the smallest shares whose margins are as wanted, or spread a total over the "
        "queries. Does not open the data."
    )
    parser = _add(commands, "fit", text, _fit)
    parser.add_argument("study", type=Path, metavar="STUDY")
    text = say("a query's answer is to be within MARGIN, 95 times in 100; may be repeated")
    parser.add_argument("--within", action="append", default=[], metavar="QUERY=MARGIN", help=text)
    parser.add_argument(
        "--total", metavar="AMOUNT", help=say("spread so much budget over the queries")
    )
    text = say("how a total is spread, such as a=2,b=1; a query that is not named weighs 1")
    parser.add_argument("--weights", action="append", default=[], metavar="QUERY=W,…", help=text)
    text = say("queries that keep their shares when a total is spread, such as a,b")
    parser.add_argument("--lock", action="append", default=[], metavar="QUERY,…", help=text)
    parser.add_argument("--write", action="store_true", help=say("put the shares into the study"))


def _fit(options: argparse.Namespace) -> int:
    from dpdesk.shell.planning import fit

    return fit.run(
        fit.FitOptions(
            study=options.study,
            within=tuple(options.within),
            total=options.total,
            weights=tuple(options.weights),
            locked=tuple(options.lock),
            write=options.write,
            as_json=options.json,
        )
    )


def _add_rehearse(commands: Commands) -> None:
    text = say(
        "Show on made-up rows what a study's tables and report will look like, and what will be "
        "too noisy to use. Opens no data, no ledger and no key, and spends nothing."
    )
    parser = _add(commands, "rehearse", text, _rehearse)
    parser.add_argument("study", type=Path, metavar="STUDY")
    text = say("write tables and report there, each marked as made up; FILE or folder")
    parser.add_argument("--to", type=Path, metavar="FILE", help=text)
    text = say(
        "how many rows to make up in all where no group's size is guessed; {rows} without it",
        rows=MADE_UP_ROWS,
    )
    parser.add_argument("--rows", type=int, default=MADE_UP_ROWS, metavar="N", help=text)
    text = say("the language of the report; without it that of the system")
    parser.add_argument("--language", choices=shipped_languages(), help=text)


def _rehearse(options: argparse.Namespace) -> int:
    from dpdesk.shell.planning import rehearse

    return rehearse.run(
        rehearse.RehearseOptions(
            options.study,
            options.to,
            options.rows,
            options.json,
            options.language or system_language(),
        )
    )


def _add_codebook(commands: Commands) -> None:
    text = say(
        "Compare a codebook with a study's declarations, and import what is chosen. Reads no "
        "more of the data than its header."
    )
    parser = _add(commands, "codebook", text, _codebook)
    parser.add_argument("study", type=Path, metavar="STUDY")
    parser.add_argument("codebook", type=Path, nargs="?", metavar="CODEBOOK")
    text = say("import what is offered: all variables that identify nobody, or the named ones")
    parser.add_argument("--accept", nargs="+", default=[], metavar="all|NAME", help=text)
    text = say("write the study's declarations as a Table Schema")
    parser.add_argument("--write", type=Path, metavar="FILE.json", help=text)
    parser.add_argument("--table", default="", help=say("the table, where several are described"))
    text = say("the value labels of a SAS file")
    parser.add_argument("--catalogue", type=Path, metavar="FILE", help=text)


def _codebook(options: argparse.Namespace) -> int:
    from dpdesk.shell import codebook

    return codebook.run(
        codebook.CodebookOptions(
            study=options.study,
            codebook=options.codebook,
            accept=tuple(options.accept),
            write=options.write,
            table=options.table,
            catalogue=options.catalogue,
            as_json=options.json,
        )
    )


def _add_check(commands: Commands) -> None:
    text = say(
        "Show roughly whether the cells of the used columns can be read as declared. Reads the "
        "data; what it prints is for you alone and is stored nowhere."
    )
    parser = _add(commands, "check", text, _check)
    parser.add_argument("study", type=Path, metavar="STUDY")
    parser.add_argument("--data", type=Path, metavar="FILE", help=say("read this file instead"))


def _check(options: argparse.Namespace) -> int:
    from dpdesk.shell import check

    return check.run(check.CheckOptions(options.study, options.data, options.json))


def _add_release(commands: Commands) -> None:
    text = say("Release a study: spend its budget once and write the signed bundle.")
    parser = _add(commands, "release", text, _release)
    parser.add_argument("study", type=Path, metavar="STUDY")
    text = say("read this file instead; another one than the study's needs --extract")
    parser.add_argument("--data", type=Path, metavar="FILE", help=text)
    text = say("your name for this state of the data, such as 'stays.csv, 2026-11-22'; stays here")
    parser.add_argument("--extract", metavar="NAME", help=text)
    text = say("the extract was used before, and the file is still the same")
    parser.add_argument("--same-extract", action="store_true", help=text)
    text = say("each row is about one visit or person, although the file looks like something else")
    parser.add_argument("--rows-are-people", action="store_true", help=text)
    parser.add_argument("--out", type=Path, metavar="BUNDLE.zip", help=say("the bundle to write"))
    parser.add_argument(
        "--fresh",
        action="store_true",
        help=say("draw and pay again for what is already in the ledger"),
    )
    parser.add_argument(
        "--separate-from",
        nargs=2,
        metavar=("ACCOUNT", "REASON"),
        help=say("declare that these are other people than those of an account"),
    )
    text = say("the plan that the second person signed, its signature beside it")
    parser.add_argument("--countersignature", type=Path, metavar="FILE", help=text)
    text = say("the language of the bundle's texts; without it that of the system")
    parser.add_argument("--language", choices=shipped_languages(), help=text)
    text = say("release the next instalment of this planned series, from what it reserved")
    parser.add_argument("--series", default="", metavar="NAME", help=text)


def _release(options: argparse.Namespace) -> int:
    from dpdesk.release.ledger.fingerprints import Separation
    from dpdesk.shell import release

    separation = Separation(*options.separate_from) if options.separate_from else None
    asked = release.ReleaseOptions(
        study=options.study,
        data=options.data,
        out=options.out,
        fresh=options.fresh,
        separation=separation,
        as_json=options.json,
        extract=options.extract,
        same_extract=options.same_extract,
        rows_are_people=options.rows_are_people,
        countersignature=options.countersignature,
        language=options.language or system_language(),
        series=options.series,
    )
    return release.run(asked, Home.locate())


def _add_verify(commands: Commands) -> None:
    text = say(
        "Verify a bundle: is it whole, who signed it, does its privacy claim add up. Several are "
        "also compared with each other. A dossier is recognised, too."
    )
    parser = _add(commands, "verify", text, _verify)
    parser.add_argument("bundles", type=Path, nargs="+", metavar="BUNDLE.zip")
    parser.add_argument(
        "--signers", type=Path, metavar="ALLOWED_SIGNERS", help=say("the signers to accept")
    )
    text = say("a signed notice that a release was withdrawn or corrected; several are possible")
    parser.add_argument(
        "--notice",
        dest="notices",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=text,
    )


def _verify(options: argparse.Namespace) -> int:
    from dpdesk.shell import verify

    given = (options.bundles, options.signers, Home.locate(), options.json)
    return verify.run(*given, options.notices)


def _add_dossier(commands: Commands) -> None:
    text = say(
        "Write a release's dossier for the data-protection officer: what is protected and what is "
        "not, with numbers and sources, signed. Opens no data; what is typed in is kept for the "
        "next dossier of the same study."
    )
    parser = _add(commands, "dossier", text, _dossier)
    parser.add_argument("bundle", type=Path, metavar="BUNDLE.zip")
    text = say("where the dossier is written")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER|FILE.zip", help=text)
    for option, what in (
        ("--purpose", say("why the figures are released")),
        ("--recipient", say("who gets them")),
        ("--release-model", say("how: to the public, to named people, under a contract")),
        ("--legal-route", say("the legal basis, as you see it")),
    ):
        parser.add_argument(option, metavar="TEXT", help=what)
    text = say("when somebody looks again")
    parser.add_argument("--review-date", metavar="YYYY-MM-DD", help=text)
    text = say("the dossier's language; English by default")
    parser.add_argument("--language", choices=("en", "de"), default="en", help=text)


def _dossier(options: argparse.Namespace) -> int:
    from dpdesk.shell.dossier import make

    names = ("purpose", "recipient", "release_model", "legal_route", "review_date")
    stated = {name: getattr(options, name) for name in names}
    asked = make.DossierOptions(options.bundle, options.to, stated, options.language, options.json)
    return make.run(asked, Home.locate())


def _add_countersign(commands: Commands) -> None:
    text = say("Read what was handed to you as the second person, a plan or a bundle, and sign it.")
    parser = _add(commands, "countersign", text, _countersign)
    parser.add_argument("file", type=Path, metavar="FILE")
    text = say("where the signature is written; of a bundle, where the signed bundle is")
    parser.add_argument("--out", type=Path, metavar="FILE", help=text)
    text = say("put this signature of manifest.json, made by ssh-keygen, into the bundle")
    parser.add_argument("--signature", type=Path, metavar="FILE", help=text)


def _countersign(options: argparse.Namespace) -> int:
    from dpdesk.shell.signing import countersign

    asked = countersign.CountersignOptions(
        options.file, options.out, options.signature, options.json
    )
    return countersign.run(Home.locate(), asked)


def _add_key(commands: Commands) -> None:
    group = commands.add_parser("key", help=say("The signing key."))
    keys = group.add_subparsers(metavar="ACTION", required=True, dest="action")
    new = _add(keys, "new", say("Make a signing key."), _key)
    text = say("Use an OpenSSH Ed25519 key as the signing key; a copy is kept, encrypted.")
    imported = _add(keys, "import", text, _key)
    imported.add_argument("file", type=Path, metavar="FILE")
    for parser in (new, imported):
        parser.add_argument(
            "--name",
            default=os.environ.get("DPDESK_SIGNER", "data-custodian"),
            help=say("who signs, such as data-office@hospital.example"),
        )
    _add(keys, "show", say("Show the public key."), _key)
    _add(keys, "passphrase", say("Change the passphrase of the signing key."), _key)
    rotated = _add(keys, "rotate", say("Replace the signing key; the old one says so."), _key)
    text = say("where the notice for recipients is written, its signature beside it")
    rotated.add_argument("--out", type=Path, default=Path("key-rotation.txt"), help=text)
    _add_revocation(keys)
    _add_paper(keys)


def _add_paper(keys: Commands) -> None:
    text = say("Write a page with the public key and its fingerprint in groups.")
    printed = _add(keys, "print", text, _paper)
    text = say("the page, PDF or HTML by its name")
    printed.add_argument("--out", type=Path, required=True, metavar="FILE", help=text)
    text = say("Show the private key as words for paper. Whoever has them has the key.")
    shown = _add(keys, "words", text, _paper)
    text = say("write them as a page, PDF or HTML, for you alone")
    shown.add_argument("--out", type=Path, metavar="FILE", help=text)
    text = say("Restore the signing key from its words on paper, typed line by line.")
    restored = _add(keys, "restore-words", text, _paper)
    text = say("who signs, such as data-office@hospital.example")
    restored.add_argument(
        "--name", default=os.environ.get("DPDESK_SIGNER", "data-custodian"), help=text
    )


def _paper(options: argparse.Namespace) -> int:
    from dpdesk.shell.signing import paper

    if options.action == "print":
        return paper.print_public(Home.locate(), options.out)
    if options.action == "words":
        return paper.words(Home.locate(), options.out)
    return paper.restore(Home.locate(), options.name, options.json)


def _add_revocation(keys: Commands) -> None:
    text = say("Revoke the signing key, or an earlier one: nobody accepts it any more.")
    revoked = _add(keys, "revoke", text, _revoke_key)
    revoked.add_argument("--reason", default="", help=say("why, such as 'the computer was stolen'"))
    text = say("the day from which it is revoked; today unless told")
    revoked.add_argument("--since", metavar="YYYY-MM-DD", help=text)
    text = say("where the notice for recipients is written, its signature beside it")
    revoked.add_argument("--out", type=Path, default=Path("key-revocation.txt"), help=text)
    text = say("an earlier key of yours, which the present one revokes")
    revoked.add_argument("--earlier", metavar="FINGERPRINT", help=text)
    text = say("a revocation that was made in advance; needs no passphrase")
    revoked.add_argument("--certificate", type=Path, metavar="NOTICE", help=text)
    text = say("Write a revocation in advance, for when the key or its passphrase is lost.")
    made = _add(keys, "certificate", text, _revoke_key)
    made.add_argument("--out", type=Path, default=Path("key-certificate.txt"))


def _revoke_key(options: argparse.Namespace) -> int:
    from datetime import datetime

    from dpdesk.shell.signing import revoke

    home, today = Home.locate(), datetime.now(UTC).date().isoformat()
    if options.action == "certificate":
        return revoke.certificate(home, options.out, today)
    asked = revoke.RevokeOptions(
        options.reason, options.since or today, options.out, options.earlier, options.certificate
    )
    return revoke.revoke(home, asked, options.json)


def _key(options: argparse.Namespace) -> int:
    from dpdesk.shell import key

    if options.action == "new":
        return key.new(Home.locate(), options.name, options.json)
    if options.action == "import":
        return key.import_key(Home.locate(), options.file, options.name, options.json)
    if options.action == "passphrase":
        return key.change_passphrase(Home.locate(), options.json)
    if options.action == "rotate":
        return key.rotate(Home.locate(), options.out, options.json)
    return key.show(Home.locate(), options.json)


def _add_signers(commands: Commands) -> None:
    group = commands.add_parser("signers", help=say("The signers whose bundles you accept."))
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action")
    new = _add(actions, "add", say("Add a signer by the line that they handed over."), _signers)
    new.add_argument("file", type=Path, metavar="FILE", help=say("a file with that line alone"))
    text = say("Accept a known signer's new key by the notice that the old one signed.")
    rotated = _add(actions, "rotate", text, _signers)
    rotated.add_argument("file", type=Path, metavar="NOTICE")
    revoked = _add(actions, "revoke", say("End a known signer's key by its notice."), _signers)
    revoked.add_argument("file", type=Path, metavar="NOTICE")


def _signers(options: argparse.Namespace) -> int:
    from dpdesk.shell import key

    if options.action == "revoke":
        from dpdesk.shell.signing import revoke

        return revoke.accept(Home.locate(), options.file, options.json)
    change = key.add_signer if options.action == "add" else key.accept_rotation
    return change(Home.locate(), options.file, options.json)


def _add_account(commands: Commands) -> None:
    group = commands.add_parser("account", help=say("Budget accounts."))
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action")
    _add(actions, "list", say("List accounts."), _account)
    show = _add(actions, "show", say("Show an account."), _account)
    show.add_argument("name", metavar="NAME")
    new = _add(actions, "new", say("Open an account."), _account)
    raised = _add(actions, "raise", say("Raise an account's total."), _account)
    for parser in (new, raised):
        parser.add_argument("name", metavar="NAME")
        _add_total(parser)
    new.add_argument("--delta", metavar="D", help=say("of an account in zCDP; 1e-9 by default"))
    new.add_argument("--note", default="", help=say("whose data, and who decided"))
    raised.add_argument("--reason", required=True, help=say("why, and who decided"))
    _add_before(new, "--second-person")
    _add_second_person(actions)


def _add_before(parser: argparse.ArgumentParser, option: str) -> None:
    text = say("require this second person's signature: a file with their allowed_signers line")
    parser.add_argument(option, type=Path, metavar="FILE", help=text)
    text = say("before what the second person signs: each release, each export, or both")
    stages = ("release", "export", "both")
    parser.add_argument("--before", choices=stages, default="release", help=text)


def _add_second_person(actions: Commands) -> None:
    text = say("Show or require a second person's signature, or change who it is.")
    parser = _add(actions, "second-person", text, _second_person)
    parser.add_argument("name", metavar="NAME")
    _add_before(parser, "--signer")
    parser.add_argument("--reason", default="", help=say("why, and who decided"))
    text = say("require nobody any more; the present second person signs that")
    parser.add_argument("--end", action="store_true", help=text)
    text = say("write a change of who signs to FILE, for the present second person to sign")
    parser.add_argument("--to", type=Path, metavar="FILE", help=text)
    text = say("enter a change that they signed, its signature beside it")
    parser.add_argument("--change", type=Path, metavar="FILE", help=text)


def _second_person(options: argparse.Namespace) -> int:
    from dpdesk.shell.signing import second_person

    asked = second_person.SecondPersonOptions(
        options.signer, options.before, options.reason, options.end, options.to, options.change
    )
    return second_person.run(Home.locate(), options.name, asked, options.json)


def _account(options: argparse.Namespace) -> int:
    from dpdesk.shell import account

    home, name, as_json = Home.locate(), getattr(options, "name", ""), options.json
    if options.action == "list":
        return account.show_all(home, as_json)
    if options.action == "show":
        return account.show(home, name, as_json)
    if options.action == "new":
        total = _requested_total(options)
        if options.second_person is not None:
            return _new_with_second_person(home, options, total)
        return account.new(home, name, total, options.note, as_json)
    return account.raise_total(home, name, _requested_total(options), options.reason, as_json)


def _new_with_second_person(home: Home, options: argparse.Namespace, total: RequestedTotal) -> int:
    from dpdesk.shell.signing import second_person

    asked = second_person.SecondPersonOptions(
        options.second_person, options.before, options.note or say("Since the account was opened")
    )
    return second_person.new_account(home, options.name, total, options.note, asked, options.json)


def _add_total(parser: argparse.ArgumentParser) -> None:
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument(
        "total", metavar="EPSILON", nargs="?", help=say("all that may ever be spent")
    )
    given.add_argument(
        "--epsilon", metavar="E", help=say("all that may ever be spent, as an option")
    )
    given.add_argument("--rho", metavar="R", help=say("all that may ever be spent, in rho of zCDP"))
    text = say("an account in zCDP: the largest rho that stays within EPSILON at its delta")
    parser.add_argument("--zcdp", action="store_true", help=text)


def _requested_total(options: argparse.Namespace) -> RequestedTotal:
    from dpdesk.shell.planning.requested_total import RequestedTotal

    return RequestedTotal(
        epsilon=options.total or options.epsilon,
        rho=options.rho,
        zcdp=options.zcdp,
        delta=getattr(options, "delta", None),
    )


def _add_ledger(commands: Commands) -> None:
    group = commands.add_parser("ledger", help=say("The record of what was spent."))
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action")
    text = say("Check every entry of the ledger.")
    _add(actions, "check", text, _ledger)
    text = say("Charge what an older copy of the ledger has lost, and unlock it.")
    again = _add(actions, "reconcile", text, _ledger)
    text = say(
        "bundles of your own, or folders of them: what they state and the ledger lacks is charged; "
        "in an empty ledger their accounts are rebuilt with nothing left to spend"
    )
    again.add_argument("--from", dest="bundles", nargs="+", type=Path, metavar="BUNDLE", help=text)
    again.add_argument("--reason", required=True, help=say("how the older copy came to be used"))
    text = say("Back up the ledger to one file. What is spent later is not in it.")
    backup = _add(actions, "backup", text, _ledger)
    text = say("put the signing key into the backup, under its passphrase as it is")
    backup.add_argument("--with-key", action="store_true", help=text)
    text = say(
        "Restore the ledger from a backup, on a new computer too. Brings no spent budget back; "
        "the accounts are locked until a person opens them, unless the ledger was moved here."
    )
    restore = _add(actions, "restore", text, _ledger)
    text = say("Show the code by which another computer moves its ledger to this one.")
    _add(actions, "expect", text, _ledger)
    text = say("Close this ledger and write it for a new computer, where it goes on unlocked.")
    move = _add(actions, "move", text, _ledger)
    text = say("the code that the new computer shows: dpdesk ledger expect")
    move.add_argument("--to", required=True, metavar="CODE", help=text)
    text = say("put the signing key into the file, under its passphrase as it is")
    move.add_argument("--with-key", action="store_true", help=text)
    for parser in (backup, restore, move):
        parser.add_argument("file", type=Path, metavar="FILE.zip")
    text = say("Open an account that is locked because it was restored, rebuilt or moved.")
    unlock = _add(actions, "unlock", text, _ledger)
    unlock.add_argument("name", metavar="NAME")
    unlock.add_argument("--reason", required=True, help=say("why, and who decided"))
    text = say(
        "Export the ledger's entries for an auditor, signed: JSON, CSV and a page to read. "
        "Changes no budget."
    )
    export = _add(actions, "export", text, _ledger)
    export.add_argument("file", type=Path, metavar="FOLDER|FILE.zip")

    _add_notices(actions)
    _add_series(actions)


def _add_series(ledger: Commands) -> None:
    group = ledger.add_parser("series", help=say("Releases that recur, with their whole budget."))
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action")
    text = say("Reserve the budget of a study that is to be released again and again.")
    new = _add(actions, "new", text, _series)
    new.add_argument("study", type=Path, metavar="STUDY")
    new.add_argument("name", metavar="NAME")
    text = say("how many times it is released")
    new.add_argument("--count", type=int, required=True, metavar="N", help=text)
    text = say("how often it is due")
    new.add_argument("--every", required=True, choices=("month", "quarter", "year"), help=text)
    text = say("the month in which it is first due; this one by default")
    new.add_argument("--first", default="", metavar="YYYY-MM", help=text)
    _add(actions, "list", say("List the planned series."), _series)
    text = say("End a series: what it still reserves is free again, what is spent stays spent.")
    end = _add(actions, "end", text, _series)
    end.add_argument("account", metavar="ACCOUNT")
    end.add_argument("name", metavar="NAME")
    end.add_argument("--reason", required=True, help=say("why, and who decided"))


def _series(options: argparse.Namespace) -> int:
    from dpdesk.shell.ledger import series

    home = Home.locate()
    if options.action == "new":
        asked = (options.name, options.every, options.first, options.count)
        return series.new(home, options.study, asked, options.json)
    if options.action == "end":
        return series.end(home, options.account, options.name, options.reason, options.json)
    return series.show_all(home, options.json)


def _add_notices(actions: Commands) -> None:
    text = say("Withdraw a published release by a signed notice. The budget stays spent.")
    withdraw = _add(actions, "withdraw", text, _revoke)
    text = say("Say by a signed notice that a published release is corrected, and by which one.")
    correct = _add(actions, "correct", text, _revoke)
    for parser in (withdraw, correct):
        parser.add_argument("entry", type=int, metavar="ENTRY", help=say("the release's entry"))
        text = say("why; it stands in the notice and in the ledger")
        parser.add_argument("--reason", required=True, help=text)
        parser.add_argument("--notice", dest="file", type=Path, required=True, metavar="FILE")
    text = say("the entry of the release that replaces it")
    correct.add_argument("--by", type=int, default=0, metavar="ENTRY", help=text)
    text = say("Write the notice of a withdrawal's or correction's entry again.")
    again = _add(actions, "notice", text, _revoke)
    again.add_argument("entry", type=int, metavar="ENTRY")
    again.add_argument("file", type=Path, metavar="FILE")


def _revoke(options: argparse.Namespace) -> int:
    from dpdesk.release.notices.revoke import Wish
    from dpdesk.shell.ledger import notices

    home, entry = Home.locate(), options.entry
    if options.action == "notice":
        return notices.again(home, entry, options.file, options.json)
    if options.action == "withdraw":
        wish = Wish("withdrawn", entry, options.reason)
    else:
        wish = Wish("corrected", entry, options.reason, options.by)
    return notices.run(home, wish, options.file, options.json)


def _ledger(options: argparse.Namespace) -> int:
    from dpdesk.shell import account
    from dpdesk.shell.ledger import backup, export, from_bundles, move

    if options.action == "expect":
        return move.expect(Home.locate(), options.json)
    if options.action == "move":
        given = (options.file, options.to, options.with_key)
        return move.move(Home.locate(), *given, options.json)
    if options.action == "unlock":
        return move.unlock(Home.locate(), options.name, options.reason, options.json)
    if options.action == "backup":
        return backup.back_up(Home.locate(), options.file, options.with_key, options.json)
    if options.action == "restore":
        return backup.restore(Home.locate(), options.file, options.json)
    if options.action == "export":
        return export.run(Home.locate(), options.file, options.json)
    if options.action == "check":
        return account.check_ledger(Home.locate(), options.json)
    if options.bundles:
        return from_bundles.run(Home.locate(), options.bundles, options.reason, options.json)
    return account.reconcile(Home.locate(), options.reason)


def _add_diagnostics(commands: Commands) -> None:
    text = say("Show what support needs to know of this computer; nothing of the data.")
    _add(commands, "diagnostics", text, _diagnose)


def _diagnose(options: argparse.Namespace) -> int:
    from dpdesk.shell.program import support

    return support.run(Home.locate(), options.json)
