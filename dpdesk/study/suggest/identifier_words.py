# SPDX-License-Identifier: Apache-2.0
"""The wording of columns that name a person, in four languages and in common exports.

Kinds are those of ``identifiers.IdentifierKind``. They cover what 45 CFR 164.514(b)(2) (HIPAA's
list of eighteen identifiers) names, as far as a header shows it, and their counterparts in German,
French and Spanish. CDISC's names are those of its Study Data Tabulation Model: the subject, the
site's investigator, dates of birth and death.
"""

from __future__ import annotations

WHOLE: dict[str, str] = {
    "name": "name,names,first,last,middle,maiden,family,given,surname,vname,nname,initials",
    "staff": "physician,doctor,attending,nurse,surgeon,provider,clinician,consultant,therapist,"
    "prescriber,midwife,anesthesiologist,anaesthetist,radiologist,pathologist,interviewer,username,"
    "staff,arzt,ärztin,behandler,behandlerin,behandelnder,operateur,operateurin,chirurg,chirurgin,"
    "hausarzt,hausärztin,oberarzt,chefarzt,stationsarzt,assistenzarzt,facharzt,anästhesist,"
    "zuweiser,einweiser,pfleger,pflegerin,pflegekraft,pflegeperson,krankenschwester,hebamme,"
    "therapeut,therapeutin,untersucher,mitarbeiter,sachbearbeiter,lanr,npi",
    "death-date": "dod,died on",
    "device-number": "udi,imei",
    "address": "address,adresse,street,lat,lon,lng,latitude,longitude",
    "contact": "mail,tel,url",
    "official-number": "drivers,driver,licence,license,passport",
    "person-number": "id,patient,patients,person,subject,participant,proband,pid,pat,seqn,mrn,"
    "recordid,empi,caseid study",
    "small-place": "ort,city,town,county,kreis,village",
    "note": "note,notes,comment,comments,remark,remarks,bemerkung,bemerkungen,kommentar,"
    "kommentare,freitext,notiz,notizen,anmerkung,anmerkungen,free text,narrative",
}
"""Headers that mean it only when nothing else stands beside them: "last", and not "last visit"."""

