# SPDX-License-Identifier: Apache-2.0
"""The open study: edited by replacing it, undone by putting the earlier one back, saved by itself.

Undo changes what is declared. It never reaches the ledger: budget that is spent stays spent.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpdesk.desk.core.jobs.jobs import Job, JobRunner
from dpdesk.desk.core.known_file import KnownFile
from dpdesk.desk.core.round_trip import RoundTrip
from dpdesk.study.json.study_files import StudyFile, load_study, moved_data, read_study_bytes
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.study.regular_file import real_path

AUTOSAVE_MS = 200
"""From an edit to its writing, however many follow; what is lost at worst is that and two writes,
the one under way and its own."""

RETRY_MS = 5_000
"""From a write that failed to the next, where nobody edits meanwhile."""

WRITE_MS = 20_000
"""A write that takes longer will not end."""


class ReplaceStudy(QUndoCommand):
    """One edit: the study before and after.

    Edits of the same field in one go (same non-empty ``merge_key``) undo together.

    Attributes:
        before: the study before.
    """

    def __init__(
        self, document: Document, before: Study, after: Study, text: str, merge_key: str
    ) -> None:
        super().__init__(text)
        self._document = document
        self.before = before
        self._after = after
        self._merge_key = merge_key

    def id(self) -> int:
        """Commands of one number are offered for merging."""
        return 1 if self._merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over a following edit of the same field."""
        if not isinstance(other, ReplaceStudy) or other._merge_key != self._merge_key:
            return False
        self._after = other._after
        self.setObsolete(self._after == self.before)
        return True

    def redo(self) -> None:
        self._document._put(self._after)

    def undo(self) -> None:
        self._document._put(self.before)


