# SPDX-License-Identifier: Apache-2.0
"""What the machine itself must bring, and how Debian and Ubuntu get it.

The set of libraries was read off Qt's own files on a machine with nothing but
Python (`ldd` over the Core, Gui and Widgets libraries and the platform plugins).
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Library -> Debian package.
WINDOW = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
X11 = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
# Program -> Debian package.
TEST_TOOLS = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "ssh-keygen": "openssh-client",
    "pg_ctlcluster": "postgresql",
    "strace": "strace",
    "xdotool": "xdotool",
}
BUILD_TOOLS = {
    "chrpath": "chrpath",
    "dpkg-shlibdeps": "dpkg-dev",
    "strip": "binutils",
    "xz": "xz-utils",
}
VALIDATORS = {
    "appstreamcli": "appstream",
    "desktop-file-validate": "desktop-file-utils",
    "lintian": "lintian",
}
MONKEY_TOOLS = {"openbox": "openbox", "xdotool": "xdotool"}
INSTALLER_TOOLS = {"makensis": "nsis"}
MEMORY_DISK = Path("/dev/shm")  # noqa: S108
TESTS_BYTES = 4 * 1024**3
"""What the files of all tests take, several times over."""

SCREEN_TOOLS = {
    "import": "imagemagick",
    "/usr/lib/python3/dist-packages/gi/__init__.py": "python3-gi",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "dbus-daemon": "dbus-daemon",
}
TRIAL_TOOLS = {
    **TEST_TOOLS,
    **SCREEN_TOOLS,
    "debootstrap": "debootstrap",
    "dpkg-deb": "dpkg",
}


def has_display() -> bool:
    """Whether a window can open here."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@contextlib.contextmanager
def test_folder() -> Iterator[str]:
    """A folder for the tests' files, in memory where there is room for them.

    Thousands of ledgers wait for the disk at every entry: tests of the ledger take a third of the
    time without one. Nothing depends on where they lie; a kill of a process loses no written byte.
    """
    folder = tempfile.gettempdir()
    if MEMORY_DISK.is_mount() and shutil.disk_usage(MEMORY_DISK).free >= TESTS_BYTES:
        folder = str(MEMORY_DISK)
    with tempfile.TemporaryDirectory("-dpdesk-tests", dir=folder, ignore_cleanup_errors=True) as at:
        yield at


def python_packages() -> list[str]:
    """Debian's own Python comes without what makes a virtual environment."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return []
    return [f"python3.{sys.version_info.minor}-venv"]


def window_packages() -> list[str]:
    """What a window on this display lacks."""
    libraries = {**WINDOW, **(WAYLAND if os.environ.get("WAYLAND_DISPLAY") else {}), **X11}
    return _missing_libraries(libraries)


def test_packages() -> list[str]:
    """What the tests lack: Qt's libraries, a display of their own, stock ssh-keygen, PostgreSQL."""
    return _missing_libraries({**WINDOW, **X11}) + _missing_tools(TEST_TOOLS)


def build_packages() -> list[str]:
    """What packing the program lacks: tools, and the system's libraries that go along."""
    libraries = {**WINDOW, **X11, **WAYLAND, **_python_library()}
    return _missing_libraries(libraries) + _missing_tools(BUILD_TOOLS)


def _python_library() -> dict[str, str]:
    """Debian's Python does without the library of itself that a frozen program starts with."""
    if sys.base_prefix != "/usr":
        return {}
    return {sysconfig.get_config_var("INSTSONAME"): f"libpython3.{sys.version_info.minor}"}


def validator_packages() -> list[str]:
    """What checking a package lacks."""
    return _missing_tools(VALIDATORS)


def monkey_packages() -> list[str]:
    """What random events on a display of its own lack: a window manager, and a hand."""
    return _missing_tools(MONKEY_TOOLS)


def _missing_tools(tools: dict[str, str]) -> list[str]:
    return [package for tool, package in tools.items() if not shutil.which(tool)]


def screen_packages() -> list[str]:
    """What pictures of the X server's screen lack beyond that."""
    return _missing_tools(SCREEN_TOOLS)


def trial_packages() -> list[str]:
    """What trying a package on a clean system lacks: the system's maker, a screen, its reader."""
    tools = {tool: name for tool, name in TRIAL_TOOLS.items() if not Path(tool).is_file()}
    return _missing_tools(tools)


def installer_packages() -> list[str]:
    """What compiling the installer for Windows lacks."""
    return _missing_tools(INSTALLER_TOOLS)


def provide(packages: list[str]) -> None:
    """Install what is missing where that is allowed, else say what does it and stop."""
    with providing(packages):
        pass


@contextlib.contextmanager
def providing(packages: list[str]) -> Iterator[None]:
    """As ``provide``, while other work goes on; what may not be installed is said before it."""
    if not packages:
        yield
        return
    wanted = " ".join(sorted(set(packages)))
    if not _is_debian():
        sys.exit(
            f"Missing on this machine, by Debian's names: {wanted}. "
            "Install them with the system's package manager and start again."
        )
    prefix = _root_prefix()
    if prefix is None:
        sys.exit(f"Some system packages are missing. This installs them:\n  {_command(wanted)}")
    print(f"Installing from the system's packages: {wanted}", flush=True)
    with ThreadPoolExecutor(1) as pool:
        installed = pool.submit(_apt, prefix, wanted.split())
        yield
    installed.result()


def _command(wanted: str) -> str:
    install = f"apt-get update && apt-get install --yes --no-install-recommends {wanted}"
    return f"sudo sh -c '{install}'" if shutil.which("sudo") else f"su -c '{install}'"


def _apt(prefix: list[str], packages: list[str]) -> None:
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install = [*apt, "install", "--yes", "--no-install-recommends", *packages]
    for command in ([*apt, "update"], install):
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stderr.strip()}")


def _root_prefix() -> list[str] | None:
    """What makes a command run as root without a question, or None."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if asked.returncode == 0:
            return ["sudo", "-n"]
    return None


def _is_debian() -> bool:
    try:
        release = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False
    names = [line.partition("=")[2].strip('"') for line in release.splitlines() if "ID" in line]
    return bool(shutil.which("apt-get")) and any(
        family in name.split() for name in names for family in ("debian", "ubuntu")
    )


def _missing_libraries(libraries: dict[str, str]) -> list[str]:
    if not sys.platform.startswith("linux"):
        return []
    return [package for library, package in libraries.items() if not _loads(library)]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
