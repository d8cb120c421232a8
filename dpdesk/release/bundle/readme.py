# SPDX-License-Identifier: Apache-2.0
"""The bundle's README.txt: what is here, how to read it, how to check it with OpenSSH alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import fill, indent, wrap
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.assumptions import assumptions
from dpdesk.release.bundle.baseline.documents import FOLDER as BASELINES
from dpdesk.release.bundle.baseline.released import ReleasedBaseline, is_in_baseline
from dpdesk.release.bundle.compared_text import FOLDER as COMPARISONS
from dpdesk.release.bundle.compared_text import compared_file, compared_file_names
from dpdesk.release.bundle.query_headings import period_of, totals_of_release
from dpdesk.release.bundle.release_text import SHORT_ID, ReleaseText
from dpdesk.release.bundle.second_signature import about_second_person
from dpdesk.release.bundle.synthetic.rows import FILE, ReleasedRows
from dpdesk.release.bundle.synthetic.words import MADE_UP_ROWS
from dpdesk.release.bundle.value_sentences import rule_sentences, value_sentences
from dpdesk.release.record.table_names import derived_file
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.release.signing.keys import NAMESPACE
from dpdesk.release.signing.stock_commands import ON_EACH_SYSTEM, system_commands, verify_command
from dpdesk.resources import resource_path
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import in_text

_WIDE = 78
_MARGIN = "    | "
_BOUND = "\N{NO-BREAK SPACE}"

_TEXT: Final[Template] = """\
Released statistics with differential privacy
=============================================

{title}

What this is
------------
{about}

Signed by   {identity}
            key {fingerprint}
Release     {release}
Questions   to the signer
Read        report.pdf; results.xlsx has the same tables, to work with
Quote       a figure with its range: of two, that of noise and chance

Check that it is genuine
------------------------
dpdesk checks the signature, and recomputes the privacy claim and every table
from the noisy numbers in manifest.json:

       dpdesk verify <bundle>.zip

The key must be the signer's: compare its fingerprint, above, with one that you
got from the signer by another way, such as the telephone. The last section
says how to check without dpdesk.

How to read the figures
-----------------------
{reading}

Files
-----
report.pdf, report.html    the report: charts, tables, method
results.xlsx               the same tables as a workbook, to read and as data
{groups}
datapackage.json           what each table and column means (Frictionless)
deployment.yaml            draft entry for the public registry of deployments
                           of differential privacy (registry.opendp.org);
                           before it goes there, the signer adds
                           intended_use and data_product_region
ro-crate-metadata.json     the bundle described for archives (RO-Crate)
manifest.json              what was requested, how it was protected, what it
                           cost, and the SHA-256 digest of each other file
manifest.json.sig          its signature (OpenSSH, Ed25519)
{assumptions}{articles}{readers}
Which file holds which table
----------------------------
{tables}

Check without dpdesk
--------------------
In the folder into which you unpacked the bundle:

1. Get the signer's line for an allowed_signers file from the signer, not from
   the sender of this bundle. Compare its fingerprint with

       {fingerprint}

   by another way, such as the telephone. Save the line as allowed_signers in
   the folder above this one.

2. {commands}
   It must report:

       Good "{namespace}" signature for {identity} with ED25519 key {fingerprint}

3. Compare the digest of each file with the one in manifest.json. A file that
   manifest.json does not list is not signed: do not open it.

       Linux     sha256sum <file>
       macOS     shasum -a 256 <file>
       Windows   %SystemRoot%\\System32\\certutil -hashfile <file> SHA256

If you have several bundles of this signer, name all of them to dpdesk verify:
it says in which order they were released, or that they contradict each other.
For that, manifest.json lists a hash of each entry of the signer's ledger so
far, and nothing else of them.
{second}"""

_READING: Final[Template] = (
    "The noise that protects {people} is already in every figure. Each figure is within its "
    "margin of the exact one in at least 95 of 100 releases. {exact} Where the noise hides a "
    "figure, its table says so in the column too_noisy; small groups may come out negative."
)

_OF_DAY: Final[Template] = "{release} of {day}"
_FOLDERS: Final[dict[str, Template]] = {
    "results": "CSV files, one for each query, with 95 % margins",
    COMPARISONS: "CSV files: groups compared, from the same figures",
    BASELINES: "Table 1 as journals print it: CSV, Markdown, LaTeX",
    "synthetic": "synthetic rows, every one of them made up",
}
"""What is in each folder; how many files, its line says."""
_WITH_DERIVED: Final[Template] = (
    "CSV files: {queries} of one query each, {derived} derived from their curves or models; with "
    "95 % margins or ranges"
)
"""The same of results, where not every file is a query's own."""
_TO_FOLDERS = 27
"""Where a line begins to say what a file is."""
_COUNTED: Final[Template] = """\
What was counted, and how
-------------------------"""

