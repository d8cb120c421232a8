# SPDX-License-Identifier: Apache-2.0
"""The pictures that explain a query's accuracy, one at a time, each with its caption."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.pages.queries.accuracy import worlds_words
from dpdesk.desk.pages.queries.accuracy.row_limit_picture import RowLimitPicture
from dpdesk.desk.plots.averaging_plot import AveragingPlot
from dpdesk.desk.plots.choice_plot import ChoicePlot
from dpdesk.desk.plots.noise_plot import NoisePlot
from dpdesk.desk.plots.two_worlds_plot import HEIGHT as PLOT_HEIGHT
from dpdesk.desk.plots.two_worlds_plot import TwoWorldsPlot
from dpdesk.desk.text import accuracy_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.choice_curve import choice_curve
from dpdesk.privacy.planning.curves import averaging_curve, noise_curve
from dpdesk.privacy.planning.two_worlds import two_worlds
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study

REPEATS = 40


class AccuracyPictures(QWidget):
    """Plots above, what they show below.

    Signals:
        margin_dragged: a limit was moved in a plot; carries the margin or bound it would be.
    """

    margin_dragged = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._drawn: dict[str, object] = {}
        self._coming = IdleSteps(self)
        self._blank = QWidget()
        self.ask_size = EmptyState(
            "sliders",
            self.tr("How many rows is a figure based on?"),
            self.tr("Its margin depends on that. Type your estimate on the right."),
        )
        self._stack = QStackedWidget()
        self._caption, self._facts = quiet(), quiet()
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        for page in (self._blank, self.ask_size):
            self._stack.addWidget(page)
        # As high as any of the plots, which are built when they are first shown: nothing jumps.
        self._stack.setMinimumHeight(PLOT_HEIGHT)
        column.addWidget(self._stack, 1)
        column.addWidget(self._caption)
        column.addWidget(self._facts)

    @cached_property
    def noise(self) -> NoisePlot:
        plot = NoisePlot()
        plot.half_width_dragged.connect(self.margin_dragged)
        self._stack.addWidget(plot)
        return plot

    @cached_property
    def choice(self) -> ChoicePlot:
        """How likely a choice is to be far from the best."""
        plot = ChoicePlot()
        plot.bound_dragged.connect(self.margin_dragged)
        self._stack.addWidget(plot)
        return plot

    @cached_property
    def worlds(self) -> TwoWorldsPlot:
        """A figure with one person and without."""
        plot = TwoWorldsPlot()
        self._stack.addWidget(plot)
        return plot

    @cached_property
    def averaging(self) -> AveragingPlot:
        """What repeating a query reveals."""
        plot = AveragingPlot()
        self._stack.addWidget(plot)
        return plot

    @cached_property
    def limit(self) -> RowLimitPicture:
        """What the row limit leaves out of made-up people."""
        picture = RowLimitPicture()
        self._stack.addWidget(picture)
        return picture

    def show_limit(self, study: Study) -> None:
        """Which rows of a person count."""
        self.limit.show_limit(study)
        self._show_page(self.limit, "")

    def show_nothing(self, keeps_room: bool = False) -> None:
        """The query is not complete; where its amount is being typed, nothing moves below it."""
        self._coming.stop()
        self._stack.setCurrentWidget(self._blank if keeps_room else self.ask_size)
        for part in (self._stack, self._facts):
            is_kept = not part.isHidden() or part.sizePolicy().retainSizeWhenHidden()
            _keep_room(part, keeps_room and is_kept)
            part.hide()
        sentence = self.tr("Complete the sentence to see how accurate it will be.")
        amount = self.tr("Type a share to see how accurate it will be.")
        self._show_caption(amount if keeps_room else sentence)

    def show_public(self, study: Study, plan: QueryPlan) -> None:
        """Nothing is drawn."""
        self.show_nothing()
        self._show_caption(accuracy_words.sentence(study, plan))

    def _show_page(self, page: QWidget, caption: str, facts: str = "") -> None:
        self._coming.stop()
        self._stack.show()
        self._stack.setCurrentWidget(page)
        self._say(caption, facts)

    def _show_plot(
        self,
        name: str,
        key: object,
        draw: Callable[[], None],
        caption: str,
        facts: Callable[[], str] = str,
    ) -> None:
        """Show a plot; one that is still to be built follows in steps, and appears whole.

        One that is on show is drawn again a turn later: what a keystroke costs is shown first, and
        of several in one go the picture of the last is drawn.
        """
        plot = self.__dict__.get(name)
        self._coming.begin(self._plot_steps(name, key, draw, facts))
        if plot is None:
            self._stack.setCurrentWidget(self._blank)
        elif plot is not self._stack.currentWidget():
            self._coming.finish()
        self._stack.show()
        self._show_caption(caption)

    def _plot_steps(
        self, name: str, key: object, draw: Callable[[], None], facts: Callable[[], str]
    ) -> Iterator[None]:
        plot = getattr(self, name)
        yield
        self._say_facts(facts())
        if self._drawn.get(name) != key:
            self._drawn[name] = key
            draw()
            yield
        self._stack.setCurrentWidget(plot)

    def _say(self, caption: str, facts: str) -> None:
        self._show_caption(caption)
        self._say_facts(facts)

    def _show_caption(self, caption: str) -> None:
        self._caption.setText(caption)
        self._caption.setVisible(bool(caption))

    def _say_facts(self, facts: str) -> None:
        _keep_room(self._facts, False)
        self._facts.setText(facts)
        self._facts.setVisible(bool(facts))

    def show_noise(self, study: Study, plan: QueryPlan) -> None:
        """What the noise does: to figures, or to a choice."""
        if plan.bound is not None:
            self._show_choice(study, plan)
            return
        unit, facts = (
            accuracy_words.unit(study, plan.query),
            partial(accuracy_words.facts, study, plan),
        )
        if plan.half_width is None:
            self._show_page(self.ask_size, "", facts())
            return
        caption = self.tr(
            "Distance of the published figure from the exact one. Drawn from the settings alone; "
            "no data was read."
        )
        sentence = accuracy_words.sentence(study, plan)

        times = plan.query.declaration.percent_factor

        def draw() -> None:
            if (curve := noise_curve(plan)) is None:
                return
            x, density = times * curve.x, curve.density / times
            self.noise.show_noise(
                x, density, times * curve.half_width, unit, sentence, curve.fills_range
            )

        self._show_plot("noise", (plan, unit), draw, caption, facts)

    def _show_choice(self, study: Study, plan: QueryPlan) -> None:
        curve = choice_curve(plan)
        if curve is None or plan.bound is None:
            return
        if curve.rises:
            caption = self.tr(
                "How often an order of magnitude is found, by how many {0} have it. Drawn from "
                "the settings alone; no data was read."
            ).format(accuracy_words.counted(study, plan.bound.what))
        elif curve.reads_ranks:
            caption = self.tr(
                "How often noise moves a value across the wanted rank, by how many {0} it is away. "
                "Drawn from the settings alone; no data was read."
            ).format(accuracy_words.counted(study, plan.bound.what))
        else:
            caption = self.tr(
                "How often a worse candidate is chosen instead of the best, by how much worse it "
                "is. Drawn from the settings alone; no data was read."
            )
        limit = accuracy_words.limit(study, plan.bound, curve.rises)
        axis = accuracy_words.axis(study, plan.bound.what, curve)
        sentence = accuracy_words.sentence(study, plan)

        def draw() -> None:
            self.choice.show_choice(curve, limit, axis, sentence)

        self._show_plot(
            "choice",
            (plan, axis, limit),
            draw,
            caption,
            partial(accuracy_words.facts, study, plan),
        )

    def show_worlds(self, study: Study, plan: QueryPlan) -> None:
        """The query with and without one person."""
        worlds, said = two_worlds(plan), worlds_words.in_picture(study, plan)

        def draw() -> None:
            self.worlds.show_worlds(worlds, said)

        self._show_plot("worlds", (plan, said), draw, worlds_words.caption(study, plan))

    def show_averaging(self, share: Share, total: float) -> None:
        """Why repeats cost; ``total`` is all there is."""
        caption = self.tr(
            "Repeating a query and averaging makes the figure more accurate, so new noise costs "
            "budget again."
        )

        def draw() -> None:
            curve = averaging_curve(share, REPEATS)
            self.averaging.show_curve(curve.repeats, curve.error, curve.spent, total)

        self._show_plot("averaging", (share, total), draw, caption)


def _keep_room(part: QWidget, wanted: bool) -> None:
    """Whether a part that is hidden leaves its room empty."""
    policy = part.sizePolicy()
    policy.setRetainSizeWhenHidden(wanted)
    part.setSizePolicy(policy)
