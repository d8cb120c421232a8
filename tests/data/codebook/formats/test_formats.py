# SPDX-License-Identifier: Apache-2.0
"""Made-up codebooks of each format, and what is proposed from them."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.codebook.formats.texts import date_format, date_signs
from dpdesk.data.codebook.read import read_codebook
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.dates import DATE_FORMATS, date_form
from dpdesk.study.problem import Refused
from tests.data.codebook.written import CONTEXT, book, entry, notes, redcap, refusal, said
from tests.data.workbooks import write_workbook


def test_redcaps_field_types(tmp_path: Path) -> None:
    found = book(
        tmp_path,
        redcap(
            "icu,,yesno,On <b>ICU</b>,,,,,,",
            "dead,,truefalse,Dead,,,,,,",
            'smoker,,radio,Smoker,"1, Ja | 0, Nein",,,,,',
            "pain,,slider,Pain,,,,,,",
            "crp,,text,CRP,,mg/L,number_1dp,0,500.5,",
            'temp,,text,Temperature,,in °C,number_2dp_comma_decimal,"30,5",43,',
            "seen,,text,Seen,,,date_dmy,2020-01-31,today,",
            "born,,text,Born,,,date_mdy,12/31/1900,,y",
            "at,,text,At,,,datetime_ymd,,,",
            "mail,,text,Mail,,,email,,,",
            "ward,,sql,Ward,select 1,,,,,",
            'sites,,checkbox,Sites,"a, Arm | -1, None",,,,,',
        ),
    )
    assert said(found, "icu") == {
        "kind": "yes-no", "title": "On ICU", "yes": ("Yes", "1"), "no": ("No", "0"),
    }  # fmt: skip
    assert said(found, "dead")["yes"] == ("True", "1")
    assert said(found, "smoker")["no"] == ("Nein", "0")
    pain = said(found, "pain")
    assert (pain["lower"], pain["upper"], pain["step"]) == (0, 100, 1)
    crp = said(found, "crp")
    assert (crp["upper"], crp["step"], crp["label"]) == (Decimal("500.5"), Decimal("0.1"), "mg/L")
    temp = said(found, "temp")
    assert (temp["lower"], temp["step"], temp["label"]) == (Decimal("30.5"), Decimal("0.01"), "°C")
    assert said(found, "seen")["first"] == date(2020, 1, 31)
    assert notes(found, "seen") == ["codebook-today"]
    assert said(found, "born")["first"] == date(1900, 12, 31)
    assert entry(found, "born").identifier
    assert entry(found, "mail").identifier
    assert said(found, "at") == {"kind": "date", "title": "At", "format": "YYYY-MM-DD"}
    assert notes(found, "ward") == ["codebook-values-elsewhere"]
    assert said(found, "sites___a")["title"] == "Sites: Arm"
    assert said(found, "sites____1")["title"] == "Sites: None"


def test_redcaps_dictionary_from_the_api(tmp_path: Path) -> None:
    header = (
        "field_name,form_name,section_header,field_type,field_label,"
        "select_choices_or_calculations,field_note,"
        "text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,"
        "identifier\n"
    )
    rows = "id,f,,text,Id,,,,,,\nage,f,,text,Age (years),,,integer,0,120,\n"
    found = book(tmp_path, "\ufeff" + header + rows)
    assert found.kind == "redcap"
    assert said(found, "age")["upper"] == 120
    assert said(found, "age")["label"] == "years"


def schema(*fields: dict[str, object], **more: object) -> dict[str, object]:
    return {"fields": list(fields), **more}


def test_a_table_schema_of_version_1(tmp_path: Path) -> None:
    found = book(
        tmp_path,
        schema(
            {"name": "pid", "type": "string"},
            {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": "120"}},
            {"name": "crp", "type": "number", "constraints": {"minimum": 0.5}, "unit": "mg/L"},
            {"name": "dead", "type": "boolean", "trueValues": ["J"], "falseValues": ["N"]},
            {"name": "alive", "type": "boolean"},
            {"name": "seen", "type": "date", "format": "%d.%m.%Y",
             "constraints": {"minimum": "31.01.2020", "maximum": "2021-02-01"}},
            {"name": "born", "type": "date", "format": "%y%m"},
            {"name": "ward", "type": "string", "constraints": {"enum": ["A", "B", "?"]}},
            {"name": "at", "type": "datetime"},
            {"name": "spot", "type": "geopoint"},
            {"name": "mail", "type": "string", "format": "email"},
            missingValues=["", "?", "-9"],
            primaryKey="pid",
        ),
    )  # fmt: skip
    assert notes(found, "pid") == ["codebook-record-id"]
    assert said(found, "age")["upper"] == 120
    assert said(found, "crp")["lower"] == Decimal("0.5")
    assert said(found, "crp")["label"] == "mg/L"
    assert "step" not in said(found, "crp")
    assert (said(found, "dead")["yes"], said(found, "dead")["no"]) == (("J",), ("N",))
    assert said(found, "alive")["yes"] == ("true", "True", "TRUE", "1")
    seen = said(found, "seen")
    assert (seen["first"], seen["last"]) == (date(2020, 1, 31), date(2021, 2, 1))
    assert seen["format"] == "DD.MM.YYYY"
    assert notes(found, "born") == ["codebook-date-format"]
    assert said(found, "ward")["values"] == ("A", "B")
    assert said(found, "ward")["missing_values"] == ("?", "-9")
    assert said(found, "at") == {
        "kind": "date",
        "format": "YYYY-MM-DD",
        "missing_values": ("?", "-9"),
    }
    assert notes(found, "spot") == ["codebook-type-unused"]
    assert entry(found, "mail").identifier


def test_a_table_schema_of_version_2(tmp_path: Path) -> None:
    found = book(
        tmp_path,
        schema(
            {
                "name": "sex",
                "type": "integer",
                "categories": [{"value": 1, "label": "Male"}, {"value": 2, "label": "Female"}],
                "missingValues": [{"value": "9", "label": "unknown"}],
            },
            {"name": "size", "type": "string", "categories": ["S", "M"]},
            {"name": "open", "type": "number", "constraints": {"exclusiveMinimum": 0}},
            {"name": "any"},
            missingValues=["-1"],
        ),
    )
    assert said(found, "sex") == {
        "kind": "category",
        "values": ("1", "2"),
        "labels": ("Male", "Female"),
        "missing_values": ("9",),
    }
    assert said(found, "size")["values"] == ("S", "M")
    assert "labels" not in said(found, "size")
    assert notes(found, "open") == ["codebook-bound-exclusive"]
    assert notes(found, "any") == ["codebook-type-unsaid"]


def test_csvw(tmp_path: Path) -> None:
    columns = [
        {"name": "pid", "titles": "Patient"},
        {
            "name": "age",
            "titles": {"de": ["Alter"], "en": "Age"},
            "dc:title": "Age at entry",
            "datatype": {"base": "integer", "minimum": "0", "maximum": 120},
            "schema:unitText": "years",
        },
        {"name": "n", "datatype": "positiveInteger"},
        {"name": "crp", "datatype": {"base": "decimal", "minInclusive": "0.5"}, "null": ["", "-"]},
        {"name": "dead", "datatype": {"base": "boolean", "format": "Y|N"}},
        {"name": "seen", "datatype": {"base": "date", "format": "dd.MM.yyyy", "minimum": "x"}},
        {"name": "at", "datatype": "dateTime"},
        {"name": "free"},
        {"name": "many", "separator": ";"},
        {"name": "made", "virtual": True},
    ]
    found = book(
        tmp_path,
        {
            "@context": [CONTEXT, {"@language": "en"}],
            "url": "data.csv",
            "null": ["NA"],
            "tableSchema": {"columns": columns, "primaryKey": "pid"},
        },
    )
    assert found.kind == "csvw"
    assert [e.name for e in found.columns] == [
        "Patient", "Alter", "n", "crp", "dead", "seen", "at", "free", "many",
    ]  # fmt: skip
    assert said(found, "Alter") == {
        "kind": "number",
        "title": "Age at entry",
        "label": "years",
        "missing_values": ("NA",),
        "lower": Decimal(0),
        "upper": Decimal(120),
        "step": Decimal(1),
    }
    assert (said(found, "n")["lower"], said(found, "n")["step"]) == (1, 1)
    assert said(found, "crp")["missing_values"] == ("-",)
    assert said(found, "crp")["lower"] == Decimal("0.5")
    assert said(found, "dead")["yes"] == ("Y",)
    assert said(found, "seen")["format"] == "DD.MM.YYYY"
    assert notes(found, "seen") == ["codebook-bound-invalid"]
    assert (said(found, "at")["kind"], said(found, "at")["format"]) == ("date", "YYYY-MM-DD")
    assert notes(found, "free") == ["codebook-values-unsaid"]
    assert notes(found, "many") == ["codebook-several-choices"]
    assert notes(found, "Patient") == ["codebook-record-id"]


PLAIN = """Codebook of our ward, version 2

