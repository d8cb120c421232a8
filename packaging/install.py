# SPDX-License-Identifier: Apache-2.0
"""Make an environment for dpdesk from the wheels beside this file, without a network.

    python install.py [FOLDER]        (Windows: py install.py)

It needs Python 3.11, 3.12 or 3.13 and nothing else, asks no administrator, and writes only into
FOLDER (by default `dpdesk` beside this file). Every wheel is compared with its digest in
wheels.json before anything is written: that finds damage, not an attacker, who would change
wheels.json too.
"""

import sys

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    sys.exit("dpdesk needs Python 3.11, 3.12 or 3.13; this is Python %d.%d." % sys.version_info[:2])

import argparse
import compileall
import contextlib
import hashlib
import io
import json
import shutil
import subprocess
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LIST = "wheels.json"
FILES = "installed-files.sha256"
SYSTEMS = {
    "win-amd64": "windows",
    "linux-x86_64": "linux",
    "macosx-arm64": "macos",
}
SCHEMES = frozenset({"purelib", "platlib"})


def main(arguments: list[str]) -> int:
    """Check the wheels, make the environment, and start what is in it once."""
    parser = argparse.ArgumentParser(description="Make an environment for dpdesk, offline.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "dpdesk", metavar="FOLDER")
    folder: Path = parser.parse_args(arguments).folder.absolute()
    wheels = check_wheels(HERE)
    print("%d wheels are as listed." % len(wheels), flush=True)
    earlier = put_aside(folder)
    try:
        python = fill(folder, wheels)
        launcher = write_launcher(folder, python)
        list_files(folder)
        subprocess.run([str(python), "-I", "-m", "dpdesk", "--help"], check=True, **QUIET)
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        if earlier:
            earlier.rename(folder)
        sys.exit("dpdesk could not be installed, and what was there is as before: %s" % error)
    if earlier:
        shutil.rmtree(earlier, ignore_errors=True)
    print("dpdesk is in %s; %s starts it." % (folder, launcher))
    return 0


QUIET: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}


def check_wheels(here: Path) -> list[Path]:
    """The wheels for this Python, each with the digest that it is listed with."""
    listed = json.loads((here / LIST).read_text(encoding="ascii"))
    system = SYSTEMS.get(platform_name(), platform_name())
    if system != listed["system"]:
        sys.exit("These wheels are for %s; this Python is for %s." % (listed["system"], system))
    names = listed["pythons"]["%d.%d" % sys.version_info[:2]]
    wheels = [here / "wheels" / name for name in names]
    damaged = [each.name for each in wheels if digest(each) != listed["sha256"][each.name]]
    if damaged:
        sys.exit("Damaged or missing, so nothing was installed: " + ", ".join(damaged))
    return wheels


def platform_name() -> str:
    """The system and processor that this Python was made for."""
    name = sysconfig.get_platform()
    # macOS names the oldest version between the two.
    return "macosx-arm64" if name.startswith("macosx") and name.endswith("arm64") else name


def digest(path: Path) -> str:
    """The SHA-256 of a file, or nothing where there is none."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


def put_aside(folder: Path) -> Path | None:
    """Rename an earlier environment, so that it can come back; nothing else is overwritten."""
    if not folder.exists():
        return None
    if not (folder / LIST).is_file():
        sys.exit("%s exists and is no environment of dpdesk: name another folder." % folder)
    earlier = folder.with_name(folder.name + ".earlier")
    shutil.rmtree(earlier, ignore_errors=True)
    try:
        return folder.rename(earlier)
    except OSError as error:
        sys.exit("The dpdesk in %s is in use; close it and start again: %s" % (folder, error))


def fill(folder: Path, wheels: list[Path]) -> Path:
    """Make an environment that holds the wheels, and return its interpreter."""
    print("Unpacking into %s" % folder, flush=True)
    folder.mkdir(parents=True)
    # First, so that what was interrupted is known for an environment of dpdesk.
    shutil.copyfile(HERE / LIST, folder / LIST)
    python, packages = make_environment(folder)
    for wheel in wheels:
        unpack(wheel, packages)
    with contextlib.redirect_stdout(io.StringIO()):
        compileall.compile_dir(packages, quiet=2, workers=0)
    return python


def make_environment(folder: Path) -> tuple[Path, Path]:
    """An environment without packages: its interpreter, and the folder that they go to."""
    alone = Path(sys.executable).with_name("python%d%d._pth" % sys.version_info[:2])
    if alone.is_file():
        return copy_embeddable(alone, folder)
    import venv

    # Where links need rights or are unknown, as on Windows and on FAT, files are copied.
    venv.EnvBuilder(symlinks=sys.platform != "win32", with_pip=False).create(folder)
    if sys.platform == "win32":
        return folder / "Scripts" / "python.exe", folder / "Lib" / "site-packages"
    # A second way to the same files; no file system needs to know links for it.
    (folder / "lib64").unlink(missing_ok=True)
    version = "python%d.%d" % sys.version_info[:2]
    return folder / "bin" / "python", folder / "lib" / version / "site-packages"


def copy_embeddable(pth: Path, folder: Path) -> tuple[Path, Path]:
    """As ``make_environment``, from the Python for Windows that comes as one folder."""
    shutil.copytree(pth.parent, folder, copy_function=shutil.copyfile, dirs_exist_ok=True)
    packages = folder / "Lib" / "site-packages"
    packages.mkdir(parents=True)
    # Python imports from these places alone, whatever the user's settings say.
    (folder / pth.name).write_text("%s.zip\n.\nLib\\site-packages\n" % pth.stem, encoding="ascii")
    return folder / "python.exe", packages


def unpack(wheel: Path, packages: Path) -> None:
    """Put what a wheel holds where Python finds it; its own programs are left out.

    Raises:
        OSError: a member would be written elsewhere.
    """
    root = packages.resolve()
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            name = place(member.filename)
            if name is None or member.is_dir():
                continue
            target = (root / name).resolve()
            if not target.is_relative_to(root):
                raise OSError("%s holds %s" % (wheel.name, member.filename))
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink, 1 << 20)


def place(member: str) -> str | None:
    """Where in the packages' folder a member belongs, or None where it does not belong there.

    >>> place("numpy/__init__.py"), place("a-1.data/platlib/a.so"), place("a-1.data/scripts/a")
    ('numpy/__init__.py', 'a.so', None)
    """
    first, _, rest = member.partition("/")
    if not first.endswith(".data"):
        return member
    scheme, _, rest = rest.partition("/")
    return rest if scheme in SCHEMES else None


def write_launcher(folder: Path, python: Path) -> Path:
    """A file in the environment that starts the program by a double-click or from a shell."""
    if sys.platform == "win32":
        launcher = folder / "dpdesk.cmd"
        line = '@"%%~dp0%s" -I -m dpdesk %%*\r\n' % python.relative_to(folder)
        launcher.write_bytes(line.encode("ascii"))
    else:
        launcher = folder / "bin" / "dpdesk"
        lines = '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/python" -I -m dpdesk "$@"\n'
        launcher.write_text(lines, encoding="ascii")
        launcher.chmod(0o755)
    return launcher


def list_files(folder: Path) -> None:
    """List every file with its digest, so that the program can find damage later."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    lines = ["%s  %s\n" % (digest(path), path.relative_to(folder).as_posix()) for path in paths]
    (folder / FILES).write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
