# SPDX-License-Identifier: Apache-2.0
"""The program's icon: a drawing, pictures of every size, and as Windows and macOS have icons."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import environment
import program

COLOR = "#0B6584"
"""The theme's accent, which the logo bears in the window, too."""
LINUX_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
WINDOWS_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
MACOS_SIZES = {b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}

_DRAW = """
import sys
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

text, folder, *sizes = sys.argv[1:]
app = QGuiApplication([])
drawing = QSvgRenderer(QByteArray(text.encode()))
for size in map(int, sizes):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    image.save(f"{folder}/{size}.png")
"""


def drawing() -> str:
    """The logo as SVG."""
    logo = program.ROOT / "resources" / "icons" / "logo.svg"
    return logo.read_text(encoding="utf-8").replace("currentColor", COLOR)


def draw(sizes: Sequence[int], python: Path | None = None) -> dict[int, bytes]:
    """The logo as PNG pictures of these sizes, drawn by the Qt of some environment."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [drawing(), folder, *map(str, sizes)]
        interpreter = str(python or environment.python_path())
        screenless = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        subprocess.run([interpreter, "-c", _DRAW, *arguments], env=screenless, check=True)
        return {size: (Path(folder) / f"{size}.png").read_bytes() for size in sizes}


def ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon: a directory of pictures, then the pictures; 256 is written as 0."""
    entries, place = b"", 6 + 16 * len(pictures)
    for size, content in pictures.items():
        entries += struct.pack(
            "<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(content), place
        )
        place += len(content)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures.values())


def icns(pictures: dict[int, bytes]) -> bytes:
    """A macOS icon: each picture behind its kind and its length."""
    parts = b"".join(
        kind + struct.pack(">I", 8 + len(pictures[size])) + pictures[size]
        for kind, size in MACOS_SIZES.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(parts)) + parts
