# SPDX-License-Identifier: Apache-2.0
"""Study JSON into a :class:`Study`: structure only; what it declares is judged by ``checks``."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from functools import cache
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from dpdesk.study import limits
from dpdesk.study.json.baseline_json import baseline_from
from dpdesk.study.json.condition_json import condition_from, grouping_from, read_day
from dpdesk.study.json.json_reader import ObjectReader, finish
from dpdesk.study.json.step_json import step_from
from dpdesk.study.json.strict_json import Json, parse_json
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.columns import (
    CODEBOOK_KINDS,
    NO_ORIGIN,
    CategoryColumn,
    CellReading,
    CodebookKind,
    Column,
    DateColumn,
    NumberColumn,
    Origin,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.dates import (
    DATE_FORMS,
    ISO,
    STATED_FORMATS,
    TIMED,
    DateFormat,
    has_short_year,
    needs_pivot,
)
from dpdesk.study.model.document import STUDY_VERSION, Study
from dpdesk.study.model.parameters import LATE, SCORES, STANDARDS, ScoreName
from dpdesk.study.model.queries import GroupComparison, Query, SyntheticRows
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import (
    RECOGNISED,
    Budget,
    DataSource,
    IdShape,
    Unit,
)
from dpdesk.study.problem import Problem, Refused, refuse


def study_from_bytes(raw: bytes) -> Study:
    """Read a study file's bytes.

    Raises:
        Refused: not JSON, another version, unknown members or wrong types; one problem each.
    """
    if not raw.strip():
        raise refuse("study-file-empty")
    try:
        return study_from_members(parse_json(raw))
    except Refused as refused:
        is_other = raw.lstrip()[:1].isalnum() or raw.lstrip()[:1] == b'"'
        if refused.problems[0].code == "json-invalid" and is_other:
            raise refuse("not-a-study") from None  # a table, say: nothing is to be fixed in it
        raise


def study_from_members(value: Json) -> Study:
    """Read a study's members, whose numbers are whole numbers or decimals.

    Raises:
        Refused: as :func:`study_from_bytes`, but for what is no JSON.
    """
    _refuse_other_version(value)
    problems: list[Problem] = []
    study = ObjectReader(value, "$", problems).read(_study)
    finish(problems)
    return with_baseline_queries(cast(Study, study))


def _refuse_other_version(value: Any) -> None:
    if not isinstance(value, dict):
        raise refuse("type-object")
    version = value.get("dpdesk")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise refuse("not-a-study", "$.dpdesk")
    if version > STUDY_VERSION:
        raise refuse("study-too-new", "$.dpdesk", found=str(version)[:9], known=str(STUDY_VERSION))


def _study(reader: ObjectReader) -> Study:
    reader.raw("dpdesk")
    return Study(
        title=reader.text("title"),
        organisation=reader.text("organisation"),
        data=reader.object("data", _data),
        unit=reader.object("unit", _unit),
        budget=reader.object("budget", _budget),
        rounding=reader.whole("rounding", None),
        tables=reader.objects("tables", _table, limits.MAX_TABLES),
        columns=reader.objects("columns", column_from, limits.MAX_COLUMNS),
        queries=reader.objects("queries", _query, limits.MAX_QUERIES),
        baseline_tables=reader.objects("baseline_tables", baseline_from, limits.MAX_BASELINES),
        synthetic_rows=reader.object("synthetic_rows", _synthetic_rows),
    )


def _data(reader: ObjectReader) -> DataSource:
    separator = reader.text("separator", ",") if reader.raw("separator") != "\t" else "\t"
    return DataSource(
        path=reader.path_text("path"),
        format=_choice(reader, DataSource, "format"),
        missing=reader.texts("missing"),
        separator=separator,
        decimal=_choice(reader, DataSource, "decimal"),
        encoding=reader.text("encoding", "utf-8"),
        extract=reader.text("extract"),
        sheet=reader.text("sheet"),
        header_row=reader.whole("header_row", None),
        thousands=_choice(reader, DataSource, "thousands"),
        quotes=reader.flag("quotes", True),
        line_ending=_choice(reader, DataSource, "line_ending"),
        line_breaks=reader.flag("line_breaks"),
        row_names=reader.flag("row_names"),
        fill_down=reader.flag("fill_down"),
        catalogue=reader.path_text("catalogue"),
        in_database=reader.flag("in_database"),
        by_hand=_by_hand(reader),
        label=reader.text("label"),
        more=reader.objects("more", _data, limits.MAX_FILES),
    )


def _synthetic_rows(reader: ObjectReader) -> SyntheticRows:
    return SyntheticRows(
        of=_choice(reader, SyntheticRows, "of"), none_alone_in=reader.texts("none_alone_in")
    )


def _table(reader: ObjectReader) -> FurtherTable:
    return FurtherTable(
        name=reader.text("name", required=True),
        data=reader.object("data", _data) or DataSource(),
        person=reader.text("person", required=True),
        case=reader.text("case"),
        rows=_choice(reader, FurtherTable, "rows"),
        keep=_choice(reader, FurtherTable, "keep"),
        by=reader.text("by") or None,
    )


def _by_hand(reader: ObjectReader) -> tuple[str, ...]:
    """The parts that were declared by hand, in one order."""
    said = reader.texts("by_hand")
    if not set(said) <= set(RECOGNISED):
        reader.report("by_hand", "not-a-choice", choices=", ".join(RECOGNISED))
    return tuple(part for part in RECOGNISED if part in said)


def _unit(reader: ObjectReader) -> Unit:
    person = reader.text("person") or None
    return Unit(
        person=person,
        max_rows=reader.whole("max_rows", 1),
        neighbours=_choice(reader, Unit, "neighbours"),
        people=reader.whole("people", None),
        leading_zeros=reader.flag("leading_zeros"),
        without_id=_choice(reader, Unit, "without_id"),
        case=reader.text("case"),
        id_shape=reader.object("id_shape", _id_shape),
        row_name=reader.text("row_name"),
        row_names=reader.text("row_names"),
        person_name=reader.text("person_name"),
        person_names=reader.text("person_names"),
    )


def _id_shape(reader: ObjectReader) -> IdShape:
    return IdShape(
        prefix=reader.text("prefix"),
        of=_choice(reader, IdShape, "of"),
        shortest=reader.whole("shortest", IdShape.shortest),
        longest=reader.whole("longest", IdShape.longest),
    )


def _budget(reader: ObjectReader) -> Budget:
    return Budget(
        account=reader.text("account"),
        epsilon=reader.epsilon("epsilon"),
        rho=reader.rho("rho"),
    )


def column_from(reader: ObjectReader) -> Column | None:
    """Read a column's members."""
    kind = reader.choice("kind", ("number", "category", "yes-no", "date"), "")
    common: dict[str, Any] = {
        "name": reader.text("name", required=True),
        "title": reader.text("title"),
        "label": reader.text("label"),
        "basis": reader.text("basis"),
        "origin": reader.object("origin", _origin) or NO_ORIGIN,
        "missing_values": reader.texts("missing_values"),
        "made_from": reader.object("from", step_from),
        "table": reader.text("table"),
        "in_file": reader.text("in_file"),
    }
    if kind == "number":
        return _number_column(reader, common)
    if kind == "date":
        return _date_column(reader, common)
    if kind == "category":
        unknown = _rule(reader, CategoryColumn, "unknown")
        missing = _rule(reader, CategoryColumn, "missing")
        values, labels = reader.texts("values"), reader.texts("labels")
        return CategoryColumn(
            **common,
            values=values,
            labels=labels,
            missing=missing,
            unknown=unknown,
            compare=_choice(reader, CategoryColumn, "compare"),
        )
    if kind == "yes-no":
        return _yes_no_column(reader, common)
    if not reader.has("kind"):
        reader.report("kind", "missing-member")
    reader.excuse_rest()
    return None


