# SPDX-License-Identifier: Apache-2.0
"""Which headers name a person: real files' headers with every expected column spelled out."""

import csv
from pathlib import Path

import pytest

from dpdesk.study.suggest import identifiers
from dpdesk.study.suggest.identifier_words import DECLARED, PHRASES, WHOLE
from dpdesk.study.suggest.identifiers import IdentifierKind, identifier_kind

EXPECTED = {
    "synthea/patients.csv": {
        "Id": "person-number",
        "BIRTHDATE": "birth-date",
        "DEATHDATE": "death-date",
        "SSN": "official-number",
        "DRIVERS": "official-number",
        "PASSPORT": "official-number",
        "FIRST": "name",
        "LAST": "name",
        "MAIDEN": "name",
        "BIRTHPLACE": "small-place",
        "ADDRESS": "address",
        "CITY": "small-place",
        "COUNTY": "small-place",
        "ZIP": "small-place",
        "LAT": "address",
        "LON": "address",
    },
    "synthea/conditions.csv": {"PATIENT": "person-number", "ENCOUNTER": "case-number"},
    "synthea/immunizations.csv": {"PATIENT": "person-number", "ENCOUNTER": "case-number"},
    "redcap/clinical-trial-1/data.csv": {
        "record_id": "person-number",
        "name_last": "name",
        "name_first": "name",
        "address": "address",
        "phone": "contact",
        "dob": "birth-date",
        "email": "contact",
    },
    "redcap/simple/data.csv": {
        "record_id": "person-number",
        "name_last": "name",
        "name_first": "name",
        "address": "address",
        "telephone": "contact",
        "email": "contact",
        "dob": "birth-date",
        "comments": "note",
        "mugshot": "picture",
    },
    "covid_testing/covid_testing_deid.csv": {
        "subject_id": "person-number",
        "fake_first_name": "name",
        "fake_last_name": "name",
    },
    "diabetes130/diabetic_data.csv": {
        "encounter_id": "case-number",
        "patient_nbr": "person-number",
    },
    "plausible_ranges/ohdsi_dqd_measurement_ranges.csv": {},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_real_header_gives_exactly_these(name: str, shared_data: Path) -> None:
    with (shared_data / name).open(encoding="utf-8-sig", newline="") as stream:
        header = next(csv.reader(stream))
    found = {column: identifier_kind(column) for column in header}
    assert {c: str(kind) for c, kind in found.items() if kind} == EXPECTED[name]


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("Nachname", "name"),
        ("Prénom", "name"),
        ("apellidos", "name"),
        ("date_de_naissance", "birth-date"),
        ("FechaNacimiento", "birth-date"),
        ("numéro de sécurité sociale", "insurance-number"),
        ("id_paciente", "person-number"),
        ("IPP", "person-number"),
        ("code_postal", "small-place"),
        ("fecha_defuncion", "death-date"),
        ("USUBJID", "person-number"),
        ("SUBJID", "person-number"),
        ("INVNAM", "staff"),
        ("BRTHDTC", "birth-date"),
        ("DTHDTC", "death-date"),
        ("patient_last_name", "name"),
        ("PatientVorname", "name"),
        ("Name des Patienten", "name"),
        ("Mother's maiden name", "name"),
        ("Maedchenname", "name"),
        ("Straße", "address"),
        ("STRASSE_NR", "address"),
        ("home_address_line_2", "address"),
        ("eMail", "contact"),
        ("E-Mail-Adresse", "contact"),
        ("TelNr", "contact"),
        ("Telefonnummer (privat)", "contact"),
        ("mobile_phone_1", "contact"),
        ("Personalausweisnummer", "official-number"),
        ("KVNR", "insurance-number"),
        ("kv_nr", "insurance-number"),
        ("Versichertennummer", "insurance-number"),
        ("NHSNumber", "insurance-number"),
        ("Fallnummer", "case-number"),
        ("Fallnr", "case-number"),
        ("FallNo", "case-number"),
        ("ID_Fall", "case-number"),
        ("KH-internes-Kennzeichen", "case-number"),
        ("BehandlungsfallNr", "case-number"),
        ("Fallschlüssel", "case-number"),
        ("EpisodeID", "case-number"),
        ("spell_id", "case-number"),
        ("PatID", "person-number"),
        ("ID_Pat", "person-number"),
        ("PatKey", "person-number"),
        ("Pat-Kennung", "person-number"),
        ("Patientenschlüssel", "person-number"),
        ("Pt_No", "person-number"),
        ("Teilnehmer-Nr.", "person-number"),
        ("StudienID", "person-number"),
        ("hadm_id", "case-number"),
        ("MRN", "person-number"),
        ("PatientenID", "person-number"),
        ("patient_mrn", "person-number"),
        ("Patientennr.", "person-number"),
        ("SEQN", "person-number"),
        ("Geburtsdatum", "birth-date"),
        ("geb_dat", "birth-date"),
        ("Date of Birth", "birth-date"),
        ("PLZ", "small-place"),
        ("Wohnort", "small-place"),
        ("place_of_birth", "small-place"),
        ("Geburtsort", "small-place"),
        ("birth_year", "birth-year"),
        ("Geburtsjahr", "birth-year"),
        ("date_of_death", "death-date"),
        ("DeathDate", "death-date"),
        ("Sterbedatum", "death-date"),
        ("verstorben am", "death-date"),
        ("physician", "staff"),
        ("Attending", "staff"),
        ("attending_physician_name", "staff"),
        ("nurse_name", "staff"),
        ("Nurse", "staff"),
        ("Doctor's name", "staff"),
        ("PROVIDER_ID", "staff"),
        ("Arzt", "staff"),
        ("Behandler", "staff"),
        ("behandelnder_Arzt", "staff"),
        ("Operateur", "staff"),
        ("Name des Arztes", "staff"),
        ("LANR", "staff"),
        ("entered_by", "staff"),
        ("account_number", "official-number"),
        ("Patient account number", "official-number"),
        ("Rechnungsnummer", "official-number"),
        ("licence_plate", "official-number"),
        ("Kfz-Kennzeichen", "official-number"),
        ("certificate_number", "official-number"),
        ("device_serial_number", "device-number"),
        ("Seriennummer", "device-number"),
        ("Implant serial number", "device-number"),
        ("photo", "picture"),
        ("Patientenfoto", "picture"),
        ("fingerprint", "picture"),
        ("ip_address", "contact"),
        ("IP-Adresse", "contact"),
        ("url", "contact"),
        ("Website", "contact"),
        ("fax", "contact"),
    ],
)
def test_headers_of_both_languages(header: str, kind: str) -> None:
    assert identifier_kind(header) == kind


