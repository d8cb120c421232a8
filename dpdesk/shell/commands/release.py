# SPDX-License-Identifier: Apache-2.0
"""A release and what becomes of it: ``release``, ``verify``, ``compare``, ``dossier`` and more."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpdesk.catalogue import shipped_languages
from dpdesk.program.system_language import system_language
from dpdesk.release.places.home import Home
from dpdesk.shell.commands.command import Commands, add_command, add_data, add_study, read_options
from dpdesk.shell.output import say


def add_commands(commands: Commands) -> None:
    _add_release(commands)
    _add_verify(commands)
    _add_compare(commands)
    _add_dossier(commands)
    _add_sign(commands)


def _add_release(commands: Commands) -> None:
    text = say("Release a study: spend its budget once and write the signed bundle.")
    parser = add_command(commands, "release", text, _release)
    add_study(parser)
    text = say(
        "read this file instead; TABLE=FILE for a further table, repeatable; another file than the "
        "study's needs --extract"
    )
    add_data(parser, text)
    text = say("your name for this state of the data, such as 'stays.csv, 2026-11-22'; stays here")
    parser.add_argument("--extract", metavar="NAME", help=text)
    text = say("the extract was used before, and the file is still the same")
    parser.add_argument("--same-extract", action="store_true", help=text)
    text = say("go on without being asked, after the check of the file")
    parser.add_argument("--yes", action="store_true", help=text)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="BUNDLE.zip",
        help=say("the bundle to write (default: beside the study)"),
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help=say("draw and charge again what is already in the ledger"),
    )
    text = say("use stored figures although their release was withdrawn or corrected")
    parser.add_argument("--use-withdrawn", action="store_true", help=text)
    parser.add_argument(
        "--separate-from",
        nargs=2,
        action="append",
        default=[],
        metavar=("ACCOUNT", "REASON"),
        help=say("declare that these are other people than those of an account"),
    )
    text = say("the plan that the second person signed, its signature beside it")
    parser.add_argument("--signed-plan", type=Path, metavar="FILE", help=text)
    text = say("the sealed counts that a database made for the study's order; no file is read")
    parser.add_argument("--counts", type=Path, metavar="FILE.sealed", help=text)
    text = say("language of the texts (default: that of the system)")
    parser.add_argument("--language", choices=shipped_languages(), help=text)
    text = say("make the next release of this series, from the budget that it reserved")
    parser.add_argument("--series", default="", metavar="NAME", help=text)


def _release(options: argparse.Namespace) -> int:
    from dpdesk.release.ledger.fingerprints import Separation
    from dpdesk.shell import release

    more = {
        "separations": tuple(Separation(*pair) for pair in options.separate_from),
        "language": options.language or system_language(),
    }
    return release.run(read_options(release.ReleaseOptions, options, **more), Home.locate())


def _add_signers_option(parser: argparse.ArgumentParser) -> None:
    text = say("a file of allowed signers (default: the signers that you know)")
    parser.add_argument("--signers", type=Path, metavar="ALLOWED_SIGNERS", help=text)


def _add_notice_option(parser: argparse.ArgumentParser) -> None:
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


def _add_verify(commands: Commands) -> None:
    text = say(
        "Verify a bundle: is it complete, who signed it, is its privacy claim correct. Several "
        "are also compared with each other. A dossier is recognised, too."
    )
    parser = add_command(commands, "verify", text, _verify)
    text = say("a bundle, or a dossier")
    parser.add_argument("bundles", type=Path, nargs="+", metavar="BUNDLE.zip", help=text)
    _add_signers_option(parser)
    _add_notice_option(parser)


def _verify(options: argparse.Namespace) -> int:
    from dpdesk.shell import verify

    given = (options.bundles, options.signers, Home.locate(), options.json)
    return verify.run(*given, options.notices)


def _add_compare(commands: Commands) -> None:
    text = say(
        "Compare two verified bundles query by query, each difference with its margin. Uses only "
        "published figures, and spends nothing."
    )
    parser = add_command(commands, "compare", text, _compare)
    text = say("the bundle of the earlier release")
    parser.add_argument("earlier", type=Path, metavar="EARLIER.zip", help=text)
    text = say("the bundle of the later release")
    parser.add_argument("later", type=Path, metavar="LATER.zip", help=text)
    _add_signers_option(parser)
    _add_notice_option(parser)


def _compare(options: argparse.Namespace) -> int:
    from dpdesk.shell import compare

    both = (options.earlier, options.later)
    return compare.run(both, options.signers, Home.locate(), options.json, options.notices)


def _add_dossier(commands: Commands) -> None:
    text = say(
        "Write a release's dossier for the data-protection officer: what is protected and what "
        "is not, with numbers and sources, signed. Opens no data; your entries are kept for the "
        "next dossier of the same study."
    )
    parser = add_command(commands, "dossier", text, _dossier)
    text = say("the bundle of the release")
    parser.add_argument("bundle", type=Path, metavar="BUNDLE.zip", help=text)
    text = say("where the dossier is written")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER|FILE.zip", help=text)
    for option, what in (
        ("--purpose", say("why the figures are released")),
        ("--recipient", say("who gets them")),
        ("--release-model", say("how: to the public, to named people, under a contract")),
        ("--legal-route", say("the legal basis, as you see it")),
    ):
        parser.add_argument(option, metavar="TEXT", help=what)
    text = say("the review date")
    parser.add_argument("--review-date", metavar="YYYY-MM-DD", help=text)
    text = say("language of the texts (default: that of the system)")
    parser.add_argument("--language", choices=shipped_languages(), help=text)


def _dossier(options: argparse.Namespace) -> int:
    from dpdesk.shell.dossier import make

    names = ("purpose", "recipient", "release_model", "legal_route", "review_date")
    stated = {name: getattr(options, name) for name in names}
    language = options.language or system_language()
    wish = make.DossierOptions(options.bundle, options.to, stated, language, options.json)
    return make.run(wish, Home.locate())


def _add_sign(commands: Commands) -> None:
    text = say("Read and sign a plan or a bundle as the second person.")
    parser = add_command(commands, "sign", text, _sign)
    text = say("the plan or the bundle")
    parser.add_argument("file", type=Path, metavar="FILE", help=text)
    text = say(
        "where the signature is written (default: beside the plan); of a bundle, where the signed "
        "one is written (default: in its place)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=text)
    text = say("put this signature of manifest.json, made by ssh-keygen, into the bundle")
    parser.add_argument("--signature", type=Path, metavar="FILE", help=text)


def _sign(options: argparse.Namespace) -> int:
    from dpdesk.shell.signing import sign

    return sign.run(Home.locate(), read_options(sign.SignOptions, options))
