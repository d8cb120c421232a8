# SPDX-License-Identifier: Apache-2.0
"""``dpdesk-engine run ORDER --on ENGINE``: count next to the data, and write the sealed file."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from dpdesk.data.reader_process.process_limits import leave_no_core
from dpdesk.engine.connect import ENGINES, connected
from dpdesk.engine.database import Database, ListedStatements
from dpdesk.engine.dialects import DIALECTS, NO_DIALECTS, CompiledStatements, own_columns
from dpdesk.engine.runner import Binding, count, run_order
from dpdesk.engine.spark import database_of
from dpdesk.release.sealing.order_file import (
    CODE_DIGITS,
    MAX_ORDER_BYTES,
    CountingOrder,
    read_order,
)
from dpdesk.release.sealing.sealed_counts import digest_of
from dpdesk.release.signing.keys import write_new
from dpdesk.study.json.strict_json import parse_json
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular
from dpdesk.texts.problems import located

DONE, REFUSED = 0, 2


def main(arguments: list[str] | None = None) -> int:
    """Carry out an order; 0 where the sealed file was written, 2 where nothing was."""
    leave_no_core()
    options = _parser().parse_args(arguments)
    try:
        status = int(options.act(options))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Nobody reads on, as after "head": what is left goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Refused as refused:
        for problem in refused.problems:
            print(located(problem), file=sys.stderr)
    except KeyboardInterrupt:
        # A traceback would go on to what a driver was given of a row that it was stopped at.
        print("Stopped.", file=sys.stderr)
    return REFUSED


def _parser() -> argparse.ArgumentParser:
    text = "Count next to a database what an order of dpdesk asks for."
    parser = argparse.ArgumentParser("dpdesk-engine", description=text)
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    run = actions.add_parser("run", help="count, and write the sealed file")
    known = ", ".join(ENGINES)
    run.add_argument("--on", required=True, metavar="ENGINE[:DATABASE]", help=f"one of {known}")
    run.add_argument("--out", type=Path, metavar="FILE.sealed", help="the sealed file to write")
    text = (
        "the first digits of the order's SHA-256, as the custodian told you another way than by "
        "the file; asked for where it is left out"
    )
    run.add_argument("--code", metavar="DIGITS", help=text)
    text = "print the statements, and run none"
    run.add_argument("--show-sql", action="store_true", help=text)
    run.set_defaults(act=_run)
    text = "print the statements for an engine that dpdesk was never run with, and run none"
    sql = actions.add_parser("sql", help=text, description=text)
    sql.add_argument(
        "--dialect", required=True, choices=[*DIALECTS, *NO_DIALECTS], help="whose statements"
    )
    sql.set_defaults(act=_sql)
    for action in (run, sql):
        _add_order(action)
    return parser


def _add_order(action: argparse.ArgumentParser) -> None:
    action.add_argument("order", type=Path, metavar="FILE.order.json", help="the order")
    text = "the table (default: the declared file's name); NAME=TABLE for a further one, repeatable"
    action.add_argument(
        "--table", action="append", default=[], metavar="[NAME=][SCHEMA.]TABLE", help=text
    )
    text = (
        "a JSON file: the table's own column for each declared header that it lacks; by name for "
        "a further table"
    )
    action.add_argument("--mapping", type=Path, metavar="FILE", help=text)


def _sql(options: argparse.Namespace) -> int:
    order = _order(options.order)
    binding = _binding(options, order)
    columns = own_columns(order.study, binding)
    count(order.study, CompiledStatements(options.dialect, columns, print), binding)
    return DONE


def _binding(options: argparse.Namespace, order: CountingOrder) -> Binding:
    return Binding(_tables(options.table, order.study), _mapping(options.mapping, order.study))


def _run(options: argparse.Namespace) -> int:
    order = _order(options.order)
    out = options.out or options.order.with_name(
        options.order.name.removesuffix(".json").removesuffix(".order") + ".sealed"
    )
    if out.exists():
        raise refuse("output-exists", name=out.name)
    binding = _binding(options, order)
    if not options.show_sql:
        order.refuse_other(_typed() if options.code is None else options.code)
    with connected(options.on) as backend:
        if options.show_sql:
            count(order.study, ListedStatements(backend, print), binding)
            return DONE
        sealed = _counted(order, database_of(backend), binding)
    _write(out, sealed)
    print(f"Sealed counts: {out}")
    print(f"SHA-256: {digest_of(sealed)}")
    return DONE


def _typed() -> str:
    """The order's code, as it was given; never shown here, where nobody would compare it."""
    question = f"The first {CODE_DIGITS} digits of the order's SHA-256, as the custodian told you: "
    try:
        return input(question)
    except EOFError:
        return ""


def _counted(order: CountingOrder, database: Database, binding: Binding) -> bytes:
    """The sealed counts.

    Raises:
        Refused: as ``run_order``; ``engine-failed``, where the database stopped.
    """
    try:
        return run_order(order, database, binding, datetime.now(UTC).date())
    except Refused:
        raise
    except Exception:  # noqa: BLE001 - each driver has errors of its own
        # Its words may quote a cell: nothing of them may travel on, not even as a context.
        problem = refuse("engine-failed")
    raise problem


def _order(path: Path) -> CountingOrder:
    try:
        with open_regular(path) as stream:
            raw = stream.read(MAX_ORDER_BYTES + 1)
    except (OSError, ValueError):
        raise refuse("order-unreadable", name=path.name) from None
    return read_order(raw)


def _tables(given: list[str], study: Study) -> dict[str, str]:
    """The database's tables, by their names in the study."""
    pairs = (one.rpartition("=") for one in given)
    tables = {name or MAIN: table for name, _, table in pairs}
    known = {one.name for one in study.tables}
    for name in sorted(tables.keys() - {MAIN} - known):
        raise refuse("order-table-unknown", name=name)
    return tables


def _mapping(path: Path | None, study: Study) -> dict[str, dict[str, str]]:
    """The database's own columns, by table and declared header."""
    if path is None:
        return {}
    try:
        with open_regular(path) as stream:
            found = parse_json(stream.read(MAX_ORDER_BYTES + 1))
    except (OSError, ValueError, Refused):
        found = None
    if not isinstance(found, dict):
        raise refuse("mapping-unreadable", name=path.name)
    further = {table.name for table in study.tables}
    columns = {MAIN: {k: own for k, own in found.items() if not isinstance(own, dict)}}
    columns |= {name: own for name, own in found.items() if isinstance(own, dict)}
    texts = (own for table in columns.values() for own in table.values())
    if columns.keys() - {MAIN} - further or not all(isinstance(own, str) for own in texts):
        raise refuse("mapping-unreadable", name=path.name)
    return columns


def _write(path: Path, sealed: bytes) -> None:
    """Write a file that was not there, for its owner alone."""
    try:
        write_new(path, sealed)
    except OSError:
        raise refuse("handed-unwritable", name=path.name) from None


if __name__ == "__main__":
    sys.exit(main())
