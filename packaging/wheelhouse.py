# SPDX-License-Identifier: Apache-2.0
"""A wheelhouse: all wheels that one system needs, by hash, and the script that installs them.

    python3 packaging/wheelhouse.py windows macos linux     each as a zip in build/packages

Which wheel of the lock each system and Python gets stands in ``wheels.json``, so that whether
one is missing can be seen without a network. Intel Macs are no system here: ``cryptography``
has no current wheel for them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import environment
import program

HERE = Path(__file__).resolve().parent
LIST = HERE / "wheels.json"
PACKAGES = program.ROOT / "build" / "packages"
PYTHONS = ("3.11", "3.12", "3.13")
SYSTEMS = {
    "linux": [
        *(f"manylinux_2_{minor}_x86_64" for minor in range(34, 16, -1)),
        *(f"{name}_x86_64" for name in ("manylinux2014", "manylinux_2_12", "manylinux2010")),
    ],
    "macos": ["macosx_13_0_arm64"],
    "windows": ["win_amd64"],
}
USER_FOLDER = 29
"""Letters of a user's folder on Windows, whose name has 20 at most."""
INSTALLED = r"\AppData\Local\Programs\dpdesk\environment\Lib\site-packages" + "\\"
LONGEST_MEMBER = 259 - USER_FOLDER - len(INSTALLED)
"""Windows opens no path of 260 letters unless an administrator has allowed it."""


class Wheels(NamedTuple):
    """Wheels by the Pythons that they are for.

    Attributes:
        pythons: the names of the files for each version of Python.
        sha256: the digest of each file.
    """

    pythons: dict[str, list[str]]
    sha256: dict[str, str]


def listed() -> dict[str, Wheels]:
    """Which wheels of the lock each system gets."""
    content = json.loads(LIST.read_text(encoding="ascii"))
    return {system: Wheels(**wheels) for system, wheels in content.items()}


def write_list() -> None:
    """Ask the registry which wheels the lock means, for every system and Python."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="dpdesk-wheels-") as folder:
        for system in SYSTEMS:
            print("Fetching the wheels for", system, flush=True)
            found[system] = fetch(system, Path(folder) / system)._asdict()
            shutil.rmtree(Path(folder) / system)
    LIST.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="ascii")


def fetch(system: str, folder: Path) -> Wheels:
    """Bring the wheels of one system into a folder, each by its hash in the lock."""
    folder.mkdir(parents=True)
    pythons, digests = {}, {}
    for python in PYTHONS:
        own = folder / python
        _download(system, python, own)
        pythons[python] = sorted(path.name for path in own.iterdir())
        for path in own.iterdir():
            digests[path.name] = digest(path)
            path.replace(folder / path.name)
        own.rmdir()
    return Wheels(pythons, digests)


def _download(system: str, python: str, folder: Path) -> None:
    platforms = [f"--platform={name}" for name in SYSTEMS[system]]
    target = ["--implementation=cp", f"--python-version={python}", *platforms]
    safely = ["--no-deps", "--only-binary=:all:", "--require-hashes"]
    quiet = ["--no-input", "--quiet", "--disable-pip-version-check"]
    command = ["-m", "pip", "download", *quiet, *safely, *target, f"--dest={folder}"]
    if environment.call([*command, "-r", str(environment.RUN_LOCK)]):
        sys.exit(f"The wheels for {system} and Python {python} could not be fetched.")


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def make(system: str, folder: Path) -> Path:
    """Make the wheelhouse of a system as a new folder; it holds exactly the wheels listed."""
    shutil.rmtree(folder, ignore_errors=True)
    fetched = fetch(system, folder / "wheels")
    if fetched != listed()[system]:
        sys.exit("The registry gives other wheels than listed: run packaging/lock.py wheels.")
    own = build_wheel(folder / "wheels")
    if system == "windows":
        refuse_long_paths(folder / "wheels")
    pythons = {python: [*names, own.name] for python, names in fetched.pythons.items()}
    content = {
        "program": program.NAME,
        "version": program.version(),
        "system": system,
        "pythons": pythons,
        "sha256": {**fetched.sha256, own.name: digest(own)},
    }
    text = json.dumps(content, indent=1, sort_keys=True) + "\n"
    (folder / LIST.name).write_text(text, encoding="ascii", newline="\n")
    shutil.copyfile(HERE / "install.py", folder / "install.py")
    return folder


def pack(house: Path, out: Path) -> Path:
    """One file of a wheelhouse, equal byte by byte from equal contents."""
    archive_path = out / f"{program.NAME}-{program.version()}-{house.name}.zip"
    with zipfile.ZipFile(archive_path, "w") as archive:
        for path in sorted(path for path in house.rglob("*") if path.is_file()):
            # Its time is that of a member made from a name alone: 1980.
            member = zipfile.ZipInfo(f"{program.NAME}/{path.relative_to(house).as_posix()}")
            with path.open("rb") as source, archive.open(member, "w") as sink:
                shutil.copyfileobj(source, sink, 1 << 20)
    return archive_path


def refuse_long_paths(folder: Path) -> None:
    """Stop where a wheel holds a name that is too long for where Windows keeps programs."""
    for wheel in folder.iterdir():
        with zipfile.ZipFile(wheel) as archive:
            longest = max(archive.namelist(), key=len)
        if len(longest) > LONGEST_MEMBER:
            sys.exit(f"{wheel.name} holds {longest}, which Windows could not open.")


def build_wheel(folder: Path) -> Path:
    """The project's own wheel, equal byte by byte from equal sources."""
    earlier = set(folder.iterdir())
    build = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder.absolute())]
    command = [str(environment.python_path()), *build]
    if subprocess.run(command, cwd=program.ROOT, check=False).returncode:
        sys.exit("The project's wheel could not be built.")
    (own,) = set(folder.iterdir()) - earlier
    return own


def main(systems: list[str]) -> int:
    """Make the wheelhouses of some systems."""
    if not systems or not set(systems) <= set(SYSTEMS):
        sys.exit(f"Name some of {', '.join(SYSTEMS)}.")
    environment.prepare(environment.TEST_LOCK)
    PACKAGES.mkdir(parents=True, exist_ok=True)
    for system in systems:
        house = make(system, PACKAGES.parent / f"wheels-{system}")
        print(pack(house, PACKAGES))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