def _origin(reader: ObjectReader) -> Origin:
    codebook = reader.choice("codebook", CODEBOOK_KINDS, "") or None
    return Origin(
        cast(CodebookKind | None, codebook),
        reader.whole("release", None),
        reader.flag("by_hand"),
        reader.flag("suggested"),
    )


def _number_column(reader: ObjectReader, common: dict[str, Any]) -> NumberColumn:
    return NumberColumn(
        **common,
        lower=reader.number("lower"),
        upper=reader.number("upper"),
        step=reader.number("step"),
        missing=_rule(reader, NumberColumn, "missing"),
        unparsable=_rule(reader, NumberColumn, "unparsable"),
        outside=_rule(reader, NumberColumn, "outside"),
        decimal=_choice(reader, NumberColumn, "decimal"),
        reads=reader.objects("reads", reading_from, limits.MAX_VALUES),
    )


def reading_from(reader: ObjectReader) -> CellReading | None:
    """Read a cell that is read as a number."""
    cell, value = reader.text("cell", required=True), reader.number("as")
    if not reader.has("as"):
        reader.report("as", "missing-member")
    return None if value is None else CellReading(cell, value)


def _date_column(reader: ObjectReader, common: dict[str, Any]) -> DateColumn:
    return DateColumn(
        **common,
        first=read_day(reader, "first"),
        last=read_day(reader, "last"),
        format=_date_format(reader),
        pivot=reader.whole("pivot", None),
        missing=_rule(reader, DateColumn, "missing"),
        unparsable=_rule(reader, DateColumn, "unparsable"),
        outside=_rule(reader, DateColumn, "outside"),
    )


