# SPDX-License-Identifier: Apache-2.0
"""A form field: label, editor, hint or error, with the suggestion as a link."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QEvent, QMargins, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.core.edits.study_edits import clean_text
from dpdesk.desk.text.typed_numbers import regrouped
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import Button, link
from dpdesk.desk.widgets.inputs.choice_rows import ChoiceRows
from dpdesk.desk.widgets.inputs.line_edit import INSET, LineEdit, PlainTextEdit
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.study import limits

STILL_HERE = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)


class FieldFrame(QFrame):
    """The painted border around an editor, with its focus ring and its error."""

    ring_room = RING

    def __init__(self, editor: QWidget, height: int | None = Space.FIELD) -> None:
        super().__init__(frameShape=QFrame.Shape.NoFrame)
        self._editor = editor
        self._failed = False
        row = QHBoxLayout(self)
        row.setContentsMargins(RING + Space.SMALL, RING, RING + Space.SMALL, RING)
        row.setSpacing(Space.TIGHT)
        row.addWidget(editor, 1)
        self._row = row
        if height is not None:
            self.setFixedHeight(height + 2 * RING)
            if height > Space.FIELD:
                row.setContentsMargins(RING + Space.TIGHT, RING + 2, RING + Space.TIGHT, RING + 2)
        # A disabled editor would paint another ground than its frame's.
        ground = editor.palette()
        clear = QColor(Qt.GlobalColor.transparent)
        ground.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Base, clear)
        editor.setPalette(ground)
        editor.installEventFilter(self)

    def add(self, widget: QWidget) -> None:
        """Put something inside the border, after the editor."""
        self._row.addWidget(widget)

    def add_behind(self, widget: QWidget, *others: QWidget | None) -> None:
        """Put something inside the border, next to the editor and others that stand behind it."""
        places = [self._row.indexOf(one) for one in (self._editor, *others) if one is not None]
        self._row.insertWidget(max(places) + 1, widget)

    def insert(self, widget: QWidget) -> None:
        """Put something inside the border, before the editor."""
        self._row.insertWidget(0, widget)

    def end_with(self, widget: QWidget) -> None:
        """Put something at the right edge, behind an editor that is as wide as its text."""
        self._row.setStretchFactor(self._editor, 0)
        self._row.addStretch(1)
        self._row.addWidget(widget)

    def set_failed(self, failed: bool) -> None:
        """Show or hide the error's border."""
        if failed is not self._failed:
            self._failed = failed
            self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Repaint when the editor gets or loses the keyboard."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.EnabledChange):
            self.update()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the text is one into the field."""
        if event.button() == Qt.MouseButton.LeftButton and self._editor.isEnabled():
            self._editor.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        inner = whole.adjusted(RING, RING, -RING, -RING)
        border = Role.DANGER if self._failed else Role.CONTROL
        fill = Role.SURFACE
        if not self._editor.isEnabled():
            border, fill = Role.LINE, Role.INSET
        box(painter, inner, Radius.FIELD, fill, border)
        if self._editor.hasFocus():
            focus_ring(painter, whole, Radius.FIELD + RING)
        painter.end()


def framed(editor: QWidget) -> QWidget:
    """An editor with the frame around it, which has its ring; what has none, as it is."""
    frame = editor.parentWidget()
    return frame if isinstance(frame, FieldFrame) else editor


class ReadFrame(FieldFrame):
    """Around a line that is read and copied: a quiet box around the line alone."""

    def __init__(self, line: QWidget) -> None:
        ground = line.palette()
        ground.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        line.setPalette(ground)
        super().__init__(line)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the box, and the ring while the keyboard is in it."""
        painter = QPainter(self)
        whole = QRectF(self.rect())
        inner = whole.adjusted(RING, RING, -RING, -RING)
        box(painter, inner, Radius.CARD, Role.INSET, Role.LINE)
        if self._editor.hasFocus():
            focus_ring(painter, whole, Radius.CARD + RING)
        painter.end()


