# SPDX-License-Identifier: Apache-2.0
"""What the open card of a Table 1 shows: title, sentence, characteristics, what is wrong, price."""

from __future__ import annotations

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.baseline.baseline_price import BaselinePrice
from dpdesk.desk.pages.queries.baseline.baseline_sentence import BaselineSentence
from dpdesk.desk.pages.queries.baseline.characteristics import Characteristics
from dpdesk.desk.pages.queries.open_part import OpenPart
from dpdesk.desk.text import words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem


class OpenBaseline(OpenPart):
    """All that can be set of a Table 1."""

    def __init__(self) -> None:
        price = BaselinePrice()
        super().__init__(price)
        self.price = price
        self.sentence = BaselineSentence()
        self.characteristics = Characteristics()
        self._build()
        self.sentence.table_changed.connect(lambda table: self.changed.emit(table, ""))
        self.characteristics.changed.connect(lambda table: self.changed.emit(table, ""))

    def _build(self) -> None:
        column = self._build_head()
        column.addWidget(self.sentence)
        column.addWidget(self._trouble)
        column.addWidget(self.characteristics)
        column.addWidget(self.weak)
        one_price = self.tr(
            "The table has one price: a further characteristic costs nothing, but makes every "
            "figure less accurate. Margins are of one group, 95 times in 100."
        )
        column.addWidget(quiet(one_price))
        column.addWidget(self.price)

    def show_table(self, state: DeskState, table: BaselineTable) -> None:
        """Show a table, and each problem where it can be fixed."""
        called = baseline_words.asked_title(state.study, table)
        self._show_title(table.title, baseline_words.title(state.study, table), called)
        self.sentence.show_table(state, table)
        self.price.show_asked(state, table)
        of_rows, others = _placed(state.query_problems(table.id))
        self.characteristics.show_table(state, table, of_rows)
        self._show_trouble(others)
        self._show_weak(state.study, () if state.is_answered(table) else state.weak_of(table.id))

    def _weak_words(self, study: Study, weakness: Weakness) -> tuple[str, str]:
        """Of which part of the table it is, and what is weak."""
        part = study.query(weakness.query)
        lead = baseline_words.part_title(study, part) if part is not None else ""
        return f"{lead}:", " ".join(super()._weak_words(study, weakness))


def _placed(problems: tuple[Problem, ...]) -> tuple[dict[int, str], list[Problem]]:
    """The sentences about one characteristic by its place, and all other problems."""
    of_rows: dict[int, list[str]] = {}
    others = []
    for problem in problems:
        place = problem.path.partition(".characteristics[")[2].partition("]")[0]
        if place:
            of_rows.setdefault(int(place), []).append(words.problem_sentence(problem))
        else:
            others.append(problem)
    return {place: " ".join(dict.fromkeys(said)) for place, said in of_rows.items()}, others
