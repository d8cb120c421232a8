# SPDX-License-Identifier: Apache-2.0
"""What is asked of a study: ``new``, ``plan``, ``fit``, ``rehearse``, ``codebook``, ``check``."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpdesk.catalogue import shipped_languages
from dpdesk.program.system_language import system_language
from dpdesk.release.places.home import Home
from dpdesk.shell.commands.command import Commands, add_command, add_data, add_study, read_options
from dpdesk.shell.output import say
from dpdesk.study.limits import MADE_UP_ROWS, USUAL_ORDER_DAYS
from dpdesk.study.problem import refuse
from dpdesk.study.reuse.moved_periods import LONGEST_MOVED

MOST_DIGITS = 12
"""Of a group's size."""


def add_commands(commands: Commands) -> None:
    _add_new(commands)
    _add_plan(commands)
    _add_fit(commands)
    _add_rehearse(commands)
    _add_codebook(commands)
    _add_check(commands)
    _add_order(commands)


def _add_new(commands: Commands) -> None:
    text = say(
        "Make a study about another file with the declarations of an earlier study. Reads no more "
        "of the data than its header; nothing is released."
    )
    parser = add_command(commands, "new", text, _new)
    parser.add_argument("study", type=Path, metavar="STUDY", help=say("the study to write"))
    text = say("the earlier study")
    parser.add_argument("--like", type=Path, required=True, metavar="EARLIER", help=text)
    text = say("the file that the new study is about; also TABLE=FILE, for each further table")
    add_data(parser, text, required=True)
    text = say("your name for this state of the data; proposed where it is left out")
    parser.add_argument("--extract", metavar="NAME", help=text)
    text = say("what the new study leaves out; may be repeated")
    parts = ("title", "columns", "account", "queries")
    parser.add_argument("--without", action="append", default=[], choices=parts, help=text)
    text = say("move declared periods to so many months later, such as 12 for next year's report")
    parser.add_argument("--later", type=int, default=0, metavar="MONTHS", help=text)
    text = say(
        "a column whose period is moved; may be repeated (default: all but those of {years} years "
        "and more)",
        years=LONGEST_MOVED,
    )
    parser.add_argument("--move", action="append", default=[], metavar="COLUMN", help=text)


def _new(options: argparse.Namespace) -> int:
    from dpdesk.shell.planning import new_study

    return new_study.run(read_options(new_study.NewOptions, options), Home.locate())


def _add_plan(commands: Commands) -> None:
    text = say("Show what a study costs and how accurate it will be. Does not open the data.")
    parser = add_command(commands, "plan", text, _plan)
    add_study(parser)
    text = say("the margins at 90, 95 and 99 in 100, of each figure and of all at once")
    parser.add_argument("--levels", action="store_true", help=text)
    text = say("the privacy loss of C people together, such as a family")
    parser.add_argument("--people", type=int, metavar="C", help=text)
    text = say("the cost of a release with this --extract")
    parser.add_argument("--extract", metavar="NAME", help=text)
    parser.add_argument(
        "--fresh", action="store_true", help=say("the cost of a release with --fresh")
    )
    text = say("write the plan to FILE for the account's second person to sign")
    parser.add_argument("--to", type=Path, metavar="FILE", help=text)
    text = say("write the complete plan as a PDF, for example for an ethics board")
    parser.add_argument("--pdf", type=Path, metavar="FILE.pdf", help=text)
    text = say("the plan of the next release in this series")
    parser.add_argument("--series", default="", metavar="NAME", help=text)


def _plan(options: argparse.Namespace) -> int:
    from dpdesk.shell import plan

    more = read_options(plan.PlanOptions, options)
    return plan.run(options.study, Home.locate(), options.json, more)


def _add_fit(commands: Commands) -> None:
    text = say(
        "Find the smallest shares whose margins are as wanted, or spread a total over the "
        "queries. Does not open the data."
    )
    parser = add_command(commands, "fit", text, _fit)
    add_study(parser)
    text = say("the margin that a query is to have, 95 times in 100; may be repeated")
    parser.add_argument("--within", action="append", default=[], metavar="QUERY=MARGIN", help=text)
    parser.add_argument(
        "--total", metavar="AMOUNT", help=say("the budget to spread over the queries")
    )
    text = say("how a total is spread, such as a=2,b=1; a query that is not named weighs 1")
    parser.add_argument("--weights", action="append", default=[], metavar="QUERY=W,…", help=text)
    text = say("queries that keep their shares when a total is spread, such as a,b")
    parser.add_argument("--lock", action="append", default=[], metavar="QUERY,…", help=text)
    parser.add_argument("--write", action="store_true", help=say("put the shares into the study"))


def _fit(options: argparse.Namespace) -> int:
    from dpdesk.shell.planning import fit

    return fit.run(read_options(fit.FitOptions, options, locked=tuple(options.lock)))


