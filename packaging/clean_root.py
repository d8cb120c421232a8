# SPDX-License-Identifier: Apache-2.0
"""A Debian system of its own in a folder, with what a desktop brings and nothing else.

No Python, no compiler; what runs in it has no network. ``debootstrap`` fills it once from the
system's package mirror, and each trial gets a copy. Needs root: changing the root folder does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SUITE = "bookworm"
DESKTOP = (
    *("desktop-file-utils", "fontconfig", "fonts-dejavu-core", "libfile-mimeinfo-perl"),
    *("libglib2.0-bin", "locales", "shared-mime-info", "xdg-utils"),
)
"""What every desktop of Debian has, and a program may expect."""
USER, USER_ID = "custodian", 1000
OTHER_LOCALE = "de_DE.ISO-8859-1"
GERMAN = "de_DE.UTF-8"
LOCALES = (OTHER_LOCALE, GERMAN)
PACKAGES = Path("srv")
"""Where the packages lie that are to be installed, inside."""
_SYSTEM, _READY = "dev/.system", "dev/.packages"
"""What was made already; in a folder that no package puts files into."""
_OWN = {"/dev", "/home", "/proc", "/srv", "/sys", "/tmp", "/var/lib/apt", "/var/lib/dpkg"}  # noqa: S108
_OWN |= {"/var/cache/apt", "/var/cache/debconf", "/var/log"}
_ENTER = """
mount -t proc proc "$1/proc"
folder=$1 user=$2 shared=$3
shift 3
for each in $shared; do mkdir -p "$folder$each"; mount --bind "$each" "$folder$each"; done
exec chroot --userspec="$user" "$folder" env -i "$@"
"""


@dataclass(frozen=True)
class CleanRoot:
    """The system in its folder.

    Attributes:
        shared: folders of this machine that are seen at the same place inside, without blanks in
            their names: sockets of a screen for example.
    """

    folder: Path
    shared: tuple[Path, ...] = ()

    def command(
        self, words: Sequence[str], variables: Mapping[str, str], user: str = USER
    ) -> list[str]:
        """What runs a command inside, without a network; it sees these variables alone.

        Its mounts are its own and end with it.
        """
        apart = ["unshare", "--net", "--mount", "--propagation", "private", "sh", "-ec", _ENTER]
        shared = " ".join(map(str, self.shared))
        places = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": f"/home/{user}", "USER": user}
        settings = [f"{name}={value}" for name, value in {**places, **variables}.items()]
        return [*apart, "enter", str(self.folder), user, shared, *settings, *words]

    def run(
        self, *words: str, user: str = USER, timeout: float = 120, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        command = self.command(words, variables, user)
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=timeout,
            cwd="/",
            stdin=subprocess.DEVNULL,
        )

    def install(self, package: str) -> subprocess.CompletedProcess[str]:
        """Install a package that lies in the folder of packages, and what it depends on."""
        apt = ["apt-get", "install", "--yes", "--no-install-recommends", "--allow-downgrades"]
        words = [*apt, f"/{PACKAGES}/{package}"]
        return self.run(*words, user="root", timeout=600, DEBIAN_FRONTEND="noninteractive")

    def unowned(self) -> set[str]:
        """Files that no installed package owns, without homes and what packaging keeps itself."""
        lists = (self.folder / "var/lib/dpkg/info").glob("*.list")
        owned = {_merged(line) for each in lists for line in each.read_text("utf-8").splitlines()}
        found = set()
        for place, folders, names in os.walk(self.folder):
            inside = "/" + os.path.relpath(place, self.folder) if place != str(self.folder) else ""
            folders[:] = [name for name in folders if f"{inside}/{name}" not in _OWN]
            found |= {f"{inside}/{name}" for name in names}
        return {name for name in found if _merged(name) not in owned}

    def processes(self) -> list[int]:
        """The numbers of the processes that run inside."""
        found = []
        for each in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(each / "root") == str(self.folder):
                    found.append(int(each.name))
            except OSError:
                continue
        return found


def make(folder: Path, packages: Sequence[Path]) -> CleanRoot:
    """A system with a user, and with packages and all that they need lying ready."""
    holds = [SUITE, *DESKTOP, *LOCALES]
    if not _holds(folder / _SYSTEM, holds):
        _bootstrap(folder)
        _note(folder / _SYSTEM, holds)
    digests = [hashlib.sha256(package.read_bytes()).hexdigest() for package in packages]
    if not _holds(folder / _READY, digests):
        _lay_ready(folder, packages)
        _note(folder / _READY, digests)
    return CleanRoot(folder)


def _holds(stamp: Path, wanted: list[str]) -> bool:
    return stamp.is_file() and stamp.read_text("ascii").split() == wanted


def _note(stamp: Path, wanted: list[str]) -> None:
    stamp.write_text("\n".join(wanted), "ascii")


def copy(base: CleanRoot, folder: Path, shared: Sequence[Path]) -> CleanRoot:
    """The same system in another folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", "--reflink=auto", str(base.folder), str(folder)], check=True)
    return CleanRoot(folder.resolve(), tuple(shared))


def _merged(name: str) -> str:
    """A path as it is since /bin and /lib are part of /usr."""
    return f"/usr{name}" if name.startswith(("/bin/", "/lib", "/sbin/")) else name


def _bootstrap(folder: Path) -> None:
    """Fetch the system's own packages, once."""
    print(f"Filling {folder} with Debian {SUITE}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    call = ["debootstrap", "--variant=minbase", SUITE, str(folder)]
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
    _inside(folder, "apt-get", "install", "--yes", "--no-install-recommends", *DESKTOP)
    _inside(folder, "useradd", "--create-home", "--uid", str(USER_ID), USER)
    for locale in LOCALES:
        language, _, encoding = locale.partition(".")
        made = ("--inputfile", language, "--charmap", encoding, locale)
        _inside(folder, "localedef", "--no-archive", *made)


def _lay_ready(folder: Path, packages: Sequence[Path]) -> None:
    """Put packages inside, and fetch what they depend on without installing it."""
    place = folder / PACKAGES
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for package in packages:
        shutil.copyfile(package, place / package.name)
        apt = ("apt-get", "install", "--yes", "--no-install-recommends", "--download-only")
        _inside(folder, *apt, f"/{PACKAGES}/{package.name}")


def _inside(folder: Path, *words: str) -> None:
    """Run a command inside, with this machine's network."""
    variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
    command = ["chroot", str(folder), *words]
    subprocess.run(command, check=True, env=variables, stdout=subprocess.DEVNULL)
