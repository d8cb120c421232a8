# SPDX-License-Identifier: Apache-2.0
"""Above the page: what could not be done, until something can be."""

from __future__ import annotations

from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.problem import Problem


class TroubleBanner(Banner):
    """Says what could not be done; what is about the saving stays until the study is saved."""

    def __init__(self, session: Session) -> None:
        super().__init__(Tone.ERROR)
        self.set_action(self.tr("Close"))
        self.problems: tuple[Problem, ...] = ()
        self.hide()
        self.action_pressed.connect(self.hide)
        document = session.document
        document.opened.connect(self.hide)
        document.study_changed.connect(self._settle)
        document.saved_changed.connect(self._settle_saving)
        session.past.connect(self._settle_reported)

    def report(self, problems: tuple[Problem, ...], located: bool = False) -> str:
        """Show problems, with their places in the study file where asked; returns the words."""
        say = words.located_sentence if located else words.problem_sentence
        text = " ".join(say(problem) for problem in problems)
        self.say("", text)
        self.setVisible(bool(problems))
        self.problems = problems
        return text

    def _settle(self) -> None:
        """Something could be done: what could not before is past, but for the saving."""
        if not self.isHidden() and not self.is_about_saving:
            self.hide()

    def _settle_saving(self, saved: bool) -> None:
        if saved and self.is_about_saving:
            self.hide()

    def _settle_reported(self, problems: tuple[Problem, ...]) -> None:
        if problems == self.problems:
            self.hide()

    @property
    def is_about_saving(self) -> bool:
        """Whether it says on show that the study cannot be saved."""
        codes = (problem.code for problem in self.problems)
        return not self.isHidden() and any(code.startswith("study-file-un") for code in codes)
