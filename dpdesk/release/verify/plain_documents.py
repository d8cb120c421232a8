# SPDX-License-Identifier: Apache-2.0
"""Whether a report to print and a workbook hold nothing that a program might run or fetch.

Each is held to the small part of its format that dpdesk writes, which has one reading. Pages: one
object after the other, nothing compressed, every name a known one, and a table of places that says
where each object really is. Workbooks: parts and tags that hold cells, their looks and charts of
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.verify.pieces import SEVERAL, end_of_pieces, is_made_of
from dpdesk.study.problem import Refused

_PAGE_NAMES = """
Ascent Author BaseFont CapHeight Catalog Contents Count CreationDate Creator Descent Dest
DisplayDocTitle False First FirstChar Flags Font FontBBox FontDescriptor FontFile2 FontName ID
ImageB ImageC ImageI Info ItalicAngle Keywords Kids Lang Last LastChar Length Length1 MediaBox
MissingWidth ModDate Name Next Outlines PDF Page PageMode Pages Parent Prev ProcSet Producer
Resources Root Rotate Size StemV Subject Subtype Text Title ToUnicode Trans Trapped TrueType Type
UseOutlines ViewerPreferences Widths XYZ
"""
_FONT_NAMES = r"F[0-9]+\+[0-9]+|[A-Z]{6}\+(?:DejaVuSans(?:-Bold)?|dpdeskInter-(?:Regular|SemiBold))"
_NAMES = "|".join((*_PAGE_NAMES.split(), _FONT_NAMES)).encode()
_HEAD = re.compile(rb"%PDF-1\.[0-7]\n%[^\n]*\n")
_OBJECT = re.compile(rb"([0-9]{1,6}) 0 obj\s+")
# What is outside of a stream.
_TOKENS = re.compile(
    rb"(?:\s++|%[^\n]*+\n|/(?:" + _NAMES + rb")(?![^\s/()<>\[\]{}%])|<<|>>|[\[\]]|<[0-9A-Fa-f]*+>"
    rb"|\((?:\\.|[^\\()]++)*\)|[-+]?[0-9.]++(?=[\s\]>/])|(?:R|true|false|null)(?=[\s\]>/]))"
    + SEVERAL.encode(),
    re.DOTALL,
)
MOST_OBJECTS = 20_000
_LENGTH = re.compile(rb"/Length ([0-9]{1,8})\s")
_STREAM, _STREAM_END = re.compile(rb"stream\r?\n"), re.compile(rb"\r?\nendstream\s+|endstream\s+")
_END = re.compile(rb"endobj\s+")
_PLACES = re.compile(rb"xref\n0 ([0-9]{1,6})\n0000000000 65535 f \n")
_PLACE = re.compile(rb"([0-9]{10}) 00000 n \n")
_TAIL = re.compile(rb"startxref\n([0-9]{1,10})\n%%EOF\n?")

_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/(workbook|styles|sharedStrings)"
    r"\.xml|xl/theme/theme1\.xml|xl/_rels/workbook\.xml\.rels|xl/worksheets/sheet[0-9]{1,4}\.xml"
    r"|xl/charts/chart[0-9]{1,4}\.xml|xl/drawings/drawing[0-9]{1,4}\.xml"
    r"|xl/(?:worksheets/_rels/sheet|drawings/_rels/drawing)[0-9]{1,4}\.xml\.rels"
)
_TAG_NAMES = """
AppVersion Application Company Default DocSecurity HeadingPairs HyperlinksChanged LinksUpToDate
Override Properties Relationship Relationships ScaleCrop SharedDoc TitlesOfParts Types
alignment b bgColor bookViews border borders bottom c calcPr cellStyle cellStyleXfs cellStyles
cellXfs col color cols diagonal dimension drawing dxfs family fgColor fileVersion fill fills font
fonts left name pageMargins pageSetUpPr pageSetup pane patternFill right row scheme selection sheet
sheetData sheetFormatPr sheetPr sheetView sheetViews sheets si sst styleSheet sz t tabColor
tableStyles top
u v workbook workbookPr numFmts workbookView worksheet xf
cp:coreProperties cp:lastModifiedBy dc:creator dc:title
dcterms:created dcterms:modified vt:i4 vt:lpstr vt:variant vt:vector
"""
_CHART_NAMES = """
a:bgClr a:bodyPr a:defRPr a:endParaRPr a:ext a:fgClr a:graphic a:graphicData a:ln a:lstStyle
a:noFill a:off a:p a:pPr a:pattFill a:prstDash a:r a:rPr a:solidFill a:srgbClr a:t
c:auto c:autoTitleDeleted c:axId c:axPos c:barChart c:barDir c:cat c:catAx c:chart c:chartSpace
c:crossAx c:crossBetween c:crosses c:dLblPos c:dLbls c:dPt c:delete c:errBarType c:errBars
c:errDir c:errValType
c:gapWidth c:grouping c:headerFooter c:hiLowLines c:idx c:lang c:layout c:lblAlgn c:lblOffset
c:legend c:legendEntry c:legendPos c:lineChart c:majorGridlines c:majorUnit c:marker c:max c:min
c:minus
c:numCache c:numRef c:order c:orientation c:overlap c:pageMargins c:pageSetup c:plotArea
c:plotVisOnly c:plus
c:printSettings c:pt c:ptCount c:rich c:scaling c:scatterChart c:scatterStyle c:ser c:showVal
c:size c:spPr
c:stockChart c:strCache c:strRef c:symbol c:tickLblPos c:title c:tx c:txPr c:v c:val c:valAx c:xVal
c:yVal
xdr:cNvGraphicFramePr xdr:cNvPr xdr:clientData xdr:col xdr:colOff xdr:from xdr:graphicFrame
xdr:nvGraphicFramePr xdr:row xdr:rowOff xdr:to xdr:twoCellAnchor xdr:wsDr xdr:xfrm
"""
_BEGINNING = re.compile("<[^<]*")
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_ATTRIBUTES = (
    r'(?: (?!Target|macro="[^"]|hidden|state="(?!frozen"))[A-Za-z0-9:]++="[^"<>]*+"'
    r'| Target="(?!//)[^":<>\\]*+")*'
)
"""Relations stay inside the workbook, and no sheet, line or column of it is hidden."""


_UNIT = r"[^\W\d_][^\"<>&;@\[\]\\\0-\x1f]{0,39}"
_LOOK = (
    r'<numFmt numFmtId="[0-9]{1,5}" formatCode='
    rf'"(?:0(?:\.0{{1,20}})? ?%|(?:#,##)?0(?:\.0{{1,20}})?(?:&quot; {_UNIT}&quot;)?)"/>'
)
"""The looks of numbers: any other could show a number that is not in its cell.

