# SPDX-License-Identifier: Apache-2.0
"""What the window says of the program itself: version, parts, logs, and a text for support.

Begin with ``about_dialog.py``; ``text_dialog.py`` shows whatever is to be read.
"""
