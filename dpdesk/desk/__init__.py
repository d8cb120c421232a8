# SPDX-License-Identifier: Apache-2.0
"""The window: everything that knows Qt.

Begin with ``main_window/window.py``; ``core/session.py`` is the work behind it, ``pages/`` what it
shows, ``text/`` what it says.
"""
