# SPDX-License-Identifier: Apache-2.0
"""Files that are not about people give a question; the real data files give none."""

import csv
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.inspection.about import Seems, SeemsKind, what_it_seems
from dpdesk.resources import resource_path
from dpdesk.texts.problems import sentence

SAMPLE_ROWS = 30


def seen(path: Path) -> Seems | None:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream)
        header = next(reader)
        return what_it_seems(header, list(islice(reader, SAMPLE_ROWS)))


DATA = """
diabetes130/diabetic_data.csv covid_testing/covid_testing_deid.csv synthea/patients.csv
synthea/conditions.csv synthea/immunizations.csv redcap/simple/data.csv
redcap/clinical-trial-1/data.csv
"""


@pytest.mark.parametrize("name", DATA.split())
def test_a_data_file_raises_no_doubt(name: str, shared_data: Path) -> None:
    assert seen(shared_data / name) is None


CODEBOOKS = """
redcap/simple/dictionary.csv redcap/clinical-trial-1/dictionary.csv isaric_arc/ARC.csv
covid_testing/covid_testing_code_book.csv plausible_ranges/mimic_extract_variable_ranges.csv
plausible_ranges/ohdsi_dqd_measurement_ranges.csv
"""


@pytest.mark.parametrize("name", CODEBOOKS.split())
def test_a_codebook_is_recognised(name: str, shared_data: Path) -> None:
    assert seen(shared_data / name) == Seems(SeemsKind.CODEBOOK)


def test_three_tables_in_one_file_are_recognised(shared_data: Path) -> None:
    assert seen(shared_data / "diabetes130" / "IDs_mapping.csv") == Seems(SeemsKind.STACKED, 11)


def test_the_shipped_sample() -> None:
    assert seen(resource_path("sample/admissions.csv")) is None
    assert seen(resource_path("sample/codebook.csv")) == Seems(SeemsKind.CODEBOOK)


NHANES = "SEQN,BMDSTATS,BMXWT,BMIWT,BMXHT,BMIHT,BMXBMI"


@pytest.mark.parametrize(
    "header",
    [
        NHANES,
        "age,sex,ward,length_of_stay,cost",
        "year,sex,total_bilirubin,mean_bp,sodium",
        "patient_id,test_name,value,unit,min,max",
        "patient_id,year,count,mean_hr",
        "Patientennr;Jahr;Anzahl;Station".replace(";", ","),
        "date,sex,hospital,weight,height,bmi,visits",
        "treatment,count",
        "Fallnummer,Variable,Typ,Einheit",
        "case_id,age,sex,ward,admission,discharge",
        "FALLNR,ALTER,GESCHLECHT,STATION,AUFNAHME,ENTLASSUNG,DRG,PCCL",
        "pid,visit_date,sbp,dbp,hr,spo2,temp",
        "Patient,Diagnose,Datum,Wert,Einheit",
        "age,sex,bmi,smoker,charges",
        "age,anaemia,diabetes,ejection_fraction,platelets,time,DEATH_EVENT",
        "year,month,ward,age,los,cost",
        "hospital,department,admissions,age,sex",
        "ward,visits,readmitted",
        "ward,bed_count,age,sex,diagnosis",
        "sample_id,analyte,value,unit,lower,upper,flag",
        "test,result,unit,lower limit,upper limit,collected",
        "drug,dose,unit,route,start,stop",
        "Jahr,Monat,Abteilung,Alter,Verweildauer",
        "region,sex,age_group,diagnosis,outcome",
        "sex,age_group,total_cholesterol,hdl",
        "age,sex,n_visits,n_admissions,readmitted",
        "age,total_cost,total_los,discharge_type",
        "sex,race,mean_arterial_pressure,heart_rate",
        "gender,platelet_count,white_cell_count,hemoglobin",
        "item,score",
        "name,position,department",
        "name,age,sex",
        "age,sex,count of medications,days",
        "label,image,age",
        "episode,ward,rate",
        "sex,age,min_spo2,max_temp",
        "geschl,gebjahr,hauptdiagnose,anzahl_ops",
        "description,sex,age",
        "code,age",
        "visits,admissions",
        "Surgery_Date,Procedure,Minutes,ASA",
        "x1,x2,x3",
        "",
    ],
)
def test_files_about_people_raise_no_doubt(header: str) -> None:
    names = header.split(",")
    assert what_it_seems(names, [["1"] * len(names), ["2"] * len(names)]) is None