Variable;Bezeichnung;Typ;Minimum;Maximum;Werte;Einheit;Fehlwerte;Schrittweite
alter;Alter bei Aufnahme;Ganzzahl;0;120;;Jahre;-9;
crp;CRP;Dezimalzahl;0,5;500;;mg/l;;0,1
station;Station;Kategorie;;;A | B | C;;;
sex;Geschlecht;;;;1=männlich, 2=weiblich;;9;
raucher;;ja/nein;;;1=ja, 0=nein;;;
tod;;boolean;;;;;;
aufnahme;;Datum;01.01.2020;2021-12-31;;;;
lbz;;Zahl;;;0-80;;;
kosten;;Zahl;1.500;2;;;;
notiz;;Freitext;;;;;;
odd;;Zauberei;;;;;;
Stand: Mai 2020, Rückfragen an das Datenbüro;;;;;;;;
"""


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_a_plain_codebook_in_german(tmp_path: Path, encoding: str) -> None:
    found = book(tmp_path, PLAIN.encode(encoding))
    assert found.kind == "plain"
    assert [e.name for e in found.columns][-1] == "odd"
    assert said(found, "alter") == {
        "kind": "number",
        "title": "Alter bei Aufnahme",
        "label": "Jahre",
        "missing_values": ("-9",),
        "lower": Decimal(0),
        "upper": Decimal(120),
        "step": Decimal(1),
    }
    assert said(found, "crp")["lower"] == Decimal("0.5")
    assert said(found, "crp")["step"] == Decimal("0.1")
    assert said(found, "station")["values"] == ("A", "B", "C")
    assert said(found, "sex")["labels"] == ("männlich", "weiblich")
    assert said(found, "raucher")["yes"] == ("ja", "1")
    assert notes(found, "tod") == ["codebook-yes-unsaid"]
    assert said(found, "aufnahme") == {"kind": "date", "last": date(2021, 12, 31)}
    assert notes(found, "aufnahme") == ["codebook-bound-invalid"]
    assert (said(found, "lbz")["lower"], said(found, "lbz")["upper"]) == (0, 80)
    assert said(found, "kosten") == {"kind": "number", "upper": Decimal(2)}
    assert notes(found, "kosten") == ["codebook-number-ambiguous"]
    assert notes(found, "notiz") == ["codebook-free-text"]
    assert notes(found, "odd") == ["codebook-type-unused"]


def test_a_plain_codebook_in_english(tmp_path: Path) -> None:
    text = (
        "name,type,min,max,values,label,date format,identifier\n"
        "age,integer,18,110,,Age,,\n"
        'ward,categorical,,,"a, b, c",,,\n'
        "seen,date,01/02/2020,today,,,DD/MM/YYYY,\n"
        "phone,text,,,,Phone,,yes\n"
        "n/a_col,float,NA,N/A,-,NA,NA,NA\n"
    )
    found = book(tmp_path, text)
    assert said(found, "ward")["values"] == ("a", "b", "c")
    assert said(found, "seen")["first"] == date(2020, 2, 1)
    assert notes(found, "seen") == ["codebook-today"]
    assert entry(found, "phone").identifier
    assert said(found, "n/a_col") == {"kind": "number"}


def test_the_format_is_recognised_by_content_alone(tmp_path: Path) -> None:
    found = book(tmp_path, schema({"name": "a", "type": "integer"}), name="dictionary.csv")
    assert (found.kind, found.basis) == ("table-schema", "Table Schema, dictionary.csv")
    text = redcap("a,,text,A,,,integer,,,")
    assert book(tmp_path, text, name="datapackage.json").kind == "redcap"


@pytest.mark.parametrize("format", DATE_FORMATS)
def test_a_format_that_a_codebook_was_given_is_read_back(format: str) -> None:
    read = date_format(date_signs(format))
    assert read is not None
    # Signs such as %d do not say whether zeros are written; ISO's format has no need of a time.
    assert date_signs(date_form(read)) == date_signs(date_form(format))


@pytest.mark.parametrize(
    ("written", "format"),
    [
        ("DD-MON-YYYY", "D MMM YYYY"), ("dd-MON-rr", "D MMM YY"), ("DATE9.", "D MMM YYYY"),
        ("date7.", "D MMM YY"), ("TT. MMM JJJJ", "D MMM YYYY"), ("d MMMM yyyy", "D MMM YYYY"),
        ("%B %d, %Y", "MMM D, YYYY"), ("MMM D, YYYY", "MMM D, YYYY"), ("%Y-%b-%d", "YYYY MMM D"),
        ("%d%b%Y %H:%M", "D MMM YYYY"), ("DD MON", None), ("DD Monday YYYY", None),
    ],
)  # fmt: skip
def test_formats_with_the_name_of_a_month(written: str, format: str | None) -> None:
    assert date_format(written) == format


@pytest.mark.parametrize(
    ("validation", "decimal"),
    [("number_1dp_comma_decimal", ","), ("number_comma_decimal", ","), ("number_1dp", "")],
)
def test_redcaps_decimal_comma_is_imported(tmp_path: Path, validation: str, decimal: str) -> None:
    """Its cells hold ``36,5``: read with a point, none was a number, and a mean of nobody."""
    found = book(tmp_path, redcap(f"temp,,text,Temp,,,{validation},30,45,"))
    column = entry(found, "temp").column
    assert isinstance(column, NumberColumn) and column.decimal == decimal


def test_redcaps_choices_without_codes_are_their_own_names(tmp_path: Path) -> None:
    found = book(
        tmp_path,
        redcap(
            'sex,,radio,Sex,"Male | Female | Other",,,,,',
            'sure,,radio,Sure,"Yes, sure | No",,,,,',
            "none,,radio,None,,,,,,",
        ),
    )
    assert said(found, "sex")["values"] == ("Male", "Female", "Other")
    assert notes(found, "sex") == ["codebook-choices-uncoded"]
    assert notes(found, "sure") == ["codebook-values-invalid"]
    assert notes(found, "none") == ["codebook-values-unsaid"]


LONG = "variable,code,label\nsex,1,Male\n{0},2,Female\n{0},9,Other | unknown = x\nage,0-120,\n"


@pytest.mark.parametrize("again", ["sex", ""])
def test_a_codebook_with_a_row_for_each_code(tmp_path: Path, again: str) -> None:
    found = book(tmp_path, LONG.format(again))
    assert said(found, "sex") == {
        "kind": "category",
        "values": ("1", "2", "9"),
        "labels": ("Male", "Female", "Other | unknown = x"),
    }
    assert said(found, "age")["upper"] == 120


def test_codes_and_names_of_nothing_say_so(tmp_path: Path) -> None:
    assert refusal(tmp_path, "code;label\n1;Male\n2;Female\n").code == "codebook-codes-alone"


@pytest.mark.parametrize("type_", ["decimal comma", "Number (comma)", "Dezimalkomma"])
def test_a_plain_codebooks_decimal_comma_is_imported(tmp_path: Path, type_: str) -> None:
    found = book(tmp_path, f"variable;type;min;max\nhba1c;{type_};3,5;20\nage;number;0;120\n")
    assert said(found, "hba1c")["decimal"] == ","
    assert said(found, "hba1c")["lower"] == Decimal("3.5")
    assert "decimal" not in said(found, "age")


@pytest.mark.parametrize(
    ("written", "mark", "codes"),
    [
        ({"decimalChar": ","}, ",", ()),
        ({"decimalChar": ",", "pattern": "0,0"}, ",", ()),
        ({"decimalChar": ",", "groupChar": "."}, ",", ("codebook-number-format",)),
        ({"pattern": "0.0"}, None, ("codebook-number-format",)),
    ],
)
def test_the_decimal_comma_of_csvw_is_imported(
    tmp_path: Path, written: dict[str, str], mark: str | None, codes: tuple[str, ...]
) -> None:
    column = {"name": "crp", "datatype": {"base": "decimal", "format": written}}
    found = book(tmp_path, json.dumps({"@context": CONTEXT, "tableSchema": {"columns": [column]}}))
    assert said(found, "crp").get("decimal") == mark
    assert tuple(note.code for note in entry(found, "crp").notes) == codes


def test_two_columns_of_variables_and_their_codes_are_a_codebook(tmp_path: Path) -> None:
    found = book(tmp_path, "Variable;Codes\nsex;1=Male, 2=Female\n")
    assert said(found, "sex")["labels"] == ("Male", "Female")
    for header in ("name;code", "item;value", "name;values"):
        assert refusal(tmp_path, f"{header}\nsex;1\n").code == "codebook-unknown"


@pytest.mark.parametrize("suffix", [".xlsx", ".ods"])
def test_a_codebook_in_a_workbook(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"codebook{suffix}"
    data = [["id", "sex"], *([n, n % 2] for n in range(20))]
    variables = [
        ["Registry 2025"], [],
        ["Variable", "Type", "Min", "Max", "Values"],
        ["age", "integer", 0, 120, ""],
        ["sex", "category", "", "", "0=f; 1=m"],
        *([f"v{n}", "integer", 0, n + 1, ""] for n in range(30)),
    ]  # fmt: skip
    write_workbook(path, {"Data": data, "Codebook": variables})
    found = read_codebook(path)
    assert said(found, "age") == {"kind": "number", "lower": 0, "upper": 120, "step": 1}
    assert said(found, "sex")["labels"] == ("f", "m")
    assert len(found.columns) == 32
    write_workbook(path, {"Data": data})
    with pytest.raises(Refused, match="codebook-unknown"):
        read_codebook(path)