A unit follows a blank and begins with a letter, so that none of its signs is taken for a digit.
"""


_NAME = r"[^\"<>&\[\]:*?/\\'\0-\x1f]{1,31}"
_LINKS = (
    r'<hyperlinks>(?:<hyperlink ref="[A-Z]{1,3}[0-9]{1,7}" '
    rf"location=\"'{_NAME}'!A[0-9]{{1,7}}\""
    r' display="[^"<>]{0,40}"/>)+</hyperlinks>'
)
"""Links to a line of a sheet of the same workbook; no other attribute, so no relation."""


_SHEET = rf"(?:'{_NAME}'|[^\W\d]\w{{0,30}})"
"""A sheet as a place names it: a single word without quotes."""
_REPEATED = (
    r'<definedNames>(?:<definedName name="_xlnm\.Print_Titles" localSheetId="[0-9]{1,4}">'
    rf"{_SHEET}!\$1:\$[0-9]{{1,3}}</definedName>)+</definedNames>"
)
"""Of some sheets the lines, from the first one on, that each printed page repeats."""


_CELLS = r"\$[A-Z]{1,3}\$[0-9]{1,7}"
_DRAWS = (
    rf"<c:f>{_SHEET}!{_CELLS}(?::{_CELLS})?</c:f>|<c:formatCode>General</c:formatCode>"
    r'|<c:numFmt formatCode="(?:General" sourceLinked="1'
    r'|(?:0%|#,##0(?:\.0{1,20})?)" sourceLinked="0)"/>'
)
"""What a chart draws: cells of a sheet of the same workbook, looked at as there."""


def _part(tags: str, more: str = f"{_LOOK}|{_LINKS}") -> re.Pattern[str]:
    """What a part of a workbook with such tags is made of."""
    return re.compile(f"(?:[^<\\0]++|</?(?:{tags}){_ATTRIBUTES}/?>|{more}){SEVERAL}")


def _relation(kind: str) -> re.Pattern[str]:
    """The one relation of a sheet, or of what is drawn on it."""
    place = "http://schemas\\.openxmlformats\\.org/"
    return re.compile(
        f'<Relationships xmlns="{place}package/2006/relationships"><Relationship Id="rId1" '
        f'Type="{place}officeDocument/2006/relationships/{kind}" '
        rf'Target="\.\./{kind}s/{kind}[0-9]{{1,4}}\.xml"/></Relationships>'
    )


_PART = _part("|".join(_TAG_NAMES.split()))
_FORMS = {
    "xl/workbook.xml": _part("|".join(_TAG_NAMES.split()), _REPEATED),
    "xl/theme/": _part("a:[A-Za-z0-9]++"),
    "xl/charts/": _part("|".join(_CHART_NAMES.split()), _DRAWS),
    "xl/drawings/_rels/": _relation("chart"),
    "xl/drawings/": _part("|".join(_CHART_NAMES.split()), _DRAWS),
    "xl/worksheets/_rels/": _relation("drawing"),
}
"""Of parts that hold no cells, by what their names begin with."""
_YAML_LINE = re.compile(
    r' *(?:- )?(?:[a-z_]{1,60}:)?(?:(?:(?<=:) )?(?:"(?:[^"\\]|\\[^\n])*"|[0-9]+(?:\.[0-9]+)?))?'
)


class _NotPlain(Exception):
    """Not what dpdesk writes."""


def is_plain_pdf(content: bytes) -> bool:
    """Whether pages hold nothing but text, lines and fonts."""
    try:
        places, at = _objects(content)
        return _has_places(content, places, at)
    except (_NotPlain, ValueError):
        return False


def _objects(content: bytes) -> tuple[dict[int, int], int]:
    """Where each object begins, by its number, and where the last one ends."""
    places: dict[int, int] = {}
    at = _after(_HEAD, content, 0)
    while found := _OBJECT.match(content, at):
        number = int(found[1])
        if number in places or len(places) >= MOST_OBJECTS:
            raise _NotPlain
        places[number] = at
        at = _object_end(content, found.end())
    return places, at


def _object_end(content: bytes, start: int) -> int:
    at = _tokens_end(content, start)
    if found := _STREAM.match(content, at):
        lengths = _LENGTH.findall(content, start, at)
        if len(lengths) != 1:
            raise _NotPlain
        at = _after(_STREAM_END, content, found.end() + int(lengths[0]))
    return _after(_END, content, at)


def _tokens_end(content: bytes, at: int) -> int:
    """Where what a reader takes for numbers, texts and known names ends."""
    return end_of_pieces(_TOKENS, content, at)


def _after(pattern: re.Pattern[bytes], content: bytes, at: int) -> int:
    found = pattern.match(content, at)
    if found is None:
        raise _NotPlain
    return found.end()


def _has_places(content: bytes, places: dict[int, int], start: int) -> bool:
    """Whether the table at the end names each object's place, so that there is one reading."""
    found = _PLACES.match(content, start)
    if found is None or int(found[1]) != len(places) + 1:
        return False
    at = found.end()
    for number in range(1, len(places) + 1):
        place = _PLACE.match(content, at)
        if place is None or places.get(number) != int(place[1]):
            return False
        at = place.end()
    tail = _TAIL.fullmatch(content, _tokens_end(content, at + len(b"trailer\n")))
    return content.startswith(b"trailer\n", at) and tail is not None and int(tail[1]) == start


def is_plain_workbook(content: bytes) -> bool:
    """Whether a workbook holds cells, texts and looks, and nothing that is evaluated."""
    try:
        parts = unpack(content)
        texts = {name: part.decode("utf-8") for name, part in parts.items()}
    except (Refused, UnicodeDecodeError):
        return False
    return all(
        _PARTS.fullmatch(name) is not None and _is_plain_part(name, text)
        for name, text in texts.items()
    )


def is_plain_yaml(content: bytes) -> bool:
    """Whether an entry is made of keys, numbers and quoted texts: no tag makes an object of it."""
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return False
    return all(_YAML_LINE.fullmatch(line) for line in lines)


def _is_plain_part(name: str, text: str) -> bool:
    """Relations lead to parts of the workbook alone."""
    form = next((form for place, form in _FORMS.items() if name.startswith(place)), _PART)
    start = len(_DECLARATION)
    return text.startswith(_DECLARATION) and is_made_of(form, text, start)


def tags_of(text: str) -> Iterator[str]:
    """Each tag up to its end, whatever begins like one; one after the other, as there are many."""
    for found in _BEGINNING.finditer(text):
        yield text[found.start() : 1 + text.find(">", *found.span())]
