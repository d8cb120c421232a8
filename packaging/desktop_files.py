# SPDX-License-Identifier: Apache-2.0
"""What a Linux desktop reads to show the program in its menus and to open its files with it."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

import program


def desktop_entry() -> str:
    """The entry in the menu."""
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        f"Name={program.NAME}",
        "GenericName=Private statistics",
        f"Comment={program.SUMMARY}",
        f"Exec={program.NAME} %f",
        f"TryExec={program.NAME}",
        f"Icon={program.DESKTOP_ID}",
        "Terminal=false",
        f"StartupWMClass={program.DESKTOP_ID}",
        "StartupNotify=true",
        f"MimeType={''.join(kind.mime + ';' for kind in program.FILE_KINDS)}",
        f"Categories={''.join(each + ';' for each in program.CATEGORIES)}",
        f"Keywords={''.join(each + ';' for each in program.KEYWORDS)}",
    ]
    return "\n".join(lines) + "\n"


def mime_types() -> str:
    """The kinds of files, for shared-mime-info."""
    kinds = "".join(_mime_type(kind) for kind in program.FILE_KINDS)
    space = "http://www.freedesktop.org/standards/shared-mime-info"
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<mime-info xmlns="{space}">'
    return f"{head}\n{kinds}</mime-info>\n"


def _mime_type(kind: program.FileKind) -> str:
    nested, closing = "", ""
    parent = f'    <sub-class-of type="{kind.parent}"/>\n' if kind.parent else ""
    for depth, (at, content) in enumerate(kind.magic, 3):
        pad = "  " * depth
        nested += f'{pad}<match type="string" value={_bytes(content)} offset="{at}">\n'
        closing = f"{pad}</match>\n{closing}"
    return (
        f'  <mime-type type="{kind.mime}">\n'
        f"    <comment>{escape(kind.comment)}</comment>\n"
        f'    <icon name="{program.DESKTOP_ID}"/>\n'
        f"{parent}"
        f'    <magic priority="60">\n{nested}{closing}    </magic>\n'
        f'    <glob pattern="*{kind.ending}"/>\n'
        "  </mime-type>\n"
    )


def _bytes(content: bytes) -> str:
    plain = "".join(chr(b) if chr(b).isalnum() or b in b"._" else f"\\x{b:02x}" for b in content)
    return quoteattr(plain)


def metainfo(when: int) -> str:
    """The program's entry in a software centre (AppStream)."""
    day = datetime.fromtimestamp(when, UTC).date()
    paragraphs = "".join(f"    <p>{escape(each)}</p>\n" for each in program.DESCRIPTION)
    types = "".join(f"    <mediatype>{kind.mime}</mediatype>\n" for kind in program.FILE_KINDS)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{program.DESKTOP_ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>Apache-2.0</project_license>
  <name>{program.NAME}</name>
  <summary>{escape(program.SUMMARY)}</summary>
  <developer id="org.dpdesk">
    <name>{escape(program.MAINTAINER)}</name>
  </developer>
  <description>
{paragraphs}  </description>
  <launchable type="desktop-id">{program.DESKTOP_ID}.desktop</launchable>
  <provides>
    <binary>{program.NAME}</binary>
{types}  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="{program.version()}" date="{day}"/>
  </releases>
</component>
"""
