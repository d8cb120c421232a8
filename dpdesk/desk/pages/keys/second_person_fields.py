# SPDX-License-Identifier: Apache-2.0
"""Who signs besides the custodian from now on, and before what: the fields that ask for it."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QObject, Signal

from dpdesk.desk.text import words
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.release.record.second_person import SecondPerson, Stage
from dpdesk.release.second_person.requirement import second_person
from dpdesk.study.problem import Refused

NOBODY = "nobody"


class SecondPersonFields(QObject):
    """The stage that a second person signs before, and the line that names them.

    Attributes:
        before: a release, an export, both, or :data:`NOBODY`.
        line: their name and public key; of no use where nobody signs.

    Signals:
        picked: another stage was picked; carries whether somebody signs.
    """

    picked = Signal(bool)

    def __init__(self, parent: QObject, line_label: str) -> None:
        super().__init__(parent)
        self.before = ChoiceField(self.tr("W&hat they sign"))
        self.line = LineField(
            line_label,
            self.tr("As they handed it over: their name, ssh-ed25519 and their public key."),
        )
        self.before.picked.connect(lambda _stage: self.picked.emit(self.is_somebody))

    @property
    def is_somebody(self) -> bool:
        return self.before.key != NOBODY

    def offer(self, before: str, nobody: bool) -> None:
        """Offer the stages, and where ``nobody`` holds that nobody signs; show one as picked."""
        stages = [
            ("release", self.tr("The plan, before a release")),
            ("export", self.tr("The bundle, before it is exported")),
            ("both", self.tr("Both: the plan and the bundle")),
        ]
        if nobody:
            stages.append((NOBODY, self.tr("Neither: no second signature")))
        self.before.set_choices(stages, before)

    def person(self) -> SecondPerson | None:
        """Who signs from now on; ``None`` where nobody does. A line that is none is refused.

        Raises:
            Refused: their line is not one.
        """
        self.line.set_error("")
        if not self.is_somebody:
            return None
        try:
            return second_person(cast(Stage, self.before.key), self.line.text)
        except Refused as refused:
            self.line.refuse(words.problem_sentence(refused.problems[0]))
            raise