class Document(QObject):
    """The study that is open, if one is.

    Attributes:
        undo_stack: what Undo and Redo act on.
        is_at_odds: whether the file was found changed by others, and nobody has chosen yet.

    Signals:
        study_changed: the study was replaced, by an edit, undo, or opening another.
        saved_changed: whether the file holds what the window shows.
        save_failed: the study could not be saved; carries a ``Problem``.
        taken_back: what was typed could not be opened again from the file, and was undone;
            carries the problems.
        changed_outside: the file holds what another window or hand wrote, and stays as it is
            until :meth:`keep_mine` or :meth:`load_theirs`.
        restored: the file was deleted, moved or renamed by others, and is written again.
        opened: another study is open now (or none).
    """

    study_changed = Signal()
    saved_changed = Signal(bool)
    save_failed = Signal(object)
    taken_back = Signal(object)
    changed_outside = Signal()
    restored = Signal()
    opened = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._study: Study | None = None
        self._file: KnownFile | None = None
        self._round_trip = RoundTrip()
        self._saved = True
        self.is_at_odds = False
        self._was_gone = False
        self._timer = QTimer(self, singleShot=True, interval=AUTOSAVE_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._autosave)
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self._autosave)
        self._reported: Problem | None = None
        self._writer = JobRunner(self)
        self._writing: Job | None = None
        self._is_due = False

    @property
    def study(self) -> Study:
        """The open study; an empty one while none is open."""
        return self._study if self._study is not None else Study()

    @property
    def is_open(self) -> bool:
        return self._study is not None

    @property
    def path(self) -> Path | None:
        """The study's file."""
        return self._file.path if self._file else None

    @property
    def folder(self) -> Path:
        """Where relative data paths start from."""
        return real_path(self._file.path).parent if self._file else Path.cwd()

    @property
    def is_saved(self) -> bool:
        """Whether the file holds what the window shows."""
        return self._saved

    @property
    def is_writing(self) -> bool:
        """Whether the file is being written."""
        return self._writing is not None

    def edit(self, study: Study, text: str, merge_key: str = "") -> None:
        """Replace the study by an edited one; nothing happens where they are equal.

        Args:
            study: the study after the edit.
            text: what Undo says it undoes.
            merge_key: names the field, so that typing in it is one step for Undo. Whether what
                is typed can be opened again is seen once a save, not at each key.

        Raises:
            Refused: the study could not be opened again from its file; nothing is replaced.
        """
        study = with_baseline_queries(study)
        if self._study is None or study == self._study:
            return
        if not merge_key:
            self._round_trip.check(study)
        self.undo_stack.push(ReplaceStudy(self, self._study, study, text, merge_key))

    def start(self, study: Study, path: Path) -> None:
        """Open a new study that will be kept at ``path``, and save it there at once.

        Where the open study cannot be saved it stays open instead, as with the ways below.
        """
        if not self.save():
            return
        self._open(study, KnownFile.to_replace(path))
        self._mark_saved(False)
        self.save()

    def open(self, path: Path) -> None:
        """Open a study file.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.load_study``; the open study stays open.
        """
        self.open_loaded(load_study(path))

    def open_loaded(self, loaded: StudyFile) -> None:
        """Open a study file that was read just now, unless the open study cannot be saved.

        Where it has changed since, as by saving the study that was open if it is the same one,
        what it holds now is opened.

        Raises:
            Refused: as in :meth:`open`.
        """
        if not self.save():
            return
        if read_study_bytes(loaded.path) not in (None, loaded.content):
            loaded = load_study(loaded.path)
        self._open(loaded.study, KnownFile(loaded.path, loaded.content), loaded.written_size)

    def save_as(self, path: Path) -> None:
        """Keep the study at another place from now on, if it can be written there."""
        if self._study is None or not self._finish_writing():
            return
        before = (self._study, self._file, self._saved)
        # A relative data path starts at the study file: it must lead to the same file from there.
        moved = moved_data(self._study, self.folder, real_path(path).parent)
        try:
            self._file = KnownFile.to_replace(path)
        except Refused as refused:
            self._report(refused.problems[0])
            return
        self._study = moved
        self._mark_saved(False)
        if not self.save():
            self._study, self._file = before[:2]
            self._mark_saved(before[2])
        elif moved != before[0]:
            # Undo would bring back a path that leads elsewhere.
            self.undo_stack.clear()
            self.study_changed.emit()

    def close(self) -> None:
        if not self.save():
            return
        self._study = None
        self._file = None
        self.undo_stack.clear()
        self.opened.emit()
        self.study_changed.emit()

    def save(self) -> bool:
        """Save now what autosave would save soon.

        Returns:
            Whether the file holds the study; if not, ``save_failed`` or ``changed_outside`` has
            said why.
        """
        self._timer.stop()
        if not self._finish_writing():
            return False
        self._notice_gone()
        if self._study is None or self._file is None or self._saved:
            return True
        try:
            return self._written(self._study, self._file, self._file.put(self._study))
        except Refused as refused:
            self._reported = None  # who asks is answered each time
            self._try_again(refused.problems[0])
            return False

    def _autosave(self) -> None:
        """Write in a thread: a slow disk or share must not make the window stand still."""
        if self._writing is not None:
            self._writing.wait(0)
        self._take_back_unreadable()
        study, file = self._study, self._file
        self._is_due = self._writing is not None
        if study is None or file is None or self._saved or self._is_due:
            return
        job = self._writing = self._writer.run(lambda _progress, _cancel: file.put(study))
        job.finished.connect(partial(self._written, study, file))
        job.refused.connect(lambda problems: self._try_again(problems[0]))
        job.ended.connect(self._writing_ended)

    def _writing_ended(self) -> None:
        self._writing = None
        if self._is_due:
            self._autosave()

    def _try_again(self, problem: Problem) -> None:
        """Say once what keeps the study from being saved, and write later, unasked.

        A disk that was full, or a program that held the file, may be out of the way by then.
        """
        if problem != self._reported:
            self._reported = problem
            self._report(problem)
        self._retry.start()

    def _take_back_unreadable(self) -> None:
        """Undo what was typed until the study can be opened again from its file.

        It is gone from Redo, too, and only what cannot be opened again is undone.
        """
        while self._study is not None and self.undo_stack.canUndo():
            try:
                self._round_trip.check(self._study)
                break
            except Refused as refused:
                edit = cast(ReplaceStudy, self.undo_stack.command(self.undo_stack.index() - 1))
                before = edit.before
                edit.setObsolete(True)
                self.undo_stack.undo()  # drops it, and undoes nothing
                self._put(before)
                self.taken_back.emit(refused.problems)

    def _finish_writing(self) -> bool:
        """Wait for the write under way; whether there is none any more."""
        self._take_back_unreadable()
        self._is_due = False
        if self._writing is not None:
            self._writing.wait(WRITE_MS)
        # What was edited behind a write that takes too long is written once that one ends.
        self._is_due = self._writing is not None
        if self._writing is not None and self._file is not None:
            self._report(refuse("study-file-unwritable", name=self._file.path.name).problems[0])
        return self._writing is None

    def _written(self, study: Study, file: KnownFile, agreed: bool) -> bool:
        """Note what became of a write; whether the file holds the open study."""
        if file is self._file:
            self._judge(agreed)
            if agreed:
                self._was_gone |= file.was_gone
                self._mark_saved(study == self._study)
                self._report_restored()
        return self._saved

    def _notice_gone(self) -> None:
        """A file that is gone does not hold what the window shows: it is to be written again."""
        with suppress(Refused):  # it may be there: nothing is known to be lost
            self._was_gone = self._file is not None and self._file.is_gone()
            if self._was_gone:
                self._mark_saved(False)

    def _report_restored(self) -> None:
        if self._was_gone:
            self._was_gone = False
            self.restored.emit()

    def look_at_file(self) -> bool:
        """See whether the file is still as it was last read or written here.

        One that is gone is written again, and so is one that could not be written before.

        Returns:
            Whether it is; if not, ``changed_outside`` has said so.
        """
        try:
            if self._study is None or self._file is None or self._writing is not None:
                return True  # who writes looks first
            agrees = self._judge(not self._file.is_at_odds(self._study))
            self._notice_gone()
            if agrees and not self._saved:
                self._timer.start()
            return agrees
        except Refused:
            return True  # saving will say it

    def keep_mine(self) -> Path | None:
        """Write the open study over what others wrote, which is kept beside it.

        Returns:
            Where theirs is kept.

        Raises:
            Refused: one of the two could not be written; nothing is lost.
        """
        if self._study is None or self._file is None or not self._finish_writing():
            return None
        kept = self._file.replace_theirs(self._study)
        self.is_at_odds = False
        self._mark_saved(True)
        return kept

    def load_theirs(self) -> Path | None:
        """Open what others wrote; the open study is kept beside it.

        Returns:
            Where mine is kept.

        Raises:
            Refused: theirs is no study, or mine could not be kept; mine stays open.
        """
        if self._study is None or self._file is None or not self._finish_writing():
            return None
        loaded = load_study(self._file.path)
        kept = self._file.keep_mine(self._study)
        self._timer.stop()
        file = KnownFile(self._file.path, loaded.content)
        self._open(loaded.study, file, loaded.written_size)
        return kept

    def _judge(self, agreed: bool) -> bool:
        """Note whether the file was found as it was left here, and say so where it was not."""
        self.is_at_odds = not agreed
        if self.is_at_odds:
            self._saved = False
            self.saved_changed.emit(False)
            self.changed_outside.emit()
        return agreed

    def _report(self, problem: Problem) -> None:
        self.save_failed.emit(problem)

    def _open(self, study: Study, file: KnownFile, size: int | None = None) -> None:
        """Open a study; one that was read from its file has the size that it is written with."""
        self._round_trip = RoundTrip() if size is None else RoundTrip(study, size)
        self.undo_stack.clear()
        self._study = study
        self._file = file
        self.is_at_odds = False
        self._was_gone = False
        self._reported = None
        self._retry.stop()
        self._mark_saved(True)
        self.opened.emit()
        self.study_changed.emit()

    def _put(self, study: Study) -> None:
        self._study = study
        self._reported = None
        self._retry.stop()
        self._mark_saved(False)
        if not self._timer.isActive():
            self._timer.start()
        elif self._timer.remainingTime() <= 0:
            self._autosave()  # many events keep timers waiting
        self.study_changed.emit()

    def _mark_saved(self, saved: bool) -> None:
        if saved != self._saved:
            self._saved = saved
            self.saved_changed.emit(saved)
