# SPDX-License-Identifier: Apache-2.0
"""Which ranges are offered for a header, and which are not."""

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.suggest.range_match import suggest_ranges


def offered(name: str, label: str = "", unit: str = "") -> list[tuple[str, str]]:
    return [(found.variable, found.unit) for found in suggest_ranges(name, label, unit)]


def variables(name: str, label: str = "") -> set[str]:
    return {found.variable for found in suggest_ranges(name, label)}


@pytest.mark.parametrize(
    ("variable", "headers"),
    [
        ("heart_rate", "hr HR_max heart_rate HeartRate Herzfrequenz PULS puls_1 hf pulse"),
        ("systolic_pressure", "bp_sys sysBP RRsys RR_syst sbp SBP_mmHg systolic_bp"),
        ("diastolic_pressure", "bp_dia DiaBP RRdia rr_diast dbp_2"),
        ("mean_pressure", "MAP meanBP"),
        ("temperature", "temp Temperatur temp_c body_temperature"),
        ("oxygen_saturation", "spo2 SpO2 O2_sat"),
        ("creatinine", "Kreatinin creatinine serum_creatinine crea KREATININ_I_S creat_umol"),
        ("height", "Körpergröße koerpergroesse Groesse height_cm BMXHT"),
        ("weight", "Gewicht weight_kg body_weight BMXWT discharge_weight"),
        ("age", "Alter age age_at_admission RIDAGEYR patient_age Alter_Jahre"),
        ("length_of_stay", "time_in_hospital los Verweildauer los_days length_of_stay"),
        ("leukocytes", "WBC Leukozyten leukos wbc_count"),
        ("hba1c", "HbA1c hba1c_pct A1C"),
        ("potassium", "K Kalium potassium_mmol K_wert"),
        ("nt_probnp", "NTproBNP nt_pro_bnp"),
        ("gcs_motor", "gcs_motor GCS_M"),
        ("gcs", "gcs GCS_total"),
        ("nihss", "NIHSS nihss_24h"),
        ("apgar", "apgar5 Apgar_1"),
        ("ejection_fraction", "LVEF lvef_pct EF ejection_fraction Ejektionsfraktion fevg"),
        ("birth_weight", "birth_weight birthweight_g Geburtsgewicht bwt weight_at_birth"),
        ("ventilation_time", "ventilation_hours Beatmungsstunden Beatmungsdauer vent_days mv_days"),
        ("psa", "PSA psa_ng_ml PSA_total tPSA Prostate_specific_antigen"),
    ],
)
def test_headers_of_both_languages(variable: str, headers: str) -> None:
    assert {name: variables(name) for name in headers.split()} == {
        name: {variable} for name in headers.split()
    }


FRIENDS = """
three throughout chr impulse pulses impulsive alteration alternative altered stage page usage
dosage manager weightless heighten kgs bandage sodium_date glucose_time hr_flag age_group agegroup
Altersgruppe weight_loss weight_change birth_weight_group pulse_pressure urine_creatinine
kreatinin_urin glucose_csf albumin_creatinine_ratio creatinine_clearance sodium_chloride_infusion
potassium_dose iron_deficiency heart_rate_variability temperature_site platelet_transfusion
vitamin_d_supplement ph_urine survey_weight sample_weight crp_missing lactate_dehydrogenase_flag
nap name map_id place creatinine_phosphokinase platelet_transfusions sodium_intake
Age-adjusted-Death-Rate creatininePhosphokinase tour_de_taille fecha_edad free_psa psa_free
psa_ratio free-prostate-specific-antigen p_plat plateau platform protocol ventilation
mechanical_ventilation ventilator_free_days effect efs ef_score SYSBP_CHG ALT_PCHG ecogenic
bronchial final balance cancer masked pto kana urea_breath_flag 24hr_urine hrt albino
"""


def test_a_length_is_no_haematocrit() -> None:
    assert variables("ht_cm") == {"height"}
    assert variables("ht") >= {"haematocrit"}
    assert variables("gest_age") == {"gestational_age"}


