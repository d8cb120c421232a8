# SPDX-License-Identifier: Apache-2.0
"""What a query is called: as the custodian named it, or the sentence that it is.

The one place where a query becomes words: the desk, the shell, the report, the data package,
``README.txt`` and History say what is made here. It is a pure function of the study. A title is no
part of the question: naming a query again changes no figure, no price and no stored answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from dpdesk.study import limits
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
    group_name,
)
from dpdesk.study.model.conditions import (
    Between,
    Condition,
    DateBetween,
    IsIn,
    IsMissing,
    IsNotIn,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, bin_ends, column_of
from dpdesk.study.model.parameters import (
    ByAgeParameters,
    CandidateParameters,
    ColumnParameters,
    CutOffParameters,
    DistributionParameters,
    LinearModelParameters,
    MostCommonParameters,
    PropertyParameters,
    QuantileParameters,
    RateParameters,
    StandardParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.text import title_words as words
from dpdesk.study.text.number_text import in_column, in_text, plain
from dpdesk.study.text.sentence_language import ENGLISH, Language
from dpdesk.study.text.unit_names import UnitNames, in_query, names_of

_QUARTILES = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))
SHOWN = 4
"""So many numbers of a list are shown; of longer lists the ends."""

SHOWN_VALUES = 3
"""So many values of a condition are named; of more the first two, and how many others."""

LONGEST_CODE = 3
"""A longer text of a yes/no column is no code of its file, such as "unk" or "pos"."""

YES_AND_NO = frozenset({"true", "false", "nein", "wahr", "falsch"})
"""Longer texts that say no more than yes or no."""

OPEN = "…"


def title(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """A query's heading: the custodian's, or the whole sentence."""
    return query.title or sentence(study, query, language)


def sentence(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What is asked: "Mean of time in hospital (days), by sex, where age from 18 to 64"."""
    text, names = question(study, query, language), _names(study, query, language)
    # English names files of every release; a translation may leave out what its words say.
    is_said = not language.is_english and names.person.casefold() in text.casefold().split()
    if query.of == "people" and not (is_said or _says_people(study, query, language)):
        said = language.say(words.OF_PEOPLE)
        text = said.format(question=text, people=names.people, person=names.person)
    if query.by:
        by = groups(study, query, language)
        text = language.say(words.FOR_EACH).format(question=text, groups=by)
    if query.rows_per_group is not None:
        limit = group_limit(study, query, language)
        text = language.say(words.PER_GROUP).format(question=text, limit=limit)
    if query.where:
        where = _tested(study, query.where, language)
        text = language.say(words.WHERE).format(question=text, conditions=where)
    return text if len(text) <= limits.MAX_TEXT else f"{text[: limits.MAX_TEXT - 1].rstrip()}{OPEN}"


