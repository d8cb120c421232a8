# SPDX-License-Identifier: Apache-2.0
"""The process that reads files: asked over one pipe, it answers over the other.

Nothing is imported before it is needed: a workbook needs neither pandas nor pyreadstat, its sheets
and first rows not even Arrow, and what a statistics file says of its variables no pandas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from dpdesk.data.files.file_formats import DECLARATIONS, KINDS, native_reader
from dpdesk.data.files.format_declaration import NativeReader
from dpdesk.data.reader_process.frames import Broken, FrameKind, read_frame, write_frame
from dpdesk.data.reader_process.messages import (
    from_json,
    labels_to,
    look_to,
    problems_to,
    source_from,
    to_json,
)
from dpdesk.data.reader_process.process_limits import bound_process, end_when_alone, own_pipes
from dpdesk.study.problem import Refused


def run_worker() -> int:
    """Answer until nobody is left who asks."""
    asks, answers = own_pipes()
    bound_process()
    desk = Server(asks, answers)
    try:
        while True:
            desk.serve_one()
    except Broken:
        return 0


@dataclass(frozen=True)
class Server:
    asks: BinaryIO
    answers: BinaryIO

    def serve_one(self) -> None:
        """Answer what is asked next, and all that is asked of a table it opens.

        Raises:
            Broken: nobody asks any more.
        """
        requested = self.next()
        try:
            self.reply(_OPERATIONS[requested.pop("operation")](self, **requested))
        except Broken:
            raise
        except Refused as refused:
            self._answer(FrameKind.REFUSAL, to_json(problems_to(refused.problems)))
        except BaseException as error:  # noqa: BLE001 - what broke the reader is answered, not printed
            # Its text may quote cells. Rust's panics are no Exception.
            self._answer(FrameKind.FAULT, type(error).__name__.encode("ascii", "replace"))

    def next(self) -> dict[str, Any]:
        """What is asked next.

        Raises:
            Broken: nobody asks any more.
        """
        frame = read_frame(self.asks)
        requested = from_json(frame.content)
        if frame.kind is not FrameKind.ASK or not isinstance(requested, dict):
            raise Broken
        end_when_alone(self.asks, True)
        return requested

    def reply(self, value: Any) -> None:
        self._answer(FrameKind.VALUE, to_json(value))

    def _answer(self, kind: FrameKind, content: bytes) -> None:
        # Who has the whole answer may ask again, which is no sign of being alone.
        end_when_alone(self.asks, False)
        write_frame(self.answers, kind, content)

    def progress(self, done: int, total: int) -> None:
        write_frame(
            self.answers, FrameKind.PROGRESS, done.to_bytes(8, "big"), total.to_bytes(8, "big")
        )


def _open(server: Server, source: dict[str, Any]) -> None:
    """Open a table, and answer what is asked of it until it is closed."""
    opened = source_from(source)
    with native_reader(opened.format)(opened, Path(), server.progress) as table:
        server.reply(table.header)
        while (requested := server.next())["operation"] != "close":
            server.reply(_of_table(server, table, **requested))


def _of_table(server: Server, table: Any, operation: str, **requested: Any) -> Any:
    if operation == "first_rows":
        return table.first_rows(requested["count"])
    if operation == "top_rows":
        return table.top_rows(requested["count"])
    return _loads(server, table, requested["wanted"])


def _loads(server: Server, table: Any, wanted: list[dict[str, Any]]) -> None:
    from dpdesk.data.files.batch import Wanted
    from dpdesk.data.reader_process.batch_codec import packed, pieces

    for load in table.loads([Wanted(**column) for column in wanted]):
        for piece in pieces(load()):
            write_frame(server.answers, FrameKind.BATCH, *packed(piece))


def _sheets(_server: Server, path: str) -> tuple[str, ...]:
    from dpdesk.data.files.workbook.workbook_file import sheets

    return sheets(Path(path))


def _propose(_server: Server, path: str) -> tuple[str, int | None]:
    from dpdesk.data.files.workbook.workbook_file import propose_workbook

    return propose_workbook(Path(path))


def _look(_server: Server, source: dict[str, Any], count: int) -> Any:
    from dpdesk.data.files.workbook.workbook_file import look_at

    return look_to(look_at(source_from(source), Path(), count))


def _labels(_server: Server, path: str, file: str, catalogue: str | None) -> Any:
    from dpdesk.data.files.statistical.described_variables import read_variables

    there = None if catalogue is None else Path(catalogue)
    return labels_to(read_variables(Path(path), KINDS[file], there))


def prepare(_server: Server | None = None) -> None:
    """Load what reads files, before there is one."""
    import pyreadstat  # noqa: F401 - loaded for later

    import dpdesk.data.reader_process.batch_codec  # noqa: F401 - loaded for later

    for declared in DECLARATIONS.values():
        if isinstance(declared.reader, NativeReader):
            declared.reader.load()


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "prepare": prepare,
    "open": _open,
    "sheets": _sheets,
    "propose": _propose,
    "look": _look,
    "labels": _labels,
}
