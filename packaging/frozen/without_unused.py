# SPDX-License-Identifier: Apache-2.0
"""Run by the frozen program before all else: what libraries import and nothing uses.

pyqtgraph asks for OpenGL, two modules of Qt that are 9 MB large, and the library that sets pages
for Pillow, as large again. Empty modules satisfy them; a plot that was set to draw by OpenGL, or
a page with a picture in it, would fail, and there is neither.
"""

import sys
from types import ModuleType

for name, content in (
    ("PySide6.QtOpenGL", "QOpenGLWidget"),
    ("PySide6.QtOpenGLWidgets", "QOpenGLWidget"),
    ("PIL.Image", "Image"),
):
    module = ModuleType(name)
    module.__dict__[content] = type(content, (), {})
    sys.modules[name] = module
pillow = ModuleType("PIL")
pillow.__dict__["Image"] = sys.modules["PIL.Image"]
sys.modules["PIL"] = pillow
