# SPDX-License-Identifier: Apache-2.0
"""Words beside a clinical name that leave it what it is, and words that make it something else."""

from __future__ import annotations

from functools import lru_cache

from dpdesk.study.suggest.words import words_of

BESIDE = """
min max mean avg average median mittel mittelwert minimum maximum first last erster erste letzter
letzte baseline admission adm aufnahme discharge entlassung day tag initial value wert result
ergebnis lab labor serum s plasma blood blut icu its at bei on patient pat visit pre post preop
postop vor nach arterial arteriell venous venös abg bga current aktuell the der die das in im of
bl aval lborres lbstresn lbstresc vsorres vsstresn vsstresc
"""
"""Beside these a short name such as "hr" or "K" still means what it means alone."""

AWAY = """
date datum time zeit zeitpunkt uhrzeit flag code unit units einheit comment kommentar note group
gruppe band category kategorie klasse class bin cat medication medikation med meds drug drugs dose
dosis delta diff difference differenz change änderung loss verlust gain ratio quotient clearance
variability variabilität missing abnormal status method methode device gerät location ort site id
reference referenz target ziel urine urin urinary harn csf liquor stool stuhl sputum punktat
family history anamnese disease krankheit erkrankung syndrome syndrom therapy therapie treatment
behandlung insufficiency insuffizienz failure versagen transfusion infusion supplement
supplementation substitution deficiency mangel bearing gabe tolerance toleranz inhibitor blocker
reason grund number anzahl n count control percentile perzentile zscore sd std variance trend yn
ja nein has is any ever elevated erhöht sample survey design sampling birth geburt ideal pressure
druck wave welle gestational bone done question frage antibody antikörper receptor rezeptor type
typ body fluid score text document scan position lage bands groups categories index quality
corpuscular korpuskulär korpuskuläres neuropathic neuropathisch raised monitor vaccination impfung
phosphokinase transfusions transfusionen infusions infusionen intake einnahme zufuhr adjusted
standardised standardized death mortality sterblichkeit gest tour fecha dosis médicament
medicamento traitement tratamiento groupe grupo orina perte pérdida chg pchg free freies freie
libre
"""
"""Beside these a name is about something else: a date, a drug, another fluid, a yes or no."""


@lru_cache(maxsize=1)
def beside() -> frozenset[str]:
    """``BESIDE``, folded as headers are."""
    return frozenset(word for text in BESIDE.split() for word in words_of(text))


@lru_cache(maxsize=1)
def away() -> frozenset[str]:
    """``AWAY``, folded as headers are."""
    return frozenset(word for text in AWAY.split() for word in words_of(text))