@pytest.mark.parametrize(
    "header",
    [
        "year,region,deaths",
        "Jahr,Bundesland,Anzahl",
        "age_group,sex,n,percent",
        "hospital,month,admissions,mean_stay,median_age",
        "Altersgruppe,Geschlecht,Fallzahl,Anteil %",
        "country,2018,2019,2020,2021",
        "diagnosis,count",
        "Ward,Total patients count,Average stay",
        "Geschlecht,Altersgruppe,Diagnose,Fälle",
        "month,department,visits",
        "age,sex,count",
        "date,ward,patients,beds",
        "ward,shift,nurses,patients",
        "Stichtag,Station,Betten,Belegt,Auslastung %",
        "Kennzahl,Wert",
        "PLZ,Einwohner,Fälle",
        "event,n,percent",
        "stratum,n,mean,sd",
        "exposure,cases,controls",
        "birth_year,births,deaths,n",
    ],
)
def test_counts_of_groups_are_recognised(header: str) -> None:
    names = header.split(",")
    assert what_it_seems(names, [["1"] * len(names)]) == Seems(SeemsKind.AGGREGATES)


DEATHS = "Year,113 Cause Name,Cause Name,State,Deaths,Age-adjusted Death Rate"
COVID = "dateRep,day,month,year,cases,deaths,countriesAndTerritories,geoId,popData2019"
CENSUS = "SUMLEV,REGION,DIVISION,STATE,NAME,SEX,AGE,CENSUS2010POP,POPESTIMATE2010"


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (DEATHS, [f"2017,a,Cancer,{n},{n * 7},{n}.5" for n in range(12)]),
        (DEATHS, ["2017,Alzheimer's (G30),Alzheimer's,Ohio,5,3.2"]),
        ("cause,state,deaths,hospital_type", [f"c{n % 4},s{n},{n},x" for n in range(12)]),
        (COVID, ["14/12/2020,14,12,2020,746,6,Afghanistan,AF,38041757"]),
        (CENSUS, ["10,0,0,0,United States,0,0,3944153,3944160"]),
        ("dates,counts,note", [f"2020-01-{n + 10},{n},x" for n in range(9)]),
        ("Province/State,Lat,Long,1/22/20,1/23/20,1/24/20", ["Bavaria,48,11,0,3,4"]),
        ("Region,0-4,5-14,15-34", ["North,120,80,311"]),
        ("Stage,2020-Q1,2020-Q2,2020-Q3", ["I,4,5,6"]),
        ("Cirrhosis,Male,Female", ["Alcoholic,511,202", "Other,12,9"]),
        ("Stadium,Männer,Frauen,Gesamt", ["A,51,20,71"]),
        ("Group,Placebo,Treated", ["Stage 1,12,13", "Stage 2,9,8", "Total,21,21"]),
        ("Todesursache,2er,Wert2", ["Leber,3,4", "Insgesamt,31,40"]),
    ],
)
def test_counts_are_recognised_by_their_cells_too(header: str, rows: list[str]) -> None:
    table = [row.split(",") for row in rows]
    assert what_it_seems(header.split(","), table) == Seems(SeemsKind.AGGREGATES)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("age,male,female,bmi", ["44,1,0,23", "61,0,1,31"]),
        ("ward,date,age,visits", [f"w{n},2020-01-{n + 10},{n},1" for n in range(9)]),
        ("patient_id,population,date,deaths", ["1,adult,2020-01-01,0"]),
        ("item,kind", ["total hip,knee", "total,part"]),
        ("age,dose_1-2,score", ["44,1,2"]),
        ("Surgery,Procedure,Minutes", ["total knee replacement,TKR,90"]),
    ],
)
def test_rows_of_people_are_no_counts(header: str, rows: list[str]) -> None:
    assert what_it_seems(header.split(","), [row.split(",") for row in rows]) is None