def _add_rehearse(commands: Commands) -> None:
    text = say(
        "Show on made-up rows what a study's tables and report will look like, and what will be "
        "too noisy to use. Opens no data, no ledger and no key, and spends nothing."
    )
    parser = add_command(commands, "rehearse", text, _rehearse)
    add_study(parser)
    text = say("write tables and report there, each marked as made up; FILE or folder")
    parser.add_argument("--to", type=Path, metavar="FILE", help=text)
    text = say(
        "how many rows to make up in all where no group's size is estimated (default: {rows})",
        rows=MADE_UP_ROWS,
    )
    parser.add_argument("--rows", type=int, default=MADE_UP_ROWS, metavar="N", help=text)
    text = say(
        "the estimated rows of one group, such as 'stays: Ward A; f = 300' of the query with the "
        "id stays; may be repeated"
    )
    form = "QUERY: GROUP = N"
    parser.add_argument("--group-size", action="append", default=[], metavar=form, help=text)
    text = say("language of the texts (default: that of the system)")
    parser.add_argument("--language", choices=shipped_languages(), help=text)


def _rehearse(options: argparse.Namespace) -> int:
    from dpdesk.shell.planning import rehearse

    language, sizes = options.language or system_language(), _group_sizes(options.group_size)
    more = {"language": language, "sizes": sizes}
    return rehearse.run(read_options(rehearse.RehearseOptions, options, **more))


def _group_sizes(given: list[str]) -> dict[str, dict[tuple[str, ...], int]]:
    """By query and group.

    >>> _group_sizes(["stays: Ward A; f = 300", "stays: Ward B; f=0"])
    {'stays': {('Ward A', 'f'): 300, ('Ward B', 'f'): 0}}

    Raises:
        Refused: ``made-up-size``: not a query, groups and a whole number.
    """
    sizes: dict[str, dict[tuple[str, ...], int]] = {}
    for text in given:
        query, _, rest = text.partition(":")
        labels, _, rows = (part.strip() for part in rest.rpartition("="))
        if not (labels and rows.isascii() and rows.isdecimal() and len(rows) <= MOST_DIGITS):
            raise refuse("made-up-size", given=text)
        group = tuple(label.strip() for label in labels.split(";"))
        sizes.setdefault(query.strip(), {})[group] = int(rows)
    return sizes


def _add_codebook(commands: Commands) -> None:
    text = say(
        "Compare a codebook with a study's declarations, and import what is chosen. Reads no "
        "more of the data than its header."
    )
    parser = add_command(commands, "codebook", text, _codebook)
    add_study(parser)
    text = say("the codebook to compare with")
    parser.add_argument("codebook", type=Path, nargs="?", metavar="CODEBOOK", help=text)
    text = say("import what is offered: all variables that identify nobody, or the named ones")
    parser.add_argument("--accept", nargs="+", default=[], metavar="all|NAME", help=text)
    text = say("write the study's declarations as a Table Schema")
    parser.add_argument("--write", type=Path, metavar="FILE.json", help=text)
    text = say("the study's table that it describes; the main one where none is named")
    parser.add_argument("--of", default="", metavar="TABLE", help=text)
    parser.add_argument("--table", default="", help=say("the table, where several are described"))
    text = say("the value labels of a SAS file")
    parser.add_argument("--catalogue", type=Path, metavar="FILE", help=text)


def _codebook(options: argparse.Namespace) -> int:
    from dpdesk.shell import codebook

    return codebook.run(read_options(codebook.CodebookOptions, options))


def _add_check(commands: Commands) -> None:
    text = say(
        "Show roughly whether the cells of the used columns can be read as declared. Reads the "
        "data; its output is for you alone and is stored nowhere."
    )
    parser = add_command(commands, "check", text, _check)
    add_study(parser)
    add_data(parser, say("read this file instead; TABLE=FILE for a further table, repeatable"))


def _check(options: argparse.Namespace) -> int:
    from dpdesk.shell import check

    return check.run(read_options(check.CheckOptions, options))


def _add_order(commands: Commands) -> None:
    text = say(
        "Write the order by which dpdesk-engine counts next to a database. It holds declarations "
        "and questions, no data and no secret; nothing is released."
    )
    parser = add_command(commands, "order", text, _order)
    add_study(parser)
    text = say("the order to write (default: beside the study)")
    parser.add_argument("--out", type=Path, metavar="FILE.order.json", help=text)
    text = say("for how many days it may be carried out (default: 30)")
    parser.add_argument("--days", type=int, default=USUAL_ORDER_DAYS, metavar="N", help=text)


def _order(options: argparse.Namespace) -> int:
    from dpdesk.shell.planning import order

    return order.run(options.study, options.out, options.days, Home.locate(), options.json)
