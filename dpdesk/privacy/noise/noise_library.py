# SPDX-License-Identifier: Apache-2.0
"""Whether the native part of the noise library is the one that was installed, byte for byte.

What it should be is in the list that came along with an installed program, or else in the
record of the package that it was installed from. That finds damage and an exchanged file;
anyone who may change the program as well may change the list too.
"""

from __future__ import annotations

import base64
import hashlib
import sys
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

LIST = "installed-files.sha256"
_NATIVE = (".so", ".pyd", ".dll", ".dylib")


def check_library() -> None:
    """Refuse to go on with a library that is another one than was installed.

    Raises:
        Refused: ``noise-library-altered``.
    """
    expected = expected_digest()
    if expected is not None and expected != library_digest():
        raise refuse("noise-library-altered")


@lru_cache(maxsize=1)
def library_digest() -> str:
    """SHA-256 of the library's native part."""
    digest = hashlib.sha256()
    for path in _native_files():
        with open_regular(path) as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def _native_files() -> tuple[Path, ...]:
    spec = find_spec("opendp")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return tuple(path for path in sorted(folder.rglob("*")) if path.suffix in _NATIVE)


@lru_cache(maxsize=1)
def expected_digest() -> str | None:
    """What the digest should be; None where nothing that was installed says so.

    One native file is installed. With another beside it no digest is right: the empty text.
    """
    said = [_listed(path) or _recorded(path) for path in _native_files()]
    if not any(said):
        return None
    return said[0] if len(said) == 1 else ""


def _listed(path: Path) -> str | None:
    """By the list of an installed program: ``packaging/`` writes it."""
    for folder in (Path(sys.executable).parent, Path(sys.prefix)):
        if (folder / LIST).is_file() and path.is_relative_to(folder):
            name = path.relative_to(folder).as_posix()
            lines = (folder / LIST).read_text(encoding="utf-8", errors="replace").splitlines()
            return next((n[:64] for n in lines if n[66:].removeprefix("./") == name), None)
    return None


def _recorded(path: Path) -> str | None:
    """By the record of the wheel, where it is this very file that was installed from it."""
    try:
        files = distribution("opendp").files or []
    except PackageNotFoundError:
        return None
    for file in files:
        if file.hash and Path(str(file.locate())).resolve() == path.resolve():
            return base64.urlsafe_b64decode(file.hash.value + "=").hex()
    return None
