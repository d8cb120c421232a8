# SPDX-License-Identifier: Apache-2.0
"""The wording of columns that name a person, in French and Spanish, and CDISC's short names.

Kinds are those of ``identifiers.IdentifierKind``. CDISC's names are those of its Study Data
Tabulation Model: the subject, the site's investigator, dates of birth and death.
"""

from __future__ import annotations

ROMANCE: dict[str, str] = {
    "name": "nom,prénom,nom du patient,nom de famille,nom de naissance,nom patient,nom prénom,"
    "nombre,apellido,apellidos,primer apellido,segundo apellido,nombre del paciente,"
    "nombre paciente,nombre y apellidos",
    "staff": "médecin,nom du médecin,médecin traitant,chirurgien,infirmière,infirmier,médico,"
    "nombre del médico,médico tratante,cirujano,enfermera,enfermero,invnam,invid",
    "address": "adresse postale,adresse du patient,rue,dirección,domicilio,calle,"
    "dirección del paciente",
    "contact": "courriel,adresse électronique,numéro de téléphone,téléphone,portable,"
    "correo electrónico,correo,teléfono,número de teléfono,móvil,celular",
    "official-number": "numéro de passeport,carte d identité,numéro de carte d identité,dni,nie,"
    "curp,número de pasaporte,pasaporte",
    "insurance-number": "numéro de sécurité sociale,numéro sécurité sociale,nir,nss,"
    "número de seguridad social,número seguridad social,tarjeta sanitaria,"
    "número de tarjeta sanitaria,cip",
    "note": "commentaire,commentaires,remarque,remarques,texte libre,comentario,comentarios,"
    "observaciones,texto libre",
    "case-number": "numéro de séjour,numéro séjour,identifiant séjour,número de episodio,"
    "número episodio,id episodio,número de ingreso",
    "person-number": "numéro patient,numéro du patient,numéro de patient,identifiant patient,"
    "identifiant du patient,id du patient,ipp,numéro de dossier,paciente,patiente,"
    "número de paciente,número paciente,id paciente,id del paciente,identificador del paciente,"
    "número de historia,historia clínica,número de historia clínica,nhc",
    "birth-date": "date de naissance,date naissance,né le,née le,fecha de nacimiento,"
    "fecha nacimiento,brthdt",
    "birth-year": "année de naissance,année naissance,año de nacimiento,año nacimiento,"
    "mois de naissance,mes de nacimiento",
    "death-date": "date de décès,date du décès,date décès,fecha de defunción,fecha defunción,"
    "fecha de muerte,fecha de fallecimiento,fecha fallecimiento,dthdt",
    "small-place": "code postal,ville,commune,lieu de naissance,código postal,ciudad,municipio,"
    "lugar de nacimiento",
}
"""Phrases as in ``identifier_words.PHRASES``."""
