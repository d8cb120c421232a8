# SPDX-License-Identifier: Apache-2.0
"""Opens the desk until its window is on the screen, then ends."""

from dpdesk.desk.app import application, make_window
from dpdesk.release.places.home import Home

app = application()
window = make_window(app, Home.locate())
window.show()
while not window.windowHandle().isExposed():
    app.processEvents()