CDISC = {
    "systolic_pressure": "SYSBP SYSBP_VSSTRESN SYSBP_BL",
    "diastolic_pressure": "DIABP",
    "mean_pressure": "MAP",
    "heart_rate": "PULSE HR",
    "respiratory_rate": "RESP",
    "temperature": "TEMP",
    "oxygen_saturation": "OXYSAT",
    "height": "HEIGHT HEIGHTBL",
    "weight": "WEIGHT WEIGHTBL",
    "bmi": "BMI BMIBL",
    "waist": "WSTCIR",
    "alt": "ALT LBSTRESN_ALT ALT_BL ALT_AVAL",
    "ast": "AST ast_lbstresc",
    "bilirubin_total": "BILI",
    "bilirubin_direct": "BILDIR",
    "creatinine": "CREAT",
    "glucose": "GLUC",
    "haemoglobin": "HGB",
    "haematocrit": "HCT",
    "platelets": "PLAT",
    "leukocytes": "WBC",
    "lymphocytes": "LYM",
    "neutrophils": "NEUT",
    "monocytes": "MONO",
    "eosinophils": "EOS",
    "basophils": "BASO",
    "sodium": "SODIUM",
    "potassium": "K",
    "chloride": "CL",
    "calcium": "CA",
    "phosphate": "PHOS",
    "bicarbonate": "BICARB",
    "anion_gap": "ANIONG",
    "albumin": "ALB",
    "total_protein": "PROT",
    "alkaline_phosphatase": "ALP",
    "ggt": "GGT",
    "creatine_kinase": "CK",
    "cholesterol": "CHOL",
    "urea_nitrogen": "BUN UREAN",
    "urate": "URATE",
    "hba1c": "HBA1C HBA1CHGB",
    "tsh": "TSH",
    "nt_probnp": "BNPPRONT",
}


@pytest.mark.parametrize("variable", CDISC)
def test_codes_of_the_clinical_data_interchange_standards(variable: str) -> None:
    assert {name: variables(name) for name in CDISC[variable].split()} == {
        name: {variable} for name in CDISC[variable].split()
    }


def test_a_unit_that_the_name_itself_writes_out_is_stated() -> None:
    assert {f.unit for f in suggest_ranges("ventilator_days")} == {"days"}
    assert {f.unit for f in suggest_ranges("hours of mechanical ventilation")} == {"hours"}
    assert {f.unit for f in suggest_ranges("hospital_days")} == {"days"}
    assert {f.unit for f in suggest_ranges("Beatmungsdauer")} == {"hours", "days"}


ROMANCE = {
    "age": "âge edad Edad_paciente",
    "weight": "poids peso peso_kg",
    "height": "taille talla_cm estatura",
    "heart_rate": "fréquence_cardiaque frecuencia_cardiaca",
    "creatinine": "créatinine creatinina",
    "haemoglobin": "hémoglobine hemoglobina",
    "platelets": "plaquettes plaquetas",
    "gestational_age": "âge_gestationnel edad_gestacional",
    "glucose": "glycémie glucemia",
}


@pytest.mark.parametrize("variable", ROMANCE)
def test_headers_in_french_and_spanish(variable: str) -> None:
    for name in ROMANCE[variable].split():
        assert variables(name) == {variable}, name


@pytest.mark.parametrize("name", FRIENDS.split())
def test_no_false_friends(name: str) -> None:
    assert offered(name) == []


