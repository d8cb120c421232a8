# SPDX-License-Identifier: Apache-2.0
"""One variable while its codebook is being read, and what may stay of it in the end.

The study's own checks judge each proposal: what they would refuse is left undeclared, with the
check's problem as a note, so that a slip in one line does not cost the whole codebook.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from dpdesk.data.codebook.entry import CodebookEntry
from dpdesk.study import limits
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.json.json_reader import text_problem
from dpdesk.study.model.columns import (
    CategoryColumn,
    CodebookKind,
    Column,
    DateColumn,
    NumberColumn,
    Origin,
    YesNoColumn,
    plain_name,
)
from dpdesk.study.model.text_folding import FOLDED
from dpdesk.study.problem import Problem, refuse

DraftKind = Literal["", "number", "category", "yes-no", "date"]
LabelledCode = tuple[str, str]
"""A code as it is written in the file, and its printed name."""

_CLASSES: dict[str, type[Any]] = {
    "number": NumberColumn,
    "category": CategoryColumn,
    "yes-no": YesNoColumn,
    "date": DateColumn,
}
_OF_ALL = ("title", "label", "missing_values")
_OF_KIND = {
    "number": ("lower", "upper", "step", "decimal", "reads", "missing", "unparsable", "outside"),
    "category": ("values", "labels", "missing", "unknown", "compare"),
    "yes-no": ("yes", "no", "missing", "unknown", "compare"),
    "date": ("first", "last", "format", "pivot", "missing", "unparsable", "outside"),
}
_YES = frozenset({"yes", "y", "ja", "j", "true", "wahr"})
_NO = frozenset({"no", "n", "nein", "false", "falsch"})
_FALLS: dict[str, tuple[str, ...]] = {
    "upper-not-above-lower": ("lower", "upper"),
    "days-reversed": ("first", "last"),
    "period-too-long": ("first", "last"),
    "step-not-positive": ("step",),
    "grid-too-fine": ("step",),
}
"""What is left undeclared for a problem that is not about one member alone."""

_TOGETHER = {"values": ("values", "labels"), "yes": ("yes", "no"), "no": ("yes", "no")}

_WANTING = ("-not-declared", "step-does-not-divide")
"""Problems that a person fixes by declaring more; a proposal may have them."""


class Draft:
    """One variable of a codebook.

    Attributes:
        place: where it is in the codebook.
        kind: what it holds; empty while not known.
        said: fields of the column that the codebook speaks of.
        identifier: whether it is marked as naming a person.
        notes: what cannot be carried over.
        source: what a schema written by dpdesk says the declaration rests on.
    """

    def __init__(self, name: str, place: str) -> None:
        self.name = plain_name(name)
        self.place = place
        self.kind: DraftKind = ""
        self.said: dict[str, Any] = {}
        self.identifier = False
        self.notes: list[Problem] = []
        self.source = ""
        if not self.name:
            raise refuse("codebook-name-missing", place)
        if text_problem(self.name) is not None:
            raise refuse("codebook-name-invalid", place)

    def note(self, code: str, **params: str) -> None:
        self.notes.append(Problem(self.place, code, params))

    def say(self, **members: Any) -> None:
        """Take over members; what is ``None`` or empty says nothing."""
        self.said |= {key: value for key, value in members.items() if value not in (None, "", ())}

    def choose(self, choices: Iterable[LabelledCode]) -> None:
        """Take over a list of values: yes and no where their names say so, else a category."""
        listed = [(code, label if label.strip() else code) for code, label in choices]
        yes, no = _named(listed, _YES), _named(listed, _NO)
        if len(listed) == 2 and len(yes) == len(no) == 1:
            self.kind = "yes-no"
            self.say(yes=_label_first(*yes), no=_label_first(*no))
            return
        self.kind = "category"
        self.said["values"] = tuple(code for code, _ in listed)
        labels = tuple(label for _, label in listed)
        self.say(labels=labels if labels != self.said["values"] else ())

    def finish(self, kind: CodebookKind) -> CodebookEntry:
        own = _OF_KIND.get(self.kind, ())
        self._drop_invalid_texts()
        self._drop_missing_values()
        said = {key: self.said[key] for key in (*_OF_ALL, *own) if key in self.said}
        source: dict[str, Any] = {
            "basis": self.source[: limits.MAX_TEXT],
            "origin": Origin(kind),
        }
        column: Column | None = None
        if self.kind:
            folded = {"compare": FOLDED} if "compare" in own else {}
            column = _CLASSES[self.kind](self.name, **source, **{**folded, **said})
            column, said = self._passable(column, said)
            if self.kind == "category" and not said.get("values") and not self.notes:
                self.note("codebook-values-unsaid")
        title = said.get("title", "")
        notes = tuple(dict.fromkeys(map(_key, self.notes)))
        by_key = {_key(problem): problem for problem in reversed(self.notes)}
        kept = tuple(by_key[key] for key in notes)
        return CodebookEntry(self.name, column, tuple(said), title, self.identifier, kept, **source)

    def _drop_invalid_texts(self) -> None:
        for key, value in list(self.said.items()):
            texts = value if isinstance(value, tuple) else (value,)
            codes = [text_problem(text) for text in texts if isinstance(text, str)]
            code = next((code for code in codes if code is not None), None)
            if len(texts) > limits.MAX_VALUES:
                self._drop(key, "list-too-long", most=str(limits.MAX_VALUES))
            elif code is not None:
                self._drop(key, code, most=str(limits.MAX_TEXT))
        if "values" not in self.said:
            self.said.pop("labels", None)

    def _drop_missing_values(self) -> None:
        """What means "missing" is no value, in every format that has both."""
        markers = {"", *(marker.strip() for marker in self.said.get("missing_values", ()))}
        values = self.said.get("values", ())
        kept = [place for place, value in enumerate(values) if value.strip() not in markers]
        for key in {"values", "labels"} & self.said.keys():
            self.said[key] = tuple(self.said[key][place] for place in kept)
        for key in {"yes", "no"} & self.said.keys():
            self.said[key] = tuple(v for v in self.said[key] if v.strip() not in markers)

    def _passable(self, column: Column, said: dict[str, Any]) -> tuple[Column, dict[str, Any]]:
        """Leave out members until nothing but wanting declarations is left."""
        while True:
            problem = next((p for p in check_column(column, "$") if not _wants(p)), None)
            if problem is None or not said:
                return column, said
            member = problem.path.removeprefix("$.").split("[")[0].split(".")[0]
            named = _FALLS.get(problem.code) or _TOGETHER.get(member) or (member,)
            fallen = said.keys() & set(named) or said.keys() - {"title", "label"}
            self.note(problem.code, **problem.params)
            plain = _CLASSES[column.kind](column.name)
            column = replace(column, **{key: getattr(plain, key) for key in fallen})
            said = {key: value for key, value in said.items() if key not in fallen}

    def _drop(self, key: str, code: str, **params: str) -> None:
        del self.said[key]
        self.note(code, **params)


def _wants(problem: Problem) -> bool:
    return problem.code.endswith(_WANTING)


def _key(problem: Problem) -> tuple[str, tuple[tuple[str, str], ...]]:
    return problem.code, tuple(sorted(problem.params.items()))


def _named(choices: list[LabelledCode], words: frozenset[str]) -> list[LabelledCode]:
    return [choice for choice in choices if choice[1].casefold() in words]


def _label_first(choice: LabelledCode) -> tuple[str, ...]:
    code, label = choice
    return (label,) if code == label else (label, code)