class Field(QWidget):
    """Label above, editor in its border, hint or error below; nothing jumps.

    Args:
        label: with ``&`` for its shortcut; becomes the editor's accessible name.
        editor: any widget that takes the keyboard.
        hint: a quiet line below; an error takes its place.
        unit: shown inside at the right.

    Attributes:
        editor: the editor.

    Signals:
        suggestion_pressed: the suggestion was pressed; carries the value to use.
        unfocused: the keyboard went elsewhere in the window, edited or not.
        error_changed: another error is to be shown, or none.
    """

    ring_room = RING
    suggestion_pressed = Signal(str)
    unfocused = Signal()
    error_changed = Signal()

    def __init__(
        self,
        label: str,
        editor: QWidget,
        hint: str = "",
        unit: str = "",
        height: int | None = Space.FIELD,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.editor = editor
        self._hint_text = hint
        self._error = self._suggestion = self._fix = ""
        self._is_error_elsewhere = False
        self._label = QLabel(label)
        self._label.setFont(font(Type.TEXT, semibold=False))
        self._label.setBuddy(editor)
        self.frame = FieldFrame(editor, height)
        self._unit: ElidedLabel | None = None
        self._below = Label("", Type.QUIET, Role.TEXT_QUIET, wrap=True)
        self._build_field()
        self.set_unit(unit)
        editor.installEventFilter(self)
        editor.setAccessibleName(label.replace("&", ""))
        self._show_below()

    def _build_field(self) -> None:
        below = QHBoxLayout(spacing=Space.TIGHT, contentsMargins=QMargins(RING, 0, 0, 0))
        below.addWidget(self._below, 1)
        self._below_row = below
        column = QVBoxLayout(self, spacing=Space.HAIR, contentsMargins=NO_MARGINS)
        self._label.setContentsMargins(RING, 0, 0, 0)
        column.addWidget(self._label)
        column.addWidget(self.frame)
        column.addLayout(below)
        # Room that is over lies below; where it is narrow it is higher than its hint of a size.
        column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell when the keyboard goes elsewhere; a menu or another window is not elsewhere."""
        if watched is self.editor and _goes_elsewhere(event):
            self.unfocused.emit()
        return super().eventFilter(watched, event)

    @property
    def error(self) -> str:
        """The error on show; empty without one."""
        return self._error

    @property
    def suggestion(self) -> str:
        """The value that would fix the error; empty without one."""
        return self._suggestion if self._error else ""

    @property
    def fix(self) -> str:
        """What the link says that takes the suggestion; empty without one."""
        if not self.suggestion:
            return ""
        return self._fix or self.tr("Use {0}").format(self.suggestion)

    def set_error(self, sentence: str, suggestion: str = "", fix: str = "") -> None:
        """Show an error in the hint's place; empty: none.

        Args:
            sentence: what is wrong.
            suggestion: a value that would fix it.
            fix: what the link says that takes it, where that is not "Use" and the value.
        """
        if (sentence, suggestion, fix) == (self._error, self._suggestion, self._fix):
            return
        if sentence != self._error:
            announce(self, f"{self.label}: {sentence}" if sentence and self.isVisible() else "")
        self._error, self._suggestion, self._fix = sentence, suggestion, fix
        self._show_below()

    @cached_property
    def _marks(self) -> tuple[IconLabel, IconLabel, Button]:
        """What an error brings: a sign in the border, one below, and a link that fixes it.

        Made with the first error: a form has dozens of fields, and few of them ever show one.
        """
        inside, icon = (IconLabel("alert", Role.DANGER, Space.ICON_CHIP) for _ in range(2))
        fix = link("")
        fix.clicked.connect(lambda: self.suggestion_pressed.emit(self._suggestion))
        self.frame.add_behind(inside, self._unit)
        self._below_row.insertWidget(0, icon, 0, Qt.AlignmentFlag.AlignTop)
        self._below_row.addWidget(fix, 0, Qt.AlignmentFlag.AlignTop)
        return inside, icon, fix

    def _show_below(self) -> None:
        """The error where there is one, else the hint."""
        sentence, failed = self._error, bool(self._error)
        self.frame.set_failed(failed)
        below = failed and not self._is_error_elsewhere
        if failed or "_marks" in vars(self):
            inside, icon, fix = self._marks
            inside.setVisible(failed)
            icon.setVisible(below)
            fix.setText(self.fix)
            fix.setVisible(bool(self._suggestion) and below)
        self._below.setText(sentence if below else self._hint_text)
        self._below.set_role(Role.DANGER if below else Role.TEXT_QUIET)
        self._below.setVisible(below or bool(self._hint_text))
        self._describe()
        self.error_changed.emit()

    def _describe(self) -> None:
        """What is read out after the name: the unit is beside the editor, and is not in it."""
        shown = self.editor.placeholderText() if isinstance(self.editor, QLineEdit) else ""
        unit = self._unit.text() if self._unit is not None else ""
        parts = (unit, self._hint_text or (shown if unit else ""))
        text = self._error or ". ".join(part for part in parts if part)
        if text != self.editor.accessibleDescription():
            self.editor.setAccessibleDescription(text)

    def refuse(self, sentence: str) -> None:
        """Say what is wrong with what was agreed to, with the keyboard where it is put right."""
        self.set_error(sentence)
        self.editor.setFocus()

    def say_elsewhere(self) -> None:
        """Leave the sentence of an error to the row of fields that this one is in."""
        self._is_error_elsewhere = True
        self._show_below()

    @property
    def hint(self) -> str:
        return self._hint_text

    def keep_lines(self, lines: int) -> None:
        """Keep room for a hint or an error of this many lines: nothing jumps when it comes."""
        room = self._below.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self._below.setSizePolicy(room)
        self._below.setMinimumHeight(self._below.height_of(lines))
        self._below.setAlignment(Qt.AlignmentFlag.AlignTop)

    def set_hint(self, hint: str) -> None:
        if hint != self._hint_text:
            self._hint_text = hint
            self._show_below()

    def set_unit(self, unit: str) -> None:
        if unit == (self._unit.text() if self._unit is not None else ""):
            return
        if self._unit is None:
            self._unit = ElidedLabel(Type.TEXT, Role.TEXT_QUIET)
            self._unit.take_own_width()
            self.frame.add_behind(self._unit)
        self._unit.setText(unit)
        self._unit.setVisible(bool(unit))
        self._describe()

    @property
    def label(self) -> str:
        """The label, without the mark of its shortcut."""
        return self._label.text().replace("&", "")

    def put_label_beside(self) -> QLabel:
        """Take the label out, to stand at the left of the field in a form of other rows."""
        layout = self.layout()
        if layout is not None:
            layout.removeWidget(self._label)
        self._label.setContentsMargins(0, 0, 0, 0)
        self._label.setFixedHeight(self.frame.height())
        return self._label

    def set_label(self, label: str) -> None:
        self._label.setText(label)
        self.editor.setAccessibleName(label.replace("&", ""))


def _goes_elsewhere(event: QEvent) -> bool:
    if not isinstance(event, QFocusEvent):
        return False
    return event.lostFocus() and event.reason() not in STILL_HERE


class LineField(Field):
    """A field for one line of text.

    Attributes:
        edit: its line edit.

    Signals:
        edited: the text changed by the user's hand.
        left: the user left the field.
    """

    edited = Signal(str)
    left = Signal()

    def __init__(
        self,
        label: str,
        hint: str = "",
        unit: str = "",
        placeholder: str = "",
        parent: QWidget | None = None,
        edit: LineEdit | None = None,
    ) -> None:
        self.edit = edit or LineEdit(placeholder)
        if edit is None:
            self.edit.setFont(font(Type.TEXT, tabular=True))
        super().__init__(label, self.edit, hint, unit, parent=parent)
        self.edit.setMaxLength(limits.MAX_TEXT)
        self.edit.textEdited.connect(self._edited)
        self.edit.editingFinished.connect(self.left)

    def _edited(self, text: str) -> None:
        """Pasted text loses what nobody can see, where it can still be seen to be lost."""
        clean = clean_text(text)
        if clean != text and self.edit.echoMode() == QLineEdit.EchoMode.Normal:
            place = self.edit.cursorPosition()
            self.edit.setText(clean)
            self.edit.setCursorPosition(min(place, len(clean)))
            text = clean
        self.edited.emit(text)

    def group_digits(self) -> None:
        """Show separators in the number that was typed, once the field is left."""
        self.left.connect(lambda: self.set_text(regrouped(self.edit.text())))

    @property
    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Put a text in, unless the user is typing the same value in another way."""
        if text != self.edit.text():
            self.edit.setText(text)
            if self.edit.fontMetrics().horizontalAdvance(text) > self.edit.width():
                # A text that is too long for its field is read from its beginning.
                self.edit.setCursorPosition(0)


class PasswordField(LineField):
    """A field whose text nobody can read over the shoulder."""

    def __init__(self, label: str, hint: str = "") -> None:
        super().__init__(label, hint)
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)