def _date_format(reader: ObjectReader) -> DateFormat:
    """One of the formats in which days are read; of others, the way out."""
    value = reader.raw("format")
    if value is None:
        return ISO
    if isinstance(value, str) and value in STATED_FORMATS:
        return value.removesuffix(TIMED)
    short = isinstance(value, str) and has_short_year(value)
    code = "date-format-short-year" if short else "date-format-unknown"
    listed = [form for form in DATE_FORMS if needs_pivot(form) or not short]
    reader.report("format", code, choices=", ".join(listed))
    return ISO


def _yes_no_column(reader: ObjectReader, common: dict[str, Any]) -> YesNoColumn:
    return YesNoColumn(
        **common,
        yes=reader.texts("yes"),
        no=reader.texts("no"),
        missing=_rule(reader, YesNoColumn, "missing"),
        unknown=_rule(reader, YesNoColumn, "unknown"),
        compare=_choice(reader, YesNoColumn, "compare"),
    )


def _rule(reader: ObjectReader, kind: type, key: str) -> Any:
    """A rule is one of a few words, or ``{"replace": constant}``."""
    value = reader.raw(key)
    words = _words(kind, key)
    if isinstance(value, dict):
        return reader.object(key, _replace) or words[0]
    return reader.choice(key, words, words[0])


def _choice(reader: ObjectReader, kind: type, key: str) -> Any:
    words = _words(kind, key)
    return reader.choice(key, words, words[0])


@cache
def _words(kind: type, key: str) -> tuple[str, ...]:
    """The words that a member may be, the default first."""
    default = next(member.default for member in fields(kind) if member.name == key)
    hint = get_type_hints(kind)[key]
    kinds = [hint] if get_origin(hint) is Literal else get_args(hint)
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    return (default, *(word for word in words if word != default))


def _replace(reader: ObjectReader) -> Replace | None:
    value = reader.raw("replace")
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        reader.report("replace", "type-constant")
        return None
    if isinstance(value, str):
        return Replace(reader.text("replace"))
    number = reader.plain(value, "replace")
    return None if number is None else Replace(number)


def _query(reader: ObjectReader) -> Query:
    return Query(reader.text("id", required=True)).having(
        statistic=_choice(reader, Query, "statistic"),
        column=reader.text("column") or None,
        by=reader.mixed("by", grouping_from, limits.MAX_VALUES),
        where=reader.objects("where", condition_from, limits.MAX_COLUMNS),
        epsilon=reader.epsilon("epsilon"),
        expected=reader.whole("expected", None),
        title=reader.text("title"),
        has=reader.objects("has", condition_from, limits.MAX_COLUMNS),
        columns=reader.texts("columns"),
        quantiles=reader.numbers("quantiles"),
        candidates=reader.numbers("candidates"),
        edges=reader.numbers("edges"),
        times=reader.numbers("times"),
        entry=reader.text("entry") or None,
        entry_edges=reader.numbers("entry_edges"),
        late=reader.choice("late", LATE, "") or None,
        top=reader.whole("top", None),
        score=_score(reader),
        target=reader.whole("target", None),
        top_code=reader.whole("top_code", None),
        per=reader.whole("per", None),
        typical=reader.number("typical"),
        expected_exposure=reader.number("expected_exposure"),
        expected_deviation=reader.number("expected_deviation"),
        over=reader.text("over") or None,
        standard=reader.choice("standard", STANDARDS, "") or None,
        weights=reader.numbers("weights"),
        reference=reader.numbers("reference"),
        rho=reader.rho("rho"),
        delta=reader.delta("delta"),
        noise=_choice(reader, Query, "noise"),
        of=_choice(reader, Query, "of"),
        population=reader.flag("population"),
        whole_numbers=reader.flag("whole_numbers"),
        comparisons=reader.objects("comparisons", _comparison, limits.MAX_COMPARISONS),
        rows_per_group=reader.whole("rows_per_group", None),
    )


def _comparison(reader: ObjectReader) -> GroupComparison:
    return GroupComparison(
        by=reader.text("by", required=True),
        kind=_choice(reader, GroupComparison, "kind"),
        reference=reader.text("reference"),
    )


def _score(reader: ObjectReader) -> ScoreName | None:
    """A score by its name; of any other nobody has declared how far one person moves it."""
    value = reader.text("score")
    known = next((score for score in SCORES if score == value), None)
    if value and known is None:
        params = {"score": value[:40], "choices": ", ".join(SCORES)}
        reader.report("score", "score-without-sensitivity", **params)
    return known
