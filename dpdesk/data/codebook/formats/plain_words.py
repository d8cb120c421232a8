# SPDX-License-Identifier: Apache-2.0
"""The words of plain codebooks, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

from dpdesk.data.codebook.formats.draft import DraftKind

_HEADERS = {
    "name": "variable,variable name,variablename,variablenname,variable / field name,var,field,"
    "field name,fieldname,feld,feldname,column,column name,columnname,spalte,spaltenname,name,"
    "item,attribute,attribut,merkmal,merkmalsname,header,data element,datenelement",
    "type": "type,typ,data type,datatype,datentyp,variable type,variablentyp,field type,feldtyp,"
    "kind,art,class,storage type,skalenniveau",
    "min": "min,minimum,min value,minimum value,lower,lower bound,lower limit,from,von,kleinster "
    "wert,minimalwert,mindestwert,untergrenze,untere grenze,first,first day,erster tag",
    "max": "max,maximum,max value,maximum value,upper,upper bound,upper limit,to,bis,größter "
    "wert,groesster wert,maximalwert,höchstwert,obergrenze,obere grenze,last,last day,letzter tag",
    "values": "values,value,codes,code,coding,choices,categories,levels,enum,allowed values,"
    "permitted values,valid values,value labels,response options,answer options,options,werte,"
    "wert,erlaubte werte,zulässige werte,wertebereich,wertelabels,ausprägungen,ausprägung,"
    "kategorien,kodierung,codierung,auswahl,antwortmöglichkeiten",
    "title": "label,variable label,title,description,meaning,definition,question,long name,"
    "variablenlabel,bezeichnung,beschreibung,bedeutung,titel,frage,langname,erklärung",
    "unit": "unit,units,unit of measure,unit of measurement,uom,einheit,einheiten,maßeinheit",
    "step": "step,precision,resolution,increment,schritt,schrittweite,genauigkeit,auflösung",
    "missing": "missing,missing value,missing values,missing code,missing codes,na values,"
    "fehlend,fehlende werte,fehlwert,fehlwerte,fehlwertkodierung",
    "format": "format,date format,datumsformat",
    "identifier": "identifier,identifier?,is identifier,direct identifier,pii,phi,sensitive,"
    "identifizierend,personenbezogen,personenbezug,identifikator",
}
COMMA = frozenset({"decimal comma", "comma decimal", "number comma", "numeric comma"}) | frozenset(
    {"float comma", "number comma decimal", "dezimalkomma", "zahl mit komma"}
)
"""Types of numbers with a decimal comma."""

_TYPES: dict[DraftKind, str] = {
    "number": "number,numeric,numerical,num,float,double,real,decimal,continuous,quantitative,"
    "zahl,numerisch,dezimal,dezimalzahl,kommazahl,gleitkommazahl,metrisch,stetig,integer,int,"
    "whole number,count,ganzzahl,ganze zahl,ganzzahlig,anzahl,smallint,bigint,numeric scale,"
    + ",".join(sorted(COMMA)),
    "category": "category,categorical,category list,factor,enum,nominal,ordinal,coded,code,choice,"
    "single choice,radio,dropdown,select,kategorie,kategorial,kategoriell,auswahl,faktor,string,"
    "text,char,character,varchar,zeichenkette,zeichen",
    "yes-no": "yes-no,yes/no,yes no,yesno,boolean,bool,logical,binary,flag,true/false,ja/nein,"
    "ja nein,janein,logisch,wahrheitswert,dichotom,binär",
    "date": "date,day,datum,tag,datetime,timestamp,date time,zeitstempel",
}
WHOLE = frozenset({"integer", "int", "whole number", "count", "smallint", "bigint"}) | frozenset(
    {"ganzzahl", "ganze zahl", "ganzzahlig", "anzahl"}
)
"""Types of whole numbers: their step is 1."""

FREE = frozenset({"free text", "freitext", "note", "notes", "memo", "longtext", "bemerkung"})
TIMED = frozenset({"time", "zeit", "uhrzeit"})
YES = frozenset({"y", "yes", "1", "true", "x", "j", "ja", "wahr"})


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: key for key, words in table.items() for word in words.split(",")}


ROLES = _by_word(_HEADERS)
"""What a header's key means."""

KINDS = _by_word({str(kind): words for kind, words in _TYPES.items()})
"""What a type's name means."""
