# SPDX-License-Identifier: Apache-2.0
"""Run by the frozen program before all else: pyqtgraph asks for OpenGL and nothing uses it.

Its import needs two modules of Qt that are 9 MB large. Empty ones satisfy it; a plot that was told
to draw by OpenGL would fail, and none is.
"""

import sys
from types import ModuleType

for name in ("QtOpenGL", "QtOpenGLWidgets"):
    module = ModuleType(f"PySide6.{name}")
    module.__dict__["QOpenGLWidget"] = object
    sys.modules[module.__name__] = module
