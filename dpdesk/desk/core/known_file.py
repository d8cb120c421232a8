# SPDX-License-Identifier: Apache-2.0
"""The study's file and what it held when it was last read or written here. No Qt.

Another window or an editor may write the same file. What they wrote is never replaced unasked.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dpdesk.study.json.study_files import (
    OvertakenError,
    keep_beside,
    read_study_bytes,
    remove_left_behind,
    save_study,
)
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.regular_file import real_path


class KnownFile:
    """A study's file.

    Args:
        path: where it is.
        content: what it held when it was last read here; ``None`` where there was none.

    Attributes:
        was_gone: somebody had taken it away when it was last put.
    """

    def __init__(self, path: Path, content: bytes | None) -> None:
        self.path = path
        self._content = content
        self._is_tidy = False
        self.was_gone = False

    @classmethod
    def to_replace(cls, path: Path) -> KnownFile:
        """A place that the user chose: what is there now may be replaced.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.read_study_bytes``.
        """
        return cls(path, read_study_bytes(path))

    def is_at_odds(self, study: Study) -> bool:
        """Whether somebody else wrote something that is not this study.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.read_study_bytes``.
        """
        content = read_study_bytes(self.path)
        return content not in (None, self._content) and content != study_to_bytes(study)

    def is_gone(self) -> bool:
        """Whether there was a file and there is none any more.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.read_study_bytes``.
        """
        return self._content is not None and read_study_bytes(self.path, 1) is None

    def put(self, study: Study) -> bool:
        """Write the study, unless somebody else wrote something that is not this study.

        That is seen before the writing, and again once all is on the disk and only the name is
        missing: others may write while a slow disk does.

        Returns:
            Whether the file holds the study now.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.read_study_bytes`` and ``save_study``.
        """
        if self.is_at_odds(study):
            return False
        self.was_gone = self.is_gone()

        def demand_agreement() -> None:
            if self.is_at_odds(study):
                raise OvertakenError

        try:
            self._content = save_study(study, self.path, demand_agreement)
        except OvertakenError:
            return False
        self._tidy()
        return True

    def _tidy(self) -> None:
        """Once, as a large folder takes time: remove what killed programs left of earlier saves."""
        if not self._is_tidy:
            self._is_tidy = True
            with suppress(OSError):
                remove_left_behind(real_path(self.path))

    def replace_theirs(self, study: Study) -> Path | None:
        """Write the study, and keep beside it what the file holds now.

        What others write meanwhile is kept, too.

        Returns:
            Where theirs is kept; ``None`` where it is gone.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.keep_beside``, ``read_study_bytes`` and
                ``save_study``.
        """
        kept, is_overtaken = None, True
        while is_overtaken:
            theirs = read_study_bytes(self.path, -1)
            kept = kept if theirs is None else keep_beside(self.path, theirs)
            is_overtaken = not self._replaced(study, theirs)
        return kept

    def _replaced(self, study: Study, theirs: bytes | None) -> bool:
        """Write the study over what is kept; whether the file held nothing else by then."""

        def demand_kept() -> None:
            if read_study_bytes(self.path, -1) != theirs:
                raise OvertakenError

        try:
            self._content = save_study(study, self.path, demand_kept)
        except OvertakenError:
            return False
        return True

    def keep_mine(self, study: Study) -> Path:
        """Keep a study beside it.

        Raises:
            Refused: see ``dpdesk.study.json.study_files.keep_beside``.
        """
        return keep_beside(self.path, study_to_bytes(study))