_READERS: Final[Template] = """
Read a table in Python or R
---------------------------
In the folder into which you unpacked the bundle. Python, without packages:

{python}
R, without packages:

{r}"""

_SHOWN_IN_CODE: Final[tuple[Template, ...]] = (
    "A table of results/, figures as numbers, empty cells as None.",
    "A column whose cells all are numbers becomes one; empty cells are NA.",
)
"""What the code of readers says of itself, word for word as it is there."""

_GREEK = str.maketrans({"ε": "epsilon", "δ": "delta", "ρ": "rho"})
_ARTICLES: Final[Template] = """
For articles that use these figures
-----------------------------------
{methods}

{reference}
"""


def readme_bytes(
    text: ReleaseText,
    count: int,
    baselines: Sequence[ReleasedBaseline] = (),
    rows: ReleasedRows | None = None,
) -> bytes:
    """The text of a release; UTF-8 with line feeds.

    Titles are the custodian's: each is alone, behind a margin that no text of ours has, so
    that none passes for an instruction.

    Args:
        count: how many tables its report has.
        baselines: its Table 1s.
        rows: its synthetic rows.
    """
    signer, words = text.release.signer, text.words
    files = "../allowed_signers", "manifest.json.sig", "manifest.json"
    short_id = text.release.record.id[:SHORT_ID]
    command = verify_command(signer.identity, NAMESPACE, *files)
    own, parts = _tables(text, baselines), _baselines(text, baselines)
    tables = (*own, *parts, *_synthetic(text, rows))
    page = words.say(
        _TEXT,
        about=_filled(_about(text, count)),
        release=words.say(_OF_DAY, release=short_id, day=words.day(text.release.record.time)),
        groups="\n".join(_groups(text, baselines, rows)),
        identity=signer.identity,
        namespace=NAMESPACE,
        commands=words.say(ON_EACH_SYSTEM, **system_commands(command)),
        fingerprint=signer.fingerprint,
        title=_title(text),
        tables="\n".join(tables),
        **_more(text),
        reading="\n\n".join(_filled(said) for said in _read(text)),
        assumptions=_assumptions(text),
    )
    return page.encode("utf-8")


def _filled(text: str) -> str:
    """A paragraph; a percent sign stays beside its number."""
    return fill(text.replace(" %", f"{_BOUND}%"), _WIDE).replace(_BOUND, " ")


def _read(text: ReleaseText) -> Iterator[str]:
    """What every reader must know: of noise and margins, of what was counted, of totals."""
    words = text.words
    yield words.say(_READING, people=text.names.people, exact=text.exact)
    if text.counted:
        yield text.counted
    if totals := totals_of_release(text.release.record, words):
        yield totals
    yield text.other_release


def _assumptions(text: ReleaseText) -> str:
    said = [*_assumed(text)]
    heading = f"\n{text.words.say(_COUNTED)}\n" if said else ""
    return heading + "\n".join(f"{_filled(one)}\n" for one in said)


def _assumed(text: ReleaseText) -> Iterator[str]:
    """How numbers are rounded, what is left out, what is taken for granted."""
    record = text.release.record
    if record.study.study is not None:
        yield from value_sentences(record.study.study, text.words)
        yield from rule_sentences(record.study.study, text.words)
    yield from assumptions(record, text.words)


def _more(text: ReleaseText) -> dict[str, str]:
    """What is said of the second signature, of readers and of articles."""
    record, words = text.release.record, text.words
    name = record.queries[0].name if record.queries else ""
    shown = tuple((text, words.say(text)) for text in _SHOWN_IN_CODE)
    code = {language: _reader(language, name, shown) for language in ("python", "r")}
    articles = {
        "methods": _filled(text.methods.translate(_GREEK)),
        "reference": "\n".join(_behind_margin(text.reference)),
    }
    return {
        "readers": words.say(_READERS, **code),
        "second": about_second_person(record, words),
        "articles": words.say(_ARTICLES, **articles),
    }


