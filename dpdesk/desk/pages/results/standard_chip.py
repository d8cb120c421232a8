# SPDX-License-Identifier: Apache-2.0
"""What a standardised figure is standardised by: a standard population, or reference rates."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from dpdesk.desk.text.language import language
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.painting import box
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import OWN_WEIGHTS, ReferenceParameters, StandardParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.standard_populations import standards
from dpdesk.study.text.titles import number_list, reference_unit


@dataclass(frozen=True)
class NamedStandard:
    """A standard in words.

    Attributes:
        label: what it is.
        name: which one it is, short.
        about: its full name and where its numbers were published; empty for own numbers.
    """

    label: str
    name: str
    about: str = ""


def standard_of(study: Study | None, query: Query | None) -> NamedStandard | None:
    """What a query's figures are standardised by; ``None`` where they are not."""
    if study is None or query is None:
        return None
    own = query.parameters
    if isinstance(own, ReferenceParameters):
        unit = reference_unit(study, query, language())
        rates = f"{number_list(own.reference, language())} {unit}".rstrip()
        return NamedStandard(tr("StandardChip", "Reference rates"), rates)
    if not isinstance(own, StandardParameters) or own.standard is None:
        return None
    if own.standard == OWN_WEIGHTS:
        weights = number_list(own.weights, language())
        return NamedStandard(tr("StandardChip", "Own weights"), weights)
    names = {
        "european-2013": tr("StandardChip", "European 2013"),
        "european-1976": tr("StandardChip", "European 1976"),
        "who-2000-2025": tr("StandardChip", "WHO 2000-2025"),
        "segi": tr("StandardChip", "World, Segi"),
    }
    found = standards()[own.standard]
    about = f"{found.title}. {found.source}"
    return NamedStandard(tr("StandardChip", "Standard"), names[own.standard], about)


class StandardChip(QWidget):
    """A chip that cannot be pressed: a released figure keeps its standard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = quiet("", wrap=False)
        self._name = Label("", Type.QUIET, semibold=True)
        row = QHBoxLayout(self, spacing=Space.SMALL)
        row.setContentsMargins(Space.ICON_CHIP, Space.TIGHT, Space.ICON_CHIP, Space.TIGHT)
        row.addWidget(self._label)
        row.addWidget(self._name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def text(self) -> str:
        """As it reads: "Standard European 2013"."""
        return f"{self._label.text()} {self._name.text()}"

    def show_standard(self, standard: NamedStandard | None) -> None:
        """Name a standard; ``None`` for a figure that has none."""
        if standard is not None:
            self._label.setText(standard.label)
            self._name.setText(standard.name)
            self.setToolTip(standard.about)
            self._name.setAccessibleDescription(standard.about)
        self.setVisible(standard is not None)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        box(painter, whole, whole.height() / 2, Role.SURFACE, Role.CONTROL)
        painter.end()
