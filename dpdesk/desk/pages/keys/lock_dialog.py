# SPDX-License-Identifier: Apache-2.0
"""What the signing key's dialogs have in common.

Its lock takes a second to close and to open, by design: off the GUI thread, and the button says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.jobs.latest_job import Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.working_dialog import WorkingDialog
from dpdesk.desk.text import words
from dpdesk.desk.widgets.dialog import WIDTH
from dpdesk.desk.widgets.inputs.field import Field, LineField, TextField
from dpdesk.study.problem import Problem

WIDE, LINES = 720, 16
"""Of a dialog that shows what is signed, and of the field that holds it."""


class LockDialog(WorkingDialog):
    """A dialog that works at the key's lock.

    Attributes:
        fields: what is typed; nothing secret stays in them.
    """

    def __init__(
        self, window: QWidget, session: Session, title: str, text: str = "", width: int = WIDTH
    ) -> None:
        super().__init__(window, session, title, text, width=width)
        self.fields: tuple[LineField, ...] = ()

    def show_fields(self, *fields: LineField) -> None:
        """Put the fields below each other; the first has the keyboard."""
        self.fields = fields
        self.held = (*fields, *self.held)
        self.show_parts(*fields)
        self.forget_errors(*fields)
        if fields:
            fields[0].edit.setFocus()

    def work_at(
        self, field: Field, work: Callable[[], object], then: Callable[[Any], None], said: str = ""
    ) -> None:
        """Work at the lock; what is refused is shown at a field."""
        for one in self.fields:
            one.set_error("")

        def refused(problems: Problems) -> None:
            field.refuse(words.problem_sentence(problems[0]))
            if isinstance(field, LineField):
                field.edit.selectAll()

        self.run(work, then, refused, said or self.tr("Working with the key…"))

    def end(self, _result: object = None) -> None:
        """Close it: all is done."""
        for one in self.fields:
            one.edit.clear()
        WorkingDialog.accept(self)


def differ(first: LineField, second: LineField) -> bool:
    """Whether a passphrase was repeated otherwise, which is shown at the second field."""
    if first.text == second.text:
        return False
    second.refuse(words.problem_sentence(Problem("$", "passphrases-differ")))
    return True


def shown_text(label: str, text: str) -> TextField:
    made = TextField(label, lines=LINES)
    made.edit.setReadOnly(True)
    made.set_text(text)
    return made
