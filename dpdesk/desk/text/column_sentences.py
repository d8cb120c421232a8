# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a column, said at its field: short, because the label names the field."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words
from dpdesk.study.problem import Problem


def field_sentence(problem: Problem) -> str:
    """The sentence of a problem below the field it is about."""
    short = {
        "lower-not-declared": QCoreApplication.translate("Column", "Set the lowest value."),
        "upper-not-declared": QCoreApplication.translate("Column", "Set the highest value."),
        "step-not-declared": QCoreApplication.translate("Column", "Set the step, such as 1."),
        "first-not-declared": QCoreApplication.translate("Column", "Set the first day."),
        "last-not-declared": QCoreApplication.translate("Column", "Set the last day."),
    }
    return short.get(problem.code) or words.problem_sentence(problem)