@pytest.mark.parametrize(
    "header",
    [
        "Variable,Beschreibung,Typ",
        "Feldname,Datentyp,Pflichtfeld",
        "column_name,data_type",
        "name,type,length",
        "Parameter,Min,Max,Mittelwert",
        "code,description",
        "Code,Label",
        "ICD,Bezeichnung",
        "value,label",
    ],
)
def test_lists_of_variables_and_of_codes_are_recognised(header: str) -> None:
    names = header.split(",")
    assert what_it_seems(names, [["1"] * len(names)]) == Seems(SeemsKind.CODEBOOK)


def test_a_repeated_header_is_a_second_table() -> None:
    header = ["patient_id", "age"]
    rows = [["1", "40"], ["2", "50"], header, ["3", "60"]]
    assert what_it_seems(header, rows) == Seems(SeemsKind.STACKED, 4)


def test_a_new_header_after_a_blank_row_is_a_second_table() -> None:
    header = ["patient_id", "age"]
    rows = [["1", "40"], [], ["ward", "beds"], ["A", "12"]]
    assert what_it_seems(header, rows) == Seems(SeemsKind.STACKED, 4)


@pytest.mark.parametrize(
    "rows",
    [
        [["1", "40"], [], ["2", "50"]],
        [["1", "40"], ["", ""], ["", ""], ["2", "unknown"]],
        [["1", "40"], []],
        [[], ["1", "40"]],
        [["a", "b"], [], ["c", "d"]],
        [["1", "40"], ["2", "50"], ["unknown", "none"]],
        [["1", "40"], [], ["unknown", "unknown"]],
    ],
)
def test_a_blank_row_alone_is_no_second_table(rows: list[list[str]]) -> None:
    assert what_it_seems(["patient_id", "age"], rows) is None


README = """# Stays of 2025
Made by the data office, with thanks.

- one row for each stay
- days are rounded"""
SETTINGS = """name: stays
columns:
  - age
  - ward
rows: 12"""
PROSE = """Dear colleagues, please find, as agreed,
the numbers of last year below.
They were counted by hand
and have not been checked, sorry.
Best wishes from us all"""
PARTED = "id^age^ward\n1^40^A\n2^50^B"


@pytest.mark.parametrize("text", [README, SETTINGS, PROSE, PARTED, "[stays]\nrows = 12\nage = 3"])
def test_a_text_without_columns_is_recognised(text: str) -> None:
    lines = [line.split(",") for line in text.split("\n")]
    assert what_it_seems(lines[0], lines[1:]) == Seems(SeemsKind.TEXT)


@pytest.mark.parametrize(
    "text",
    [
        "age\n40\n50\n-1",
        "Alter des Patienten\n40\n\n50",
        "days in the ward, 2025",
        "diagnosis\nI10 Essential hypertension\nE11 Type 2 diabetes\nnone",
        "date\n2020-01-01 10:00\n2020-01-02 11:30",
        "All the stays of the year 2025\nid,age,ward\n1,40,A\n2,50,B",
        "Stays, as of today, for the office\nid,age\n1,40\n2,50",
        "id,age,what was said\n1,40,he came in with a cough\n2,50,she fell from a ladder",
        "# id,age\n1,40",
        "temperature\n37.5\n+36.1",
        "",
    ],
)
def test_a_table_of_one_column_raises_no_doubt(text: str) -> None:
    lines = [line.split(",") if line else [] for line in text.split("\n")]
    assert what_it_seems(lines[0], lines[1:]) is None


def test_every_doubt_is_a_question_that_repeats_no_cell() -> None:
    secret = "Westerling"
    header, rows = ["region", secret, "deaths"], [[secret, secret, "1"], [], ["region", "a", "b"]]
    for found in (what_it_seems(header, rows), what_it_seems(header[::2], [])):
        assert found is not None
        text = sentence(found.question)
        assert text.endswith("?")
        assert secret not in text
    text = what_it_seems([f"Dear {secret}, this is for you"], [])
    assert text is not None
    assert "looks like running text" in sentence(text.question)
    assert secret not in sentence(text.question)
    codebook = what_it_seems(["variable", "type", "min"], [])
    assert codebook is not None
    assert "list of variables" in sentence(codebook.question)


@given(
    st.lists(st.text(max_size=20), max_size=8),
    st.lists(st.lists(st.text(max_size=10), max_size=8), max_size=12),
)
def test_any_rows_are_judged(header: list[str], rows: list[list[str]]) -> None:
    found = what_it_seems(header, rows)
    assert found is None or isinstance(found.kind, SeemsKind)
