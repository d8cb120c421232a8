# SPDX-License-Identifier: Apache-2.0
"""The installed program on a desktop of a system that has no Python: ``packaging/build.py try``.

Begin with ``test_installed.py``; ``desktop.py`` is the screen with its window manager, and
``tests/x11/screen_reader.py`` what a screen reader learns there.
"""
