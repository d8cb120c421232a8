# SPDX-License-Identifier: Apache-2.0
"""The least that puts a window on the screen."""

from PySide6.QtWidgets import QApplication, QMainWindow

application = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
while not window.windowHandle().isExposed():
    application.processEvents()
