# SPDX-License-Identifier: Apache-2.0
"""The headers of files that are not about people, in English and German."""

from __future__ import annotations

from dpdesk.study.suggest.identifiers import IdentifierKind
from dpdesk.study.suggest.words import joined, words_of

KINDS_OF_PEOPLE = frozenset(
    {
        IdentifierKind.NAME,
        IdentifierKind.CONTACT,
        IdentifierKind.OFFICIAL,
        IdentifierKind.INSURANCE,
        IdentifierKind.CASE,
        IdentifierKind.PERSON,
        IdentifierKind.BIRTH,
        IdentifierKind.DEATH,
    }
)
"""Kinds of columns that only a file about people has."""


def _set(text: str) -> frozenset[str]:
    return frozenset(joined(phrase) for phrase in text.split(","))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for phrase in text.split(",") for word in words_of(phrase))


DESCRIBED = _set(
    "variable,variables,variable name,variable field name,field,field name,column,column name,"
    "name,item,concept name,data element,element,feldname,variablenname,spalte,merkmal,"
    "spaltenname,variable label,parameter"
)
"""Headers of the column that holds the names of variables."""

AMBIGUOUS = _set("name,item,element,field,merkmal,parameter,column,feld")
"""Those of them that may head a column of anything else."""

CODES = {
    "code": _set("code,codes,value,key,icd,icd10,icd code,ops,ops code,wert,schlüssel,kode"),
    "meaning": _set("label,labels,description,meaning,text,bezeichnung,bedeutung,beschreibung"),
}
"""The two headers of a list of codes."""

DESCRIBES = {
    "kind": _set(
        "type,field type,data type,datatype,variable type,label,variable label,field label,"
        "description,definition,unit,units,unit concept name,codes,values,choices,"
        "choices calculations or slider labels,answer options,options,validation,format,required,"
        "required field,question,position,field note,form name,section header,identifier,"
        "branching logic,skip logic,value labels,labels,codelist,length,measure,missing values,"
        "typ,datentyp,beschreibung,einheit,werte,codierung,kodierung,format,pflichtfeld,wertebereich"
    ),
    "limit": _set(
        "min,max,minimum,maximum,lower,upper,lower limit,upper limit,text validation min,"
        "text validation max,plausible value low,plausible value high,outlier low,outlier high,"
        "valid low,valid high,impute,untergrenze,obergrenze,von,bis"
    ),
}
"""Headers of the columns that say what a variable is, and within which limits."""

AGGREGATES = {
    "whole": _set(
        "n,count,counts,total,totals,percent,%,pct,mean,average,median,sum,rate,rates,ratio,"
        "deaths,cases,admissions,discharges,visits,patients,population,frequency,share,"
        "proportion,prevalence,incidence,sd,std,value,events,anzahl,summe,gesamt,prozent,anteil,"
        "mittelwert,durchschnitt,häufigkeit,fälle,fallzahl,todesfälle,sterbefälle,einwohner,"
        "bevölkerung,patienten,aufnahmen,entlassungen,inzidenz,prävalenz,lower ci,upper ci,"
        "beds,occupied,occupied beds,bed days,occupancy,nurses,wert,betten,belegt,belegte betten,"
        "belegung,bettentage,belegungstage,auslastung,controls,stddev,births,geburten"
    ),
    "word": _words(
        "percent,pct,mean,average,median,rate,proportion,count,incidence,prevalence,deaths,cases,"
        "total,anzahl,anteil,mittelwert,durchschnitt,fallzahl,inzidenz,prävalenz,todesfälle,"
        "sterbefälle,prozent,per100000,pro100000,auslastung"
    ),
    "plain": _set(
        "n,count,counts,percent,%,pct,mean,average,median,sum,frequency,share,proportion,"
        "prevalence,incidence,population,cases,sd,std,anzahl,summe,prozent,anteil,mittelwert,"
        "durchschnitt,häufigkeit,fälle,fallzahl,einwohner,bevölkerung,inzidenz,prävalenz"
    ),
}
"""Headers of counts and averages: whole ones, and words that mark one beside others.

The plain ones are hardly ever a person's: somebody has three visits, and no count.
"""

BY_GROUP = _set(
    "year,month,quarter,week,date,period,day,region,state,country,county,district,city,hospital,"
    "clinic,ward,department,age group,age band,age category,agegroup,sex,gender,race,ethnicity,"
    "diagnosis,disease,cause,icd10,icd chapter,chapter,category,group,indicator,measure,"
    "specialty,facility,area,province,jahr,monat,quartal,woche,datum,zeitraum,bundesland,land,"
    "kreis,landkreis,stadt,krankenhaus,klinik,station,abteilung,fachabteilung,altersgruppe,"
    "altersklasse,geschlecht,diagnose,kapitel,kategorie,gruppe,todesursache,shift,schicht,"
    "stichtag,kennzahl,birth year,year of birth,geburtsjahr,plz,postleitzahl,zip,zip code,gemeinde"
)
"""Headers of what counts are broken down by."""

GROUP_WORDS = _words(
    "year,month,quarter,week,date,dates,day,state,country,county,region,province,district,territory,"
    "location,continent,geography,cause,ward,hospital,facility,jahr,monat,quartal,woche,datum,"
    "meldedatum,refdatum,bundesland,landkreis,altersgruppe,todesursache,isoweek,epiweek"
) | frozenset({"agegroup", "agegrp"})
"""Words that mark a column of groups beside others: "113 Cause Name", "Province/State"."""

NO_PERSONS = (
    _words("population,popestimate,pop,inhabitants,einwohner,bevölkerung,incidence,inzidenz")
    | _words("prevalence,prävalenz,mortality,letalität,sterbeziffer")
    | _set(
        "per 100000,per 100k,age adjusted rate,age adjusted death rate,crude rate,crude death rate"
    )
)
"""Words of columns that are about many people, never about one."""

PARTS_OF_ALL = _set(
    "male,female,males,females,men,women,boys,girls,both sexes,total,persons,männlich,weiblich,"
    "männer,frauen,insgesamt,gesamt,zusammen"
)
"""Headers of columns that are counts of a part of all."""

ALL_OF_THEM = _set(
    "total,totals,grand total,all causes,all ages,both sexes,all races,all sexes,all states,"
    "all persons,all cause,gesamt,insgesamt,summe,zusammen,alle altersgruppen,alle"
)
"""Cells that mean all of the groups that other rows are about."""
