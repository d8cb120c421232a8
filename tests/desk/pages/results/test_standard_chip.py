# SPDX-License-Identifier: Apache-2.0
"""A standardised figure names its standard population or its reference rates; others name none."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.results.results_view import ResultsView
from dpdesk.desk.pages.results.standard_chip import standard_of
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.parameters import STANDARDS, StandardParameters
from tests.desk.languages import spoken_language
from tests.golden.making import STUDIES
from tests.release.bundle.test_rates_stated import done


def test_each_card_names_the_standard_of_its_figures(session: Session, qtbot: QtBot) -> None:
    view = ResultsView(session)
    qtbot.addWidget(view)
    view.show_release(done())
    view.finish()
    shown = [None if one.standard.isHidden() else one.standard.text for one in view.cards]
    assert shown == [None, None, "Standard European 2013", None]
    view.cards[2].show_table(done().stored.tables[0], "A rate", "rate")
    assert view.cards[2].standard.isHidden(), "a card is used again for another query"


def test_a_standard_is_named_with_its_source_and_own_numbers_are_shown(qapp: QApplication) -> None:
    study = study_from_bytes((STUDIES / "epsilon-standardised.dpdesk").read_bytes())
    by_age, direct, indirect, own = (standard_of(study, query) for query in study.queries)
    assert by_age is None
    assert direct is not None and indirect is not None and own is not None
    assert "2013" in direct.name and "doi:10.2785/11470" in direct.about
    assert (indirect.label, indirect.name) == ("Reference rates", "1.5; 20; 40 per 1,000 days")
    assert (own.label, own.name, own.about) == ("Own weights", "2; 0.5; 1", "")
    with spoken_language(qapp, "de"):
        said = standard_of(study, study.queries[2])
        assert said is not None
        assert (said.label, said.name) == ("Referenzraten", "1,5; 20; 40 je 1.000 days")
    query = study.queries[1]
    assert isinstance(query.parameters, StandardParameters)
    names = set()
    for standard in STANDARDS:
        named = replace(query.parameters, standard=standard)
        found = standard_of(study, replace(query, parameters=named))
        assert found is not None
        names.add(found.name)
    assert len(names) == len(STANDARDS)
    undecided = replace(query.parameters, standard=None)
    assert standard_of(study, replace(query, parameters=undecided)) is None
