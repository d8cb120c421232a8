# SPDX-License-Identifier: Apache-2.0
"""The main window: menus, rail, budget and banners around the pages.

Begin with ``window.py``.
"""
