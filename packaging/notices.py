# SPDX-License-Identifier: Apache-2.0
"""What the program's folder is made of, and under which licences: for readers and for machines.

Both lists are made from what was installed for the build: the metadata of each package of the run
lock, pip's report of which file it came from, the interpreter, and the system's own libraries
that were taken along.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import Any

import contents
import program

REPORT = "pip-report.json"
SBOM = "sbom.cdx.json"
LICENCES = "THIRD-PARTY-LICENCES.txt"
RUN_LOCK = program.ROOT / "packaging" / "requirements.lock"
_COMMON = Path("/usr/share/common-licenses")
_DOCUMENTS = Path("/usr/share/doc")
# Qt's wheels bring no text of their licence along.
_QT = ("pyside6-essentials", "shiboken6")
_FONT_LICENCES = {"DejaVu": "Bitstream-Vera", "Inter": "OFL-1.1"}
_RULE = "=" * 78


@dataclass(frozen=True)
class Component:
    """One thing that the program's folder is made of.

    Attributes:
        name, version: as whoever publishes it has them.
        licence: in short, as its metadata says.
        purl: what it is called across registries.
        texts: its licences in full.
        sha256: of the file that it was installed from, where that is one file.
    """

    name: str
    version: str
    licence: str
    purl: str
    texts: tuple[str, ...]
    sha256: str | None = None


def write(made: Path, environment: Path, when: int) -> None:
    """Put the bill of materials and the licences into the program's folder."""
    components = [
        *_packages(environment),
        _python(environment),
        *_system_libraries(made),
        *fonts(),
    ]
    (made / SBOM).write_text(bill(components, when), encoding="utf-8", newline="\n")
    (made / LICENCES).write_text(licences(components), encoding="utf-8", newline="\n")


def bill(components: list[Component], when: int) -> str:
    """The bill of materials, as CycloneDX 1.5."""
    version = program.version()
    listed = [_listed(component) for component in components]
    names = ",".join(each.purl for each in components)
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'{version} {when} {names}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": program.NAME,
                "name": program.NAME,
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": listed,
        "dependencies": [{"ref": program.NAME, "dependsOn": [each["bom-ref"] for each in listed]}],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _listed(component: Component) -> dict[str, Any]:
    listed: dict[str, Any] = {
        "type": "library",
        "bom-ref": component.purl,
        "name": component.name,
        "version": component.version,
        "purl": component.purl,
        "licenses": [{"license": {"name": component.licence}}],
    }
    if component.sha256:
        listed["hashes"] = [{"alg": "SHA-256", "content": component.sha256}]
    return listed


def licences(components: list[Component]) -> str:
    """Every licence in full; a text that several share stands once."""
    sharing: dict[str, list[str]] = {}
    for component in components:
        for text in component.texts:
            sharing.setdefault(text, []).append(f"{component.name} {component.version}")
    head = "\n".join(f"{each.name} {each.version}: {each.licence}" for each in components)
    texts = (f"{_RULE}\n{', '.join(dict.fromkeys(of))}\n\n{text}" for text, of in sharing.items())
    return "\n".join([f"What {program.NAME} is shipped with, and its licences.", "", head, *texts])


def run_packages() -> list[str]:
    """The names in the run lock."""
    text = RUN_LOCK.read_text(encoding="ascii")
    return re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE)


def _packages(environment: Path) -> Iterator[Component]:
    report = json.loads((environment / REPORT).read_text(encoding="utf-8"))
    digests = {
        _canonical(each["metadata"]["name"]): each["download_info"]["archive_info"]["hashes"]
        for each in report["install"]
    }
    wanted = set(run_packages()) - {*contents.ABSENT}
    folder = next(environment.glob("[Ll]ib*/**/site-packages"))
    for info in sorted(folder.glob("*.dist-info"), key=lambda path: path.name.lower()):
        metadata = message_from_string((info / "METADATA").read_text(encoding="utf-8"))
        if _canonical(metadata["Name"]) in wanted or metadata["Name"] == "pyinstaller":
            digest = digests[_canonical(metadata["Name"])]["sha256"]
            yield _package(info, metadata, digest)


def _package(info: Path, metadata: Message, digest: str) -> Component:
    name, version = _canonical(metadata["Name"]), metadata["Version"]
    licence = metadata["License-Expression"] or metadata["License"] or ""
    if not licence.strip():
        said = [each for each in metadata.get_all("Classifier", []) if each.startswith("License")]
        licence = said[0].rpartition(" :: ")[2] if said else "see its text"
    texts = _licence_texts(info)
    if name in _QT:
        texts = tuple((_COMMON / each).read_text(encoding="utf-8") for each in ("LGPL-3", "GPL-3"))
    first = " ".join(licence.split("\n")[0].split())
    return Component(name, version, first, f"pkg:pypi/{name}@{version}", texts, digest)


def _licence_texts(info: Path) -> tuple[str, ...]:
    named = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
    inside = [path for path in info.rglob("*") if "licenses" in path.relative_to(info).parts]
    beside = [path for path in info.iterdir() if named.match(path.name)]
    found = sorted({path for path in [*inside, *beside] if path.is_file()})
    return tuple(path.read_text(encoding="utf-8", errors="replace") for path in found)


def _python(environment: Path) -> Component:
    text = Path(sys.base_prefix) / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    version = platform.python_version()
    licence = (text / "LICENSE.txt").read_text(encoding="utf-8")
    return Component("python", version, "PSF-2.0", f"pkg:generic/python@{version}", (licence,))


def fonts() -> Iterator[Component]:
    """The fonts of the window and the report; the first line of each licence says which."""
    for path in sorted((program.ROOT / "resources" / "fonts").glob("*-LICENSE.txt")):
        text = path.read_text(encoding="utf-8")
        name = path.name.partition("-")[0]
        version = text.partition(", version ")[2].partition(",")[0]
        purl = f"pkg:generic/{name.lower()}@{version}"
        yield Component(f"{name} fonts", version, _FONT_LICENCES[name], purl, (text,))


def _system_libraries(made: Path) -> Iterator[Component]:
    """The system's packages that libraries of the folder were taken from."""
    for package in system_packages(made):
        version = _asked("dpkg-query", "--show", "--showformat=${Version}", package)
        plain = package.partition(":")[0]
        path = _DOCUMENTS / plain / "copyright"
        texts = (path.read_text(encoding="utf-8", errors="replace"),)
        purl = f"pkg:deb/debian/{plain}@{version}"
        yield Component(plain, version, "see its text", purl, texts)


def system_packages(made: Path) -> list[str]:
    """Debian's names of the packages whose libraries lie in the program's folder."""
    found = (path.name for path in (made / "_internal").glob("lib*.so*"))
    names = [name for name in found if not name.startswith("libpython")]
    return sorted({owner for name in names if (owner := _owner(name))})


def _owner(library: str) -> str | None:
    """The system's package that a library belongs to; None where it is no system's."""
    found = _asked("dpkg", "--search", f"*/{library}")
    lines = [line for line in found.splitlines() if line.endswith(f"/{library}")]
    return lines[0].partition(": ")[0] if lines else None


def _asked(*command: str) -> str:
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
