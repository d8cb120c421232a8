# SPDX-License-Identifier: Apache-2.0
"""What of the libraries goes into the program's folder, and what is left out.

Left out is what the program never asks for, most of it above all because it could talk to a
network or run other people's code. Tests of the frozen program find what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

Entry: TypeAlias = tuple[str, str, str]
"""Of PyInstaller: where it goes, where it comes from, what it is."""

_ENCODINGS = ("macexpert", "macroman", "pdfdoc", "standard", "symbol", "winansi", "zapfdingbats")
_STYLES = ("", "bold", "boldoblique", "oblique")
_WIDTHS = [
    *(f"{family}{style}" for family in ("courier", "helvetica") for style in _STYLES),
    *(f"times{style}" for style in ("bold", "bolditalic", "italic", "roman")),
    *("symbol", "zapfdingbats"),
]
HIDDEN = [
    *("pyarrow._compute", "pyarrow._csv", "pyarrow._parquet"),
    # Imported by names that are put together.
    "reportlab.rl_settings",
    *(f"reportlab.pdfbase._fontdata_enc_{name}" for name in _ENCODINGS),
    *(f"reportlab.pdfbase._fontdata_widths_{name}" for name in _WIDTHS),
]
EXCLUDED = [
    *(f"PySide6.{name}" for name in ("QtNetwork", "QtOpenGL", "QtOpenGLWidgets", "QtQml")),
    *(f"PySide6.{name}" for name in ("QtQuick", "QtSql", "QtTest", "QtUiTools", "QtXml")),
    *(f"pyarrow.{name}" for name in ("_azurefs", "_flight", "_gcsfs", "_hdfs", "_orc", "_s3fs")),
    *(f"pyarrow.{name}" for name in ("_substrait", "cuda", "flight", "gandiva", "interchange")),
    *(f"pyarrow.{name}" for name in ("orc", "substrait", "tests")),
    *(f"pandas.{name}" for name in ("conftest", "plotting._matplotlib", "tests")),
    *(f"numpy.{name}" for name in ("conftest", "distutils", "f2py", "testing.tests")),
    *(f"pyqtgraph.{name}" for name in ("console", "examples", "jupyter", "opengl")),
    *("PIL", "charset_normalizer", "reportlab.graphics", "reportlab.platypus"),
    *("IPython", "jinja2", "matplotlib", "polars", "scipy", "sklearn", "sqlalchemy"),
    *("lib2to3", "pip", "pytest", "readline", "setuptools", "tkinter", "wheel"),
]
ABSENT = ("charset-normalizer", "pillow")
"""Packages of the run lock of which nothing is left."""

UNUSED = [
    # Of Qt: its other platforms, networks, databases and formats, QML, words of its own programs.
    "PySide6/Qt/qml/*",
    "PySide6/Qt/plugins/[dgnqstv]*/*",
    "PySide6/Qt/plugins/egldeviceintegrations/*",
    "PySide6/Qt/plugins/imageformats/libq[ptw]*",
    "PySide6/Qt/plugins/platforms/libq[elmv]*",
    "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboard*",
    "PySide6/Qt/plugins/platformthemes/libqgtk3*",
    "PySide6/Qt/plugins/printsupport/*",
    "PySide6/Qt/plugins/*-server/*",
    "PySide6/Qt/translations/[!q]*",
    "PySide6/Qt/translations/q[!t]*",
    "PySide6/Qt/translations/qt[!b]*",
    # Of Arrow: what talks to other machines, second copies under names that nothing asks for.
    "pyarrow/*_flight*",
    "pyarrow/*_s3*",
    "pyarrow/libarrow_python*.so",
    "pyarrow/*.so.*.*.*",
    "pyarrow/*parquet_encryption*",
    "pyarrow/_acero*",
    "pyarrow/_dataset*",
    "pyarrow/_feather*",
    "pyarrow/_json*",
    "pyarrow/include/*",
    "pyarrow/tests/*",
    # Pages are set without pictures, and in our own fonts.
    "PIL/*",
    "charset_normalizer/*",
    "pillow.libs/*",
    "reportlab/fonts/*",
    "reportlab/graphics/*",
    "reportlab/platypus/*",
    "*.px[di]",
    "*.pyi",
    "*.pyx",
    "pandas/tests/*",
    "pyqtgraph/examples/*",
]
"""Files of the environment, named from where its packages lie, that are deleted there."""

LEFT = [
    # The drivers of a newer system's screen would find these two too old.
    "libgcc_s.so.1",
    "libstdc++.so.6",
    # How it was installed for the build; it names the folder.
    "*.dist-info/[!M]*",
    # What made the sample is code.
    "resources/sample/*.py",
]
"""What PyInstaller would bring along beyond that, named as in the program's folder."""


def unused(packages: Path) -> list[Path]:
    """The files of an environment that the program never asks for."""
    files = [path for path in packages.rglob("*") if path.is_file()]
    names = {path: path.relative_to(packages).as_posix() for path in files}
    return [path for path in files if any(fnmatch(names[path], each) for each in UNUSED)]


def brought(entries: Iterable[Entry]) -> list[Entry]:
    """The files that are brought along."""
    return [entry for entry in entries if not any(fnmatch(entry[0], each) for each in LEFT)]


def noise_library() -> list[tuple[str, str]]:
    """OpenDP's native part, in the place where OpenDP and the noise door look for it."""
    spec = find_spec("opendp")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("opendp")
    return [(str(path), "opendp/lib") for path in (Path(spec.origin).parent / "lib").glob("*")]


def metadata() -> list[tuple[str, str]]:
    """The parts of installed metadata that are asked for when the program runs."""
    found = []
    for name in ("opendp", "PySide6-Essentials"):
        path = Path(str(distribution(name).locate_file(""))) / _info(name)
        found.append((str(path / "METADATA"), path.name))
    return found


def _info(name: str) -> str:
    files = distribution(name).files or []
    return next(file.parts[0] for file in files if file.name == "METADATA")
