# SPDX-License-Identifier: Apache-2.0
"""What macOS reads of the program's bundle: Info.plist with the files that it opens.

A bundle is made on a Mac, from the same specification as elsewhere; what it says can be made and
checked anywhere.
"""

from __future__ import annotations

from typing import Any

import program

OLDEST = "13.0"
"""The oldest macOS that all wheels of the lock run on, and only on Apple's own processors."""
STUDY_TYPE = f"{program.DESKTOP_ID}.study"


def information() -> dict[str, Any]:
    """The members of Info.plist."""
    return {
        "CFBundleName": program.NAME,
        "CFBundleDisplayName": program.NAME,
        "CFBundleIdentifier": program.DESKTOP_ID,
        "CFBundleShortVersionString": program.version(),
        "CFBundleVersion": program.version(),
        "CFBundlePackageType": "APPL",
        "LSApplicationCategoryType": "public.app-category.medical",
        "LSArchitecturePriority": ["arm64"],
        "LSMinimumSystemVersion": OLDEST,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "Apache-2.0",
        "UTExportedTypeDeclarations": [_declared(program.STUDY, STUDY_TYPE, "public.json")],
        "CFBundleDocumentTypes": [
            _opened(program.STUDY, STUDY_TYPE, "Editor", "Owner"),
            # A zip belongs to the Finder; the program is offered beside it.
            _opened(program.BUNDLE, "public.zip-archive", "Viewer", "Alternate"),
        ],
    }


def _declared(kind: program.FileKind, name: str, parent: str) -> dict[str, Any]:
    tags = {
        "public.filename-extension": [kind.ending.removeprefix(".")],
        "public.mime-type": [kind.mime],
    }
    return {
        "UTTypeIdentifier": name,
        "UTTypeDescription": kind.comment,
        "UTTypeConformsTo": [parent],
        "UTTypeTagSpecification": tags,
    }


def _opened(kind: program.FileKind, name: str, role: str, rank: str) -> dict[str, Any]:
    return {
        "CFBundleTypeName": kind.comment,
        "CFBundleTypeRole": role,
        "LSHandlerRank": rank,
        "LSItemContentTypes": [name],
    }
