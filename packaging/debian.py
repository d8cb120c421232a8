# SPDX-License-Identifier: Apache-2.0
"""The program as a Debian package: its folder in /usr/lib, and what desktops and shells read."""

from __future__ import annotations

import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import textwrap
from email.utils import formatdate
from pathlib import Path

import desktop_files
import freeze
import icon_files
import notices
import program
import stripped

HERE = program.ROOT / "packaging"
OVERRIDES = HERE / "lintian-overrides"
SYSTEM_DATA = ("fontconfig-config", "libx11-data", "xkb-data")
"""What libraries that were brought along read of the system."""
INSIDE = Path("usr/lib", program.NAME)


def maintainer() -> str:
    """Who builds, as Debian's tools take it from the machine's settings."""
    name = os.environ.get("DEBFULLNAME", program.MAINTAINER)
    return f"{name} <{os.environ.get('DEBEMAIL', 'maintainers@dpdesk.example')}>"


def pack(folder: Path, work: Path, target: Path) -> Path:
    """Make the package of a program's folder, always to the same bytes."""
    root = work / "deb"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(folder, root / INSIDE)
    _link(root / "usr/bin" / program.NAME, Path("..", "lib", program.NAME, program.NAME))
    _put_desktop_files(root)
    _put_icons(root, work)
    _put_shell_files(root, work)
    _put_documents(root)
    _put_control(root, work)
    freeze.settle(root)
    path = target / f"{program.NAME}_{program.version()}_{architecture()}.deb"
    options = ["--root-owner-group", "-Zxz", "-z3", "--threads-max=2"]
    build = ["dpkg-deb", *options, "--build", str(root), str(path)]
    subprocess.run(build, check=True, env=freeze.variables(), stdout=subprocess.DEVNULL)
    return path


def validate(package: Path, work: Path) -> bool:
    """Whether the stock validators find nothing but what is explained in lintian-overrides."""
    place = work / "validated"
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--extract", str(package), str(place)], check=True)
    share = place / "usr/share"
    checks = [
        ["desktop-file-validate", *map(str, share.glob("applications/*"))],
        ["appstreamcli", "validate", "--no-net", *map(str, share.glob("metainfo/*"))],
        ["lintian", "--allow-root", "--fail-on", "error,warning", str(package)],
    ]
    results = [subprocess.run(check, check=False).returncode for check in checks]
    shutil.rmtree(place)
    return not any(results)


def architecture() -> str:
    """Debian's name of this machine's processor."""
    return {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]


def _put(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="\n")


def _put_packed(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content.encode(), 9, mtime=0))


def _link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def _put_desktop_files(root: Path) -> None:
    share, name = root / "usr/share", program.DESKTOP_ID
    _put(share / "applications" / f"{name}.desktop", desktop_files.desktop_entry())
    _put(share / "mime/packages" / f"{name}.xml", desktop_files.mime_types())
    information = desktop_files.metainfo(freeze.commit_time())
    _put(share / "metainfo" / f"{name}.metainfo.xml", information)


def _put_icons(root: Path, work: Path) -> None:
    """The icon in every size, by its drawing too."""
    icons, name = root / "usr/share/icons/hicolor", program.DESKTOP_ID
    pictures = icon_files.draw(icon_files.LINUX_SIZES, freeze.environment(work))
    for size, picture in pictures.items():
        path = icons / f"{size}x{size}" / "apps" / f"{name}.png"
        path.parent.mkdir(parents=True)
        path.write_bytes(picture)
    _put(icons / "scalable/apps" / f"{name}.svg", icon_files.drawing())


def _put_shell_files(root: Path, work: Path) -> None:
    """Manual page and completions, which the program's own parser describes."""
    made, share, name = work / "shell", root / "usr/share", program.NAME
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    day = formatdate(freeze.commit_time(), usegmt=True)[5:16]
    script = [str(HERE / "frozen" / "shell_files.py"), str(made), day]
    variables = {**freeze.variables(), "PYTHONPATH": str(HERE)}
    subprocess.run([str(freeze.environment(work)), *script], check=True, env=variables)
    _put_packed(share / "man/man1" / f"{name}.1.gz", (made / f"{name}.1").read_text("utf-8"))
    _copy(made / f"{name}.bash", share / "bash-completion/completions" / name)
    _copy(made / f"_{name}", share / "zsh/vendor-completions" / f"_{name}")
    _copy(made / f"{name}.fish", share / "fish/vendor_completions.d" / f"{name}.fish")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _put_documents(root: Path) -> None:
    name, documents = program.NAME, root / "usr/share/doc" / program.NAME
    _put(documents / "copyright", _copyright())
    changes = (
        f"{name} ({program.version()}) unstable; urgency=medium\n\n"
        f"  * Release {program.version()}; see NEWS.\n\n"
        f" -- {maintainer()}  {formatdate(freeze.commit_time())}\n"
    )
    _put_packed(documents / "changelog.gz", changes)
    _put_packed(documents / "NEWS.gz", (program.ROOT / "CHANGELOG.md").read_text("utf-8"))
    _put(root / "usr/share/lintian/overrides" / name, OVERRIDES.read_text(encoding="utf-8"))


def _copyright() -> str:
    return f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {program.NAME}
Comment: What the package brings along beside its own code, each with its licence in full, is in
 /{INSIDE}/THIRD-PARTY-LICENCES.txt and, for machines, in /{INSIDE}/sbom.cdx.json.

Files: *
Copyright: 2026 {program.MAINTAINER}
License: Apache-2.0

License: Apache-2.0
 On Debian systems, the full text of the Apache License, version 2.0, can be found in
 /usr/share/common-licenses/Apache-2.0.
"""


def _put_control(root: Path, work: Path) -> None:
    (root / "DEBIAN").mkdir()
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    about = "\n .\n".join(
        textwrap.fill(each, 78, initial_indent=" ", subsequent_indent=" ")
        for each in program.DESCRIPTION
    )
    _put(
        root / "DEBIAN/control",
        f"Package: {program.NAME}\n"
        f"Version: {program.version()}\n"
        f"Architecture: {architecture()}\n"
        f"Maintainer: {maintainer()}\n"
        f"Installed-Size: {size}\n"
        f"Depends: {_depends(root / INSIDE, work)}, {', '.join(SYSTEM_DATA)}\n"
        "Recommends: shared-mime-info, xdg-utils\n"
        "Section: science\n"
        "Priority: optional\n"
        f"Description: {program.SUMMARY[0].lower()}{program.SUMMARY[1:]}\n{about}\n",
    )
    files = sorted(path for path in (root / "usr").rglob("*") if not path.is_dir())
    sums = (
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  "
        f"{path.relative_to(root).as_posix()}\n"
        for path in files
        if not path.is_symlink()
    )
    _put(root / "DEBIAN/md5sums", "".join(sums))


def _depends(folder: Path, work: Path) -> str:
    """What the system must bring: read off the libraries, as for every Debian package."""
    place = work / "shlibdeps"
    _put(
        place / "debian/control",
        f"Source: {program.NAME}\n\nPackage: {program.NAME}\nArchitecture: any\n",
    )
    libraries = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    libraries = [path for path in libraries if stripped.is_library(path)]
    private = sorted({f"-l{path.parent}" for path in libraries})
    brought = [f"-x{name.partition(':')[0]}" for name in notices.system_packages(folder)]
    command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", *private, *brought]
    found = subprocess.run(
        [*command, *map(str, libraries)], check=False, cwd=place, capture_output=True, text=True
    )
    match = re.search(r"shlibs:Depends=(.*)", found.stdout)
    if match is None:
        raise ValueError(found.stderr)
    return match[1]