@pytest.mark.parametrize(
    ("name", "label", "unit", "wanted"),
    [
        ("glucose_mmol", "", "", ("glucose", "mmol/L")),
        ("Glucose [mg/dL]", "", "", ("glucose", "mg/dL")),
        ("glu", "Glucose [mg/dL]", "", ("glucose", "mg/dL")),
        ("glucose", "", "mmol/l", ("glucose", "mmol/L")),
        ("Kreatinin µmol/l", "", "", ("creatinine", "µmol/L")),
        ("creat_umol_l", "", "", ("creatinine", "µmol/L")),
        ("temp_f", "", "", ("temperature", "°F")),
        ("Temperatur (°C)", "", "", ("temperature", "°C")),
        ("hb_g_l", "", "", ("haemoglobin", "g/L")),
        ("hba1c mmol/mol", "", "", ("hba1c", "mmol/mol")),
        ("hba1c", "", "%", ("hba1c", "%")),
        ("Leukozyten [10^3/µl]", "", "", ("leukocytes", "10^3/µL")),
        ("Thrombozyten (G/l)", "", "", ("platelets", "10^9/L")),
        ("age", "Age of subject", "Years", ("age", "years")),
        ("v3", "Body weight (lb)", "", ("weight", "lb")),
        ("neutrophils_pct", "", "", ("neutrophils", "%")),
        ("labs_ddimer_ugl", "D-Dimer (µg/L)", "", ("d_dimer", "µg/L")),
        ("vital_fio2_pcnt", "FiO2 at the lowest point (%, 21-100)", "", ("inspired_oxygen", "%")),
    ],
)
def test_a_unit_chooses_the_row(name: str, label: str, unit: str, wanted: tuple[str, str]) -> None:
    *_, found = suggest_ranges(name, label, unit)
    assert (found.variable, found.unit) == wanted
    assert found.unit_is_stated


def test_without_a_unit_all_are_offered_and_none_is_sure() -> None:
    found = suggest_ranges("glucose")
    assert [f.unit for f in found] == ["mg/dL", "mg/dL", "mmol/L", "mmol/L"]
    assert not any(f.unit_is_stated for f in found)
    assert offered("glucose", unit="NA") == offered("glucose")


def test_a_unit_of_which_the_table_is_silent_gives_nothing() -> None:
    assert offered("glucose_mgl") == []
    assert offered("glucose", unit="mg/L") == []
    assert offered("weight", unit="stone") == []
    assert offered("labs_glucose_gl", "Random blood glucose (g/L)") == []


def test_the_longer_name_wins() -> None:
    assert variables("HDL cholesterol") == {"hdl"}
    assert variables("cholesterol") == {"cholesterol"}
    assert variables("urine albumin") == {"urine_albumin"}
    assert variables("probnp") == {"nt_probnp"}


def test_the_header_comes_before_the_label() -> None:
    found = list(dict.fromkeys(f.variable for f in suggest_ranges("hr", "Body temperature")))
    assert found == ["heart_rate", "temperature"]
    assert variables("v3", "Heart rate at rest") == {"heart_rate"}
    assert variables("v3", "Was the heart rate taken?") == set()


def test_a_short_label_may_deny_what_the_header_says() -> None:
    assert variables("adsym_weight", "Weight loss") == set()
    assert variables("albumin", "Urine albumin") == {"urine_albumin"}
    assert variables("hr", "Heart rate variability") == set()
    assert variables("hr", "Heart rate at the time of the admission") == {"heart_rate"}


def test_a_proposal_says_where_it_comes_from() -> None:
    typical, found = suggest_ranges("glucose_mmol")
    assert typical.basis.startswith("OHDSI DataQualityDashboard")
    assert "MIMIC-Extract" in found.basis
    assert "0.05551" in found.basis
    assert len(found.basis) <= MAX_TEXT


def test_a_thousand_columns_are_matched_at_once() -> None:
    began = time.process_time()
    for index in range(1_000):
        suggest_ranges(f"Glucose_{index} [mg/dL]", "Systolic blood pressure at admission")
    assert time.process_time() - began < 10


@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=40))
def test_any_header_is_answered(name: str, label: str, unit: str) -> None:
    for found in suggest_ranges(name, label, unit):
        assert found.lower < found.upper


@given(st.text(string.ascii_lowercase, min_size=3, max_size=6), st.sampled_from(["hr", "k", "na"]))
def test_a_short_name_within_a_word_never_counts(around: str, short: str) -> None:
    glued = f"{around}{short}{around}"
    alone = variables(glued)
    assert not alone & {"heart_rate", "potassium", "sodium"}
