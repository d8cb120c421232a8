# SPDX-License-Identifier: Apache-2.0
"""The registry's study as its German custodian would write it: the same questions, other words."""

from __future__ import annotations

from typing import Any, Final

_WORDS: Final = {
    "Registry of acute stays: annual report": "Register stationärer Aufenthalte: Jahresbericht",
    "Lindenfeld registry": "Register Lindenfeld",
    "stay": "Aufenthalt",
    "stays": "Aufenthalte",
    "patient": "Patient",
    "patients": "Patienten",
    "Admission": "Aufnahme",
    "Discharge": "Entlassung",
    "Ward": "Station",
    "Cardiology": "Kardiologie",
    "Internal medicine": "Innere Medizin",
    "Surgery": "Chirurgie",
    "Other or not known": "Andere oder unbekannt",
    "Diagnosis": "Diagnose",
    "Heart attack (I21.4)": "Herzinfarkt (I21.4)",
    "Heart failure (I50.1)": "Herzinsuffizienz (I50.1)",
    "Diabetes (E11.9)": "Diabetes (E11.9)",
    "Pneumonia (J18.9)": "Pneumonie (J18.9)",
    "Colon cancer (C18.7)": "Kolonkarzinom (C18.7)",
    "Hip fracture (S72.0)": "Hüftfraktur (S72.0)",
    "Stroke (I63.9)": "Schlaganfall (I63.9)",
    "Died in hospital": "Im Krankenhaus verstorben",
    "Date of birth": "Geburtsdatum",
    "Sex": "Geschlecht",
    "Women": "Frauen",
    "Men": "Männer",
    "Diverse or not known": "Divers oder unbekannt",
    "Sex (known)": "Geschlecht (bekannt)",
    "Region": "Region",
    "North": "Nord",
    "East": "Ost",
    "South": "Süd",
    "Elsewhere or not known": "Andere oder unbekannt",
    "Smoking": "Rauchen",
    "Smokers": "Raucher",
    "Non-smokers": "Nichtraucher",
    "Not known": "Nicht bekannt",
    "First contact": "Erstkontakt",
    "Date of death": "Todesdatum",
    "HbA1c": "HbA1c",
    "%": "%",
    "Length of stay": "Verweildauer",
    "days": "Tage",
    "Age at first contact": "Alter bei Erstkontakt",
    "years": "Jahre",
    "Days to death": "Tage bis zum Tod",
    "Days to the end of 2025": "Tage bis Ende 2025",
    "Days after first contact": "Tage nach Erstkontakt",
    "Time after first contact": "Zeit nach Erstkontakt",
    "person-years": "Personenjahre",
    "Stays of a patient": "Aufenthalte je Patient",
    "HbA1c of the stay": "HbA1c des Aufenthalts",
    "Stays counted": "Gezählte Aufenthalte",
    "Patients": "Patienten",
    "Mean length of stay": "Mittlere Verweildauer",
    "Stays by quarter": "Aufenthalte je Quartal",
    "Stays by ward and sex": "Aufenthalte nach Station und Geschlecht",
    "Diagnoses by sex": "Diagnosen nach Geschlecht",
    "Deaths in hospital per 1,000 bed days": "Todesfälle im Krankenhaus je 1.000 Belegungstage",
    "Deaths per 1,000 person-years, age-standardised, by region": (
        "Todesfälle je 1.000 Personenjahre, altersstandardisiert, nach Region"
    ),
    "Smokers by region": "Raucher nach Region",
    "Survival after first contact, by smoking": "Überleben nach Erstkontakt, nach Rauchen",
    "Survival after first contact, by sex": "Überleben nach Erstkontakt, nach Geschlecht",
    "Age at first contact by sex": "Alter bei Erstkontakt nach Geschlecht",
    "Length of stay by ward": "Verweildauer nach Station",
    "Mean HbA1c by quarter": "Mittlerer HbA1c je Quartal",
    "Patients by age and region": "Patienten nach Alter und Region",
    "Patients of the registry": "Patienten des Registers",
}
_TABLES: Final = {"patients": "patienten", "labs": "labor"}
_SHOWN: Final = frozenset({"title", "organisation", "label", "labels", "reference"})
_NAMES: Final = frozenset({"row_name", "row_names", "person_name", "person_names"})


def in_german(member: Any, key: str = "") -> Any:
    """A study's members with each text that people read in German.

    Raises:
        KeyError: one has no translation.
    """
    if isinstance(member, dict):
        # A further table is called by its custodian, too; of other members a name is a column's.
        names = {"name": _TABLES[member["name"]]} if key == "tables" else {}
        return {name: in_german(value, name) for name, value in member.items()} | names
    if isinstance(member, list):
        return [in_german(value, key) for value in member]
    if key == "table" and isinstance(member, str):
        return _TABLES.get(member, member)
    is_shown = isinstance(member, str) and key in _SHOWN | _NAMES
    return _WORDS[member] if is_shown else member
