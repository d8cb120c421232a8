# SPDX-License-Identifier: Apache-2.0
"""What an ID looks like: a total or a footer, which looks different, is no person then."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.text.words import field_sentence
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedGrid
from dpdesk.study.model.unit import IdCharacters, IdShape

ANY_CELL = "\0any"


class IdShapeFields(QWidget):
    """Which characters an ID has and how many, behind what it begins with.

    Signals:
        declared: carries the shape, ``None`` for any; and the field that was typed in.
    """

    declared = Signal(object, str)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        hint = self.tr("A cell that looks different, such as “Total”, is no ID, in any table.")
        self.of = ChoiceField(self.tr("What an ID loo&ks like"), hint)
        self.prefix = LineField(self.tr("Be&gins with"))
        self.ends = {
            "shortest": LineField(self.tr("Fewest &characters behind it")),
            "longest": LineField(self.tr("&Most characters behind it")),
        }
        self._shape: IdShape | None = None
        self._wrong: set[str] = set()
        grid = AlignedGrid(self)
        grid.setHorizontalSpacing(Space.CARDS)
        grid.setVerticalSpacing(Space.TIGHT)
        fields = (self.of, self.prefix, *self.ends.values())
        for place, field in enumerate(fields):
            grid.addWidget(field, *divmod(place, 2))
        self.of.picked.connect(self._pick)
        self.prefix.edited.connect(self._type_prefix)
        for key, field in self.ends.items():
            field.edited.connect(lambda text, key=key: self._type_end(key, text))

    def _pick(self, key: str) -> None:
        self._wrong.clear()
        if key == ANY_CELL:
            self.declared.emit(None, "")
        else:
            shape = replace(self._shape or IdShape(), of=cast(IdCharacters, key))
            self.declared.emit(shape, "")

    def _type_prefix(self, text: str) -> None:
        if self._shape is not None:
            self.declared.emit(replace(self._shape, prefix=text.strip()), "prefix")

    def _type_end(self, key: str, text: str) -> None:
        number = typed_numbers.whole_from_text(text)
        if number is None:
            self._wrong.add(key)
            self.ends[key].set_error(self.tr("Type a whole number, such as 3."))
            return
        self._wrong.discard(key)
        self.ends[key].set_error("")
        if self._shape is not None:
            ends = {key: number}
            self.declared.emit(replace(self._shape, **ends), key)  # type: ignore[arg-type]

    @property
    def is_wrong(self) -> bool:
        """Whether something that was typed is no number."""
        return bool(self._wrong)

    def render_state(self, state: DeskState) -> None:
        """Show what is declared; what is typed stays as long as it means the same."""
        unit = state.study.unit
        self._shape = shape = None if unit is None else unit.id_shape
        choices: dict[str, str] = {
            ANY_CELL: self.tr("any value that is not missing"),
            "digits": self.tr("digits"),
            "letters-digits": self.tr("letters and digits"),
            "any": self.tr("any characters"),
        }
        self.of.set_choices(list(choices.items()), ANY_CELL if shape is None else shape.of)
        for field in (self.prefix, *self.ends.values()):
            field.setVisible(shape is not None)
        if shape is None:
            self._wrong.clear()
            return
        if self.prefix.text.strip() != shape.prefix:
            self.prefix.set_text(shape.prefix)
        for key, field in self.ends.items():
            number = getattr(shape, key)
            if key not in self._wrong and typed_numbers.whole_from_text(field.text) != number:
                field.set_text(words.grouped(number))
        for key, field in {"prefix": self.prefix, **self.ends}.items():
            problems = state.problems_at(f"$.unit.id_shape.{key}")
            if key not in self._wrong:
                field.set_error(field_sentence(problems[0]) if problems else "")