PHRASES: dict[str, str] = {
    "name": "patient name,first name,last name,middle name,full name,family name,given name,"
    "fore name,sur name,birth name,maiden name,name first,name last,name middle,firstname,"
    "lastname,fname,lname,surname,nachname,vorname,rufname,familienname,geburtsname,mädchenname,"
    "zuname,patientenname,patient initials,name patient,name des patienten,vor und nachname,"
    "name vorname,preferred name,nickname,mother name,father name,guardian name,"
    "next of kin name,name of patient,name of the patient",
    "staff": "physician name,doctor name,attending physician,attending doctor,attending name,"
    "attending provider,attending md,treating physician,treating doctor,referring physician,"
    "referring doctor,referring provider,primary physician,primary care physician,"
    "primary care provider,pcp name,admitting physician,discharging physician,ordering physician,"
    "ordering provider,operating surgeon,surgeon name,nurse name,physician id,doctor id,surgeon id,"
    "nurse id,provider id,provider name,clinician id,clinician name,caregiver id,caregiver name,"
    "staff id,staff name,employee id,employee name,employee number,prescriber id,prescriber name,"
    "operator name,consultant name,therapist name,interviewer id,interviewer name,user name,"
    "gp name,general practitioner,family doctor,family physician,name physician,name of physician,"
    "name of doctor,name of the doctor,name of nurse,attending physician name,"
    "treating physician name,referring physician name,doctors name,nurses name,physicians name,"
    "entered by,recorded by,signed by,created by,documented by,examined by,arztname,arzt name,"
    "name des arztes,name arzt,name der ärztin,behandelnder arzt,behandelnde ärztin,"
    "behandlername,behandler name,name des behandlers,aufnehmender arzt,einweisender arzt,"
    "überweisender arzt,zuweisender arzt,verordnender arzt,entlassender arzt,leitender arzt,"
    "operateur name,hausarzt name,arztnummer,arzt nr,arzt id,arztnr,lebenslange arztnummer,"
    "pflegekraft name,pfleger name,mitarbeitername,mitarbeiternummer,mitarbeiter id,mitarbeiter nr,"
    "mitarbeiter name,personalnummer,personal nr,benutzername,erfasst von,dokumentiert von,"
    "unterschrieben von,untersucht von,behandelt von,operiert von",
    "address": "street address,home address,mailing address,postal address,patient address,"
    "address line,address street,street name,street,house number,strasse,hausnummer,"
    "straße,anschrift,wohnanschrift,adresse,patientenadresse,wohnadresse,postanschrift,"
    "hausnr,latitude,longitude,geo location,geolocation,gps,gps coordinates,koordinaten,"
    "residence address,residential address,street city state zip,apartment number",
    "contact": "email,e mail,email address,mail address,mailadresse,emailadresse,phone,telephone,"
    "phone number,telephone number,mobile number,cell phone,cellphone,mobile phone,"
    "telefon,telefonnummer,telefonnr,telnr,tel nr,handy,handynummer,handynr,mobilnummer,"
    "mobiltelefon,mobilfunknummer,festnetz,rufnummer,fax,fax number,faxnummer,faxnr,"
    "ip address,ip adresse,ip addr,ip number,client ip,remote ip,home page,homepage,web address,"
    "website,web site,webseite,webadresse,internetadresse,website url,profile url,skype",
    "official-number": "ssn,social security,social security number,drivers license,"
    "drivers licence,driver license,driver licence,driving licence,license number,"
    "licence number,license plate,licence plate,number plate,plate number,license plate number,"
    "licence plate number,vehicle registration,vehicle registration number,vehicle id,"
    "vehicle identification number,kfz kennzeichen,kfz nummer,amtliches kennzeichen,nummernschild,"
    "certificate number,certificate no,passport number,passport no,passnummer,reisepass,"
    "reisepassnummer,personalausweis,personalausweisnummer,ausweisnummer,führerschein,"
    "führerscheinnummer,national id,national identifier,tax id,tax number,steuer id,"
    "steuernummer,steueridentifikationsnummer,sozialversicherungsnummer,"
    "rentenversicherungsnummer,kennzeichen,autokennzeichen,bank account,account number,iban,"
    "account no,account nr,billing number,billing id,billing account,invoice number,invoice no,"
    "rechnungsnummer,rechnungsnr,kundennummer,kundennr,customer number,customer id,"
    "kontonummer,konto nr,credit card,credit card number,kreditkartennummer",
    "insurance-number": "insurance number,insurance no,insurance id,policy number,policy no,"
    "policennummer,health insurance number,insured number,subscriber id,member id,"
    "beneficiary id,beneficiary number,medicare number,medicare id,medicaid number,medicaid id,"
    "mbi,hicn,nhs number,nhs no,nhsnr,kvnr,kv nr,kv nummer,krankenversicherungsnummer,"
    "krankenversichertennummer,krankenversicherten nr,versichertennummer,versicherten nr,"
    "versichertennr,versicherungsnummer,versicherungsnr,versicherten id,egk,egk nummer,egk nr,"
    "ahv nummer,ahv nr,svnr,sv nummer,vsnr",
    "device-number": "device id,device identifier,device no,device serial,device serial number,"
    "serial number,serial no,serial nr,serialnumber,implant id,implant number,"
    "implant serial number,pacemaker serial number,pump serial number,mac address,mac adresse,"
    "gerätenummer,geräte nr,geräte id,gerätenr,gerätekennung,seriennummer,serien nr,seriennr,"
    "implantatnummer,implantat nr,implantat id",
    "picture": "photo,photograph,foto,patientenfoto,passfoto,passbild,photo url,photo file,"
    "photo id,lichtbild,mugshot,face image,full face photo,portrait,"
    "fingerprint,fingerabdruck,voice recording,signature,unterschrift",
    "note": "free text,freitext,clinical note,clinical notes,arztbrief,note text,comment text,"
    "comments text,discharge letter,progress note,progress notes,doctors letter",
    "case-number": "encounter id,encounter number,encounter nbr,encounter,encounter no,visit id,"
    "visit number,visit no,case number,case no,case id,case nr,admission id,admission number,"
    "hadm id,stay id,icustay id,csn,fin,fallnummer,fallnr,fall nr,fall id,falnr,"
    "aufnahmenummer,aufnahmenr,aufnahme id,aufenthalt id,account id,"
    "fall no,fallno,fall schlüssel,fallschlüssel,fall key,fallkey,case key,id fall,"
    "krankenhausfall nr,behandlungsfall nr,behandlungsfallnr,behandlungsfall id,"
    "behandlungsfallnummer,behandlungsnummer,behandlungsnr,behandlung id,episode id,episode nr,"
    "episode number,episode no,spell id,spell no,spell number,stay number,stay no,encounter key,"
    "kh internes kennzeichen,khinterneskennzeichen,internes kennzeichen,bewegungsnummer,"
    "bewegungsnr,adm id,adm no,adm nr,admid,"
    "visit occurrence id,besuchsnummer,fallkennung,accession number,specimen id,probennummer",
    "person-number": "mrn,medical record number,medical record no,medical record nr,"
    "health record number,hospital number,hospital no,patient number,patient no,patient nbr,"
    "patient nr,patient num,patient id,patient identifier,patid,pat id,pat nr,pat no,patnr,"
    "patno,ptid,pt id,subject id,subject no,subject number,subject nr,subjid,usubjid,person id,"
    "person source value,personid,person number,person nr,participant id,participant number,"
    "study id,record id,patientennummer,patientennr,patienten nr,patienten id,patientid,"
    "personennummer,personen id,pseudonym,psn,proband id,probandennummer,probanden id,"
    "pat kennung,patkennung,pat kenn,pat key,patkey,patient key,patientkey,patient guid,"
    "pat schlüssel,patschlüssel,patient schlüssel,patienten schlüssel,patientenschlüssel,"
    "id pat,idpat,id patient,idpatient,id person,idperson,pt no,pt nr,pt num,ptno,ptnr,ptnum,"
    "piz,upn,unique patient id,unique patient number,hosp no,hosp nr,hospno,unit number,"
    "proband nr,probanden nr,teilnehmer id,teilnehmer nr,teilnehmernummer,teilnehmernr,"
    "studien id,studien nr,studiennummer,pid pseudonym,"
    "patientenkennung,mpi,empi,pid,respondent id,respondent sequence number,"
    "nhanes participant number,icn",
    "birth-date": "dob,date of birth,birth date,birthdate,birthday,birth day,day of birth,"
    "date birth,born on,geburtsdatum,geburtstag,geb datum,gebdatum,gebdat,geb dat,geb,gebtag,"
    "birth datetime,birth date time,birth dt,birthdt,brthdtc",
    "birth-year": "birth year,year of birth,yob,birth yr,birthyear,birth month,month of birth,"
    "geburtsjahr,geb jahr,gebjahr,jahr der geburt,geburtsmonat",
    "death-date": "date of death,death date,deathdate,day of death,date death,date time of death,"
    "death datetime,death date time,death dt,deathdt,dthdtc,dthdat,deceased date,date deceased,"
    "decease date,date of decease,sterbedatum,sterbe datum,sterbetag,sterbezeitpunkt,todesdatum,"
    "todestag,todeszeitpunkt,datum des todes,verstorben am,gestorben am",
    "small-place": "zip,zip code,postal code,postcode,post code,zipcode,plz,postleitzahl,wohnort,"
    "home town,hometown,city of residence,city name,birth place,birthplace,place of birth,"
    "geburtsort,residence city,census tract,county of residence,landkreis,gemeinde,stadtteil,"
    "home city,patient city,city of birth,county name",
}
"""Phrases that mean it with words of ``AROUND`` beside them, and no others."""

AROUND = (
    "patient patients pat pt subject person participant home work mobile private privat number nr "
    "no num nbr primary secondary current fake pseudo full the of der des die patienten contact "
    "emergency next kin mother father guardian spouse caregiver your enter please legal main "
    "personal temporary permanent line code str text kontakt angehörige mutter vater s src source "
    "value deid anonymized ansprechpartner und and dienstlich study medical"
)

DECLARED: dict[str, str] = {
    "email": "contact",
    "phone": "contact",
    "phone_australia": "contact",
    "phone_uk": "contact",
    "zipcode": "small-place",
    "postalcode_australia": "small-place",
    "postalcode_canada": "small-place",
    "postalcode_french": "small-place",
    "postalcode_germany": "small-place",
    "postalcode_uk": "small-place",
    "ssn": "official-number",
    "mrn_10d": "person-number",
    "mrn_generic": "person-number",
    "signature": "picture",
}
"""Types that codebooks declare: REDCap's text validations, and the formats of Table Schema."""


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
"""Phrases as in ``PHRASES``."""