class TextField(Field):
    """A field for several lines.

    Attributes:
        edit: its text edit.

    Signals:
        edited: the text changed by the user's hand.
    """

    edited = Signal(str)

    def __init__(
        self,
        label: str,
        hint: str = "",
        lines: int = 5,
        size: Type = Type.TEXT,
        mono: bool = False,
    ) -> None:
        self.edit = PlainTextEdit(size, mono)
        height = self.edit.lines_height(lines) + 2 * INSET
        super().__init__(label, self.edit, hint, height=height)
        self._putting = False
        self.edit.textChanged.connect(self._emit_edited)

    @property
    def text(self) -> str:
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        if text != self.edit.toPlainText():
            self._putting = True
            self.edit.setPlainText(text)
            self._putting = False

    def _emit_edited(self) -> None:
        if not self._putting:
            self.edited.emit(self.edit.toPlainText())


class Combo(QComboBox):
    """A combo box without a frame of its own; the wheel scrolls the page, not the choice.

    Attributes:
        cut: where a choice that is too long is cut.
    """

    def __init__(self) -> None:
        super().__init__(frame=False)
        self._was_opened = False
        self.cut = Qt.TextElideMode.ElideRight
        self.setItemDelegate(ChoiceRows(self))
        self.setFont(font(Type.TEXT))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def showPopup(self) -> None:
        """Open as wide as the longest choice."""
        self._was_opened = True
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0))
        super().showPopup()

    @property
    def is_open(self) -> bool:
        """Whether its list is on show; asking makes no list where there was none."""
        return self._was_opened and self.view().isVisible()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint text and chevron; the border is the frame's."""
        painter = QPainter(self)
        enabled = self.isEnabled()
        painter.setPen(color(Role.TEXT if enabled else Role.DISABLED))
        text = self.currentText() or self.placeholderText()
        if not self.currentText():
            painter.setPen(color(Role.TEXT_QUIET))
        # It begins where the text of a line edit does, which Qt puts a little in.
        room = self.rect().adjusted(INSET, 0, INSET - Space.GAP, 0)
        shown = self.fontMetrics().elidedText(text, self.cut, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        side = Space.ICON_CHIP
        spot = QRectF(self.width() - side, (self.height() - side) / 2, side, side)
        icons.paint(painter, "chevron-down", Role.TEXT_QUIET if enabled else Role.CONTROL, spot)
        painter.end()


class ChoiceField(Field):
    """A field for one of several choices, each with a key.

    Signals:
        picked: the user chose; carries the key.
    """

    picked = Signal(str)

    def __init__(self, label: str, hint: str = "", placeholder: str = "") -> None:
        self.combo = Combo()
        self.combo.setPlaceholderText(placeholder)
        super().__init__(label, self.combo, hint)
        self.combo.activated.connect(lambda index: self.picked.emit(self.combo.itemData(index)))

    @property
    def key(self) -> str | None:
        """The key of the choice; ``None`` while nothing is chosen."""
        data = self.combo.currentData()
        return None if data is None else str(data)

    def set_choices(self, choices: list[tuple[str, str]], key: str | None) -> None:
        """Offer (key, text) pairs and choose one."""
        now = [(self.combo.itemData(i), self.combo.itemText(i)) for i in range(self.combo.count())]
        is_open = now != choices and self.combo.is_open
        if now != choices:
            self.combo.clear()
            for data, text in choices:
                self.combo.addItem(text, data)
        self.combo.setCurrentIndex(next((i for i, c in enumerate(choices) if c[0] == key), -1))
        if is_open:
            # A file's columns arrive while its list of none is open, with room for one line.
            self.combo.hidePopup()
            self.combo.showPopup()