def subtitle(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What is asked, below a title and above figures that say the rest themselves.

    Their lines have the bins, and of a share a sentence of its own says which rows are its 100 %.
    """
    by = tuple(column_of(one) if isinstance(one, Bins) else one for one in query.by)
    where = () if query.declaration.is_share else query.where
    if query.members.get("edges"):
        query = query.having(edges=())
    return sentence(study, replace(query, by=by, where=where), language)


def group_limit(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """ "at most 1 stay per patient and group"; empty without such a limit."""
    names, most = names_of(study.unit, language.names), query.rows_per_group
    if most is None:
        return ""
    said = language.say(words.ONE_ROW_A_GROUP if most == 1 else words.ROWS_A_GROUP)
    shown = in_text(str(most), language.numbers)
    return said.format(most=shown, row=names.row, rows=names.rows, person=names.person)


def _says_people(study: Study, query: Query, language: Language) -> bool:
    """Whether the question itself says that it is of people: it would be another one of rows."""
    of_rows = replace(query, of="rows")
    return question(study, query, language) != question(study, of_rows, language)


def question(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What is computed, without groups and conditions: "3 most common of Ward"."""
    if words.COUNTED.get(query.statistic):
        said = language.say(words.COUNTED[query.statistic])
        rows, last = _names(study, query, language).rows, query.members.get("top_code", OPEN)
        return said.format(counted=subject(study, query, language), rows=rows, last=last)
    whole, named = words.WITH_PROPERTY.get(query.statistic), _property(study, query)
    if whole and named:
        said = language.say(whole).format(rows=_names(study, query, language).rows, property=named)
        return " ".join((said, *_members(study, query, language)))
    whole, known = words.WITH_VALUE.get(query.statistic), _known(study, query, language)
    if whole and known:
        said = language.say(whole).format(rows=_names(study, query, language).rows, column=known)
        return " ".join((said, *_members(study, query, language)))
    whole, listed = words.WITH_GROUP.get(query.statistic), _in_groups(study, query, language)
    if whole and listed:
        column, values = listed
        rows = _names(study, query, language).rows
        said = language.say(whole).format(rows=rows, column=column, values=values)
        return " ".join((said, *_members(study, query, language)))
    first = language.say(words.FIRST[query.statistic])
    match query.parameters:
        case QuantileParameters(quantiles=quantiles) if quantiles == _QUARTILES:
            first = language.say(words.QUARTILES)
        case QuantileParameters(quantiles=quantiles) if quantiles:
            first = f"{first} {number_list(quantiles, language)}"
        case MostCommonParameters(top=top) if top and top > 1:
            first = language.say(words.MOST_COMMON).format(count=top)
    said = _said(first, joint(study, query, language))
    return " ".join((said, subject(study, query, language), *_members(study, query, language)))


def _property(study: Study, query: Query) -> str:
    """A property that is one yes/no column's yes; empty where it is another."""
    match query.parameters:
        case PropertyParameters(has=(IsIn(column=name, values=(value,)),)):
            column = study.column(name)
            is_yes = isinstance(column, YesNoColumn) and value in column.yes[:1]
            if column is not None and is_yes and not _says_itself(value):
                return in_sentence(column_title(column))
    return ""


def _in_groups(study: Study, query: Query, language: Language) -> tuple[str, str] | None:
    """The column of a property and its groups by name; ``None`` where it is another property."""
    match query.parameters:
        case PropertyParameters(has=(IsIn(values=(_, *_)) as tested,)):
            column = study.column(tested.column)
            has_names = isinstance(column, YesNoColumn) and all(map(_says_itself, tested.values))
            if isinstance(column, CategoryColumn) or (column is not None and has_names):
                name = in_sentence(column_title(column), language)
                return name, _values(tested, column, language)
    return None


def _known(study: Study, query: Query, language: Language) -> str:
    """The column of a property that is having a value in it; empty where it is another."""
    match query.parameters:
        case PropertyParameters(has=(IsMissing(column=name, missing=False),)):
            return in_sentence(column_name(study, name), language)
    return ""


def _event(study: Study, own: TimeToEventParameters, language: Language) -> str:
    """What ends a row's time: "Died is yes"; a day that is known by its name alone."""
    match own.has:
        case (IsMissing(column=name, missing=False),) if isinstance(study.column(name), DateColumn):
            return in_sentence(column_name(study, name), language)
    return _tested(study, own.has, language)


def _tested(study: Study, tested: Iterable[Condition], language: Language) -> str:
    """Conditions within a sentence: each begins with its column."""
    said = (in_sentence(condition(study, one, language), language) for one in tested)
    return joined([*said], language)


def in_sentence(name: str, language: Language = ENGLISH) -> str:
    """A column's title behind the first words of a sentence; a name, of whatever, keeps its form.

    >>> in_sentence("Readmitted within 30 days"), in_sentence("Parkinson")
    ('readmitted within 30 days', 'Parkinson')
    >>> in_sentence("Sex"), in_sentence("Length of stay"), in_sentence("HbA1c")
    ('sex', 'length of stay', 'HbA1c')
    """
    first = name.partition(" ")[0]
    is_noun = language.is_english and first.casefold() in words.COMMON
    is_lower = first.istitle() and (first.endswith("ed") or is_noun)
    return name[0].lower() + name[1:] if is_lower else name


def _said(first: str, between: str) -> str:
    """The statistic and what joins it to its subject; a colon, which inflects nothing, is close.

    >>> _said("Mean", "of"), _said("Mittelwert", ":")
    ('Mean of', 'Mittelwert:')
    """
    return f"{first}{between}" if between == ":" else f"{first} {between}"


def joint(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What is between the statistic and what it is about."""
    template = language.say(words.JOINTS.get(query.statistic, words.OF))
    return template.format(rows=_names(study, query, language).rows)


def subject(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What a query is about: its column or columns, a property, or what it counts."""
    match query.parameters:
        case PropertyParameters(has=has):
            return _tested(study, has, language) or OPEN
        case MostCommonParameters(columns=columns) if columns:
            names = (in_sentence(column_name(study, name), language) for name in columns)
            return joined([*names], language)
        case ColumnParameters(column=column):
            return in_sentence(measured(study, column), language) if column else OPEN
    return counted(study, query, language)


def counted(study: Study, query: Query, language: Language = ENGLISH) -> str:
    names = _names(study, query, language)
    return names.people if query.unit == "people" else names.rows


def score(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What makes a cut-off good; empty where that is not said."""
    own = query.parameters
    if not isinstance(own, CutOffParameters) or own.score is None:
        return ""
    said = language.say(words.SCORES[own.score]).format(rows=_names(study, query, language).rows)
    if own.score != "closest-to-target":
        return said
    target = OPEN if own.target is None else in_text(str(own.target), language.numbers)
    return f"{said} {target}"


def groups(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """ "age in bins from 18; 65 and sex"; empty without groups."""
    return joined([_group(study, grouping, language) for grouping in query.by], language)


def grouped_by(study: Study, grouping: Grouping, language: Language = ENGLISH) -> str:
    """ "month of admission"; the column's title where nothing is taken together."""
    name = in_sentence(column_name(study, column_of(grouping)), language)
    if not isinstance(grouping, Periods):
        return name
    period = language.say(words.PERIODS[grouping.period])
    return language.say(words.OF_PERIOD).format(period=period, column=name)


def bins(grouping: Grouping, language: Language = ENGLISH) -> str:
    """ "in bins from 18; 65"; empty where there are none."""
    return _in_bins(grouping.edges, language) if isinstance(grouping, Bins) else ""


def conditions(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """All conditions of a query; empty without any."""
    return joined([condition(study, c, language) for c in query.where], language)


def condition(study: Study, tested: Condition, language: Language = ENGLISH) -> str:
    name = column_name(study, tested.column)
    if isinstance(tested, IsIn | IsNotIn):
        return _listed(name, tested, study.column(tested.column), language)
    if isinstance(tested, Between):
        lowest, highest = (
            in_text(plain(end), language.numbers) for end in (tested.lowest, tested.highest)
        )
        return language.say(words.BETWEEN).format(column=name, lowest=lowest, highest=highest)
    if isinstance(tested, DateBetween):
        first, last = (language.day(end.isoformat()) for end in (tested.first, tested.last))
        return language.say(words.BETWEEN).format(column=name, lowest=first, highest=last)
    return language.say(words.MISSING if tested.missing else words.NOT_MISSING).format(column=name)


def number_list(values: Sequence[Decimal], language: Language = ENGLISH) -> str:
    """A list of numbers; of a long one the ends."""
    shown = [in_text(plain(value), language.numbers) for value in values]
    if len(shown) > SHOWN:
        shown = [*shown[: SHOWN - 2], OPEN, shown[-1]]
    return "; ".join(shown)


def column_name(study: Study, name: str) -> str:
    column = study.column(name)
    return column_title(column) if column else name


def group_text(name: str, language: Language = ENGLISH) -> str:
    """A group's printed name: those that the program gives, in the language."""
    return language.say(words.OWN_GROUPS[name]) if name in words.OWN_GROUPS else name


def number_of_rows(label: str, language: Language = ENGLISH) -> str:
    """A line of rows per person, its number in the language.

    >>> number_of_rows("3"), number_of_rows("10 or more")
    ('3', '10 or more')
    """
    number, _blank, more = label.partition(" ")
    shown = in_text(number, language.numbers)
    return language.say(words.OR_MORE_ROWS).format(number=shown) if more else shown


def _names(study: Study, query: Query, language: Language) -> UnitNames:
    """What rows and people are called; of a query of people each row is one of them."""
    return in_query(names_of(study.unit, language.names), query.of)


def _members(study: Study, query: Query, language: Language) -> Iterable[str]:
    """What follows the column: bins, candidates, what makes a cut-off good."""
    own = query.parameters
    if isinstance(own, DistributionParameters) and own.edges:
        yield _read_at(study, own, language)
    if isinstance(own, LinearModelParameters):
        called = (in_sentence(column_name(study, name), language) for name in own.columns)
        names = joined([*called], language)
        yield language.say(words.EXPLAINED).format(columns=names or OPEN)
    if isinstance(own, TimeToEventParameters) and own.has:
        until = language.say(words.UNTIL).format(event=_event(study, own, language))
        if own.entry:
            name = in_sentence(column_name(study, own.entry), language)
            cut = f"{name} {_in_bins(own.entry_edges, language)}"
            until = f"{until}, {language.say(words.ENTERING).format(entry=cut)}"
        yield until
    if isinstance(own, CandidateParameters) and own.candidates:
        candidates = number_list(own.candidates, language)
        yield language.say(words.AMONG).format(candidates=candidates)
    if isinstance(own, RateParameters):
        yield _per_exposure(study, own, language)
    if isinstance(own, ByAgeParameters):
        yield over_ages(study, own, language)
    if by := score(study, query, language):
        yield language.say(words.BY).format(score=by)


def per(rate: RateParameters, exposure: str, language: Language = ENGLISH) -> str:
    """ "per 1,000 days"."""
    return language.say(words.PER).format(number=_per(rate, language), exposure=exposure or OPEN)


def _per(rate: RateParameters, language: Language) -> str:
    return OPEN if rate.per is None else in_column(str(rate.per), language.numbers)


def _per_exposure(study: Study, rate: RateParameters, language: Language) -> str:
    """ "per 1,000 days of length of stay"; "per 1,000 bed days" where the name says the unit."""
    called = in_sentence(column_name(study, rate.column), language) if rate.column else ""
    column = study.column(rate.column)
    unit = column.label if isinstance(column, NumberColumn) else ""
    bare = called.removesuffix(f" ({unit})") if unit else called
    if not unit or (bare == called and unit.casefold() in called.casefold()):
        return per(rate, called, language)
    said = {"number": _per(rate, language), "unit": unit, "exposure": bare}
    return language.say(words.PER_UNIT).format(**said)


def over_ages(study: Study, own: ByAgeParameters, language: Language = ENGLISH) -> str:
    """ "over age in bins from 5; 10 (European standard population 2013)"."""
    name = in_sentence(column_name(study, own.over), language) if own.over else OPEN
    cut = f"{name} {_in_bins(own.edges, language)}" if own.edges else name
    return language.say(words.OVER).format(ages=cut, by=weighted_by(own, language))


def weighted_by(own: ByAgeParameters, language: Language = ENGLISH) -> str:
    """What the age groups are weighted by: "European standard population 2013"."""
    if isinstance(own, StandardParameters):
        return language.say(words.STANDARDS[own.standard]) if own.standard else OPEN
    return language.say(words.REFERENCE)


def rate_unit(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """What a rate counts in, "per 1,000 days"; empty for other statistics."""
    return reference_unit(study, query, language) if query.unit == "per" else ""


def reference_unit(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """The same, also of the reference rates of a ratio, which itself has no unit."""
    column, own = study.column(query.column), query.parameters
    if column is None or not isinstance(own, RateParameters):
        return ""
    return per(own, column.label or column_title(column), language)


def measured(study: Study, name: str) -> str:
    """A column with its unit, unless its name says it: "Time in hospital (days)"."""
    column, called = study.column(name), column_name(study, name)
    unit = column.label if isinstance(column, NumberColumn) else ""
    return f"{called} ({unit})" if unit and unit.casefold() not in called.casefold() else called


def _group(study: Study, grouping: Grouping, language: Language) -> str:
    name, cut = grouped_by(study, grouping, language), bins(grouping, language)
    return f"{name} {cut}" if cut else name


def _in_bins(edges: Sequence[Decimal], language: Language) -> str:
    steps = {after - before for before, after in itertools.pairwise(edges)}
    if len(edges) > SHOWN and len(steps) == 1:
        ends = (*steps, edges[0], edges[-1])
        step, first, last = (in_text(plain(end), language.numbers) for end in ends)
        return language.say(words.IN_EQUAL_BINS).format(step=step, first=first, last=last)
    return language.say(words.IN_BINS).format(edges=number_list(edges, language) or OPEN)


def _read_at(study: Study, own: DistributionParameters, language: Language) -> str:
    """Where the bins of a distribution begin; of a curve over time, where they end."""
    column = study.column(own.column) if isinstance(own, TimeToEventParameters) else None
    try:
        found = bin_ends(column, own.edges) if isinstance(column, NumberColumn) else ()
    except ValueError:  # its bounds are still to be declared
        found = ()
    if not found:
        return _in_bins(own.edges, language)
    ends = number_list([Decimal(end) for end in found], language)
    return language.say(words.BINS_UP_TO).format(ends=ends)


def _listed(name: str, tested: IsIn | IsNotIn, column: Column | None, language: Language) -> str:
    template = language.say(words.IS if isinstance(tested, IsIn) else words.IS_NOT)
    return template.format(column=name, values=_values(tested, column, language))


def _values(tested: IsIn | IsNotIn, column: Column | None, language: Language) -> str:
    count, values = len(tested.values), tested.values[:SHOWN_VALUES]
    if column is not None:
        values = tuple(value_text(column, value, language) for value in values)
    if count > SHOWN_VALUES:
        values = values[: SHOWN_VALUES - 1]
    quoted = [language.say(words.VALUE).format(value=value) for value in values]
    if count > SHOWN_VALUES:
        quoted.append(language.say(words.OTHERS).format(count=count - SHOWN_VALUES + 1))
    return language.say(words.OR).join(quoted) or OPEN


def value_text(column: Column, value: str, language: Language) -> str:
    """A value of a condition: a yes/no column's own texts may be codes, such as "<30"."""
    if isinstance(column, YesNoColumn) and not _says_itself(value):
        if value in column.yes[:1]:
            return language.say(words.YES)
        if value in column.no[:1]:
            return language.say(words.NO)
    return group_text(group_name(column, value), language)


def _says_itself(value: str) -> bool:
    """Whether a yes/no column's own text is a word that says more than yes or no.

    >>> [text for text in ("dead", "<30", "M", "Yes", "False", "not found") if _says_itself(text)]
    ['dead', 'not found']
    """
    is_word = len(value) > LONGEST_CODE and value.replace(" ", "").isalpha()
    return is_word and value.casefold() not in YES_AND_NO


def joined(texts: Sequence[str], language: Language) -> str:
    """ "a, b and c"."""
    if len(texts) < 2:
        return "".join(texts)
    return language.say(words.AND).join((", ".join(texts[:-1]), texts[-1]))
