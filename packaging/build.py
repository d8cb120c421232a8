# SPDX-License-Identifier: Apache-2.0
"""Make the packages that are installed; they land in build/packages beside their digests.

python3 packaging/build.py tar         a folder that runs from anywhere, as .tar.gz
python3 packaging/build.py deb         for Debian and Ubuntu
python3 packaging/build.py windows     an installer for Windows, of wheels; needs makensis
python3 packaging/build.py compare     build the commit twice, in two folders, and compare
python3 packaging/build.py check       run the stock validators on the Debian package
python3 packaging/build.py audit       the noise audits' short slice on the library that is shipped
python3 packaging/build.py try         use the Debian package on a clean system; needs root
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("dpdesk needs Python 3.11 or later; this is Python %d.%d." % sys.version_info[:2])

import argparse
import subprocess
import tempfile
from pathlib import Path

import debian
import environment
import freeze
import machine
import overlapping
import portable
import program
import trial
import windows_installer

WORK = program.ROOT / "build"
PACKAGES = WORK / "packages"
SUMS = "SHA256SUMS"
KINDS = ("tar", "deb")
ENDINGS = (".deb", ".exe", ".gz", ".zip")


def build(kinds: list[str]) -> None:
    """Freeze the program once, pack it in each way, and list the packages' digests."""
    machine.provide(machine.build_packages())
    PACKAGES.mkdir(parents=True, exist_ok=True)
    folder = freeze.freeze(WORK)
    if "tar" in kinds:
        portable.pack(folder, PACKAGES)
    if "deb" in kinds:
        debian.pack(folder, WORK, PACKAGES)
    unpacked = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {unpacked / 1e6:.1f} MB ({unpacked / 2**20:.1f} MiB)")
    list_packages()


def list_packages() -> None:
    """Write down the digest of each package that was made, and say how large it is."""
    packages = sorted(path for path in PACKAGES.iterdir() if path.suffix in ENDINGS)
    lines = [f"{freeze.digest(path)}  {path.name}\n" for path in packages]
    (PACKAGES / SUMS).write_text("".join(lines), encoding="ascii")
    for path in packages:
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def compare() -> int:
    """Build the commit twice and list what differs; 1 where anything does."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "one"), Path(folder, "another place", "two")
        for place in (first, second):
            _build_commit(place)
        names = {path.relative_to(place / "build") for place in (first, second) for path in
                 [*(place / "build/packages").iterdir(), *(place / "build/dpdesk").rglob("*")]
                 if path.is_file()}  # fmt: skip
        differing = [name for name in sorted(names) if not _same(first, second, name)]
    print(f"{len(names) - len(differing)} of {len(names)} files are equal")
    for name in differing:
        print(f"differs: {name}")
    return 1 if differing else 0


def _build_commit(place: Path) -> None:
    """Build what is committed, exported into a folder of its own."""
    place.mkdir(parents=True)
    archive = ["git", "-C", str(program.ROOT), "archive", "HEAD"]
    exported = subprocess.run(archive, check=True, capture_output=True)
    subprocess.run(["tar", "-x"], check=True, cwd=place, input=exported.stdout)
    command = [sys.executable, str(place / "packaging/build.py"), *KINDS]
    subprocess.run(command, check=True, env=freeze.variables(), cwd=place)


def _same(first: Path, second: Path, name: Path) -> bool:
    paths = [place / "build" / name for place in (first, second)]
    return all(path.is_file() for path in paths) and len({*map(freeze.digest, paths)}) == 1


def audit() -> int:
    """Run the audits of the noise on the stripped library, in the place of the wheel's."""
    shipped = WORK / program.NAME / "_internal/opendp/lib"
    if not shipped.is_dir():
        sys.exit("Build the program first: python3 packaging/build.py tar")
    environment.prepare(environment.TEST_LOCK)
    with tempfile.TemporaryDirectory() as folder:
        freeze.overlay(shipped, freeze.packages(environment.VENV) / "opendp", Path(folder))
        tests = ["-m", "pytest", "-q", "tests/audit", "tests/privacy/noise/test_door.py"]
        variables = {"PYTHONPATH": folder, "DPDESK_AUDIT": "short", "QT_QPA_PLATFORM": "offscreen"}
        return environment.call(tests, **variables)


def _package() -> Path:
    """The Debian package that was built."""
    found = sorted(PACKAGES.glob("*.deb"))
    if not found:
        sys.exit("Build the package first: python3 packaging/build.py deb")
    return found[-1]


def main(arguments: list[str]) -> int:
    """Build or check what was asked for."""
    parser = argparse.ArgumentParser(description="Make the packages that are installed.")
    kinds = parser.add_argument("kinds", nargs="+", metavar="KIND")
    kinds.choices = [*KINDS, "windows", "compare", "check", "audit", "try"]
    parser.add_argument("--other", type=Path, help="with try: a package of another version")
    text = "with try: where pictures go (by default build/installed)"
    parser.add_argument("--pictures", type=Path, default=WORK / "installed", help=text)
    options = parser.parse_args(arguments)
    if overlapping.is_opened() and set(options.kinds) & {*KINDS, "compare"}:
        sys.exit(overlapping.REFUSAL)
    if options.kinds == ["compare"]:
        return compare()
    if options.kinds == ["windows"]:
        machine.provide(machine.installer_packages())
        status = windows_installer.main([])
        list_packages()
        return status
    if options.kinds == ["check"]:
        machine.provide(machine.validator_packages())
        return 0 if all(debian.validate(each, WORK) for each in PACKAGES.glob("*.deb")) else 1
    if options.kinds == ["audit"]:
        return audit()
    if options.kinds == ["try"]:
        return trial.run(_package(), options.other, WORK, options.pictures.absolute())
    build(options.kinds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