NO_ALARM = """
hospital_name drug_name ward last_visit first_dose email_sent phone_followup address_known insurance
Versicherungsart payer username_changed birth_weight Geburtsgewicht place_of_death
opened latency platelets given_dose family_history Ortho test_id city_size Sport country state
name_of_ward birth_order birth_length year_of_diagnosis birth_country Geburtslage Geburtsmodus
doctor_visits nurse_visits physician_type provider_type attending_ed nurse_ratio doctor_seen_date
Arztbesuche Arztkontakte Arztgruppe Behandlung Behandlungsdauer Operationsdauer Pflegegrad
Pflegestufe number_of_nurses staffing doctor_diagnosed surgeon_specialty therapy
death death_cause died cause_of_death deceased verstorben Todesursache death_in_hospital
days_to_death device device_type Geräteart photo_therapy phototherapy Fototherapie photophobia
ip inpatient account_type Kontostand certificate licensed vehicle_accident serial_measurement
face_mask website_visits user_type Nummer number_of_devices implant implant_type
gender postoperative identity_checked Kreislauf middle_lobe patient_class Id_reason telemetry
"""


@pytest.mark.parametrize(
    "header",
    [*NO_ALARM.split(), "name of drug", "test name", "", "___", "12"],
)
def test_no_false_alarm(header: str) -> None:
    assert identifier_kind(header) is None


def test_a_label_counts_where_the_header_says_nothing() -> None:
    assert identifier_kind("v17") is None
    assert identifier_kind("v17", "First Name") is IdentifierKind.NAME
    assert identifier_kind("v17", "Street, City, State, ZIP") is IdentifierKind.ADDRESS
    assert identifier_kind("v17", "Phone?") is None
    assert identifier_kind("v17", "Name of the clinic that referred the patient") is None


def test_a_declared_type_counts_most() -> None:
    assert identifier_kind("reach_me", declared="email") is IdentifierKind.CONTACT
    assert identifier_kind("reach_me", declared="integer") is None


def test_quasi_identifiers_are_not_offered_as_do_not_use() -> None:
    assert {kind for kind in IdentifierKind if kind.is_quasi} == {
        "birth-date",
        "birth-year",
        "death-date",
        "small-place",
    }
    assert not any(kind.is_direct for kind in IdentifierKind if kind.is_quasi)


def test_every_word_belongs_to_a_kind() -> None:
    kinds = {str(kind) for kind in IdentifierKind}
    assert {*WHOLE, *PHRASES, *DECLARED.values()} == kinds


def test_a_column_is_judged_once_however_it_is_asked_for() -> None:
    names = [f"c{place} of many" for place in range(5_000)]
    for name in names:
        identifier_kind(name, "")
    judged = identifiers._kept_kind.cache_info().misses
    for name in names:
        assert identifier_kind(name) is None
        identifier_kind(name, "")
    assert identifiers._kept_kind.cache_info().misses == judged
