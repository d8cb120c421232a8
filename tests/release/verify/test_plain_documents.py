# SPDX-License-Identifier: Apache-2.0
"""Pages and workbooks of another version are refused where a program might run something."""

import re
from collections.abc import Callable
from time import process_time

import pytest

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.verify.plain_documents import is_plain_pdf, is_plain_workbook
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KNOWN, bundle, resigned
from tests.release.verify.test_active_content import of_another_version

PDF = unpack(bundle())["report.pdf"]
WORKBOOK = unpack(bundle())["results.xlsx"]

# How long one of its streams is.
LENGTH = re.findall(rb"/Length [0-9]{4}\n", PDF)[0]

DOCUMENTS = ["deployment.yaml", "report.pdf", "results.xlsx", "ro-crate-metadata.json"]

# Of the same length as what they replace, so that nothing else is wrong with the file.
ACTIVE_PAGES = {
    "script": (b"/PageMode /UseOutlines", b"/OpenAction 99 0 R    "),
    "action": (b"/Type /Catalog", b"/AA 99 0 R    "),
    "form": (b"/Type /Catalog", b"/AcroForm 9 0 R"[:14]),
    "escaped name": (b"/Type /Catalog", b"/J#53 (x)     "),
    "link": (b"/Rotate 0 /Trans", b"/Annots [9 0 R] "),
    "compressed": (LENGTH, b"/Filter /X    "[: len(LENGTH)]),
    "encrypted": (b"/Info ", b"/Crypt"),
    "place": (b"\nstartxref\n", b"\nstartxref\n1"),
    "twice": (b"\n2 0 obj\n", b"\n1 0 obj\n"),
    "old object": (b"%%EOF\n", b"%%EOF\n9 0 obj\n<<\n>>\nendobj\n"),
    "before": (b"%PDF-1.3\n", b"x%PDF-1.3\n"),
    "no length": (LENGTH, LENGTH.replace(b"/Length", b"/Count ")),
    "no table of places": (b"xref\n0 ", b"xref\n1 "),
    "another place": (b" 65535 f \n0", b" 65535 f \n1"),
}


@pytest.mark.threat("G10")
@pytest.mark.parametrize("name", ACTIVE_PAGES)
def test_pages_that_may_do_something_are_refused(name: str) -> None:
    old, new = ACTIVE_PAGES[name]
    assert old in PDF
    odd = PDF.replace(old, new, 1)
    assert odd != PDF and not is_plain_pdf(odd)
    found = verify(of_another_version("report.pdf", odd), KNOWN)
    assert [(p.code, p.params) for p in found.whole] == [
        ("bundle-active-content", {"name": "report.pdf"})
    ]


def changed(part: str, old: bytes, new: bytes) -> bytes:
    parts = unpack(WORKBOOK)
    assert old in parts[part]
    return pack({**parts, part: parts[part].replace(old, new, 1)})


SHEET, BOOK = "xl/worksheets/sheet2.xml", "xl/workbook.xml"
"""The key figures: a link back, and numbers."""
STYLES = "xl/styles.xml"


def look(code: bytes) -> Callable[[], bytes]:
    """A look of numbers, as a stranger may define one."""
    format = b'<numFmts count="1"><numFmt numFmtId="164" formatCode="' + code + b'"/></numFmts>'
    return lambda: changed(STYLES, b"<fonts", format + b"<fonts")


CHART, DRAWING = "xl/charts/chart1.xml", "xl/drawings/drawing1.xml"
CHARTED = b"<c:f>'Chart "
"""Where a chart names the first cells that it draws."""


def relation_of(part: str, old: bytes, new: bytes) -> Callable[[], bytes]:
    """What is drawn on a sheet, led elsewhere."""
    parts = unpack(WORKBOOK)
    name = next(one for one in parts if one.startswith(part) and one.endswith(".rels"))
    return lambda: changed(name, old, new)


