# SPDX-License-Identifier: Apache-2.0
"""The program's icon as Windows and macOS have icons: pictures of several sizes in one file."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
from pathlib import Path

import environment
import program

COLOR = "#0B6584"
"""The theme's accent, which the logo bears in the window, too."""
WINDOWS_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
MACOS_SIZES = {b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}

_DRAW = """
import sys
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

source, color, folder, *sizes = sys.argv[1:]
app = QGuiApplication([])
text = open(source, encoding="utf-8").read().replace("currentColor", color)
drawing = QSvgRenderer(QByteArray(text.encode()))
for size in map(int, sizes):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    image.save(f"{folder}/{size}.png")
"""


def draw(sizes: list[int]) -> dict[int, bytes]:
    """The logo as PNG pictures of these sizes."""
    logo = program.ROOT / "resources" / "icons" / "logo.svg"
    with tempfile.TemporaryDirectory() as folder:
        told = [str(logo), COLOR, folder, *map(str, sizes)]
        python = str(environment.python_path())
        screenless = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        subprocess.run([python, "-c", _DRAW, *told], env=screenless, check=True)
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