@lru_cache
def _reader(language: str, table: str, shown: tuple[tuple[str, str], ...]) -> str:
    code = resource_path(f"readers/{language}.txt").read_text(encoding="ascii")
    for english, text in shown:
        code = code.replace(english, text)
    return indent(code.replace("TABLE", table), "    ")


def _title(text: ReleaseText) -> str:
    """What it is headed by, who released it, when, and about which days, as the custodian wrote."""
    record, words = text.release.record, text.words
    period = (": ".join(fact) for fact in period_of(record.study.study, words))
    said = (text.title, record.study.text("organisation"), words.day(record.time), *period)
    return "\n".join(line for one in said if one for line in _behind_margin(one))


def _about(text: ReleaseText, count: int) -> str:
    """How many tables people read in it, and about whom; figures without groups share one."""
    n, people = in_text(str(count), text.words.numbers), text.names.people
    one = (
        "{n} table about {people}, released with differential privacy: every figure contains "
        "random noise, which limits what anyone can learn about one of them."
    )
    many = (
        "{n} tables about {people}, released with differential privacy: every figure contains "
        "random noise, which limits what anyone can learn about one of them."
    )
    return text.words.say_count(count, one, many, n=n, people=people)


def _groups(
    text: ReleaseText, baselines: Sequence[ReleasedBaseline], rows: ReleasedRows | None
) -> Iterator[str]:
    """The folders, each with how many files it has and what they are."""
    record = text.release.record
    follows = [one for one in record.queries if DECLARATIONS[one.statistic].has_derived]
    counts = {
        "results": len(record.queries) + len(follows),
        COMPARISONS: len(compared_file_names(record)),
        BASELINES: sum(len(one.files) for one in baselines),
        "synthetic": int(rows is not None),
    }
    for folder, count in counts.items():
        if count:
            said = text.words.say(_FOLDERS[folder])
            if folder == "results" and follows:
                own, more = str(len(record.queries)), str(len(follows))
                said = text.words.say(_WITH_DERIVED, queries=own, derived=more)
            name = f"{folder}/ ({count})".ljust(_TO_FOLDERS)
            yield fill(said, _WIDE, initial_indent=name, subsequent_indent=" " * _TO_FOLDERS)


def _behind_margin(text: str) -> list[str]:
    return wrap(text, _WIDE, initial_indent=_MARGIN, subsequent_indent=_MARGIN)


def _baselines(text: ReleaseText, baselines: Sequence[ReleasedBaseline]) -> Iterator[str]:
    """The files of each Table 1, and those of the parts it was drawn in."""
    for one in baselines:
        yield from (f"  {name}" for name in one.files)
        yield from _behind_margin(one.printed.title)
    parts = [query for query in text.release.record.queries if _is_part(text, query, baselines)]
    if parts:
        said = text.words.say("The same figures as they were drawn, one CSV file for each part:")
        yield from wrap(said, _WIDE)
        yield from (f"  results/{query.name}.csv" for query in parts)


def _is_part(
    text: ReleaseText, query: ReleasedQuery, baselines: Sequence[ReleasedBaseline]
) -> bool:
    """Whether a query's figures are read in a Table 1."""
    return is_in_baseline(text.release.record.study.study, query, baselines)


def _synthetic(text: ReleaseText, rows: ReleasedRows | None) -> Iterator[str]:
    """The file of synthetic rows, and that they are nobody's."""
    if rows is not None:
        yield f"  {FILE}"
        said = text.words.say(MADE_UP_ROWS)
        yield fill(said, _WIDE, initial_indent="  ", subsequent_indent="  ")


def _tables(text: ReleaseText, baselines: Sequence[ReleasedBaseline]) -> Iterator[str]:
    """Every table's files with its title, in the order of the queries."""
    compared = compared_file_names(text.release.record)
    for query in text.release.record.queries:
        if _is_part(text, query, baselines):
            continue
        yield f"  results/{query.name}.csv"
        if DECLARATIONS[query.statistic].has_derived:
            yield f"  {derived_file(query.name)}"
        if compared_file(query) in compared:
            yield f"  {compared_file(query)}"
        heading = text.headings[query.id]
        for said in filter(None, (heading.title, heading.left_out)):
            yield from _behind_margin(said)