ACTIVE_WORKBOOKS: dict[str, Callable[[], bytes]] = {
    "formula": lambda: changed(SHEET, b"<v>", b"<f>1+1</f><v>"),
    "link": lambda: changed(SHEET, b"</sheetData>", b'</sheetData><hyperlinks r="1"/>'),
    "link with a relation": lambda: changed(SHEET, b"<hyperlink ref", b'<hyperlink r:id="1" ref'),
    "link into a file": lambda: changed(SHEET, b"'Contents'!A1", b"'[x.xlsx]Contents'!A1"),
    "link to an address": lambda: changed(SHEET, b"'Contents'!A1", b"https://x.example"),
    "link with a hint": lambda: changed(SHEET, b' display="', b' tooltip="x" display="'),
    "name": lambda: changed(BOOK, b"_xlnm.Print_Titles", b"_xlnm.Auto_Open"),
    "name of a formula": lambda: changed(BOOK, b"</definedName>", b"+1</definedName>"),
    "name of another file": lambda: changed(BOOK, b">'Key figures'!", b">'[x.xlsx]Key figures'!"),
    "hidden name": lambda: changed(BOOK, b"<definedName name", b'<definedName hidden="1" name'),
    "no names": lambda: changed(BOOK, b"</definedNames>", b"</definedNames><definedNames/>"),
    "macro": lambda: pack({**unpack(WORKBOOK), "xl/vbaProject.bin": b"x"}),
    "relation": lambda: changed("_rels/.rels", b'Target="', b'Target="https://x.example/'),
    "outside": lambda: changed("_rels/.rels", b" Target=", b' TargetMode="External" Target='),
    "entity": lambda: changed(BOOK, b"<workbook", b'<!DOCTYPE x [<!ENTITY a "b">]><workbook'),
    "share": lambda: changed("xl/_rels/workbook.xml.rels", b'Target="', b'Target="//x.example/'),
    "hidden sheet": lambda: changed(BOOK, b"<sheet name", b'<sheet state="veryHidden" name'),
    "hidden line": lambda: changed(SHEET, b"<row ", b'<row hidden="1" '),
    "spaced": lambda: changed(SHEET, b"<v>", b"<f\n>1</f><v>"),
    "compressed": lambda: WORKBOOK.replace(b"\x14\0\0\0\0\0", b"\x14\0\0\0\x08\0"),
    "chart of a file": lambda: changed(CHART, CHARTED, b"<c:f>'[1]Chart "),
    "chart with a label of its own": lambda: changed(CHART, b"<c:plotArea>", b"<c:dLbl/>"),
    "chart of a formula": lambda: changed(CHART, b"</c:f>", b"+WEBSERVICE(1)</c:f>"),
    "chart with data elsewhere": lambda: changed(CHART, b"<c:plotArea>", b"<c:externalData/>"),
    "chart with another number": lambda: changed(CHART, b">General<", b">&quot;500&quot;<"),
    "axis with another number": lambda: changed(CHART, b'"#,##0" s', b'"500" s'),
    "macro of a chart": lambda: changed(DRAWING, b'macro=""', b'macro="x"'),
    "link of a chart": lambda: changed(DRAWING, b"<xdr:clientData/>", b"<a:hlinkClick/>"),
    "relation of a drawing": relation_of("xl/drawings", b"charts/chart1", b"../x"),
    "relation of a sheet": relation_of("xl/worksheets", b"relationships/drawing", b"x/oleObject"),
    "not text": lambda: changed(BOOK, b"<workbook", b"\xff<workbook"),
    "another number shown": look(b"500"),
    "text shown": look(b"&quot;500&quot;"),
    "percent of something": look(b"0.0%500"),
    "a figure as a unit": look(b"0.0&quot; 000 EUR&quot;"),
    "a unit without a blank": look(b"0.0&quot;0 EUR&quot;"),
    "a condition behind a unit": look(b"0&quot; EUR&quot;;[Red]0"),
    "a unit that ends early": look(b"0&quot; E&quot;500&quot;R&quot;"),
    "nothing": lambda: b"",
}


@pytest.mark.threat("G1", "G10")
@pytest.mark.parametrize("name", ACTIVE_WORKBOOKS)
def test_workbooks_that_may_do_something_are_refused(name: str) -> None:
    odd = ACTIVE_WORKBOOKS[name]()
    assert odd != WORKBOOK and not is_plain_workbook(odd)
    found = verify(of_another_version("results.xlsx", odd), KNOWN)
    assert [(p.code, p.params) for p in found.whole] == [
        ("bundle-active-content", {"name": "results.xlsx"})
    ]


@pytest.mark.threat("G10")
@pytest.mark.parametrize("line", [b"x: \xff", b"x: !!python/object/apply:os.system", b"x: &a"])
def test_an_entry_of_a_registry_that_may_do_something_is_refused(line: bytes) -> None:
    odd = unpack(bundle())["deployment.yaml"] + line + b"\n"
    found = verify(of_another_version("deployment.yaml", odd), KNOWN)
    assert [(p.code, p.params) for p in found.whole] == [
        ("bundle-active-content", {"name": "deployment.yaml"})
    ]


def test_what_this_version_writes_is_plain() -> None:
    assert is_plain_pdf(PDF) and is_plain_workbook(WORKBOOK)
    for code in (b"0.000%", b"0%", b"#,##0.0&quot; days&quot;"):
        assert is_plain_workbook(look(code)())


@pytest.mark.threat("G11")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_was_altered_before_signing_is_found_out(name: str) -> None:
    raw = of_another_version(name, unpack(bundle())[name] + b" ", version=None)
    codes = [problem.code for problem in verify(raw, KNOWN).whole]
    assert codes == ["bundle-file-not-as-drawn"]


@pytest.mark.parametrize("number", [0, 2, 9, "1", None])
def test_a_format_that_this_version_does_not_write_is_refused(number: object) -> None:
    """It may leave files out, or cells as a spreadsheet runs them."""
    less = verify(resigned(lambda statement: statement["predicate"].pop("bundle")), KNOWN)
    assert [p.code for p in less.claim or ()] == ["claim-member-missing"]
    other = resigned(lambda statement: statement["predicate"].update(format=number))
    assert [p.code for p in verify(other, KNOWN).claim or ()] == ["claim-format-unknown"]


HEAD = b"%PDF-1.3\n%x\n1 0 obj\n"
LONG_PAGES = [b"(" * 10**6, b"(\\" * 10**6, b"1 " * 10**6, b"<" * 10**6, b"/Type" * 10**6]


@pytest.mark.threat("G2")
@pytest.mark.parametrize("rest", LONG_PAGES, ids=lambda rest: rest[:5].decode())
def test_long_pages_of_a_stranger_take_no_time(rest: bytes) -> None:
    start = process_time()
    assert not is_plain_pdf(HEAD + rest)
    assert process_time() - start < 2
