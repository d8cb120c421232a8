# SPDX-License-Identifier: Apache-2.0
"""What is wrong with an order, its sealed counts, or the database that counts."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    "order-several-files": "Several files are one table here, but a database has no files; put "
    "their rows together there, and remove all files but the first (Data, In files).",
    "order-fill-down": "Rows of a database have no order, so no id is taken from the row above; "
    "fill the ids in there, and set Blank ids to Nobody’s rows (Data, In files).",
    "order-too-large": "The answers would take more than {most} MB, which no dpdesk opens; ask for "
    "fewer groups or candidates, or make two studies of it.",
    "data-in-database": "The study says that its data is in a database; release its sealed counts "
    "(--counts). Nothing was spent.",
    "order-days": "An order can be carried out for 1 to {most} days.",
    "order-malformed": "This file is no order of dpdesk.",
    "order-version-unknown": "This order was written by a later version of dpdesk.",
    "order-unreadable": "{name} cannot be read; check its name and permissions.",
    "order-code-short": "Say which order is meant: the first {digits} digits of its SHA-256, "
    "which the custodian's dpdesk shows. Nothing was counted.",
    "order-code-differs": "This is not the custodian's order: its SHA-256 is another. Do not run "
    "it, and tell the custodian. Nothing was counted.",
    "order-table-unknown": "The order has no further table “{name}”; check the name before “=”.",
    "order-past": "This order could be carried out until {day}; make a new one.",
    "counts-too-large": "The counts take more than {most} MB, which no dpdesk opens, and none were "
    "written: too many different texts are found. Ask the custodian to declare the categories, or "
    "a condition.",
    "counts-unreadable": "{name} cannot be read; check its name and permissions.",
    "counts-malformed": "This file has no sealed counts.",
    "counts-of-other-order": "These counts are not of the study as it is now, or not of this "
    "computer's order, or they were released already; make a new order. Nothing was spent.",
    "counts-altered": "The sealed counts were changed or cut short on their way; ask for the file "
    "again. Nothing was spent.",
    "counts-misfit": "The sealed counts do not answer the study's questions; ask for them with the "
    "same version of dpdesk. Nothing was spent.",
    "counts-used": "These counts were used already; make a new order. Nothing was spent.",
    "engine-unknown": "dpdesk-engine does not know “{name}”; it knows {known}.",
    "engine-dialect-refused": "dpdesk-engine writes no statements for {name}: its "
    "binary values hold at most 2,000 bytes, and a longer text would stop the run.",
    "engine-unreachable": "{name} cannot be reached ({words}); check its address, and who may log "
    "in.",
    "engine-failed": "The database stopped while it counted; no counts were written. Check that "
    "the table can be read as a whole, and that temporary tables may be made.",
    "engine-table-missing": "The database has no table “{name}”; say which table is meant.",
    "engine-column-missing": "The table “{table}” has no column “{name}”; correct the "
    "mapping file.",
    "engine-compares-differently": "The database does not find its own values again; its counts "
    "would be wrong, and none were written.",
    "mapping-unreadable": "{name} does not say which columns are meant; it is a JSON object of "
    "texts.",
}
